//===- EntryOnMesh.h - What is partitioned over which devices ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_ENTRYONMESH_H
#define CLEAVE_DIALECTS_SPMD_ENTRYONMESH_H

#include "cleave/Partition/Sharding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cleave::spmd {

/// The entry function of a module and its only mesh.
struct EntryOnMesh {
  mlir::func::FuncOp func;
  Mesh mesh;
};

/// Fails, with a diagnostic, when there is no function to run or no mesh, or
/// the choice is not clear.
mlir::FailureOr<EntryOnMesh> getEntryOnMesh(mlir::ModuleOp module);

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_ENTRYONMESH_H
