//===- PlacedShardings.cpp - Strings of shardings over one mesh -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/PlacedShardings.h"
#include "dialects/Spmd/SpmdBuilders.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/Import/Shardings/GspmdAnnotations.h"

using namespace mlir;

namespace cleave::reader {

//===----------------------------------------------------------------------===//
// The mesh
//===----------------------------------------------------------------------===//

PlacedSharding PlacedShardings::place(const GspmdSharding &sharding) {
  PlacedSharding result{sharding, {}, {}};
  for (const GspmdSharding &element : sharding.elements)
    result.elements.push_back(place(element));
  if (result.isTiled())
    result.grid = devices.add(sharding.devices, sharding.tiles);
  return result;
}

void PlacedShardings::add(Location loc, StringAttr text,
                          const GspmdSharding &sharding) {
  placed.insert({text, {place(sharding), loc}});
}

void PlacedShardings::declareMesh(ModuleOp module) {
  if (placed.empty())
    return;
  devices.combine();
  MLIRContext *context = module.getContext();
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  for (auto [i, axis] : llvm::enumerate(devices.axes())) {
    names.push_back(StringAttr::get(context, "d" + Twine(i)));
    sizes.push_back(axis.size);
  }
  mesh = spmd::declareMesh(
      module, module.getLoc(), "mesh",
      spmd::MeshAttr::get(context, names, sizes, devices.devices()));
  warnOfOtherOrders();
}

void PlacedShardings::warnOfOtherOrders() const {
  auto isElsewhere = [&](const PlacedSharding &sharding) {
    return sharding.isTiled() && !devices.isInPlace(sharding.grid.order);
  };
  for (const auto &[text, entry] : placed) {
    const auto &[sharding, loc] = entry;
    if (isElsewhere(sharding) || llvm::any_of(sharding.elements, isElsewhere))
      emitWarning(loc) << kMhloSharding << " " << text
                       << ": no mesh has these tiles and those of the other "
                          "shardings on the same devices: values are cut as it "
                          "says, but other devices have the blocks";
  }
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

const PlacedSharding *PlacedShardings::find(Attribute text) const {
  auto string = dyn_cast_or_null<StringAttr>(text);
  auto found = string && mesh ? placed.find(string) : placed.end();
  return found == placed.end() ? nullptr : &found->second.first;
}

PlacedSharding PlacedShardings::inOrder(PlacedSharding sharding,
                                        unsigned order) const {
  if (sharding.isTiled())
    if (auto grid =
            devices.findIn(order, sharding.text.devices, sharding.text.tiles))
      sharding.grid = *grid;
  return sharding;
}

SmallVector<int64_t> PlacedShardings::devicesOf(unsigned order) const {
  return devices.isInPlace(order) ? SmallVector<int64_t>()
                                  : devices.devicesOf(order);
}

SmallVector<spmd::AxisAttr>
PlacedShardings::axesOf(unsigned order, ArrayRef<DeviceDigit> digits) const {
  spmd::MeshAttr shape = spmd::MeshOp(mesh).getShape();
  SmallVector<spmd::AxisAttr> axes;
  for (unsigned axis : devices.axesOf(order, digits))
    axes.push_back(
        spmd::AxisAttr::get(shape.getContext(), shape.getNames()[axis], 1, 0));
  return axes;
}

/// The axes of the subgroups of one kind.
SmallVector<spmd::AxisAttr>
PlacedShardings::axesOf(const PlacedSharding &sharding,
                        GspmdSharding::Subgroup subgroup) const {
  SmallVector<spmd::AxisAttr> axes;
  for (auto [i, kind] : llvm::enumerate(sharding.text.subgroups))
    if (kind == subgroup)
      llvm::append_range(axes,
                         axesOf(sharding.grid.order,
                                sharding.grid.dims[sharding.text.rank() + i]));
  return axes;
}

SmallVector<StringAttr>
PlacedShardings::manualAxesOf(const PlacedSharding &sharding) const {
  ArrayRef<StringAttr> names = spmd::MeshOp(mesh).getShape().getNames();
  if (sharding.text.kind == GspmdSharding::Kind::Manual)
    return SmallVector<StringAttr>(names);
  SmallVector<spmd::AxisAttr> manual =
      axesOf(sharding, GspmdSharding::Subgroup::Manual);
  SmallVector<StringAttr> sorted;
  llvm::copy_if(names, std::back_inserter(sorted), [&](StringAttr name) {
    return llvm::any_of(
        manual, [&](spmd::AxisAttr axis) { return axis.getName() == name; });
  });
  return sorted;
}

spmd::ShardingAttr PlacedShardings::convert(const PlacedSharding &sharding,
                                            Type type,
                                            ArrayRef<int64_t> openDims) const {
  using Kind = GspmdSharding::Kind;
  auto tensor = dyn_cast<RankedTensorType>(type);
  Kind kind = sharding.text.kind;
  if (!tensor || kind == Kind::Manual || kind == Kind::Tuple ||
      kind == Kind::Unknown)
    return {};
  MLIRContext *context = type.getContext();
  SmallVector<spmd::DimShardingAttr> dims;
  for (int64_t d = 0; d < tensor.getRank(); ++d) {
    SmallVector<spmd::AxisAttr> axes;
    if (kind == Kind::Tiled)
      axes = axesOf(sharding.grid.order, sharding.grid.dims[d]);
    dims.push_back(spmd::DimShardingAttr::get(
        context, axes, llvm::is_contained(openDims, d), std::nullopt));
  }
  SmallVector<spmd::AxisAttr> unreduced =
      axesOf(sharding, GspmdSharding::Subgroup::Unreduced);
  if (kind == Kind::Unreduced)
    for (StringAttr name : spmd::MeshOp(mesh).getShape().getNames())
      unreduced.push_back(spmd::AxisAttr::get(context, name, 1, 0));
  SmallVector<spmd::PartialAttr> partial;
  for (spmd::AxisAttr axis : unreduced)
    partial.push_back(
        spmd::PartialAttr::get(context, spmd::Reduction::Sum, axis));
  return spmd::ShardingAttr::get(
      context, FlatSymbolRefAttr::get(spmd::MeshOp(mesh).getSymNameAttr()),
      dims, partial);
}

} // namespace cleave::reader
