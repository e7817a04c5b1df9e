//===- ManualBorders.h - Where code on local shapes begins ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GSPMD programs enter code on local shapes through
// `custom_call @SPMDFullToShardShape` and leave it through
// `custom_call @SPMDShardToFullShape`. An entry's own `mhlo.sharding` is that
// of its local value, an exit's that of its global one; a `custom_call
// @Sharding` before it says how the other is cut. Code that is manual along
// some devices only has a subgroup of manual devices in its shardings; where
// code around it is manual, too, so does the sharding of the global side.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALBORDERS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALBORDERS_H

#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"

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
bool isEntry(mlir::Operation *op);
bool isExit(mlir::Operation *op);
/// Checks that an entry or exit takes one value and returns one.
mlir::LogicalResult checkCrossing(stablehlo::CustomCallOp call);
/// The @Sharding call that yields the operand of an entry or exit; null if
/// there is none.
stablehlo::CustomCallOp callBefore(stablehlo::CustomCallOp call);

/// What the calls at the border of a region say.
struct Border {
  /// The shardings of global values, by entries and by exits.
  llvm::SmallVector<mlir::Attribute> in, out;
  /// The axes along which the region is manual, but not the code around it.
  llvm::SmallVector<mlir::StringAttr> manual;
  /// The axes that are manual neither in the region nor around it.
  llvm::SmallVector<mlir::Attribute> free;
  /// The order of devices that the shardings name.
  std::optional<unsigned> order;
  /// The call that said what is manual.
  stablehlo::CustomCallOp first;

  /// Reads the entries and then the exits of a region. Fails, with a
  /// diagnostic, where they contradict one another or leave out something.
  static mlir::FailureOr<Border>
  read(llvm::ArrayRef<stablehlo::CustomCallOp> calls, CallShardings &shardings);

private:
  mlir::LogicalResult addManualAxes(stablehlo::CustomCallOp call,
                                    const CallSharding &global,
                                    const CallSharding &local);
};

/// How many axes are manual around a region that `call` enters or leaves.
mlir::FailureOr<size_t> depthOf(stablehlo::CustomCallOp call,
                                CallShardings &shardings);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALBORDERS_H
