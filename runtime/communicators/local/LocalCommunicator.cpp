//===- LocalCommunicator.cpp - Ranks as threads ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"

#include <algorithm>
#include <thread>

using namespace cleave::rt;

LocalCommunicator::LocalCommunicator(RunState &state) : Communicator(state) {
  const Manifest &manifest = state.getManifest();
  int32_t numRanks = manifest.mesh.getSize();
  stagings.resize(numRanks);
  for (size_t id = 0; id < manifest.collectives.size(); ++id) {
    std::vector<Rendezvous *> &byRank = meetingOf.emplace_back(numRanks);
    for (int32_t rank = 0; rank < numRanks; ++rank) {
      const std::vector<int32_t> &group = getPlan(rank, id).group;
      if (byRank[rank])
        continue;
      meetings.push_back(std::make_unique<Rendezvous>(state, id, group));
      for (int32_t member : group)
        byRank[member] = meetings.back().get();
    }
  }
}

void LocalCommunicator::phaseChanged() {
  for (const std::unique_ptr<Rendezvous> &meeting : meetings)
    meeting->wake();
}

void LocalCommunicator::attach(int32_t rank, Device &device) {
  Communicator::attach(rank, device);
  if (device.isHostMemory())
    return;
  Staging &staging = stagings[rank];
  for (size_t id = 0; id < meetingOf.size(); ++id)
    staging.bytes = std::max(
        staging.bytes, getDeviceStagingBytes(getSpec(id), getPlan(rank, id)));
  staging.data = device.allocateStaging(staging.bytes);
}

void LocalCommunicator::detach(int32_t rank) {
  Staging &staging = stagings[rank];
  if (staging.data)
    getDevice(rank)->freeStaging(staging.data, staging.bytes);
  staging.data = nullptr;
  Communicator::detach(rank);
}

bool LocalCommunicator::communicate(int32_t rank, int32_t id,
                                    const void *operand, void *result,
                                    std::string &error, int32_t stream) {
  LocalExecution execution{getSpec(id), getPlan(rank, id), *meetingOf[id][rank],
                           operand, result};
  if (stagings[rank].data) {
    execution.device = getDevice(rank);
    execution.stream = stream;
    execution.staging = stagings[rank].data;
  }
  const LinkModel &link = state.getLink();
  if (!link.isUsed())
    return execute(execution, error);
  // Nothing travels before all are there.
  if (!execution.meeting.meet(execution.plan.position, error))
    return false;
  double seconds = link.latencySeconds;
  if (link.bytesPerSecond > 0)
    seconds += static_cast<double>(execution.plan.bytes) / link.bytesPerSecond;
  auto end = std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::nanoseconds>(
                 std::chrono::duration<double>(seconds));
  if (!execute(execution, error))
    return false;
  std::this_thread::sleep_until(end);
  return true;
}

bool LocalCommunicator::execute(const LocalExecution &execution,
                                std::string &error) {
  if (execution.device)
    return exchangeOnDevice(execution, error);
  switch (execution.spec.kind) {
  case CollectiveKind::AllReduce:
    return allReduce(execution, error);
  case CollectiveKind::ReduceScatter:
    return reduceScatter(execution, error);
  default:
    return exchangePieces(execution, error);
  }
}

std::unique_ptr<Communicator>
cleave::rt::createLocalCommunicator(RunState &state) {
  return std::make_unique<LocalCommunicator>(state);
}
