//===- EntryOnMesh.cpp - What is partitioned over which devices -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/EntryOnMesh.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;

namespace cleave::spmd {

FailureOr<EntryOnMesh> getEntryOnMesh(ModuleOp module) {
  func::FuncOp func = graph::getEntryFunction(module);
  if (!func)
    return failure();
  MeshOp mesh = getOnlyMesh(module);
  if (!mesh)
    return failure();
  return EntryOnMesh{func, toMesh(mesh)};
}

} // namespace cleave::spmd
