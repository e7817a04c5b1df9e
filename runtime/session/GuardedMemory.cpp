//===- GuardedMemory.cpp - Buffers between inaccessible pages -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/GuardedMemory.h"
#include "runtime/core/Blocks.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

using namespace cleave::rt;

/// Buffers are planned in multiples of this many bytes; what lies between a
/// buffer and its next multiple is nobody else's.
constexpr int64_t alignment = 64;

//===----------------------------------------------------------------------===//
// The signal
//===----------------------------------------------------------------------===//

namespace {

/// What the handler looks through: locks are not for it.
constexpr int maxMemories = 1024;
std::atomic<const GuardedMemory *> memories[maxMemories];

struct sigaction before[2];

/// One line, put together without the heap.
class Line {
public:
  Line &operator<<(const char *part) {
    while (*part && size < sizeof(text) - 1)
      text[size++] = *part++;
    return *this;
  }
  Line &operator<<(int64_t number) {
    char digits[24], *first = digits + sizeof(digits) - 1;
    *first = 0;
    do {
      *--first = static_cast<char>('0' + number % 10);
    } while ((number /= 10) > 0);
    return *this << first;
  }
  void print() {
    text[size++] = '\n';
    for (size_t done = 0; done < size;) {
      ssize_t written = ::write(STDERR_FILENO, text + done, size - done);
      if (written <= 0)
        return;
      done += written;
    }
  }

private:
  char text[1024];
  size_t size = 0;
};

} // namespace

/// Whether the access that failed was a write, where the processor says so.
static bool isKnownWrite(void *context, bool &isKnown) {
#if defined(__x86_64__) && defined(REG_ERR)
  isKnown = true;
  return static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_ERR] & 2;
#else
  isKnown = false;
  return false;
#endif
}

static void handle(int signal, siginfo_t *info, void *context) {
  bool isKnown;
  bool isWrite = isKnownWrite(context, isKnown);
  for (const auto &memory : memories)
    if (const GuardedMemory *live = memory.load())
      live->explainIfHere(static_cast<const char *>(info->si_addr), isKnown,
                          isWrite);
  // Not ours: the access is repeated, and meets the handler from before.
  ::sigaction(signal, &before[signal == SIGBUS], nullptr);
}

