//===- World.cpp - The processes of one run -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/World.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cstdio>

using namespace cleave::rt;

/// What the start gets in any case: processes begin one after another.
constexpr double leastSeconds = 20;

/// Whether the start or the end has not come to an end.
static bool isLost = false;

static std::unique_ptr<World> &getInstance() {
  static std::unique_ptr<World> world;
  return world;
}

void World::throwLate(const char *what, const std::string &missing) {
  isLost = true;
  char number[32];
  std::snprintf(number, sizeof(number), "%g", seconds);
  throwRunFailed("rank " + std::to_string(getLaunch().rank) + ": the " + what +
                 " of " + transport.name + ": the deadline of " + number +
                 " s passed; " + missing);
}

World &World::get(double deadlineSeconds, Transport (*open)()) {
  std::unique_ptr<World> &instance = getInstance();
  if (isLost)
    throwRunFailed("cannot reach other processes: that has failed before");
  if (!instance)
    instance.reset(new World(open(), std::max(deadlineSeconds, leastSeconds)));
  return *instance;
}

bool World::isStuck() { return isLost; }

void World::stopIfStarted() {
  std::unique_ptr<World> &instance = getInstance();
  if (!instance || isLost)
    return;
  // What is still in flight then stays where it is.
  World *world = instance.release();
  bool isDone = world->thread.run(
      [world] {
        const CleaveTransport &transport = world->getTransport();
        transport.cancel(&world->incomingRequest);
        transport.stop();
      },
      world->seconds, [] {});
  if (!isDone)
    world->throwLate("end", "not all ranks have come");
  delete world;
}

World::World(const Transport &transport, double seconds)
    : transport(transport), seconds(seconds) {
  struct Started {
    const char *error = nullptr;
    int32_t rank = 0, size = 1, sharers = 1;
  };
  auto started = std::make_shared<Started>();
  Arrivals arrivals(getLaunch());
  bool isDone = thread.run(
      [started, start = transport.functions->start, seconds] {
        started->error =
            start(seconds, &started->rank, &started->size, &started->sharers);
      },
      seconds + transport.graceSeconds, [&] { arrivals.look(); });
  if (!isDone)
    throwLate("start", arrivals.describeMissing());
  if (started->error)
    throwRunFailed(std::string(transport.errorPrefix) + started->error);
  rank = started->rank;
  size = started->size;
  sharers = started->sharers;
  expectNotice();
}

void World::expectNotice() {
  getTransport().receive(CleaveControl, &incoming, sizeof(incoming), -1, 0,
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
      getTransport().test(&outgoing[next]->request, &isDone, nullptr);
      if (isDone)
        break;
    }
    if (next == outgoing.size())
      outgoing.push_back(std::make_unique<Outgoing>());
    Outgoing &message = *outgoing[next++];
    message.notice = notice;
    message.isFree = false;
    // A peer that cannot be reached is found missing where it is needed.
    if (getTransport().send(CleaveControl, &message.notice, sizeof(notice),
                            peer, 0, &message.request))
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
    if (getTransport().test(&incomingRequest, &isDone, &sender) || !isDone)
      return false;
    notice = incoming;
    expectNotice();
    if (notice.epoch == wanted)
      return true;
    if (notice.epoch > wanted)
      early.push_back({sender, notice});
  }
}
