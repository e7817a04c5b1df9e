//===- StreamCopy.h - Copies within and past the caches ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_STREAMCOPY_H
#define CLEAVE_RUNTIME_CORE_STREAMCOPY_H

#include <cstddef>
#include <cstdint>

namespace cleave::rt {

/// How this processor writes what it computes past its caches fastest, as
/// measured (docs/bandwidth.md).
struct StreamHabits {
  static constexpr int64_t maxBlockBytes = 4096;

  /// What is computed before it is streamed: long enough to be worth a call,
  /// short enough that reading hardly pauses while a block is written.
  int64_t blockBytes;
  /// Whether to ask for the operands of the next block.
  bool fetchesAhead;
  /// From how many bytes on it is faster to write past the caches than to
  /// memcpy, which itself does so only with what exceeds the last-level cache
  /// that all cores share.
  int64_t streamsFrom;
  /// From how many bytes of its result on an all_gather is fastest if each
  /// member reads its own piece once and writes it to all results; only past
  /// the caches if twice `streamsFrom` is no more.
  int64_t gathersAtOnceFrom;
};
const StreamHabits &getStreamHabits();

/// As memcpy. What is longer than a core's caches is written past them, which
/// saves reading the target first and evicting everything else. When it returns
/// the bytes are as visible to other threads as those of memcpy.
void copyBytes(void *to, const void *from, int64_t bytes);

/// Copies `bytes` bytes to `toOffset` bytes into each of `outs` at once: reads
/// them once however many places they go to. Within the caches.
void copyBytesToAll(void *const *outs, size_t numOuts, int64_t toOffset,
                    const void *from, int64_t bytes);

/// The same past the caches. Other threads may see the bytes only after
/// finishStreaming().
void streamBytes(void *const *outs, size_t numOuts, int64_t toOffset,
                 const void *from, int64_t bytes);
/// Orders what this thread has streamed before what it stores from now on.
void finishStreaming();

/// Asks for bytes that will be read soon.
void prefetchBytes(const void *data, int64_t bytes);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_STREAMCOPY_H
