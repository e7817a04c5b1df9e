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

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_SPMDBUILDERS_H
