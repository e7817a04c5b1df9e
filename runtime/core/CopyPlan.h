//===- CopyPlan.h - Prepared strided copies ---------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_COPYPLAN_H
#define CLEAVE_RUNTIME_CORE_COPYPLAN_H

#include "runtime/core/DType.h"

namespace cleave::rt {

/// A box moved from one dense row-major buffer to another, as a loop nest over
/// contiguous runs. Built once; running it allocates nothing.
class CopyPlan {
public:
  /// The box of `size` at `fromBegin` of a buffer of shape `from` goes to
  /// `toBegin` of a buffer of shape `to`. All in elements of `elementSize`.
  CopyPlan(const Shape &from, const Shape &fromBegin, const Shape &to,
           const Shape &toBegin, const Shape &size, int64_t elementSize);
  /// Nothing to copy.
  CopyPlan() = default;

  void run(const void *from, void *to) const;

  /// Gathers the box into `bytes` dense bytes, and spreads such bytes.
  void pack(const void *from, void *dense) const;
  void unpack(const void *dense, void *to) const;

  /// One run on both sides, or nothing at all.
  bool isContiguous() const { return loops.empty(); }
  /// Where the box starts, in bytes.
  int64_t getFromStart() const { return fromStart; }
  int64_t getToStart() const { return toStart; }

  /// Bytes moved, and those of each contiguous run.
  int64_t getBytes() const { return bytes; }
  int64_t getRunBytes() const { return runBytes; }

  /// Calls body(fromOffset, toOffset, runBytes) for each contiguous run.
  template <typename Body> void forEachRun(Body &&body) const {
    if (bytes)
      visit(0, fromStart, toStart, body);
  }

  /// Calls body(fromOffset, fromStride, toOffset, toStride, runBytes, count)
  /// for each innermost loop over contiguous runs.
  template <typename Body> void forEachLoop(Body &&body) const {
    if (!bytes)
      return;
    if (loops.empty())
      return body(fromStart, runBytes, toStart, runBytes, runBytes, int64_t(1));
    visitLoops(0, fromStart, toStart, body);
  }

private:
  struct Loop {
    int64_t count, fromStride, toStride;
  };

  template <typename Body>
  void visitLoops(size_t depth, int64_t from, int64_t to, Body &body) const {
    const Loop &loop = loops[depth];
    if (depth + 1 == loops.size()) {
      body(from, loop.fromStride, to, loop.toStride, runBytes, loop.count);
      return;
    }
    for (int64_t i = 0; i < loop.count; ++i)
      visitLoops(depth + 1, from + i * loop.fromStride, to + i * loop.toStride,
                 body);
  }

  template <typename Body>
  void visit(size_t depth, int64_t from, int64_t to, Body &body) const {
    if (depth == loops.size()) {
      body(from, to, runBytes);
      return;
    }
    const Loop &loop = loops[depth];
    for (int64_t i = 0; i < loop.count; ++i)
      visit(depth + 1, from + i * loop.fromStride, to + i * loop.toStride,
            body);
  }

  std::vector<Loop> loops; ///< outermost first; strides in bytes
  int64_t fromStart = 0, toStart = 0;
  int64_t runBytes = 0;
  int64_t bytes = 0;
};

/// Fills the part of a shard of `shape` outside the box of `size` at its origin
/// with the poison of `dtype`: NaN for floats, 0x5a bytes otherwise.
void poisonPadding(void *shard, const Shape &shape, const Shape &size,
                   DType dtype);
/// Poisons `count` elements.
void poison(void *data, int64_t count, DType dtype);
/// What every byte of poisoned elements is.
inline uint8_t getPoison(DType dtype) {
  // An all-ones pattern is a NaN in every float type.
  return isFloat(dtype) ? 0xff : 0x5a;
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_COPYPLAN_H
