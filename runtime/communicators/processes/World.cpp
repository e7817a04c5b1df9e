//===- World.cpp - The processes of one run -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/World.h"
#include "runtime/communicators/tcp/TcpTransport.h"
#include "runtime/core/Error.h"
#include "runtime/core/SharedLibrary.h"

#include <algorithm>
#include <cstdio>
#include <dlfcn.h>

using namespace cleave::rt;

constexpr char libraryName[] = "libcleave-rt-mpi.so";

/// What the start of MPI gets in any case: processes begin one after another.
constexpr double leastSeconds = 20;

/// Whether the start or the end of MPI has not come to an end.
static bool isLost = false;

/// Whether processes have only variables to find each other.
static bool usesSockets() {
  return getLaunch().launcher == Launcher::Variables;
}

static std::unique_ptr<World> &getInstance() {
  static std::unique_ptr<World> world;
  return world;
}

/// Throws that MPI did not start or stop in time.
[[noreturn]] static void throwLate(const char *what, double seconds,
                                   const std::string &missing) {
  isLost = true;
  char number[32];
  std::snprintf(number, sizeof(number), "%g", seconds);
  throwRunFailed("rank " + std::to_string(getLaunch().rank) + ": the " + what +
                 " of " + (usesSockets() ? "connections" : "MPI") +
                 ": the deadline of " + number + " s passed; " + missing);
}

World &World::get(double deadlineSeconds) {
  std::unique_ptr<World> &instance = getInstance();
  if (isLost)
    throwRunFailed("cannot use MPI: it has failed before");
  if (!instance)
    instance.reset(new World(std::max(deadlineSeconds, leastSeconds)));
  return *instance;
}

bool World::isStuck() { return isLost; }

void World::stopIfStarted() {
  std::unique_ptr<World> &instance = getInstance();
  if (!instance || isLost)
    return;
  // What is still in flight then stays where it is.
  World *world = instance.release();
  bool isDone = world->keeper.run(
      [world] {
        world->transport->cancel(&world->incomingRequest);
        world->transport->stop();
      },
      world->seconds, [] {});
  if (!isDone)
    throwLate("end", world->seconds, "not all ranks have come");
  delete world;
}

/// MPI's, or sockets for processes that only have variables to find each other.
static const CleaveTransport *findTransport() {
  if (usesSockets())
    return getTcpTransport();
  std::string error;
  // MPI loads components that look for its symbols among the global ones.
  void *library = openRuntimeLibrary(libraryName, /*isGlobal=*/true, error);
  if (!library)
    throwRunFailed("cannot use MPI: " + error);
  auto getTransport = reinterpret_cast<CleaveGetTransport>(
      ::dlsym(library, "cleave_rt_mpi_transport"));
  const CleaveTransport *transport = getTransport ? getTransport() : nullptr;
  if (!transport || transport->version != cleaveTransportVersion)
    throwRunFailed(std::string("cannot use MPI: ") + libraryName +
                   " is of another version of the runtime");
  return transport;
}

World::World(double seconds) : seconds(seconds) {
  transport = findTransport();
  struct Started {
    const char *error = nullptr;
    int32_t rank = 0, size = 1, sharers = 1;
  };
  auto started = std::make_shared<Started>();
  // Sockets know by themselves who is missing.
  double limit = usesSockets() ? seconds + tcpGraceSeconds : seconds;
  setTcpStartSeconds(seconds);
  Arrivals arrivals(getLaunch());
  bool isDone = keeper.run(
      [started, transport = transport] {
        started->error =
            transport->start(&started->rank, &started->size, &started->sharers);
      },
      limit, [&] { arrivals.look(); });
  if (!isDone)
    throwLate("start", seconds, arrivals.describeMissing());
  if (started->error)
    throwRunFailed((usesSockets() ? "" : "cannot use MPI: ") +
                   std::string(started->error));
  rank = started->rank;
  size = started->size;
  sharers = started->sharers;
  expectNotice();
}

void World::expectNotice() {
  transport->receive(CleaveControl, &incoming, sizeof(incoming), -1, 0,
                     &incomingRequest);
}

void World::tell(const Notice &notice, int32_t numRanks) {
  std::lock_guard<std::mutex> lock(mutex);
  size_t next = 0;
  for (int32_t peer = 0; peer < numRanks; ++peer) {
    if (peer == rank)
      continue;
    for (; next < outgoing.size() && !outgoing[next]->isFree; ++next) {
      int32_t isDone = 0;
      transport->test(&outgoing[next]->request, &isDone, nullptr);
      if (isDone)
        break;
    }
    if (next == outgoing.size())
      outgoing.push_back(std::make_unique<Outgoing>());
    Outgoing &message = *outgoing[next++];
    message.notice = notice;
    message.isFree = false;
    // A peer that cannot be reached is found missing where it is needed.
    if (transport->send(CleaveControl, &message.notice, sizeof(notice), peer, 0,
                        &message.request))
      message.isFree = true;
  }
}

bool World::listen(int32_t wanted, Notice &notice, int32_t &sender) {
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; i < early.size(); ++i)
    if (early[i].second.epoch == wanted) {
      std::tie(sender, notice) = early[i];
      early.erase(early.begin() + i);
      return true;
    }
  while (true) {
    int32_t isDone = 0;
    if (transport->test(&incomingRequest, &isDone, &sender) || !isDone)
      return false;
    notice = incoming;
    expectNotice();
    if (notice.epoch == wanted)
      return true;
    if (notice.epoch > wanted)
      early.push_back({sender, notice});
  }
}
