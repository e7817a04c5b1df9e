//===- ManualRegions.h - Regions between full and shard shapes --*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GSPMD programs enter code on local shapes through
// `custom_call @SPMDFullToShardShape` and leave it through
// `custom_call @SPMDShardToFullShape`. Code that is manual along some devices
// only has a subgroup of manual devices in its shardings; where code around it
// is manual, too, so does the sharding of the global side.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H

#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cleave::reader {

/// What the `mhlo.sharding` of a call says.
struct CallSharding {
  /// Null where the call has none, or says no more than that values are local.
  /// Without the axes along which they are.
  spmd::ShardingAttr sharding;
  /// The axes along which values are local.
  llvm::SmallVector<mlir::StringAttr> manual;
  /// The order of its devices (DeviceGrids.h), if it names some.
  std::optional<unsigned> order;
};

/// Reads the shardings of a module's calls.
class CallShardings {
public:
  virtual ~CallShardings() = default;
  /// What `call`, which may be null, says of a value of `type`, in `order`
  /// rather than another one in which its devices count as well. Fails with a
  /// diagnostic.
  virtual llvm::FailureOr<CallSharding>
  read(stablehlo::CustomCallOp call, mlir::Type type,
       std::optional<unsigned> order = std::nullopt) = 0;
  /// The device of each rank in code over an order; empty if it is the rank's
  /// own.
  virtual llvm::SmallVector<int64_t> devicesOf(unsigned order) = 0;
  /// Null where everything is on one device.
  virtual spmd::MeshOp getMesh() = 0;
};

bool isCallOf(stablehlo::CustomCallOp call, llvm::StringRef target);

/// Moves what lies between the two custom calls into
/// `spmd.manual_computation`s. Fails, with a diagnostic, where code on local
/// shapes uses or yields values that did not pass through them.
mlir::LogicalResult formManualRegions(mlir::func::FuncOp function,
                                      CallShardings &shardings);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H
