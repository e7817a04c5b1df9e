//===- MpiCommunicator.cpp - One process per rank -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiCommunicator.h"
#include "runtime/core/Error.h"

#include <algorithm>

using namespace cleave::rt;

static int64_t getScratchBytes(const CollectiveSpec &spec,
                               const CollectivePlan &plan,
                               const std::vector<const CopyPlan *> &sends) {
  switch (spec.kind) {
  case CollectiveKind::AllReduce:
    return getMpiAllReduceScratchBytes(spec, plan);
  case CollectiveKind::ReduceScatter:
    return getMpiReduceScatterScratchBytes(plan, sends);
  default:
    return getMpiExchangeScratchBytes(plan, sends);
  }
}

MpiCommunicator::MpiCommunicator(World &world, RunState &state)
    : Communicator(state), peers(world, state),
      processes(createProcesses(peers)) {
  const Manifest &manifest = state.getManifest();
  int32_t numRanks = manifest.mesh.getSize(), own = world.getRank();
  size_t mostCollectives = Peers::getMostCollectives();
  if (manifest.collectives.size() > mostCollectives)
    throwBadInput("a program for MPI can have " +
                  std::to_string(mostCollectives) + " collectives");
  for (size_t id = 0; own < numRanks && id < manifest.collectives.size();
       ++id) {
    std::vector<const CopyPlan *> &toMembers = sends.emplace_back();
    const CollectiveSpec &spec = manifest.collectives[id];
    const CollectivePlan &plan = getPlan(own, id);
    if (!plan.isMember || spec.kind == CollectiveKind::AllSlice)
      continue;
    largestGroup = std::max(largestGroup, plan.group.size());
    for (int32_t member : plan.group)
      toMembers.push_back(&getPlan(member, id).pieces[plan.position]);
    scratchBytes =
        std::max(scratchBytes, getScratchBytes(spec, plan, toMembers));
  }
  giveBack(makeWorkspace());
}

std::unique_ptr<MpiCommunicator::Workspace>
MpiCommunicator::makeWorkspace() const {
  auto workspace = std::make_unique<Workspace>();
  workspace->scratch.resize(scratchBytes);
  workspace->operands.resize(largestGroup);
  for (int i = 0; i < numMpiSets; ++i)
    workspace->messages.emplace_back(peers.getWorld(), 2 * largestGroup + 2);
  return workspace;
}

std::unique_ptr<MpiCommunicator::Workspace> MpiCommunicator::takeWorkspace() {
  std::lock_guard<std::mutex> lock(mutex);
  if (idle.empty())
    return makeWorkspace();
  std::unique_ptr<Workspace> workspace = std::move(idle.back());
  idle.pop_back();
  return workspace;
}

void MpiCommunicator::giveBack(std::unique_ptr<Workspace> workspace) {
  std::lock_guard<std::mutex> lock(mutex);
  idle.push_back(std::move(workspace));
}

bool MpiCommunicator::communicate(int32_t rank, int32_t id, const void *operand,
                                  void *result, std::string &error, int32_t) {
  const CollectiveSpec &spec = getSpec(id);
  Peers::Failure failure;
  std::unique_ptr<Workspace> workspace = takeWorkspace();
  MpiExecution execution{spec,
                         getPlan(rank, id),
                         sends[id],
                         operand,
                         result,
                         workspace->scratch.data(),
                         workspace->operands,
                         peers.getTag(id),
                         peers,
                         workspace->messages.data(),
                         Peers::getDeadline(state.getDeadline()),
                         failure};
  auto execute = [&] {
    switch (spec.kind) {
    case CollectiveKind::AllReduce:
      return allReduce(execution);
    case CollectiveKind::ReduceScatter:
      return reduceScatter(execution);
    default:
      return exchangePieces(execution);
    }
  };
  bool isDone = execute();
  if (!isDone) {
    for (Messages &some : workspace->messages)
      some.cancel();
    error = peers.explainMissing(id, failure.isLate, failure.missing);
    if (!failure.error.empty())
      error += ": " + failure.error;
    peers.setReason(error.substr(describe(spec).size() + 2), failure.missing);
  }
  giveBack(std::move(workspace));
  return isDone;
}
