//===- PeerProcesses.cpp - What a session does with others ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/CollectivePlan.h"
#include "runtime/communicators/processes/Peers.h"
#include "runtime/communicators/processes/Processes.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <thread>
#include <unistd.h>

using namespace cleave::rt;

/// How long a failed run waits for others to report.
constexpr double reportSeconds = 5;
/// How long the launcher gets to end ranks that no longer answer.
constexpr std::chrono::seconds abortTime(3);
/// How much longer than in a collective the end of a step is waited for, so
/// that who waits in a collective can tell which.
constexpr double endSeconds = 1;

namespace {
class PeerProcesses : public Processes {
public:
  explicit PeerProcesses(Peers &peers)
      : peers(peers), state(peers.getState()), own(peers.getWorld().getRank()),
        numRanks(state.getManifest().mesh.getSize()) {}

  int32_t getRank() const override { return own; }
  int32_t getNumSharers() const override;
  void beginStep() override { peers.beginStep(); }
  void endStep() override;
  std::vector<std::string> gather(const std::string &data) override;
  int32_t getMaximum(int32_t number) override;
  void send(const void *data, int64_t bytes) override;
  void receive(int32_t rank, void *data, int64_t bytes) override;
  [[noreturn]] void leave(int32_t status) override;

private:
  /// Waits for messages between steps.
  void wait(Messages &messages);
  [[noreturn]] void fail(bool isLate, const std::vector<int32_t> &missing,
                         const std::string &error);
  Messages makeMessages() const {
    return Messages(peers.getWorld(), 2 * numRanks);
  }

  Peers &peers;
  RunState &state;
  int32_t own, numRanks;
};
} // namespace

int32_t PeerProcesses::getNumSharers() const {
  // mpirun may have bound this process to cores of its own.
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0 &&
      CPU_COUNT(&set) < ::sysconf(_SC_NPROCESSORS_ONLN))
    return 1;
  return peers.getWorld().getNumSharers();
}

void PeerProcesses::fail(bool isLate, const std::vector<int32_t> &missing,
                         const std::string &error) {
  std::string text = peers.explainMissing(-1, isLate, missing);
  if (!error.empty())
    text += ": " + error;
  size_t prefix = text.find(": ");
  peers.setReason(text.substr(prefix + 2), missing);
  // Where the program was last.
  if (int32_t last = state.getLastCollective(own); last >= 0)
    text.insert(prefix,
                " after " + describe(state.getManifest().collectives[last]));
  state.setCollective(own, -1);
  state.setPhase(own, Phase::Failed);
  peers.tellPhase();
  throwRunFailed("rank " + std::to_string(own) + ": " + text);
}

void PeerProcesses::endStep() {
  std::vector<int32_t> missing =
      peers.waitForEnd(Peers::getDeadline(state.getDeadline() + endSeconds));
  std::vector<int32_t> failed;
  for (int32_t rank = 0; rank < numRanks; ++rank)
    if (rank != own && state.getPhase(rank) == Phase::Failed)
      failed.push_back(rank);
  if (!failed.empty())
    fail(/*isLate=*/false, failed, "");
  if (!missing.empty())
    fail(/*isLate=*/true, missing, "");
}

void PeerProcesses::wait(Messages &messages) {
  Peers::Failure failure;
  if (!peers.wait(messages, Peers::getDeadline(state.getDeadline()), failure))
    fail(failure.isLate, failure.missing, failure.error);
}

std::vector<std::string> PeerProcesses::gather(const std::string &data) {
  peers.beginStep();
  Messages messages = makeMessages();
  int32_t tag = peers.getTag(MessageSlot::Gather);
  int64_t size = data.size();
  if (own != 0) {
    messages.send(&size, sizeof(size), 0, tag);
    messages.send(data.data(), size, 0, tag + 1);
    wait(messages);
    return {};
  }
  std::vector<int64_t> sizes(numRanks, size);
  for (int32_t rank = 1; rank < numRanks; ++rank)
    messages.receive(&sizes[rank], sizeof(size), rank, tag);
  wait(messages);
  std::vector<std::string> all(numRanks);
  all[0] = data;
  for (int32_t rank = 1; rank < numRanks; ++rank) {
    all[rank].resize(sizes[rank]);
    messages.receive(all[rank].data(), sizes[rank], rank, tag + 1);
  }
  wait(messages);
  return all;
}

int32_t PeerProcesses::getMaximum(int32_t number) {
  std::vector<std::string> all =
      gather({reinterpret_cast<const char *>(&number), sizeof(number)});
  int32_t largest = number;
  for (const std::string &other : all)
    largest = std::max(largest, *reinterpret_cast<const int32_t *>(&other[0]));
  Messages messages = makeMessages();
  int32_t tag = peers.getTag(MessageSlot::Agree);
  if (own != 0)
    messages.receive(&largest, sizeof(largest), 0, tag);
  else
    for (int32_t rank = 1; rank < numRanks; ++rank)
      messages.send(&largest, sizeof(largest), rank, tag);
  wait(messages);
  return largest;
}

void PeerProcesses::send(const void *data, int64_t bytes) {
  Messages messages = makeMessages();
  messages.send(data, bytes, 0, peers.getTag(MessageSlot::Shard));
  wait(messages);
}

void PeerProcesses::receive(int32_t rank, void *data, int64_t bytes) {
  Messages messages = makeMessages();
  messages.receive(data, bytes, rank, peers.getTag(MessageSlot::Shard));
  wait(messages);
}

void PeerProcesses::leave(int32_t status) {
  state.setPhase(own, Phase::Failed);
  peers.tellLeaving();
  // Who is known to be missing will not answer.
  std::vector<int32_t> stuck =
      peers.waitForLeaving(Peers::getDeadline(reportSeconds));
  if (stuck.empty())
    std::_Exit(status);
  // One is enough to end those, once the others have gone their way.
  int32_t first = 0;
  while (std::find(stuck.begin(), stuck.end(), first) != stuck.end())
    ++first;
  if (first != own)
    std::_Exit(status);
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  // The launcher may be out of reach, too.
  std::thread([this, status] {
    std::lock_guard<std::mutex> lock(peers.getWorld().getMutex());
    peers.getWorld().getTransport().abort(status);
  }).detach();
  std::this_thread::sleep_for(abortTime);
  std::_Exit(status);
}

std::unique_ptr<Processes> cleave::rt::createProcesses(Peers &peers) {
  return std::make_unique<PeerProcesses>(peers);
}
