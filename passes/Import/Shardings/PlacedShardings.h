//===- PlacedShardings.h - Strings of shardings over one mesh ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GSPMD names devices, not axes: the mesh is the coarsest grid whose axes make
// up every tile assignment of the module (DeviceGrids.h).
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_PLACEDSHARDINGS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_PLACEDSHARDINGS_H

#include "cleave/Partition/DeviceGrids.h"
#include "cleave/Partition/GspmdSharding.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace cleave::reader {

/// A sharding in the grid of all devices.
struct PlacedSharding {
  GspmdSharding text;
  /// Tiled: its tiles as digits of the device.
  DeviceGrids::Grid grid;
  std::vector<PlacedSharding> elements;

  bool isTiled() const { return text.kind == GspmdSharding::Kind::Tiled; }
};

/// The shardings of a module. First all are added, then the mesh is declared,
/// then they are asked for.
class PlacedShardings {
public:
  explicit PlacedShardings(int64_t numDevices) : devices(numDevices) {}

  /// Adds a sharding over all devices, first met at `loc`.
  void add(mlir::Location loc, mlir::StringAttr text,
           const GspmdSharding &sharding);
  /// Declares the mesh, unless nothing was added. Warns of shardings that it
  /// cannot place on the devices that they name.
  void declareMesh(mlir::ModuleOp module);
  /// Null where everything is on one device.
  spmd::MeshOp getMesh() const { return mesh; }

  /// Null for what is no sharding, and where there is no mesh.
  const PlacedSharding *find(mlir::Attribute text) const;
  /// `sharding` as one in `order`, if its devices count in that as well.
  PlacedSharding inOrder(PlacedSharding sharding, unsigned order) const;
  /// The device of each rank in code over an order; empty if it is the rank's
  /// own.
  llvm::SmallVector<int64_t> devicesOf(unsigned order) const;
  /// The axes along which values of a sharding are local, as the mesh has them.
  llvm::SmallVector<mlir::StringAttr>
  manualAxesOf(const PlacedSharding &sharding) const;
  /// The sharding of a value of `type`, along what is not manual; `openDims`
  /// may be cut further. Null where all is manual, and for one that is left to
  /// the partitioner.
  spmd::ShardingAttr convert(const PlacedSharding &sharding, mlir::Type type,
                             llvm::ArrayRef<int64_t> openDims = {}) const;

private:
  PlacedSharding place(const GspmdSharding &sharding);
  void warnOfOtherOrders() const;
  llvm::SmallVector<spmd::AxisAttr>
  axesOf(unsigned order, llvm::ArrayRef<DeviceDigit> digits) const;
  llvm::SmallVector<spmd::AxisAttr>
  axesOf(const PlacedSharding &sharding,
         GspmdSharding::Subgroup subgroup) const;

  DeviceGrids devices;
  /// By text, with the place where it was first.
  llvm::MapVector<mlir::StringAttr, std::pair<PlacedSharding, mlir::Location>>
      placed;
  spmd::MeshOp mesh;
};

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_PLACEDSHARDINGS_H
