//===- Communicator.cpp - How ranks talk ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/Communicator.h"
#include "runtime/devices/DeviceCopy.h"

#include <algorithm>
#include <cstring>

using namespace cleave::rt;

Communicator::Communicator(RunState &state)
    : state(state), devices(state.getManifest().mesh.getSize()) {
  const Manifest &manifest = state.getManifest();
  for (const CollectiveSpec &spec : manifest.collectives) {
    std::vector<CollectivePlan> &byRank = plans.emplace_back();
    for (int32_t rank = 0; rank < manifest.mesh.getSize(); ++rank)
      byRank.push_back(planCollective(spec, manifest.mesh, rank));
  }
}

bool Communicator::run(int32_t rank, int32_t id, const void *operand,
                       void *result, std::string &error, int32_t stream) {
  const CollectiveSpec &spec = getSpec(id);
  const CollectivePlan &plan = getPlan(rank, id);
  Device *device = devices[rank];
  bool isOnDevice = device && !device->isHostMemory();
  if (!plan.isMember) {
    // An empty buffer may be null, which memset may not get.
    int64_t bytes = cleave::rt::getBytes(spec.resultShape, spec.dtype);
    if (isOnDevice)
      device->fill(result, 0, bytes, stream);
    else if (bytes)
      std::memset(result, 0, bytes);
    return true;
  }
  if (spec.kind != CollectiveKind::AllSlice)
    return communicate(rank, id, operand, result, error, stream);
  if (isOnDevice)
    copyBox(*device, stream, plan.pieces[plan.position], operand, result);
  else
    plan.pieces[plan.position].run(operand, result);
  return true;
}

int64_t Communicator::getBytes(int32_t id) const {
  int64_t bytes = 0;
  for (const CollectivePlan &plan : plans[id])
    bytes = std::max(bytes, plan.bytes);
  return bytes;
}