static void installHandler() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action = {};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigaction(SIGSEGV, &action, &before[0]);
    ::sigaction(SIGBUS, &action, &before[1]);
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static char *mapInaccessible(int64_t bytes) {
  void *data = ::mmap(nullptr, bytes, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (data == MAP_FAILED)
    throw std::bad_alloc();
  return static_cast<char *>(data);
}

GuardedMemory::GuardedMemory(const Manifest &manifest, int32_t rank)
    : spec(*manifest.guards), rank(rank),
      arenaBytes(std::max(manifest.arenaBytes, spec.pageBytes)) {
  if (spec.pageBytes % ::sysconf(_SC_PAGESIZE) != 0)
    throwBadInput("the program has guard pages of " +
                  std::to_string(spec.pageBytes) +
                  " bytes, but those of this machine are " +
                  std::to_string(::sysconf(_SC_PAGESIZE)));
  installHandler();
  arena = mapInaccessible(arenaBytes);
  for (const GuardedBuffer &buffer : spec.buffers)
    regions.push_back(
        makeRegion(arena + buffer.offset, buffer.bytes, buffer.location));
  for (std::atomic<const GuardedMemory *> &entry : memories) {
    const GuardedMemory *none = nullptr;
    if (entry.compare_exchange_strong(none, this))
      return;
  }
  ::munmap(arena, arenaBytes);
  throwRunFailed("too many ranks with guard pages in one process");
}

GuardedMemory::~GuardedMemory() {
  for (std::atomic<const GuardedMemory *> &entry : memories) {
    const GuardedMemory *self = this;
    entry.compare_exchange_strong(self, nullptr);
  }
  for (size_t i = spec.buffers.size(); i < regions.size(); ++i)
    ::munmap(regions[i].first - spec.pageBytes,
             regions[i].limit - regions[i].first + 2 * spec.pageBytes);
  ::munmap(arena, arenaBytes);
}

GuardedMemory::Region GuardedMemory::makeRegion(char *begin, int64_t bytes,
                                                std::string what) const {
  char *end = begin + bytes;
  auto page = [&](char *address) {
    return reinterpret_cast<uintptr_t>(address) / spec.pageBytes *
           spec.pageBytes;
  };
  return {begin,
          end,
          reinterpret_cast<char *>(page(begin)),
          reinterpret_cast<char *>(page(end + spec.pageBytes - 1)),
          std::move(what),
          /*isOpen=*/false};
}

void GuardedMemory::setOpen(Region &region, bool isOpen) {
  if (region.isOpen == isOpen || region.first == region.limit)
    return;
  if (::mprotect(region.first, region.limit - region.first,
                 isOpen ? PROT_READ | PROT_WRITE : PROT_NONE) != 0)
    throwRunFailed(std::string("guard pages: ") + std::strerror(errno));
  region.isOpen = isOpen;
}

void *GuardedMemory::allocate(int64_t bytes, std::string what) {
  int64_t inside = ceilDiv(bytes, spec.pageBytes) * spec.pageBytes;
  char *mapped = mapInaccessible(inside + 2 * spec.pageBytes);
  char *begin =
      mapped + spec.pageBytes + inside - ceilDiv(bytes, alignment) * alignment;
  // The handler may be looking at them; no program runs yet that it could be
  // called for.
  regions.push_back(makeRegion(begin, bytes, std::move(what)));
  setOpen(regions.back(), true);
  return begin;
}

void GuardedMemory::enter(int32_t next) {
  position = next;
  for (size_t i = 0; i < spec.buffers.size(); ++i)
    setOpen(regions[i],
            spec.buffers[i].first <= next && next <= spec.buffers[i].last);
}

void GuardedMemory::forEachBuffer(
    const std::function<void(void *, int64_t)> &visit) {
  for (size_t i = 0; i < spec.buffers.size(); ++i) {
    setOpen(regions[i], true);
    visit(regions[i].begin,
          ceilDiv(regions[i].end - regions[i].begin, alignment) * alignment);
    setOpen(regions[i], false);
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

/// The buffer that was probably meant: the one around the address, or else the
/// one that ends before it and is nearer than the one that begins after it.
const GuardedMemory::Region *
GuardedMemory::findNearest(const char *address) const {
  const Region *nearest = nullptr;
  int64_t least = INT64_MAX;
  for (const Region &region : regions) {
    int64_t distance = address < region.begin  ? region.begin - address
                       : address >= region.end ? address - region.end
                                               : 0;
    if (distance < least) {
      least = distance;
      nearest = &region;
    }
  }
  return nearest;
}

void GuardedMemory::explainIfHere(const char *address, bool isKnown,
                                  bool isWrite) const {
  bool isHere = address >= arena && address < arena + arenaBytes;
  for (size_t i = spec.buffers.size(); i < regions.size(); ++i)
    isHere |= address >= regions[i].first - spec.pageBytes &&
              address < regions[i].limit + spec.pageBytes;
  if (!isHere)
    return;
  // The first one reports; others may have run into the same.
  static std::atomic_flag isReported = ATOMIC_FLAG_INIT;
  if (isReported.test_and_set())
    while (true)
      ::pause();
  Line line;
  line << "error: rank " << int64_t(rank) << ": ";
  int32_t at = position;
  if (at >= 0 && static_cast<size_t>(at) < spec.operations.size()) {
    const GuardedOperation &operation = spec.operations[at];
    line << operation.what.c_str();
    if (!operation.location.empty())
      line << " at " << operation.location.c_str();
  } else {
    line << "something before the first operation";
  }
  line << (!isKnown ? " accesses " : isWrite ? " writes " : " reads ");
  if (const Region *region = findNearest(address)) {
    int64_t bytes = region->end - region->begin;
    if (address < region->begin)
      line << int64_t(region->begin - address) << " bytes before ";
    else if (address >= region->end)
      line << int64_t(address - region->end) << " bytes past the end of ";
    else
      line << "byte " << int64_t(address - region->begin) << " of ";
    line << "a buffer of " << bytes << " bytes";
    if (!region->what.empty())
      line << " (" << region->what.c_str() << ")";
    if (address >= region->begin && address < region->end)
      line << ", which is not in use";
  } else {
    line << "the arena, which has no buffers";
  }
  line.print();
  ::_exit(CLEAVE_RT_RUN_FAILED);
}
