//===- Isolation.cpp - Run work in child processes ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/Isolation.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace cleave;
using Clock = std::chrono::steady_clock;
using Run = std::function<std::string(uint64_t)>;
using Done = std::function<void(uint64_t, IsolatedResult)>;

namespace {

/// What a child sends: before a number with isStart, after it with the size of
/// the data, which follows.
struct Packet {
  uint64_t number;
  uint64_t size;
  double processorSeconds; // of the child so far
  bool isStart;
};

struct Child {
  pid_t pid = -1;
  int pipe = -1;
  /// What the child writes to stderr, from its last number on.
  int errors = -1;
  uint64_t next = 0, end = 0; // numbers that are not done
  bool isInside = false;
  bool isTimeout = false;
  Clock::time_point since = Clock::now();
  double processorSecondsBefore = 0; // those of earlier numbers
  std::string received;
};

} // namespace

/// Of a process, by its clock; of one that is gone none.
static double processorSeconds(clockid_t clock) {
  timespec time = {};
  return ::clock_gettime(clock, &time) == 0 ? time.tv_sec + time.tv_nsec * 1e-9
                                            : 0;
}

//===----------------------------------------------------------------------===//
// In the child
//===----------------------------------------------------------------------===//

static void sendAll(int fd, const void *data, size_t size) {
  const char *from = static_cast<const char *>(data);
  while (size > 0) {
    ssize_t sent = ::write(fd, from, size);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      ::_exit(1);
    from += sent;
    size -= sent;
  }
}

[[noreturn]] static void work(const Child &child, int fd, const Run &run) {
  // If this process's parent dies, nobody would stop a hang.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  int null = ::open("/dev/null", O_RDWR);
  if (null >= 0) {
    ::dup2(null, 0);
    ::dup2(null, 1);
  }
  ::dup2(child.errors >= 0 ? child.errors : null, 2);
  rlimit noCore = {0, 0};
  ::setrlimit(RLIMIT_CORE, &noCore);
  for (uint64_t number = child.next; number < child.end; ++number) {
    if (child.errors >= 0 && ::ftruncate(child.errors, 0) == 0)
      ::lseek(child.errors, 0, SEEK_SET);
    Packet packet = {};
    packet.number = number;
    packet.isStart = true;
    packet.processorSeconds = processorSeconds(CLOCK_PROCESS_CPUTIME_ID);
    sendAll(fd, &packet, sizeof(packet));
    std::string data = run(number);
    packet.isStart = false;
    packet.size = data.size();
    sendAll(fd, &packet, sizeof(packet));
    sendAll(fd, data.data(), data.size());
  }
  // What was inherited belongs to the parent: no destructors.
  ::_exit(0);
}

//===----------------------------------------------------------------------===//
// In the parent
//===----------------------------------------------------------------------===//

/// False, with errno, if there is no process to be had.
static bool start(Child &child, const std::vector<Child> &others,
                  const Run &run) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return false;
  // Without it a crash is reported by its signal alone.
  child.errors = ::memfd_create("stderr", MFD_CLOEXEC);
  child.pid = ::fork();
  if (child.pid < 0) {
    int reason = errno;
    ::close(ends[0]);
    ::close(ends[1]);
    ::close(child.errors);
    errno = reason;
    return false;
  }
  if (child.pid == 0) {
    ::close(ends[0]);
    for (const Child &other : others)
      if (other.pipe >= 0)
        ::close(other.pipe);
    work(child, ends[1], run);
  }
  ::close(ends[1]);
  child.pipe = ends[0];
  child.isInside = child.isTimeout = false;
  child.received.clear();
  child.since = Clock::now();
  return true;
}

/// Takes whole packets from what was received.
static void takePackets(Child &child, const Done &done) {
  while (child.received.size() >= sizeof(Packet)) {
    Packet packet;
    std::memcpy(&packet, child.received.data(), sizeof(packet));
    if (child.received.size() - sizeof(packet) < packet.size)
      return;
    IsolatedResult result;
    result.data = child.received.substr(sizeof(packet), packet.size);
    child.received.erase(0, sizeof(packet) + packet.size);
    child.since = Clock::now();
    child.isInside = packet.isStart;
    child.processorSecondsBefore = packet.processorSeconds;
    if (packet.isStart)
      continue;
    child.next = packet.number + 1;
    done(packet.number, std::move(result));
  }
}

