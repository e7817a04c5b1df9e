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

/// On a constraint without axes: the number of a group. What members of a group
/// on one level of manual computations, of one shape, are constrained to is one
/// sharding.
constexpr llvm::StringLiteral kShardingGroup = "cleave.sharding_group";
/// Makes all uses of `value` those of a member of a group over `mesh`. A scalar
/// has nothing that could be cut, and stays as it is.
void joinShardingGroup(mlir::Location loc, mlir::Value value, MeshOp mesh,
                       int64_t group);

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_SPMDBUILDERS_H
