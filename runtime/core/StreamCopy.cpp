//===- StreamCopy.cpp - Copies within and past the caches -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamCopy.h"

#include <algorithm>
#include <cstring>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

using namespace cleave::rt;

static constexpr StreamHabits intelHabits{/*blockBytes=*/1024,
                                          /*fetchesAhead=*/true,
                                          /*streamsFrom=*/2 << 20,
                                          /*gathersAtOnceFrom=*/4 << 20};
static constexpr StreamHabits otherHabits{/*blockBytes=*/
                                          StreamHabits::maxBlockBytes,
                                          /*fetchesAhead=*/false,
                                          /*streamsFrom=*/4 << 20,
                                          /*gathersAtOnceFrom=*/256 << 10};

static bool isIntel() {
#if defined(__SSE2__)
  static const bool result = __builtin_cpu_is("intel");
  return result;
#else
  return false;
#endif
}

const StreamHabits &cleave::rt::getStreamHabits() {
  return isIntel() ? intelHabits : otherHabits;
}

#if defined(__SSE2__)
namespace {
/// Targets that are aligned to lines, and a source of whole lines.
struct Streams {
  void *const *outs;
  size_t numOuts;
  int64_t toOffset;
  const char *source;
  int64_t bytes;

  char *getTarget(size_t i, int64_t offset) const {
    return static_cast<char *>(outs[i]) + toOffset + offset;
  }
};
} // namespace

constexpr int64_t lineBytes = 64, pageBytes = 4096;

static void streamLine(const Streams &streams, int64_t offset) {
  const auto *source =
      reinterpret_cast<const __m128i *>(streams.source + offset);
  __m128i parts[4];
  for (int i = 0; i < 4; ++i)
    parts[i] = _mm_loadu_si128(source + i);
  for (size_t j = 0; j < streams.numOuts; ++j)
    for (int i = 0; i < 4; ++i)
      _mm_stream_si128(
          reinterpret_cast<__m128i *>(streams.getTarget(j, offset)) + i,
          parts[i]);
}

static void streamLines(const Streams &streams) {
  for (int64_t done = 0; done < streams.bytes; done += lineBytes)
    streamLine(streams, done);
}

// The same in halves of a line, which is a little faster.

template <int NumLines>
__attribute__((target("avx2"))) static inline void
streamWideLines(const Streams &streams, int64_t offset) {
  const auto *source =
      reinterpret_cast<const __m256i *>(streams.source + offset);
  __m256i halves[2 * NumLines];
  for (int i = 0; i < 2 * NumLines; ++i)
    halves[i] = _mm256_loadu_si256(source + i);
  for (size_t j = 0; j < streams.numOuts; ++j) {
    auto *target = reinterpret_cast<__m256i *>(streams.getTarget(j, offset));
    for (int i = 0; i < 2 * NumLines; ++i)
      _mm256_stream_si256(target + i, halves[i]);
  }
}

/// `NumLines` lines of each of `NumPages` pages in turns. Asking for lines
/// ahead would only be in the way of the processor's own foresight.
template <int NumPages, int NumLines>
__attribute__((target("avx2"))) static void
streamWidePages(const Streams &streams) {
  constexpr int64_t turnBytes = NumPages * pageBytes;
  int64_t done = 0;
  for (; done + turnBytes <= streams.bytes; done += turnBytes)
    for (int64_t line = done; line < done + pageBytes;
         line += NumLines * lineBytes)
      for (int64_t page = 0; page < turnBytes; page += pageBytes)
        streamWideLines<NumLines>(streams, line + page);
  for (; done + NumLines * lineBytes <= streams.bytes;
       done += NumLines * lineBytes)
    streamWideLines<NumLines>(streams, done);
  for (; done < streams.bytes; done += lineBytes)
    streamWideLines<1>(streams, done);
}

// Whole lines to one target, pairs of them of sixteen pages in turns: a write
// that fills a line at once needs no buffer to wait in.

__attribute__((target("avx512f"))) static void
streamLinePairs(const Streams &streams) {
  constexpr int64_t turnBytes = 16 * pageBytes, pairBytes = 2 * lineBytes;
  char *target = streams.getTarget(0, 0);
  auto streamPair = [&](int64_t offset) __attribute__((target("avx512f"))) {
    __m512i first = _mm512_loadu_si512(streams.source + offset);
    __m512i second = _mm512_loadu_si512(streams.source + offset + lineBytes);
    _mm512_stream_si512(reinterpret_cast<__m512i *>(target + offset), first);
    _mm512_stream_si512(
        reinterpret_cast<__m512i *>(target + offset + lineBytes), second);
  };
  int64_t done = 0;
  for (; done + turnBytes <= streams.bytes; done += turnBytes)
    for (int64_t pair = done; pair < done + pageBytes; pair += pairBytes)
      for (int64_t page = 0; page < turnBytes; page += pageBytes)
        streamPair(pair + page);
  for (; done + pairBytes <= streams.bytes; done += pairBytes)
    streamPair(done);
  if (done < streams.bytes)
    streamLine(streams, done);
}

