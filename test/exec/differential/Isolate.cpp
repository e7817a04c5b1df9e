//===- Isolate.cpp - Run cases in child processes -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Isolate.h"
#include "llvm/ADT/SmallVector.h"
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace cleave::differential;
using Clock = std::chrono::steady_clock;

namespace {

/// What a child sends: before a case with isStart, after it with the outcome,
/// followed by the message.
struct Packet {
  uint64_t number;
  bool isStart;
  Verdict verdict;
  Statistics statistics;
  uint32_t messageSize;
};

struct Child {
  pid_t pid = -1;
  int pipe = -1;
  uint64_t next = 0, end = 0; // cases that are not done
  bool isInCase = false;
  bool isTimeout = false;
  Clock::time_point since = Clock::now();
  std::vector<char> received;
};

} // namespace

static void sendAll(int fd, const void *data, size_t size) {
  const char *from = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t sent = ::write(fd, from, size);
    if (sent <= 0)
      ::_exit(1);
    from += sent;
    size -= sent;
  }
}

static void work(int fd, uint64_t first, uint64_t end,
                 const std::function<Outcome(uint64_t)> &run) {
  // What a crash prints is known from its signal.
  int null = ::open("/dev/null", O_WRONLY);
  if (null >= 0)
    ::dup2(null, 2);
  rlimit noCore = {0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  for (uint64_t number = first; number < end; ++number) {
    Packet packet = {};
    packet.number = number;
    packet.isStart = true;
    sendAll(fd, &packet, sizeof(packet));
    Outcome outcome = run(number);
    packet.isStart = false;
    packet.verdict = outcome.verdict;
    packet.statistics = outcome.statistics;
    packet.messageSize = outcome.message.size();
    sendAll(fd, &packet, sizeof(packet));
    sendAll(fd, outcome.message.data(), outcome.message.size());
  }
  ::_exit(0);
}

static void start(Child &child, const std::vector<Child> &others,
                  const std::function<Outcome(uint64_t)> &run) {
  int ends[2];
  if (::pipe(ends) != 0)
    ::abort();
  child.pid = ::fork();
  if (child.pid == 0) {
    ::close(ends[0]);
    for (const Child &other : others)
      if (other.pipe >= 0)
        ::close(other.pipe);
    work(ends[1], child.next, child.end, run);
  }
  ::close(ends[1]);
  child.pipe = ends[0];
  child.isInCase = child.isTimeout = false;
  child.received.clear();
  child.since = Clock::now();
}

/// Takes whole packets from what was received.
static void takePackets(Child &child,
                        const std::function<void(uint64_t, Outcome)> &done) {
  while (child.received.size() >= sizeof(Packet)) {
    Packet packet;
    std::memcpy(&packet, child.received.data(), sizeof(packet));
    size_t size = sizeof(packet) + packet.messageSize;
    if (child.received.size() < size)
      return;
    Outcome outcome;
    outcome.message.assign(child.received.begin() + sizeof(packet),
                           child.received.begin() + size);
    child.received.erase(child.received.begin(), child.received.begin() + size);
    child.since = Clock::now();
    child.isInCase = packet.isStart;
    if (packet.isStart)
      continue;
    outcome.verdict = packet.verdict;
    outcome.statistics = packet.statistics;
    child.next = packet.number + 1;
    done(packet.number, std::move(outcome));
  }
}

/// The child is gone: after its last case, or in the middle of one.
static void finish(Child &child,
                   const std::function<void(uint64_t, Outcome)> &done) {
  ::close(child.pipe);
  child.pipe = -1;
  int status = 0;
  ::waitpid(child.pid, &status, 0);
  child.pid = -1;
  if (child.next >= child.end)
    return;
  Outcome outcome;
  outcome.verdict = child.isTimeout ? Verdict::Timeout : Verdict::Crash;
  if (WIFSIGNALED(status) && !child.isTimeout)
    outcome.message = ::strsignal(WTERMSIG(status));
  else if (WIFEXITED(status))
    outcome.message = "exit status " + std::to_string(WEXITSTATUS(status));
  done(child.next++, std::move(outcome));
}

void cleave::differential::runIsolated(
    uint64_t first, uint64_t count, unsigned jobs, unsigned batch,
    double secondsEach, const std::function<Outcome(uint64_t)> &run,
    const std::function<void(uint64_t, Outcome)> &done) {
  std::vector<Child> children(std::max(1u, jobs));
  uint64_t next = first, end = first + count;
  while (true) {
    std::vector<pollfd> polled;
    for (Child &child : children) {
      if (child.pid < 0 && child.next >= child.end && next < end) {
        child.next = next;
        child.end = next = std::min<uint64_t>(next + batch, end);
      }
      if (child.pid < 0 && child.next < child.end)
        start(child, children, run);
      if (child.pid >= 0)
        polled.push_back({child.pipe, POLLIN, 0});
    }
    if (polled.empty())
      return;
    ::poll(polled.data(), polled.size(), 200);
    size_t slot = 0;
    for (Child &child : children) {
      if (child.pid < 0)
        continue;
      if (polled[slot++].revents) {
        char buffer[65536];
        ssize_t size = ::read(child.pipe, buffer, sizeof(buffer));
        if (size <= 0) {
          finish(child, done);
          continue;
        }
        child.received.insert(child.received.end(), buffer, buffer + size);
        takePackets(child, done);
      }
      std::chrono::duration<double> elapsed = Clock::now() - child.since;
      if (child.isInCase && elapsed.count() > secondsEach && !child.isTimeout) {
        child.isTimeout = true;
        ::kill(child.pid, SIGKILL);
      }
    }
  }
}

Outcome cleave::differential::runIsolated(double seconds,
                                          const std::function<Outcome()> &run) {
  Outcome result;
  runIsolated(
      0, 1, 1, 1, seconds, [&](uint64_t) { return run(); },
      [&](uint64_t, Outcome outcome) { result = std::move(outcome); });
  return result;
}
