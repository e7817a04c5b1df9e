//===- Start.cpp - Starting and stopping in time --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Start.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <mutex>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

using namespace cleave::rt;

/// How often a waiting process looks around.
constexpr std::chrono::milliseconds lookInterval(100);

//===----------------------------------------------------------------------===//
// The thread
//===----------------------------------------------------------------------===//

struct TransportThread::State {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> task; ///< empty when done
  bool isEnding = false, isLost = false;
  std::thread thread;
};

void TransportThread::work(State &state) {
  std::unique_lock<std::mutex> lock(state.mutex);
  while (true) {
    state.changed.wait(lock, [&] { return state.task || state.isEnding; });
    if (!state.task)
      return;
    lock.unlock();
    state.task();
    lock.lock();
    state.task = nullptr;
    state.changed.notify_all();
  }
}

TransportThread::TransportThread() : state(std::make_shared<State>()) {
  state->thread = std::thread([state = state] { work(*state); });
}

TransportThread::~TransportThread() {
  if (state->isLost)
    return;
  {
    std::lock_guard<std::mutex> lock(state->mutex);
    state->isEnding = true;
  }
  state->changed.notify_all();
  state->thread.join();
}

bool TransportThread::run(std::function<void()> task, double seconds,
                          const std::function<void()> &look) {
  if (state->isLost)
    return false;
  auto end = std::chrono::steady_clock::now() +
             std::chrono::duration_cast<std::chrono::nanoseconds>(
                 std::chrono::duration<double>(seconds));
  std::unique_lock<std::mutex> lock(state->mutex);
  state->task = std::move(task);
  state->changed.notify_all();
  auto isDone = [&] { return !state->task; };
  while (!state->changed.wait_for(lock, lookInterval, isDone)) {
    look();
    if (std::chrono::steady_clock::now() < end)
      continue;
    state->isLost = true;
    state->thread.detach();
    return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Who has come
//===----------------------------------------------------------------------===//

/// The address of a rank's mark, and its length.
static socklen_t getAddress(const Launch &launch, int32_t rank,
                            sockaddr_un &address) {
  std::string name = "cleave-mpi-" +
                     std::to_string(std::hash<std::string>()(launch.job)) +
                     "-" + std::to_string(rank);
  address = {};
  address.sun_family = AF_UNIX;
  // A name that begins with zero is no file.
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  return offsetof(sockaddr_un, sun_path) + 1 + name.size();
}

/// Whether a process of this machine neither is stopped nor has ended.
static bool isRunning(int32_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  // The state follows the name, which is in parentheses and may have any.
  size_t end = text.rfind(") ");
  return end != std::string::npos &&
         std::strchr("TtZX", text[end + 2]) == nullptr;
}

Arrivals::Arrivals(const Launch &launch, std::chrono::milliseconds patience)
    : launch(launch), patience(patience), arrivals(launch.numRanks) {
  if (launch.job.empty() || launch.rank >= launch.numRanks)
    return;
  arrivals[launch.rank].isSeen = true;
  mark = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address;
  socklen_t length = getAddress(launch, launch.rank, address);
  if (mark >= 0 &&
      ::bind(mark, reinterpret_cast<sockaddr *>(&address), length) == 0)
    ::listen(mark, launch.numRanks);
}

Arrivals::~Arrivals() {
  if (mark >= 0)
    ::close(mark);
}

void Arrivals::probe(int32_t rank) {
  int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (probe < 0)
    return;
  Arrival &arrival = arrivals[rank];
  sockaddr_un address;
  socklen_t length = getAddress(launch, rank, address);
  arrival.isSeen =
      ::connect(probe, reinterpret_cast<sockaddr *>(&address), length) == 0;
  ucred owner;
  socklen_t size = sizeof(owner);
  if (arrival.isSeen &&
      ::getsockopt(probe, SOL_SOCKET, SO_PEERCRED, &owner, &size) == 0)
    arrival.process = owner.pid;
  ::close(probe);
}

void Arrivals::look() {
  if (launch.job.empty())
    return;
  for (int32_t rank = 0; rank < launch.numRanks; ++rank) {
    Arrival &arrival = arrivals[rank];
    if (!arrival.isSeen)
      probe(rank);
    if (arrival.process && isRunning(arrival.process))
      arrival.lastAlive = std::chrono::steady_clock::now();
  }
}

std::vector<int32_t> Arrivals::findSilent() const {
  std::vector<int32_t> silent;
  auto now = std::chrono::steady_clock::now();
  for (int32_t rank = 0; rank < launch.numRanks; ++rank)
    if (arrivals[rank].process && now - arrivals[rank].lastAlive >= patience)
      silent.push_back(rank);
  return silent;
}

/// "missing ranks 2, 3".
static std::string listMissing(const std::vector<int32_t> &ranks) {
  std::string text = ranks.size() == 1 ? "missing rank " : "missing ranks ";
  for (size_t i = 0; i < ranks.size(); ++i)
    text += (i ? ", " : "") + std::to_string(ranks[i]);
  return text;
}

std::string Arrivals::describeMissing() const {
  std::vector<int32_t> missing;
  for (int32_t rank = 0; rank < launch.numRanks; ++rank)
    if (!arrivals[rank].isSeen)
      missing.push_back(rank);
  int32_t numSeen = launch.numRanks - static_cast<int32_t>(missing.size());
  if (launch.job.empty() || launch.numLocal == 0)
    return "not all ranks have come";
  std::vector<int32_t> silent = findSilent();
  if (missing.empty() && silent.empty())
    return "all ranks have come, but not all go on";
  // Of other machines nothing is known.
  if (launch.numLocal < launch.numRanks && silent.empty())
    return numSeen >= launch.numLocal
               ? "missing ranks of other machines"
               : "missing " + std::to_string(launch.numLocal - numSeen) +
                     " of the " + std::to_string(launch.numLocal) +
                     " ranks of this machine";
  if (launch.numLocal < launch.numRanks)
    missing.clear();
  missing.insert(missing.end(), silent.begin(), silent.end());
  std::sort(missing.begin(), missing.end());
  return listMissing(missing);
}
