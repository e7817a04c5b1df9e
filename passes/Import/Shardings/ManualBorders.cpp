//===- ManualBorders.cpp - Where code on local shapes begins --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/ManualBorders.h"

using namespace mlir;
using cleave::stablehlo::CustomCallOp;

namespace cleave::reader {

//===----------------------------------------------------------------------===//
// Crossings
//===----------------------------------------------------------------------===//

bool isCallOf(CustomCallOp call, StringRef target) {
  auto name = call->getAttrOfType<StringAttr>("call_target_name");
  return name && name.getValue() == target;
}

bool isEntry(Operation *op) {
  auto call = dyn_cast_or_null<CustomCallOp>(op);
  return call && isCallOf(call, "SPMDFullToShardShape");
}
bool isExit(Operation *op) {
  auto call = dyn_cast_or_null<CustomCallOp>(op);
  return call && isCallOf(call, "SPMDShardToFullShape");
}

LogicalResult checkCrossing(CustomCallOp call) {
  if (call->getNumOperands() != 1 || call->getNumResults() != 1)
    return call.emitError("takes one value and returns one");
  return success();
}

CustomCallOp callBefore(CustomCallOp call) {
  auto before = call->getOperand(0).getDefiningOp<CustomCallOp>();
  return before && isCallOf(before, "Sharding") ? before : CustomCallOp();
}

namespace {

/// A value at an entry or exit.
struct Crossing {
  Type globalType, localType;
  /// The calls that say how it is cut outside and inside; null if none does.
  CustomCallOp outside, inside;

  explicit Crossing(CustomCallOp call)
      : globalType(call->getOperand(0).getType()),
        localType(call->getResult(0).getType()), outside(callBefore(call)),
        inside(call) {
    if (isExit(call)) {
      std::swap(globalType, localType);
      std::swap(outside, inside);
    }
  }
};

} // namespace

//===----------------------------------------------------------------------===//
// What the border says
//===----------------------------------------------------------------------===//

/// Notes along which axes the values of `call` become local: those along which
/// they are in the region and not around it.
LogicalResult Border::addManualAxes(CustomCallOp call,
                                    const CallSharding &global,
                                    const CallSharding &local) {
  SmallVector<StringAttr> becoming;
  llvm::copy_if(local.manual, std::back_inserter(becoming),
                [&](StringAttr axis) {
                  return !llvm::is_contained(global.manual, axis);
                });
  if (first && becoming != manual) {
    InFlightDiagnostic diag =
        call.emitError("is manual along other devices than the rest of its "
                       "region");
    diag.attachNote(first.getLoc()) << "such as this";
    return diag;
  }
  for (const CallSharding *side : {&global, &local}) {
    if (order && side->order && *order != *side->order)
      return call.emitError("lists devices in an order that cannot be combined "
                            "with that of other values of its region");
    if (side->order)
      order = side->order;
  }
  first = call;
  manual = std::move(becoming);
  return success();
}

/// Checks that the axes along which a value becomes local divide it, so that
/// local values have no padding.
static LogicalResult checkDivides(CustomCallOp call, const Border &border,
                                  spmd::ShardingAttr sharding, Type type,
                                  spmd::MeshOp mesh) {
  for (auto [d, dim] : llvm::enumerate(sharding.getDims())) {
    int64_t pieces = 1;
    for (spmd::AxisAttr axis : dim.getAxes())
      for (auto [name, size] : llvm::zip_equal(mesh.getShape().getNames(),
                                               mesh.getShape().getSizes()))
        if (name == axis.getName() && llvm::is_contained(border.manual, name))
          pieces *= size;
    int64_t size = cast<RankedTensorType>(type).getDimSize(d);
    if (size % pieces != 0)
      return call.emitError("cuts dimension ")
             << d << ", of size " << size << ", into " << pieces
             << " blocks that are not equal";
  }
  return success();
}

/// The order of devices in which a region is read: one that all its values
/// have, if there is such a one.
static FailureOr<std::optional<unsigned>>
orderOf(ArrayRef<CustomCallOp> crossings, CallShardings &shardings) {
  SmallVector<CustomCallOp> calls;
  for (CustomCallOp call : crossings)
    llvm::append_values(calls, call, callBefore(call));
  auto read = [&](CustomCallOp call, std::optional<unsigned> order) {
    Type type = call ? call->getResult(0).getType() : Type();
    return shardings.read(call, type, order);
  };
  SmallVector<unsigned> orders;
  for (CustomCallOp call : calls) {
    FailureOr<CallSharding> sharding = read(call, std::nullopt);
    if (failed(sharding))
      return failure();
    if (sharding->order && !llvm::is_contained(orders, *sharding->order))
      orders.push_back(*sharding->order);
  }
  auto isOfAll = [&](unsigned order) {
    return llvm::all_of(calls, [&](CustomCallOp call) {
      FailureOr<CallSharding> sharding = read(call, order);
      return !sharding->order || *sharding->order == order;
    });
  };
  auto *found = llvm::find_if(orders, isOfAll);
  return found == orders.end() ? std::optional<unsigned>() : *found;
}

FailureOr<Border> Border::read(ArrayRef<CustomCallOp> calls,
                               CallShardings &shardings) {
  Border border;
  FailureOr<std::optional<unsigned>> order = orderOf(calls, shardings);
  if (failed(order))
    return failure();
  for (CustomCallOp call : calls) {
    Crossing value(call);
    FailureOr<CallSharding> global =
        shardings.read(value.outside, value.globalType, *order);
    FailureOr<CallSharding> local =
        shardings.read(value.inside, value.localType, *order);
    if (failed(global) || failed(local))
      return failure();
    if (!global->sharding)
      return call.emitError("needs the mhlo.sharding of its global value: of "
                            "the result, or of a @Sharding call before it");
    // An exit need not repeat what the entries say.
    bool saysWhat = value.inside && value.inside->hasAttr("mhlo.sharding");
    if (!saysWhat && !border.first)
      return call.emitError("needs an mhlo.sharding that says along which "
                            "devices its local value is manual");
    if (saysWhat && failed(border.addManualAxes(call, *global, *local)))
      return failure();
    (isEntry(call) ? border.in : border.out).push_back(global->sharding);
    if (failed(checkDivides(call, border, global->sharding, value.globalType,
                            shardings.getMesh())))
      return failure();
  }
  Crossing first(calls.front());
  FailureOr<CallSharding> local =
      shardings.read(first.inside, first.localType, border.order);
  for (StringAttr axis : shardings.getMesh().getShape().getNames())
    if (!llvm::is_contained(local->manual, axis))
      border.free.push_back(axis);
  return border;
}

FailureOr<size_t> depthOf(CustomCallOp call, CallShardings &shardings) {
  if (failed(checkCrossing(call)))
    return failure();
  Crossing value(call);
  FailureOr<CallSharding> global =
      shardings.read(value.outside, value.globalType);
  if (failed(global))
    return failure();
  return global->manual.size();
}

} // namespace cleave::reader
