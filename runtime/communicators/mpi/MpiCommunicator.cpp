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

/// A tag is a bit for the algorithm below these for the collective below those
/// of the communicator.
constexpr int32_t collectiveBits = 20, epochBits = 10;

static int32_t getTag(const MpiPeers &peers, int32_t slot) {
  int32_t epoch = peers.getEpoch() & ((1 << epochBits) - 1);
  return (epoch << collectiveBits | slot) << 1;
}

int32_t cleave::rt::getMpiTag(const MpiPeers &peers, MpiSlot slot) {
  return getTag(peers, (1 << collectiveBits) - static_cast<int32_t>(slot));
}

int64_t
cleave::rt::getMpiScratchBytes(const CollectiveSpec &spec,
                               const CollectivePlan &plan,
                               const std::vector<const CopyPlan *> &sends) {
  int64_t bytes = 0;
  for (size_t j = 0; j < plan.group.size(); ++j) {
    if (static_cast<int32_t>(j) == plan.position)
      continue;
    if (spec.kind == CollectiveKind::ReduceScatter ||
        !plan.pieces[j].isContiguous())
      bytes += plan.pieces[j].getBytes();
    if (!sends[j]->isContiguous())
      bytes += sends[j]->getBytes();
  }
  return bytes;
}

MpiCommunicator::MpiCommunicator(MpiWorld &world, RunState &state)
    : Communicator(state), peers(world, state),
      processes(createMpiProcesses(peers)) {
  const Manifest &manifest = state.getManifest();
  int32_t numRanks = manifest.mesh.getSize(), own = world.getRank();
  int32_t numSlots =
      (1 << collectiveBits) - static_cast<int32_t>(MpiSlot::Count);
  if (manifest.collectives.size() > static_cast<size_t>(numSlots))
    throwBadInput("a program for MPI can have " + std::to_string(numSlots) +
                  " collectives");
  int64_t scratchBytes = 0;
  size_t largestGroup = 0;
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
        std::max(scratchBytes, spec.kind == CollectiveKind::AllReduce
                                   ? getMpiAllReduceScratchBytes(spec, plan)
                                   : getMpiScratchBytes(spec, plan, toMembers));
  }
  scratch.resize(scratchBytes);
  operands.resize(largestGroup);
  for (int i = 0; i < 4; ++i)
    messages.emplace_back(world, 2 * largestGroup + 2);
}

bool MpiCommunicator::communicate(int32_t rank, int32_t id, const void *operand,
                                  void *result, std::string &error) {
  const CollectiveSpec &spec = getSpec(id);
  MpiPeers::Failure failure;
  MpiExecution execution{spec,
                         getPlan(rank, id),
                         sends[id],
                         operand,
                         result,
                         scratch.data(),
                         operands,
                         getTag(peers, id),
                         peers,
                         messages.data(),
                         MpiPeers::getDeadline(state.getDeadline()),
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
  if (execute())
    return true;
  for (MpiMessages &some : messages)
    some.cancel();
  error = state.explainMissing(id, failure.isLate, failure.missing);
  if (!failure.error.empty())
    error += ": " + failure.error;
  state.setReason(rank, error.substr(describe(spec).size() + 2),
                  failure.missing);
  return false;
}

std::unique_ptr<Communicator>
cleave::rt::createMpiCommunicator(RunState &state) {
  MpiWorld &world = MpiWorld::get();
  int32_t numRanks = state.getManifest().mesh.getSize();
  if (world.getSize() < numRanks)
    throwBadInput("the program is compiled for a mesh of " +
                  std::to_string(numRanks) + " ranks, but MPI has " +
                  std::to_string(world.getSize()) +
                  "; start it with mpirun -np " + std::to_string(numRanks));
  return std::make_unique<MpiCommunicator>(world, state);
}
