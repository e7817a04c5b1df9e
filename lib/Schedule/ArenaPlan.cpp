//===- ArenaPlan.cpp - Live ranges and arena offsets ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/ArenaPlan.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>
#include <tuple>

using namespace cleave;
using llvm::ArrayRef;
using llvm::SmallVector;

//===----------------------------------------------------------------------===//
// LiveRangeBuilder
//===----------------------------------------------------------------------===//

LiveRangeBuilder::BufferId LiveRangeBuilder::declare(int64_t bytes) {
  LiveRange range;
  range.bytes = bytes;
  range.first = std::numeric_limits<int64_t>::max();
  ranges.push_back(range);
  depths.push_back(loops.size());
  return ranges.size() - 1;
}

void LiveRangeBuilder::use(BufferId buffer) {
  LiveRange &range = ranges[buffer];
  range.last = std::max(range.last, position);
  range.first = std::min(range.first, position);
  if (loops.size() > depths[buffer]) {
    Loop &outermost = loops[depths[buffer]];
    range.first = std::min(range.first, outermost.begin);
    outermost.captured.push_back(buffer);
  }
}

void LiveRangeBuilder::extend(BufferId buffer, int64_t position) {
  ranges[buffer].last = std::max(ranges[buffer].last, position);
}

void LiveRangeBuilder::enterLoop() { loops.push_back({position, {}}); }

void LiveRangeBuilder::exitLoop() {
  for (BufferId buffer : loops.pop_back_val().captured)
    ranges[buffer].last = std::max(ranges[buffer].last, position);
}

//===----------------------------------------------------------------------===//
// planArena
//===----------------------------------------------------------------------===//

/// Places buffers in the given order.
static ArenaPlan place(ArrayRef<LiveRange> ranges, ArrayRef<unsigned> order,
                       int64_t alignment) {
  ArenaPlan plan;
  plan.offsets.assign(ranges.size(), 0);
  // Placed buffers by offset.
  SmallVector<unsigned> placed;
  for (unsigned buffer : order) {
    const LiveRange &range = ranges[buffer];
    int64_t size = llvm::alignTo(range.bytes, alignment);
    int64_t best = -1, bestGap = std::numeric_limits<int64_t>::max(), end = 0;
    for (unsigned other : placed) {
      if (!range.overlaps(ranges[other]))
        continue;
      int64_t gap = plan.offsets[other] - end;
      if (gap >= size && gap < bestGap) {
        best = end;
        bestGap = gap;
      }
      end = std::max<int64_t>(
          end,
          plan.offsets[other] + llvm::alignTo(ranges[other].bytes, alignment));
    }
    int64_t offset = best >= 0 ? best : end;
    plan.offsets[buffer] = offset;
    plan.bytes = std::max(plan.bytes, offset + size);
    auto *position =
        llvm::upper_bound(placed, offset, [&](int64_t value, unsigned other) {
          return value < plan.offsets[other];
        });
    placed.insert(position, buffer);
  }
  return plan;
}

ArenaPlan cleave::planArena(ArrayRef<LiveRange> ranges, int64_t alignment) {
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < ranges.size(); ++i)
    if (!ranges[i].isEmpty())
      order.push_back(i);

  auto length = [&](unsigned i) { return ranges[i].last - ranges[i].first; };
  auto bySize = [&](unsigned a, unsigned b) {
    return std::make_tuple(ranges[b].bytes, length(b), a) <
           std::make_tuple(ranges[a].bytes, length(a), b);
  };
  auto byLength = [&](unsigned a, unsigned b) {
    return std::make_tuple(length(b), ranges[b].bytes, a) <
           std::make_tuple(length(a), ranges[a].bytes, b);
  };
  auto byStart = [&](unsigned a, unsigned b) {
    return std::make_tuple(ranges[a].first, ranges[b].bytes, a) <
           std::make_tuple(ranges[b].first, ranges[a].bytes, b);
  };

  int64_t bound = peakLiveBytes(ranges, alignment);
  llvm::sort(order, bySize);
  ArenaPlan best = place(ranges, order, alignment);
  auto attempt = [&](auto &&before) {
    if (best.bytes <= bound)
      return;
    llvm::sort(order, before);
    ArenaPlan plan = place(ranges, order, alignment);
    if (plan.bytes < best.bytes)
      best = std::move(plan);
  };
  attempt(byStart);
  attempt(byLength);
  return best;
}

ArenaPlan cleave::planGuardedArena(ArrayRef<LiveRange> ranges,
                                   int64_t pageBytes, int64_t alignment) {
  ArenaPlan plan;
  plan.bytes = pageBytes;
  for (const LiveRange &range : ranges) {
    if (range.isEmpty()) {
      plan.offsets.push_back(0);
      continue;
    }
    int64_t size = llvm::alignTo(range.bytes, alignment);
    int64_t end = plan.bytes + llvm::alignTo(size, pageBytes);
    plan.offsets.push_back(end - size);
    plan.bytes = end + pageBytes;
  }
  return plan;
}

int64_t cleave::peakLiveBytes(ArrayRef<LiveRange> ranges, int64_t alignment) {
  // Changes of the number of bytes in use; at one position, all starts come
  // before all ends because ranges include their last operation.
  SmallVector<std::pair<int64_t, int64_t>> changes;
  for (const LiveRange &range : ranges) {
    if (range.isEmpty())
      continue;
    int64_t size = llvm::alignTo(range.bytes, alignment);
    changes.push_back({range.first, size});
    changes.push_back({range.last + 1, -size});
  }
  llvm::sort(changes);
  int64_t bytes = 0, peak = 0;
  for (auto [position, change] : changes) {
    bytes += change;
    peak = std::max(peak, bytes);
  }
  return peak;
}
