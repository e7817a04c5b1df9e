//===- SpmdBuilders.h - Short ways to build spmd operations -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_SPMDBUILDERS_H
#define CLEAVE_DIALECTS_SPMD_SPMDBUILDERS_H

#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/IR/BuiltinOps.h"

namespace cleave::spmd {

/// Declares a mesh at the top of `module`, under a name like `name` where a
/// function or another mesh is called that already.
MeshOp declareMesh(mlir::ModuleOp module, mlir::Location loc,
                   llvm::StringRef name, MeshAttr shape);

/// `value` under a constraint; itself if `sharding` is null or of another rank,
/// or for a scalar, which has no dimension that could be cut. In a manual
/// computation values are cut over its free axes only.
mlir::Value constrain(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, ShardingAttr sharding);
/// Puts the uses of each result under a constraint, as constrain() does.
void constrainResults(mlir::Operation *op,
                      llvm::ArrayRef<ShardingAttr> shardings);

/// Attributes of constraints that leave all dimensions open.
/// A number: what the members of this group are constrained to is one sharding,
/// if they have one shape and are in the same manual computation, or in none.
constexpr llvm::StringLiteral kShardingGroup = "cleave.sharding_group";
/// A string: shardings spread FORWARD only, from operand to result, BACKWARD
/// only, or not at all (NONE).
constexpr llvm::StringLiteral kPropagationBarrier =
    "cleave.propagation_barrier";

/// `value` under a constraint with one of these attributes; itself where
/// constrain() would give that.
mlir::Value constrainOpen(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, MeshOp mesh,
                          llvm::StringRef attribute, mlir::Attribute setting);

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_SPMDBUILDERS_H
