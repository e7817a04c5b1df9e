//===- GuardedMemory.h - Buffers between inaccessible pages -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memory of a rank that runs a program with guard pages (docs/cli.md,
// --guard-pages). Each buffer ends where a page does, up to its alignment of 64
// bytes, and its neighbours are inaccessible, as it is itself while the plan of
// the arena does not have it in use. An access elsewhere ends the process with
// status CLEAVE_RT_RUN_FAILED and a line on standard error that names the rank,
// the operation and the buffer.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_GUARDEDMEMORY_H
#define CLEAVE_RUNTIME_SESSION_GUARDEDMEMORY_H

#include "runtime/core/Manifest.h"

#include <atomic>
#include <functional>

namespace cleave::rt {

class GuardedMemory {
public:
  /// Maps the arena, all of it inaccessible. The manifest must have guards and
  /// stay alive.
  GuardedMemory(const Manifest &manifest, int32_t rank);
  ~GuardedMemory();
  GuardedMemory(const GuardedMemory &) = delete;
  GuardedMemory &operator=(const GuardedMemory &) = delete;

  void *getArena() const { return arena; }
  /// A buffer of its own, zeroed and always accessible; `what` is for messages.
  void *allocate(int64_t bytes, std::string what);

  /// The operation at `position` of the program is next: buffers that are in
  /// use there become accessible, others inaccessible.
  void enter(int32_t position);
  /// Calls `visit` for each buffer of the arena while it is accessible, with
  /// its size rounded up to its alignment.
  void forEachBuffer(const std::function<void(void *, int64_t)> &visit);

  /// Whether `address` is in this memory. If it is, prints what was accessed
  /// and does not return. Calls nothing that a signal handler may not.
  void explainIfHere(const char *address, bool isKnown, bool isWrite) const;

private:
  /// A buffer and the pages that are its own.
  struct Region {
    char *begin, *end;   ///< of the buffer
    char *first, *limit; ///< of the pages
    std::string what;
    bool isOpen;
  };

  Region makeRegion(char *begin, int64_t bytes, std::string what) const;
  void setOpen(Region &region, bool isOpen);
  const Region *findNearest(const char *address) const;

  const GuardSpec &spec;
  int32_t rank;
  char *arena = nullptr;
  int64_t arenaBytes;
  std::atomic<int32_t> position{-1};
  /// Buffers of the arena as the manifest lists them, then the others.
  std::vector<Region> regions;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_GUARDEDMEMORY_H
