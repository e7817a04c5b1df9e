//===- ArenaPlan.h - Live ranges and arena offsets --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Places the buffers of a program in one arena so that buffers that are in use
// at the same time never overlap. Operations are numbered in program order;
// sizes and offsets are in bytes.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SCHEDULE_ARENAPLAN_H
#define CLEAVE_SCHEDULE_ARENAPLAN_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>

namespace cleave {

/// A buffer that is in use from operation `first` to operation `last`, both
/// included; never if `last` < `first`.
struct LiveRange {
  int64_t bytes = 0;
  int64_t first = 0;
  int64_t last = -1;

  bool isEmpty() const { return bytes == 0 || last < first; }
  bool overlaps(const LiveRange &o) const {
    return !isEmpty() && !o.isEmpty() && first <= o.last && o.first <= last;
  }
};

/// Computes live ranges from one walk over a program in order.
///
/// A buffer that is declared outside of a loop and used inside is in use
/// during the whole loop, because an iteration may read what an earlier one
/// wrote. A buffer declared inside has no content when an iteration starts.
class LiveRangeBuilder {
public:
  using BufferId = unsigned;

  BufferId declare(int64_t bytes);
  /// The current operation uses `buffer`.
  void use(BufferId buffer);
  void nextOperation() { ++position; }
  /// Number of the current operation.
  int64_t getPosition() const { return position; }
  /// A use of `buffer`, which is known from use(), lasts until the operation at
  /// `position`.
  void extend(BufferId buffer, int64_t position);

  void enterLoop();
  void exitLoop();

  llvm::ArrayRef<LiveRange> getRanges() const { return ranges; }

private:
  struct Loop {
    int64_t begin;
    llvm::SmallVector<BufferId> captured;
  };

  int64_t position = 0;
  llvm::SmallVector<Loop> loops;
  llvm::SmallVector<LiveRange> ranges;
  /// Number of loops around the declaration of each buffer.
  llvm::SmallVector<unsigned> depths;
};

struct ArenaPlan {
  /// One per buffer; 0 for a buffer that is never in use.
  llvm::SmallVector<int64_t> offsets;
  /// Size of the arena.
  int64_t bytes = 0;
};

/// Assigns offsets that are multiples of `alignment`: buffers are placed one
/// after the other into the smallest gap that the ones placed before leave
/// (Pisarchyk and Lee, Efficient Memory Management for Deep Neural Net
/// Inference, 2020), for several orders, of which the best plan is kept.
ArenaPlan planArena(llvm::ArrayRef<LiveRange> ranges, int64_t alignment = 64);

/// Places every buffer alone on pages of its own, so that it ends where its
/// last page does (up to `alignment`), with a page in between that holds
/// nothing: accesses outside of buffers can then be caught.
ArenaPlan planGuardedArena(llvm::ArrayRef<LiveRange> ranges, int64_t pageBytes,
                           int64_t alignment = 64);

/// The most bytes in use at one time, each buffer rounded up to `alignment`: no
/// plan has a smaller arena.
int64_t peakLiveBytes(llvm::ArrayRef<LiveRange> ranges, int64_t alignment = 64);

} // namespace cleave

#endif // CLEAVE_SCHEDULE_ARENAPLAN_H
