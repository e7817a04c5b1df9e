//===- StreamCopy.cpp - Copies past the caches ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/StreamCopy.h"

#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

using namespace cleave::rt;

/// From here on streaming is faster than memcpy, which itself streams only what
/// exceeds the last-level cache that all cores share.
constexpr int64_t streamFrom = 2 << 20;

#if defined(__SSE2__)
/// Several pages in turns keep more of the memory's channels busy.
constexpr int64_t pageBytes = 4096, numPages = 4, lineBytes = 64;
constexpr int64_t prefetchDistance = 512;

static void streamLine(char *to, const char *from) {
  const auto *source = reinterpret_cast<const __m128i *>(from);
  auto *target = reinterpret_cast<__m128i *>(to);
  __m128i parts[4];
  for (int i = 0; i < 4; ++i)
    parts[i] = _mm_loadu_si128(source + i);
  for (int i = 0; i < 4; ++i)
    _mm_stream_si128(target + i, parts[i]);
}

void cleave::rt::streamBytes(void *to, const void *from, int64_t bytes) {
  char *target = static_cast<char *>(to);
  const char *source = static_cast<const char *>(from);
  int64_t done = -reinterpret_cast<intptr_t>(target) & (lineBytes - 1);
  if (done > bytes)
    done = bytes;
  std::memcpy(target, source, done);
  for (; done + numPages * pageBytes <= bytes; done += numPages * pageBytes)
    for (int64_t line = 0; line < pageBytes; line += lineBytes)
      for (int64_t page = 0; page < numPages; ++page) {
        int64_t offset = done + page * pageBytes + line;
        // Beyond the end this is a hint about memory that is not touched.
        _mm_prefetch(source + offset + prefetchDistance, _MM_HINT_T0);
        streamLine(target + offset, source + offset);
      }
  for (; done + lineBytes <= bytes; done += lineBytes)
    streamLine(target + done, source + done);
  // Streamed stores are not ordered with others by themselves.
  _mm_sfence();
  std::memcpy(target + done, source + done, bytes - done);
}
#else
void cleave::rt::streamBytes(void *to, const void *from, int64_t bytes) {
  std::memcpy(to, from, bytes);
}
#endif

void cleave::rt::prefetchBytes(const void *data, int64_t bytes) {
  for (int64_t offset = 0; offset < bytes; offset += 64)
    __builtin_prefetch(static_cast<const char *>(data) + offset);
}

void cleave::rt::copyBytes(void *to, const void *from, int64_t bytes) {
  if (bytes >= streamFrom)
    streamBytes(to, from, bytes);
  else
    std::memcpy(to, from, bytes);
}
