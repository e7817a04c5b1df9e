//===- ShardingConversion.h - Between attributes and plain shardings ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_SHARDINGCONVERSION_H
#define CLEAVE_DIALECTS_SPMD_SHARDINGCONVERSION_H

#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace cleave::spmd {

/// The mesh as plain data.
Mesh toMesh(MeshOp op);
/// An axis of `mesh`; asserts that it exists (attributes are verified before).
AxisRef toAxisRef(AxisAttr attr, const Mesh &mesh);
AxisList toAxisList(llvm::ArrayRef<AxisAttr> attrs, const Mesh &mesh);
/// The sharding of a tensor of this global shape. Parts of an axis that follow
/// one another become one where that leaves the blocks as they are, and axes of
/// size 1 are left out: equal placements are spelled alike.
Sharding toSharding(ShardingAttr attr, const Mesh &mesh,
                    llvm::ArrayRef<int64_t> shape);

AxisAttr toAttr(mlir::MLIRContext *context, const AxisRef &axis,
                const Mesh &mesh);
AxesAttr toAttr(mlir::MLIRContext *context, llvm::ArrayRef<AxisRef> axes,
                const Mesh &mesh);
ShardingAttr toAttr(mlir::MLIRContext *context, const Sharding &sharding,
                    const Mesh &mesh);

ReductionKind toKind(Reduction reduction);
Reduction toAttr(ReductionKind kind);

/// Checks that the axes exist in the mesh, are valid parts, and do not overlap
/// one another; emits a diagnostic otherwise.
llvm::LogicalResult
verifyAxes(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
           llvm::ArrayRef<AxisAttr> axes, MeshOp mesh);
/// Checks a sharding against its mesh and the type it annotates.
llvm::LogicalResult
verifySharding(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
               ShardingAttr sharding, mlir::Type type, mlir::Operation *from);

/// The only mesh of a module; null, with a diagnostic, when there is none or
/// are several.
MeshOp getOnlyMesh(mlir::ModuleOp module);

/// Sharding of a value: `spmd.shardings` of its op, or `spmd.sharding` of the
/// function argument (of the tied result for an argument of a region, the free
/// part of the input's sharding in a manual computation); null if it has none.
ShardingAttr getSharding(mlir::Value value);
void setSharding(mlir::Value value, ShardingAttr sharding);

/// Whether the values in the regions of an op are partitioned with those around
/// it: a loop or branch, or a manual computation with free axes.
bool hasShardedRegions(mlir::Operation *op);

/// Checks that arguments, results and all global tensors of a function have
/// shardings, as they do after propagation.
llvm::LogicalResult verifyAllSharded(mlir::FunctionOpInterface func);

/// Where the axes of a value's sharding came from, as propagation recorded it.
mlir::StringAttr getOrigins(mlir::Value value);

/// The op as one that is partitioned by its own rule; null for an op without a
/// rule, and for one with results that are no tensors (scalars are the same on
/// every rank).
ShardingRuleOpInterface getRuled(mlir::Operation *op);

/// Bytes one element takes (i1 takes one, an index eight).
int64_t elementBytes(mlir::Type type);

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_SHARDINGCONVERSION_H
