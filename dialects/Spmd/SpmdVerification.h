//===- SpmdVerification.h - Checks that ops of spmd share -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each emits a diagnostic where it fails.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_SPMDVERIFICATION_H
#define CLEAVE_DIALECTS_SPMD_SPMDVERIFICATION_H

#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/IR/SymbolTable.h"

namespace cleave::spmd {

/// The mesh of this name; null if there is none.
MeshOp lookUpMesh(mlir::Operation *op, mlir::FlatSymbolRefAttr name,
                  mlir::SymbolTableCollection &tables);

/// Checks that the mesh exists and has the axes.
llvm::LogicalResult verifyMeshAndAxes(mlir::Operation *op,
                                      mlir::FlatSymbolRefAttr name,
                                      llvm::ArrayRef<AxisAttr> axes,
                                      mlir::SymbolTableCollection &tables);

/// Checks that a reduction is defined for the elements of the first operand:
/// `and` and `or` are bitwise.
llvm::LogicalResult verifyReduction(mlir::Operation *op, Reduction reduction);

/// Checks that `dim` of `type`, a shard of `size` elements cut over `axes`, has
/// the extent of a block.
llvm::LogicalResult verifyBlock(mlir::Operation *op,
                                mlir::RankedTensorType type, int64_t dim,
                                int64_t size, const Mesh &mesh,
                                llvm::ArrayRef<AxisAttr> axes);

/// All axes that a sharding names.
llvm::SmallVector<AxisAttr> allAxes(ShardingAttr sharding);

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_SPMDVERIFICATION_H
