//===- GroupsOfAxes.cpp - Groups of processes named by axes ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/GroupsOfAxes.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace cleave;

namespace {

constexpr llvm::StringLiteral kGroups = "replica_groups";

/// Axes with the slowest first; process `devices[i]`, or i without devices, is
/// at place i.
struct AxisGrid {
  SmallVector<StringRef> names;
  SmallVector<int64_t> sizes, devices;

  /// What the distance of neighbours along an axis is.
  int64_t strideOf(size_t axis) const {
    int64_t stride = 1;
    for (int64_t size : ArrayRef(sizes).drop_front(axis + 1))
      stride *= size;
    return stride;
  }
  int64_t numPlaces() const {
    return sizes.empty() ? 1 : strideOf(0) * sizes.front();
  }
};

/// A part of an axis: places that differ by multiples of `stride`.
struct Steps {
  int64_t stride = 1, size = 1;
};

} // namespace

/// Reads `{axes = [{name = "x", size = 2}], device_ids = dense<...>}`.
static bool readGrid(DictionaryAttr fields, AxisGrid &grid) {
  auto axes = fields.getAs<ArrayAttr>("axes");
  if (!axes)
    return false;
  for (Attribute attribute : axes) {
    auto axis = dyn_cast<DictionaryAttr>(attribute);
    if (auto record = dyn_cast<stablehlo::RecordAttr>(attribute))
      axis = record.getFields();
    auto name = axis ? axis.getAs<StringAttr>("name") : StringAttr();
    auto size = axis ? axis.getAs<IntegerAttr>("size") : IntegerAttr();
    if (!name || !size)
      return false;
    grid.names.push_back(name);
    grid.sizes.push_back(size.getInt());
  }
  if (auto ids = fields.getAs<DenseIntElementsAttr>("device_ids"))
    for (const APInt &id : ids.getValues<APInt>())
      grid.devices.push_back(id.getSExtValue());
  return true;
}

static FailureOr<AxisGrid> gridOf(Operation *op, Attribute mesh,
                                  SymbolTable &symbols) {
  AxisGrid grid;
  bool isRead = false;
  if (auto record = dyn_cast_if_present<stablehlo::RecordAttr>(mesh))
    isRead = readGrid(record.getFields(), grid);
  if (auto name = dyn_cast_if_present<FlatSymbolRefAttr>(mesh)) {
    Operation *named = symbols.lookup(name.getAttr());
    if (auto declared = dyn_cast_if_present<sdy::MeshOp>(named)) {
      for (StringAttr axis : declared.getMesh().getNames())
        grid.names.push_back(axis);
      llvm::append_range(grid.sizes, declared.getMesh().getSizes());
      llvm::append_range(grid.devices, declared.getMesh().getDeviceIds());
      isRead = true;
    } else if (auto fields = named ? named->getAttrOfType<DictionaryAttr>(
                                         "stablehlo.mesh")
                                   : DictionaryAttr()) {
      isRead = readGrid(fields, grid);
    }
  }
  if (!isRead)
    return op->emitError() << kGroups << " name no mesh: " << mesh;
  // More than any machine has; products of sizes below cannot overflow.
  constexpr int64_t kMaxProcesses = 1 << 20;
  int64_t places = 1;
  for (int64_t size : grid.sizes) {
    if (size < 1 || size > kMaxProcesses / places)
      return op->emitError()
             << kGroups << " name a mesh with an axis of size " << size
             << "; expected 1 to " << kMaxProcesses << " processes";
    places *= size;
  }
  if (!grid.devices.empty() &&
      static_cast<int64_t>(grid.devices.size()) != places)
    return op->emitError() << kGroups << " name a mesh of " << places
                           << " places with " << grid.devices.size()
                           << " device_ids";
  return grid;
}

/// Reads `axis_ref<name = "x", sub_axis_info = (1)2>`, or Shardy's axis.
static FailureOr<Steps> stepsOf(Operation *op, Attribute axis,
                                const AxisGrid &grid) {
  StringRef name;
  int64_t before = 1, size = 0;
  if (auto sharded = dyn_cast<sdy::AxisAttr>(axis)) {
    name = sharded.getName();
    before = sharded.getPre();
    size = sharded.getSize();
  } else if (auto record = dyn_cast<stablehlo::RecordAttr>(axis)) {
    if (auto text = record.getFields().getAs<StringAttr>("name"))
      name = text;
    if (auto part =
            record.getFields().getAs<DenseI64ArrayAttr>("sub_axis_info")) {
      before = part[0];
      size = part[1];
    }
  }
  const auto *found = llvm::find(grid.names, name);
  if (found == grid.names.end())
    return op->emitError() << kGroups
                           << " name an axis that their mesh has not: " << axis;
  size_t index = found - grid.names.begin();
  int64_t whole = grid.sizes[index];
  if (size == 0) {
    before = 1;
    size = whole;
  }
  if (before < 1 || size < 1 || before > whole || size > whole ||
      whole % (before * size) != 0)
    return op->emitError() << kGroups << " name a part of an axis of size "
                           << whole << " that does not divide it: " << axis;
  return Steps{grid.strideOf(index) * (whole / (before * size)), size};
}

static LogicalResult listGroups(Operation *op, stablehlo::RecordAttr groups,
                                SymbolTable &symbols) {
  FailureOr<AxisGrid> grid =
      gridOf(op, groups.getFields().get("mesh"), symbols);
  if (failed(grid))
    return failure();
  auto axes = groups.getFields().getAs<ArrayAttr>("axes");
  if (!axes)
    return op->emitError() << kGroups << " name no axes";
  // The offsets of a group's members from its first.
  SmallVector<int64_t> offsets{0};
  for (Attribute axis : axes) {
    FailureOr<Steps> steps = stepsOf(op, axis, *grid);
    if (failed(steps))
      return failure();
    SmallVector<int64_t> further;
    for (int64_t offset : offsets)
      for (int64_t step = 0; step < steps->size; ++step)
        further.push_back(offset + step * steps->stride);
    offsets = std::move(further);
    if (static_cast<int64_t>(offsets.size()) > grid->numPlaces())
      break;
  }
  // Each place that no group has yet is the first of the next.
  SmallVector<int64_t> members;
  SmallVector<bool> isUsed(grid->numPlaces(), false);
  for (int64_t first = 0; first < grid->numPlaces(); ++first) {
    if (isUsed[first])
      continue;
    for (int64_t offset : offsets) {
      int64_t place = first + offset;
      if (place >= grid->numPlaces() || isUsed[place])
        return op->emitError() << kGroups << " name a part of an axis twice";
      isUsed[place] = true;
      members.push_back(grid->devices.empty() ? place : grid->devices[place]);
    }
  }
  Builder builder(op->getContext());
  int64_t size = offsets.size();
  auto type =
      RankedTensorType::get({static_cast<int64_t>(members.size()) / size, size},
                            builder.getI64Type());
  op->setAttr(kGroups, DenseIntElementsAttr::get(type, members));
  return success();
}

LogicalResult reader::listGroupsOfAxes(ModuleOp module) {
  SymbolTable symbols(module);
  WalkResult walk = module.walk([&](Operation *op) {
    auto groups = op->getAttrOfType<stablehlo::RecordAttr>(kGroups);
    // On a call of something unknown it says nothing about processes.
    if (!groups || isa<stablehlo::CustomCallOp>(op) ||
        groups.getKind().getValue() != "replica_group_mesh_axes")
      return WalkResult::advance();
    return WalkResult(listGroups(op, groups, symbols));
  });
  return failure(walk.wasInterrupted());
}
