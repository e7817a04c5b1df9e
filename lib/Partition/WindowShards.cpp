//===- WindowShards.cpp - Windows over a dimension that is cut ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowShards.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace cleave {

WindowDemand demandOfWindows(const WindowDim &dim, ArrayRef<AxisRef> axes) {
  WindowDemand demand;
  demand.total = *dim.count();
  demand.slope = dim.stride;
  demand.base = -dim.low;
  demand.length =
      (blockSize(demand.total, axes) - 1) * dim.stride + dim.extent();
  return demand;
}

WindowDemand demandOfTaps(const WindowDim &dim, ArrayRef<AxisRef> axes) {
  WindowDemand demand;
  demand.total = dim.window;
  int64_t taps = blockSize(dim.window, axes);
  demand.slope = dim.windowDilation;
  demand.base = -dim.low;
  if (dim.isReversed) {
    // The last tap of the block comes first.
    demand.slope = -dim.windowDilation;
    demand.base += (dim.window - taps) * dim.windowDilation;
  }
  demand.length =
      (*dim.count() - 1) * dim.stride + (taps - 1) * dim.windowDilation + 1;
  return demand;
}

int64_t WindowShards::first(int64_t i) const {
  return divideFloorSigned(demand.slope * i + demand.base, baseDilation);
}

WindowDim WindowShards::local(const WindowDim &dim, int64_t taps) const {
  WindowDim result = dim;
  result.window = taps;
  if (phase) {
    result.size = count;
    result.low = -*phase;
    result.high = demand.length + *phase - result.dilatedSize();
  } else {
    result.size = demand.length;
    result.baseDilation = 1;
    result.low = result.high = 0;
  }
  return result;
}

WindowShards shardWindows(const WindowDim &dim, const WindowDemand &demand,
                          ArrayRef<AxisRef> axes) {
  WindowShards shards;
  shards.demand = demand;
  shards.baseDilation = dim.baseDilation;
  SmallVector<BlockExtent> elements = blocksOf(dim.size, axes);
  SmallVector<BlockExtent> blocks = blocksOf(demand.total, axes);
  int64_t last = (dim.size - 1) * dim.baseDilation;
  int64_t extent = blockSize(dim.size, axes);
  bool samePhase = true, isLocal = true;
  for (auto [own, block] : zip_equal(elements, blocks)) {
    if (block.valid == 0)
      continue;
    int64_t from = demand.slope * block.offset + demand.base;
    int64_t to = from + demand.length - 1;
    int64_t first = shards.first(block.offset);
    int64_t end = divideFloorSigned(to, dim.baseDilation) + 1;
    shards.count = std::max(shards.count, end - first);
    int64_t phase = from - first * dim.baseDilation;
    samePhase &= shards.phase.value_or(phase) == phase;
    shards.phase = phase;
    // What a block lacks at its end, no valid result needs.
    int64_t unused =
        (blockSize(demand.total, axes) - block.valid) * std::abs(demand.slope);
    (demand.slope < 0 ? from : to) += demand.slope < 0 ? unused : -unused;
    shards.needsFill |= from < 0 || to > last;
    isLocal &= divideCeilSigned(from, dim.baseDilation) >= own.offset &&
               divideFloorSigned(to, dim.baseDilation) < own.offset + own.valid;
  }
  if (!samePhase)
    shards.phase.reset();
  std::optional<int64_t> low, high, shift;
  for (auto [own, block] : zip_equal(elements, blocks)) {
    if (block.valid == 0)
      continue;
    int64_t before = own.offset - shards.first(block.offset);
    int64_t after = shards.count - before - extent;
    shards.isShifted |= shift.value_or(before) != before;
    shift = before;
    low = std::max(low.value_or(before), before);
    high = std::max(high.value_or(after), after);
  }
  shards.low = *low;
  shards.high = *high;
  shards.isLocal = isLocal && !shards.needsFill && *low <= 0 && *high <= 0;
  return shards;
}

} // namespace cleave
