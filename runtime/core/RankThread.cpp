//===- RankThread.cpp - A rank's thread, shards and arena -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/RankThread.h"

using namespace cleave::rt;

void Session::RankThread::allocate(const Manifest &manifest) {
  arena = rank.device->allocate(manifest.arenaBytes);
  auto allocateShards = [&](const std::vector<TensorSpec> &specs,
                            std::vector<void *> &shards,
                            std::vector<Rect> &owned) {
    for (const TensorSpec &spec : specs) {
      shards.push_back(
          rank.device->allocate(rt::getBytes(spec.localShape, spec.dtype)));
      owned.push_back(
          getOwned(manifest.mesh, rank.number, spec.shape, spec.sharding));
    }
  };
  allocateShards(manifest.inputs, inputs, ownedInputs);
  allocateShards(manifest.outputs, outputs, ownedOutputs);
  for (const AxisList &list : manifest.axisLists)
    rank.axisIndices.push_back(
        static_cast<int32_t>(manifest.mesh.getPosition(rank.number, list)));
  rank.collectiveCounts.assign(manifest.collectives.size(), 0);
}

void Session::RankThread::release() {
  const Manifest &manifest = *rank.manifest;
  if (arena)
    rank.device->free(arena, manifest.arenaBytes);
  auto freeShards = [&](const std::vector<TensorSpec> &specs,
                        const std::vector<void *> &shards) {
    for (size_t i = 0; i < shards.size(); ++i)
      rank.device->free(shards[i],
                        rt::getBytes(specs[i].localShape, specs[i].dtype));
  };
  freeShards(manifest.inputs, inputs);
  freeShards(manifest.outputs, outputs);
  rank.device.reset();
}
