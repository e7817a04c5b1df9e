//===- ShardyMeshes.h - Shardings over one mesh for all of them -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_SHARDYMESHES_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_SHARDYMESHES_H

#include "passes/Import/Shardings/MeshUnion.h"

namespace cleave::reader {

/// The meshes that a module's `sdy.sharding`s name or contain, and what these
/// are over their union.
class ShardyMeshes {
public:
  /// Collects the meshes of a module and the parts of their axes that shardings
  /// name. Fails, with a diagnostic, on a sharding without its mesh.
  mlir::LogicalResult collect(mlir::ModuleOp module);
  /// Puts the common mesh in the place of the module's.
  void declareCommon(mlir::ModuleOp module);
  /// Null when everything is on one device.
  spmd::MeshOp getCommon() const { return common; }

  sdy::MeshAttr meshOf(sdy::ShardingAttr sharding) const;
  /// The mesh of a computation's shardings; null if there are none, or if
  /// everything is on one device.
  sdy::MeshAttr meshOf(sdy::ManualComputationOp op) const;

  /// The axes of the common mesh that `axes` of `mesh` are.
  llvm::SmallVector<spmd::AxisAttr>
  axesOf(sdy::MeshAttr mesh, llvm::ArrayRef<sdy::AxisAttr> axes) const;
  /// A sharding over the common mesh; null if everything is on one device.
  spmd::ShardingAttr convert(sdy::ShardingAttr sharding) const;
  /// As MeshUnion::devicesOf().
  llvm::SmallVector<int64_t> devicesOf(sdy::MeshAttr mesh) const {
    return meshUnion.devicesOf(mesh);
  }

private:
  llvm::DenseMap<mlir::StringAttr, sdy::MeshAttr> meshes;
  MeshUnion meshUnion;
  spmd::MeshOp common;
};

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_SHARDYMESHES_H
