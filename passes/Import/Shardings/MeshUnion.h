//===- MeshUnion.h - One mesh for all of a module's -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs may use several meshes over the same devices. They become one mesh,
// whose axes make up the axes of each. A mesh whose order of devices does not
// combine with the others is cut alike, with a warning that other devices have
// the blocks (DeviceGrids.h).
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_MESHUNION_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_MESHUNION_H

#include "cleave/Partition/DeviceGrids.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace cleave::reader {

class MeshUnion {
public:
  /// Adds a mesh. One of a single device, or without axes, adds nothing: what
  /// lies on it is replicated.
  mlir::LogicalResult addMesh(mlir::Location loc, sdy::MeshAttr mesh);
  /// Adds a part of an axis that a sharding names.
  mlir::LogicalResult addAxis(mlir::Location loc, sdy::MeshAttr mesh,
                              sdy::AxisAttr axis);
  /// Declares the common mesh, under the name of the first one if that is free.
  /// Null when no mesh has been added.
  spmd::MeshOp declare(mlir::ModuleOp module, llvm::StringRef name);
  /// What an axis of `mesh` is in the common mesh, major to minor. All axes
  /// have been added before.
  llvm::SmallVector<spmd::AxisAttr> axesOf(sdy::MeshAttr mesh,
                                           sdy::AxisAttr axis) const;
  /// The device that each rank stands for in code on local shapes over `mesh`;
  /// empty if it is the rank's own.
  llvm::SmallVector<int64_t> devicesOf(sdy::MeshAttr mesh) const;

private:
  std::optional<DeviceDigits> digitsOf(sdy::MeshAttr mesh,
                                       sdy::AxisAttr axis) const;
  bool isAlone() const { return grids.size() == 1; }

  /// The first mesh is where it was declared.
  llvm::MapVector<sdy::MeshAttr, DeviceGrids::Grid> grids;
  llvm::DenseMap<sdy::MeshAttr, mlir::Location> locations;
  std::optional<DeviceGrids> devices;
  llvm::SmallVector<mlir::StringAttr> names;
};

/// Whether everything under this mesh is on one device.
bool isOneDevice(sdy::MeshAttr mesh);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_MESHUNION_H