/// Bytes up to the next line of a target.
static int64_t getMisalignment(const void *out, int64_t toOffset) {
  return -(reinterpret_cast<intptr_t>(out) + toOffset) & (lineBytes - 1);
}

void cleave::rt::streamBytes(void *const *outs, size_t numOuts,
                             int64_t toOffset, const void *from,
                             int64_t bytes) {
  if (numOuts == 0)
    return;
  int64_t head = getMisalignment(outs[0], toOffset);
  for (size_t i = 1; i < numOuts; ++i)
    if (getMisalignment(outs[i], toOffset) != head) {
      for (size_t j = 0; j < numOuts; ++j)
        streamBytes(outs + j, 1, toOffset, from, bytes);
      return;
    }
  if (head > bytes)
    head = bytes;
  const char *source = static_cast<const char *>(from);
  int64_t whole = (bytes - head) / lineBytes * lineBytes, tail = head + whole;
  for (size_t i = 0; i < numOuts; ++i) {
    char *target = static_cast<char *>(outs[i]) + toOffset;
    std::memcpy(target, source, head);
    std::memcpy(target + tail, source + tail, bytes - tail);
  }
  Streams streams{outs, numOuts, toOffset + head, source + head, whole};
  static const bool isWide = __builtin_cpu_supports("avx2");
  static const bool hasLines = __builtin_cpu_supports("avx512f");
  if (hasLines && numOuts == 1)
    streamLinePairs(streams);
  else if (isWide && isIntel())
    // Lines of two pages in turns keep more of the memory's channels busy.
    streamWidePages</*NumPages=*/2, /*NumLines=*/1>(streams);
  else if (isWide)
    streamWidePages</*NumPages=*/1, /*NumLines=*/4>(streams);
  else
    streamLines(streams);
}

void cleave::rt::finishStreaming() { _mm_sfence(); }

/// memcpy by lines, of any alignment.
__attribute__((target("avx2"))) static void
copyWideLines(char *to, const char *from, int64_t bytes) {
  int64_t done = 0;
  for (; done + 2 * lineBytes <= bytes; done += 2 * lineBytes) {
    __m256i halves[4];
    for (int i = 0; i < 4; ++i)
      halves[i] = _mm256_loadu_si256(
          reinterpret_cast<const __m256i *>(from + done) + i);
    for (int i = 0; i < 4; ++i)
      _mm256_storeu_si256(reinterpret_cast<__m256i *>(to + done) + i,
                          halves[i]);
  }
  std::memcpy(to + done, from + done, bytes - done);
}

/// Whether the C library's memcpy would take `rep movsb`, from about 2 KB on,
/// where that is slow: on AMD's processors a fifteenth of its speed if the
/// target's place in its page is less than a line after the source's (glibc's
/// bug 30994). Elsewhere both ways are as good.
static bool trailsBySome(const void *to, const void *from, int64_t bytes) {
  constexpr int64_t repeatedFrom = 2048;
  static const bool isWide = __builtin_cpu_supports("avx2");
  uintptr_t distance =
      (reinterpret_cast<uintptr_t>(to) - reinterpret_cast<uintptr_t>(from)) %
      pageBytes;
  return isWide && bytes >= repeatedFrom && distance && distance < lineBytes;
}

static void copyWithinCaches(void *to, const void *from, int64_t bytes) {
  if (trailsBySome(to, from, bytes))
    copyWideLines(static_cast<char *>(to), static_cast<const char *>(from),
                  bytes);
  else
    std::memcpy(to, from, bytes);
}
#else
void cleave::rt::streamBytes(void *const *outs, size_t numOuts,
                             int64_t toOffset, const void *from,
                             int64_t bytes) {
  for (size_t i = 0; i < numOuts; ++i)
    std::memcpy(static_cast<char *>(outs[i]) + toOffset, from, bytes);
}

void cleave::rt::finishStreaming() {}

static void copyWithinCaches(void *to, const void *from, int64_t bytes) {
  std::memcpy(to, from, bytes);
}
#endif

void cleave::rt::prefetchBytes(const void *data, int64_t bytes) {
  for (int64_t offset = 0; offset < bytes; offset += 64)
    __builtin_prefetch(static_cast<const char *>(data) + offset);
}

void cleave::rt::copyBytes(void *to, const void *from, int64_t bytes) {
  if (bytes < getStreamHabits().streamsFrom) {
    copyWithinCaches(to, from, bytes);
    return;
  }
  streamBytes(&to, /*numOuts=*/1, /*toOffset=*/0, from, bytes);
  finishStreaming();
}

void cleave::rt::copyBytesToAll(void *const *outs, size_t numOuts,
                                int64_t toOffset, const void *from,
                                int64_t bytes) {
  // What the first-level cache keeps until the last target has it; memcpy does
  // not take `rep movsb` for so few, which is slow to start.
  constexpr int64_t blockBytes = 2048;
  for (int64_t done = 0; done < bytes; done += blockBytes)
    for (size_t i = 0; i < numOuts; ++i)
      copyWithinCaches(static_cast<char *>(outs[i]) + toOffset + done,
                       static_cast<const char *>(from) + done,
                       std::min(blockBytes, bytes - done));
}
