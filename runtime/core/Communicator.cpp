//===- Communicator.cpp - How ranks talk ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Communicator.h"

#include <algorithm>

using namespace cleave::rt;

Communicator::Communicator(RunState &state) : state(state) {
  const Manifest &manifest = state.getManifest();
  for (const CollectiveSpec &spec : manifest.collectives) {
    std::vector<CollectivePlan> &byRank = plans.emplace_back();
    for (int32_t rank = 0; rank < manifest.mesh.getSize(); ++rank)
      byRank.push_back(planCollective(spec, manifest.mesh, rank));
  }
}

bool Communicator::run(int32_t rank, int32_t id, const void *operand,
                       void *result, std::string &error) {
  if (getSpec(id).kind != CollectiveKind::AllSlice)
    return communicate(rank, id, operand, result, error);
  const CollectivePlan &plan = getPlan(rank, id);
  plan.pieces[plan.position].run(operand, result);
  return true;
}

int64_t Communicator::getBytes(int32_t id) const {
  int64_t bytes = 0;
  for (const CollectivePlan &plan : plans[id])
    bytes = std::max(bytes, plan.bytes);
  return bytes;
}
