//===- MpiWorld.cpp - The processes that mpirun started ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiWorld.h"
#include "runtime/communicators/tcp/TcpTransport.h"
#include "runtime/core/Error.h"
#include "runtime/core/SharedLibrary.h"

#include <algorithm>
#include <cstdio>

using namespace cleave::rt;

/// What the start of MPI gets in any case: processes begin one after another.
constexpr double leastSeconds = 20;

/// Whether the start or the end of MPI has not come to an end.
static bool isLost = false;

/// Whether processes have only variables to find each other.
static bool usesSockets() {
  return !getMpiLaunch().isLaunched && getTcpLaunch().isLaunched;
}

static std::unique_ptr<MpiWorld> &getInstance() {
  static std::unique_ptr<MpiWorld> world;
  return world;
}

/// Throws that MPI did not start or stop in time.
[[noreturn]] static void throwLate(const char *what, double seconds,
                                   const std::string &missing) {
  isLost = true;
  char number[32];
  std::snprintf(number, sizeof(number), "%g", seconds);
  int32_t rank = usesSockets() ? getTcpLaunch().rank : getMpiLaunch().rank;
  throwRunFailed("rank " + std::to_string(rank) + ": the " + what + " of " +
                 (usesSockets() ? "connections" : "MPI") +
                 ": the deadline of " + number + " s passed; " + missing);
}

MpiWorld &MpiWorld::get(double deadlineSeconds) {
  std::unique_ptr<MpiWorld> &instance = getInstance();
  if (isLost)
    throwRunFailed("cannot use MPI: it has failed before");
  if (!instance)
    instance.reset(new MpiWorld(std::max(deadlineSeconds, leastSeconds)));
  return *instance;
}

bool MpiWorld::isStuck() { return isLost; }

void MpiWorld::stopIfStarted() {
  std::unique_ptr<MpiWorld> &instance = getInstance();
  if (!instance || isLost)
    return;
  // What is still in flight then stays where it is.
  MpiWorld *world = instance.release();
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
static const CleaveMpiTransport *findTransport() {
  if (usesSockets())
    return getTcpTransport();
  // MPI loads components that look for its symbols among the global ones.
  SharedLibrary library("libcleave-rt-mpi.so", "MPI", /*isGlobal=*/true);
  return &library.getTable<CleaveMpiTransport>("cleave_rt_mpi_transport",
                                               cleaveMpiVersion);
}

MpiWorld::MpiWorld(double seconds) : seconds(seconds) {
  transport = findTransport();
  struct Started {
    const char *error = nullptr;
    int32_t rank = 0, size = 1, sharers = 1;
  };
  auto started = std::make_shared<Started>();
  // Sockets know by themselves who is missing.
  double limit = usesSockets() ? seconds + tcpGraceSeconds : seconds;
  setTcpStartSeconds(seconds);
  MpiArrivals arrivals(getMpiLaunch());
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

void MpiWorld::expectNotice() {
  transport->receive(CleaveMpiControl, &incoming, sizeof(incoming), -1, 0,
                     &incomingRequest);
}

void MpiWorld::tell(const MpiNotice &notice, int32_t numRanks) {
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
    if (transport->send(CleaveMpiControl, &message.notice, sizeof(notice), peer,
                        0, &message.request))
      message.isFree = true;
  }
}

bool MpiWorld::listen(int32_t wanted, MpiNotice &notice, int32_t &sender) {
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
