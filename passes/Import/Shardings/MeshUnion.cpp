//===- MeshUnion.cpp - One mesh for all of a module's ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/MeshUnion.h"
#include "dialects/Spmd/SpmdBuilders.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace cleave::reader {

static int64_t numDevices(sdy::MeshAttr mesh) {
  int64_t product = 1;
  for (int64_t size : mesh.getSizes())
    product *= size;
  return product;
}

bool isOneDevice(sdy::MeshAttr mesh) { return numDevices(mesh) == 1; }

LogicalResult MeshUnion::addMesh(Location loc, sdy::MeshAttr mesh) {
  if (isOneDevice(mesh) || grids.contains(mesh))
    return success();
  if (grids.empty())
    devices.emplace(numDevices(mesh));
  else if (int64_t first = numDevices(grids.front().first);
           numDevices(mesh) != first)
    return emitError(loc) << "meshes of " << first << " and of "
                          << numDevices(mesh)
                          << " devices in one program; all must be over the "
                             "same devices";
  grids[mesh] = devices->add(mesh.getDeviceIds(), mesh.getSizes());
  locations.try_emplace(mesh, loc);
  return success();
}

/// The digits of an axis, or of a part of it, in the order of its mesh.
std::optional<DeviceDigits> MeshUnion::digitsOf(sdy::MeshAttr mesh,
                                                sdy::AxisAttr axis) const {
  auto name = llvm::find(mesh.getNames(), axis.getName());
  if (name == mesh.getNames().end())
    return std::nullopt;
  size_t index = name - mesh.getNames().begin();
  const DeviceDigits &digits = grids.lookup(mesh).dims[index];
  if (axis.getSize() == 0)
    return digits;
  int64_t size = mesh.getSizes()[index];
  int64_t major = axis.getPre();
  if (size % major != 0 || size / major % axis.getSize() != 0)
    return std::nullopt;
  auto parts = splitDigits(
      digits, {major, axis.getSize(), size / major / axis.getSize()});
  return parts ? std::optional((*parts)[1]) : std::nullopt;
}

LogicalResult MeshUnion::addAxis(Location loc, sdy::MeshAttr mesh,
                                 sdy::AxisAttr axis) {
  if (!llvm::is_contained(mesh.getNames(), axis.getName())) {
    InFlightDiagnostic diag = emitError(loc)
                              << "the mesh has no axis " << axis.getName()
                              << "; its axes are ";
    llvm::interleaveComma(mesh.getNames(), diag);
    return diag;
  }
  // A lone mesh is taken as it is, and its parts are verified there.
  if (isOneDevice(mesh) || isAlone())
    return success();
  std::optional<DeviceDigits> digits = digitsOf(mesh, axis);
  if (!digits)
    return emitError(loc) << "axis " << axis.getName() << " has no part ("
                          << axis.getPre() << ")" << axis.getSize();
  if (!devices->addPart(grids.lookup(mesh).order, *digits))
    return emitError(loc) << "no mesh has both this part of axis "
                          << axis.getName()
                          << " and the axes of the other meshes";
  return success();
}

spmd::MeshOp MeshUnion::declare(ModuleOp module, StringRef name) {
  if (grids.empty())
    return {};
  MLIRContext *context = module.getContext();
  spmd::MeshAttr shape;
  if (isAlone()) {
    sdy::MeshAttr only = grids.front().first;
    shape = spmd::MeshAttr::get(context, only.getNames(), only.getSizes(),
                                only.getDeviceIds());
  } else {
    devices->combine();
    // An axis keeps the name under which some mesh has it.
    llvm::StringSet<> used;
    SmallVector<int64_t> sizes;
    for (auto [i, digit] : llvm::enumerate(devices->axes())) {
      std::string axisName;
      for (const auto &[mesh, grid] : grids)
        for (auto [dim, ownName] : llvm::zip_equal(grid.dims, mesh.getNames()))
          if (axisName.empty() && !used.contains(ownName.getValue()) &&
              devices->axesOf(grid.order, dim) ==
                  SmallVector<unsigned>{static_cast<unsigned>(i)})
            axisName = ownName.str();
      for (unsigned n = i; axisName.empty(); ++n)
        if (std::string numbered = ("d" + Twine(n)).str();
            !used.contains(numbered))
          axisName = numbered;
      used.insert(axisName);
      names.push_back(StringAttr::get(context, axisName));
      sizes.push_back(digit.size);
    }
    shape = spmd::MeshAttr::get(context, names, sizes, devices->devices());
    for (const auto &[mesh, grid] : grids)
      if (!devices->isInPlace(grid.order))
        emitWarning(locations.find(mesh)->second)
            << mesh
            << ": no mesh has the axes of this mesh and those of the others on "
               "the same devices: values are cut over it as it says, but other "
               "devices have the blocks";
  }
  return spmd::declareMesh(module, module.getLoc(), name, shape);
}

SmallVector<spmd::AxisAttr> MeshUnion::axesOf(sdy::MeshAttr mesh,
                                              sdy::AxisAttr axis) const {
  MLIRContext *context = mesh.getContext();
  if (isAlone())
    return {spmd::AxisAttr::get(context, axis.getName(), axis.getPre(),
                                axis.getSize())};
  std::optional<DeviceDigits> digits = digitsOf(mesh, axis);
  assert(digits && "axes are added first");
  SmallVector<spmd::AxisAttr> axes;
  for (unsigned part : devices->axesOf(grids.lookup(mesh).order, *digits))
    axes.push_back(spmd::AxisAttr::get(context, names[part], 1, 0));
  return axes;
}

SmallVector<int64_t> MeshUnion::devicesOf(sdy::MeshAttr mesh) const {
  if (isAlone() || devices->isInPlace(grids.lookup(mesh).order))
    return {};
  return devices->devicesOf(grids.lookup(mesh).order);
}

} // namespace cleave::reader