static std::string readFirstLine(int fd) {
  char text[512];
  ssize_t size = ::pread(fd, text, sizeof(text), 0);
  llvm::StringRef rest(text, std::max<ssize_t>(size, 0));
  return rest.ltrim('\n').split('\n').first.rtrim().str();
}

static std::string describeEnd(int status, int errors) {
  std::string text;
  if (WIFSIGNALED(status))
    text = ::strsignal(WTERMSIG(status));
  else
    text = "exit status " + std::to_string(WEXITSTATUS(status));
  std::string line = errors >= 0 ? readFirstLine(errors) : "";
  return line.empty() ? text : text + ": " + line;
}

/// The child is gone: after its last number, or in the middle of one.
static void finish(Child &child, const Done &done) {
  ::close(child.pipe);
  child.pipe = -1;
  int status = 0;
  while (::waitpid(child.pid, &status, 0) < 0 && errno == EINTR)
    ;
  child.pid = -1;
  IsolatedResult result;
  if (child.next < child.end) {
    result.status =
        child.isTimeout ? IsolatedResult::TimedOut : IsolatedResult::Crashed;
    if (!child.isTimeout)
      result.data = describeEnd(status, child.errors);
    done(child.next++, std::move(result));
  }
  if (child.errors >= 0)
    ::close(child.errors);
  child.errors = -1;
}

/// What is left of a child's time for the number that it is inside of.
static double secondsLeft(const Child &child, const IsolationOptions &options) {
  double taken =
      std::chrono::duration<double>(Clock::now() - child.since).count();
  double left = options.secondsEach - taken;
  clockid_t clock;
  if (::clock_getcpuclockid(child.pid, &clock) != 0)
    return left;
  double used = processorSeconds(clock) - child.processorSecondsBefore;
  return std::min(left, options.processorSecondsEach - used);
}

/// Reads what a child has sent; false at the end.
static bool receive(Child &child, const Done &done) {
  char buffer[65536];
  ssize_t size = ::read(child.pipe, buffer, sizeof(buffer));
  if (size < 0 && errno == EINTR)
    return true;
  if (size <= 0)
    return false;
  child.received.append(buffer, size);
  takePackets(child, done);
  return true;
}

void cleave::runIsolated(uint64_t first, uint64_t count,
                         const IsolationOptions &options, const Run &run,
                         const Done &done) {
  std::vector<Child> children(std::max(1u, options.jobs));
  uint64_t next = first, end = first + count;
  while (true) {
    std::vector<pollfd> polled;
    double wait = options.secondsEach;
    for (Child &child : children) {
      if (child.pid < 0 && child.next >= child.end && next < end) {
        child.next = next;
        child.end = next =
            std::min<uint64_t>(next + std::max(1u, options.batch), end);
      }
      while (child.pid < 0 && child.next < child.end &&
             !start(child, children, run)) {
        child.pid = -1;
        done(child.next++,
             {IsolatedResult::Crashed,
              std::string("cannot start a process: ") + std::strerror(errno)});
      }
      if (child.pid < 0)
        continue;
      polled.push_back({child.pipe, POLLIN, 0});
      if (child.isInside)
        wait = std::min(wait, secondsLeft(child, options));
    }
    if (polled.empty()) {
      if (next < end)
        continue;
      return;
    }
    // Until a child sends something or may have taken too long.
    ::poll(polled.data(), polled.size(),
           std::clamp<double>(wait * 1000 + 1, 1, 60000));
    size_t slot = 0;
    for (Child &child : children) {
      if (child.pid < 0)
        continue;
      if (polled[slot++].revents && !receive(child, done)) {
        finish(child, done);
        continue;
      }
      if (child.isInside && !child.isTimeout &&
          secondsLeft(child, options) < 0) {
        child.isTimeout = true;
        ::kill(child.pid, SIGKILL);
      }
    }
  }
}
