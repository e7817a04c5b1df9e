//===- MeshUnion.cpp - One mesh for all of a module's ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/MeshUnion.h"
#include "mlir/IR/SymbolTable.h"
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

/// The digit of each axis in the device number.
static std::optional<SmallVector<DeviceDigit, 4>>
digitsOfAxes(sdy::MeshAttr mesh) {
  if (mesh.getDeviceIds().empty())
    return gridDigits(mesh.getSizes());
  std::optional<DeviceDigits> counting = countingDigits(mesh.getDeviceIds());
  if (!counting)
    return std::nullopt;
  auto groups = splitDigits(*counting, mesh.getSizes());
  if (!groups)
    return std::nullopt;
  SmallVector<DeviceDigit, 4> digits;
  for (const DeviceDigits &group : *groups) {
    // An axis whose positions are not equally spaced is no digit.
    if (group.size() > 1)
      return std::nullopt;
    digits.push_back(group.empty() ? DeviceDigit{} : group.front());
  }
  return digits;
}

LogicalResult MeshUnion::addMesh(Location loc, sdy::MeshAttr mesh) {
  if (isOneDevice(mesh) || !meshes.insert(mesh))
    return success();
  constexpr int64_t kMaxDevices = 1 << 20;
  for (int64_t size : mesh.getSizes())
    if (size > kMaxDevices || numDevices(mesh) > kMaxDevices)
      return emitError(loc)
             << "a mesh has at most " << kMaxDevices << " devices";
  if (meshes.size() == 1)
    grid.emplace(numDevices(mesh));
  sdy::MeshAttr first = meshes.front();
  if (numDevices(mesh) != numDevices(first))
    return emitError(loc) << "meshes of " << numDevices(first) << " and of "
                          << numDevices(mesh)
                          << " devices in one program; all must be over the "
                             "same devices";
  std::optional<SmallVector<DeviceDigit, 4>> axes = digitsOfAxes(mesh);
  if (!axes) {
    // Alone, it can keep its order of devices.
    if (meshes.size() == 1)
      return success();
    return emitError(loc) << "the mesh lists its devices in an order that "
                             "cannot be combined with the other meshes";
  }
  if (!digits.count(first) && mesh != first)
    return emitError(loc) << "another mesh lists its devices in an order that "
                             "cannot be combined with this mesh";
  for (const DeviceDigit &digit : *axes)
    if (!grid->add(digit))
      return emitError(loc) << "no mesh has both the axes of this mesh and "
                               "those of the others";
  digits[mesh] = *axes;
  return success();
}

std::optional<DeviceDigit> MeshUnion::digitOf(sdy::MeshAttr mesh,
                                              sdy::AxisAttr axis) const {
  auto found = digits.find(mesh);
  if (found == digits.end())
    return std::nullopt;
  auto name = llvm::find(mesh.getNames(), axis.getName());
  if (name == mesh.getNames().end())
    return std::nullopt;
  DeviceDigit digit = found->second[name - mesh.getNames().begin()];
  if (axis.getSize() == 0)
    return digit;
  if (digit.size % (axis.getPre() * axis.getSize()) != 0)
    return std::nullopt;
  int64_t minor = digit.size / (axis.getPre() * axis.getSize());
  return DeviceDigit{axis.getSize(), digit.stride * minor};
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
  if (isOneDevice(mesh) || !digits.count(mesh))
    return success();
  std::optional<DeviceDigit> digit = digitOf(mesh, axis);
  if (!digit)
    return emitError(loc) << "axis " << axis.getName() << " has no part ("
                          << axis.getPre() << ")" << axis.getSize();
  if (meshes.size() > 1 && !grid->add(*digit))
    return emitError(loc) << "no mesh has both this part of axis "
                          << axis.getName()
                          << " and the axes of the other meshes";
  return success();
}

spmd::MeshOp MeshUnion::declare(ModuleOp module, StringRef name) {
  if (meshes.empty())
    return {};
  MLIRContext *context = module.getContext();
  spmd::MeshAttr shape;
  if (meshes.size() == 1) {
    sdy::MeshAttr only = meshes.front();
    shape = spmd::MeshAttr::get(context, only.getNames(), only.getSizes(),
                                only.getDeviceIds());
  } else {
    // An axis keeps the name under which some mesh has it.
    llvm::StringSet<> used;
    SmallVector<int64_t> sizes;
    for (auto [i, digit] : llvm::enumerate(grid->axes())) {
      std::string axisName;
      for (sdy::MeshAttr mesh : meshes)
        for (auto [own, ownName] :
             llvm::zip_equal(digits[mesh], mesh.getNames()))
          if (axisName.empty() && own == digit &&
              !used.contains(ownName.getValue()))
            axisName = ownName.str();
      for (unsigned n = i; axisName.empty(); ++n)
        if (std::string numbered = ("d" + Twine(n)).str();
            !used.contains(numbered))
          axisName = numbered;
      used.insert(axisName);
      names.push_back(StringAttr::get(context, axisName));
      sizes.push_back(digit.size);
    }
    shape = spmd::MeshAttr::get(context, names, sizes, {});
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto op = spmd::MeshOp::create(builder, module.getLoc(), name, shape);
  // A function may have the name already.
  op->remove();
  SymbolTable(module).insert(op, module.getBody()->begin());
  return op;
}

SmallVector<spmd::AxisAttr> MeshUnion::axesOf(sdy::MeshAttr mesh,
                                              sdy::AxisAttr axis) const {
  MLIRContext *context = mesh.getContext();
  if (meshes.size() == 1)
    return {spmd::AxisAttr::get(context, axis.getName(), axis.getPre(),
                                axis.getSize())};
  SmallVector<spmd::AxisAttr> axes;
  std::optional<DeviceDigit> digit = digitOf(mesh, axis);
  assert(digit && "axes are added first");
  if (digit->size > 1)
    for (unsigned part : grid->axesOf(*digit))
      axes.push_back(spmd::AxisAttr::get(context, names[part], 1, 0));
  return axes;
}

} // namespace cleave::reader
