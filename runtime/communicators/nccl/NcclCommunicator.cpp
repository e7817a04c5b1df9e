//===- NcclCommunicator.cpp - One GPU per rank ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/nccl/NcclCommunicator.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <thread>

using namespace cleave::rt;

static const CleaveNcclApi &getNcclApi() {
  return getCudaLibrary().getTable<CleaveNcclApi>("cleave_rt_nccl_api",
                                                  cleaveCudaVersion);
}

NcclCommunicator::NcclCommunicator(World *world, RunState &state)
    : Communicator(state), api(getNcclApi()), world(world),
      own(world ? world->getRank() : 0) {
  if (!world)
    return;
  peers = std::make_unique<Peers>(*world, state);
  processes = createProcesses(*peers);
}

void NcclCommunicator::phaseChanged() {
  if (peers)
    peers->tellPhase();
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

CleaveNcclId NcclCommunicator::agreeOnId() {
  CleaveNcclId id{};
  if (own == 0)
    checkCuda(api.makeId(&id), "cannot use NCCL");
  if (!peers)
    return id;
  int32_t numRanks = state.getManifest().mesh.getSize();
  Messages messages(*world, numRanks);
  int32_t tag = peers->getTag(MessageSlot::Start);
  if (own != 0)
    messages.receive(&id, sizeof(id), 0, tag);
  else
    for (int32_t rank = 1; rank < numRanks; ++rank)
      messages.send(&id, sizeof(id), rank, tag);
  Peers::Failure failure;
  if (!peers->wait(messages, Peers::getDeadline(state.getDeadline()), failure))
    throwRunFailed("cannot start NCCL: " +
                   state.explainMissing(-1, failure.isLate, failure.missing));
  return id;
}

void NcclCommunicator::settle(void *communicator) {
  auto deadline = Peers::getDeadline(state.getDeadline());
  CleaveCudaState is = CleaveCudaBusy;
  while (true) {
    checkCuda(api.query(communicator, &is));
    if (is == CleaveCudaDone)
      return;
    if (Clock::now() > deadline)
      throwRunFailed("cannot start NCCL: the deadline passed");
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

void NcclCommunicator::makeGroups() {
  const Manifest &manifest = state.getManifest();
  int32_t numRanks = manifest.mesh.getSize();
  for (size_t id = 0; id < manifest.collectives.size(); ++id) {
    void *&group = groupOf.emplace_back(nullptr);
    if (manifest.collectives[id].kind == CollectiveKind::AllSlice)
      continue;
    // Members of a group have the color of its first one.
    std::vector<std::pair<int32_t, int32_t>> partition;
    bool isWhole = true, isApart = true;
    for (int32_t rank = 0; rank < numRanks; ++rank) {
      const CollectivePlan &plan = getPlan(rank, id);
      partition.push_back({plan.group.front(), plan.position});
      isWhole &= partition.back() == std::pair(0, rank) &&
                 plan.group.size() == static_cast<size_t>(numRanks);
      isApart &= plan.group.size() == 1;
    }
    if (isApart)
      continue;
    if (isWhole) {
      group = all;
      continue;
    }
    auto [part, isNew] = parts.try_emplace(partition, nullptr);
    if (isNew) {
      checkCuda(api.split(all, partition[own].first, partition[own].second,
                          &part->second));
      settle(all);
      settle(part->second);
    }
    group = part->second;
  }
}

void NcclCommunicator::attach(int32_t rank, Device &attached) {
  Communicator::attach(rank, attached);
  device = static_cast<CudaDevice *>(&attached);
  const Manifest &manifest = state.getManifest();
  CleaveNcclId id = agreeOnId();
  checkCuda(api.start(&id, manifest.mesh.getSize(), own, &all));
  settle(all);
  makeGroups();
  for (size_t id = 0; id < manifest.collectives.size(); ++id) {
    const CollectiveSpec &spec = getSpec(id);
    const CollectivePlan &plan = getPlan(own, id);
    std::vector<const CopyPlan *> &toMembers = sends.emplace_back();
    if (!plan.isMember || spec.kind == CollectiveKind::AllSlice)
      continue;
    for (int32_t member : plan.group)
      toMembers.push_back(&getPlan(member, id).pieces[plan.position]);
    if (spec.kind == CollectiveKind::ReduceScatter)
      for (size_t i = 0; i < plan.group.size(); ++i)
        toMembers[i] = &getPlan(plan.group[i], id).pieces[i];
    scratchBytes =
        std::max(scratchBytes, getNcclScratchBytes(spec, plan, toMembers));
    stagingBytes = std::max(stagingBytes, getNcclStagingBytes(spec, plan));
  }
  scratch = static_cast<char *>(device->allocate(scratchBytes));
  staging = static_cast<char *>(device->allocateStaging(stagingBytes));
  device->setWatch([this] { watch(); }, [this] { repeatRecorded(); });
}

void NcclCommunicator::detach(int32_t rank) {
  if (device) {
    device->dropRecording();
    device->setWatch(nullptr, nullptr);
    if (scratch)
      device->free(scratch, scratchBytes);
    if (staging)
      device->freeStaging(staging, stagingBytes);
    for (const Pending &late : pending)
      forget(late);
    for (const Pending &entry : recorded)
      freeEvents.push_back(entry.event);
    for (void *event : freeEvents)
      getCudaApi().destroyEvent(event);
  }
  pending.clear();
  recorded.clear();
  freeEvents.clear();
  for (auto &[partition, part] : parts)
    if (part)
      api.stop(part);
  if (all)
    api.stop(all);
  parts.clear();
  all = nullptr;
  device = nullptr;
  Communicator::detach(rank);
}

//===----------------------------------------------------------------------===//
// Failures
//===----------------------------------------------------------------------===//

void NcclCommunicator::abortAll() {
  device->dropRecording();
  for (auto &[partition, part] : parts)
    if (part)
      api.abort(part);
  if (all)
    api.abort(all);
  parts.clear();
  all = nullptr;
}

void NcclCommunicator::fail(int32_t id, bool isLate,
                            const std::string &reason) {
  std::vector<int32_t> missing;
  const CollectivePlan &plan = getPlan(own, id);
  for (int32_t rank : plan.group)
    if (rank != own && state.getPhase(rank) == Phase::Failed)
      missing.push_back(rank);
  if (missing.empty())
    for (int32_t rank : plan.group)
      if (rank != own)
        missing.push_back(rank);
  state.setCollective(own, id);
  std::string text = reason.empty() ? state.explainMissing(id, isLate, missing)
                                    : describe(getSpec(id)) + ": " + reason;
  size_t prefix = text.find(": ");
  if (peers)
    peers->setReason(text.substr(prefix + 2), missing);
  abortAll();
  throwRunFailed(text);
}

void NcclCommunicator::forget(const Pending &done) {
  if (!done.isRecorded)
    freeEvents.push_back(done.event);
}

void NcclCommunicator::repeatRecorded() {
  // What is left is of the step before, which the device has ended.
  for (const Pending &done : pending)
    forget(done);
  pending.assign(recorded.begin(), recorded.end());
  since = Clock::now();
}

void NcclCommunicator::retire() {
  const CleaveCudaApi &cuda = getCudaApi();
  while (!pending.empty()) {
    CleaveCudaState is = CleaveCudaBusy;
    checkCuda(cuda.queryEvent(pending.front().event, &is));
    if (is == CleaveCudaBusy)
      return;
    forget(pending.front());
    pending.pop_front();
    since = Clock::now();
  }
}

void NcclCommunicator::watch() {
  retire();
  if (pending.empty())
    return;
  int32_t id = pending.front().id;
  for (void *communicator : {all, groupOf[id]}) {
    CleaveCudaState is;
    if (communicator)
      if (const char *text = api.query(communicator, &is))
        fail(id, false, text);
  }
  if (peers) {
    peers->listen();
    for (int32_t rank : getPlan(own, id).group)
      if (rank != own && state.getPhase(rank) == Phase::Failed)
        fail(id, false, "");
  }
  double seconds = std::chrono::duration<double>(Clock::now() - since).count();
  if (seconds > state.getDeadline())
    fail(id, true, "");
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

bool NcclCommunicator::canBeRecorded() const {
  const std::vector<CollectiveSpec> &specs = state.getManifest().collectives;
  return std::none_of(specs.begin(), specs.end(), isReducedOnHost);
}

void *NcclCommunicator::takeEvent() {
  void *event = nullptr;
  if (freeEvents.empty()) {
    checkCuda(getCudaApi().createEvent(&event));
  } else {
    event = freeEvents.back();
    freeEvents.pop_back();
  }
  return event;
}

bool NcclCommunicator::communicate(int32_t, int32_t id, const void *operand,
                                   void *result, std::string &error,
                                   int32_t stream) {
  const CleaveCudaApi &cuda = getCudaApi();
  const CollectiveSpec &spec = getSpec(id);
  NcclExecution execution{api,       groupOf[id], spec,   getPlan(own, id),
                          sends[id], operand,     result, scratch,
                          staging,   *device,     stream};
  try {
    // Events cannot be queried during a recording.
    if (!device->isRecording())
      retire();
    if (isReducedOnHost(spec))
      reduceOnHost(execution);
    else if (spec.kind == CollectiveKind::AllReduce ||
             spec.kind == CollectiveKind::ReduceScatter)
      reduceByNccl(execution);
    else
      exchangePieces(execution);
    if (groupOf[id])
      settle(groupOf[id]);
    Pending started{id, takeEvent(), device->isRecording()};
    if (started.isRecorded) {
      recorded.push_back(started);
      checkCuda(
          cuda.recordEventInGraph(started.event, device->getStream(stream)));
      return true;
    }
    if (pending.empty())
      since = Clock::now();
    pending.push_back(started);
    checkCuda(cuda.recordEvent(started.event, device->getStream(stream)));
  } catch (const Error &failure) {
    error = failure.what();
    if (error.find(describe(spec)) != 0)
      error = describe(spec) + ": " + error;
    return false;
  }
  return true;
}
