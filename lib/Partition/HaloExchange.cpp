//===- HaloExchange.cpp - Windows of a cut dimension ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/HaloExchange.h"

#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace cleave {

std::vector<BlockExtent> blocksAlong(int64_t size, ArrayRef<AxisRef> axes) {
  std::vector<BlockExtent> blocks{{0, size}};
  int64_t extent = size;
  for (const AxisRef &axis : axes) {
    extent = divideCeil(extent, axis.size);
    std::vector<BlockExtent> inner;
    for (const BlockExtent &outer : blocks)
      for (int64_t digit = 0; digit < axis.size; ++digit)
        inner.push_back(
            {outer.offset + digit * extent,
             std::clamp<int64_t>(outer.valid - digit * extent, 0, extent)});
    blocks = std::move(inner);
  }
  return blocks;
}

/// Elements that lie in both of two intervals.
static int64_t overlap(int64_t begin, int64_t end, int64_t otherBegin,
                       int64_t otherEnd) {
  return std::max<int64_t>(0, std::min(end, otherEnd) -
                                  std::max(begin, otherBegin));
}

int64_t HaloExchange::received() const {
  int64_t most = 0;
  for (const BlockExtent &block : blocksAlong(size, axes)) {
    int64_t begin = block.offset - low, end = begin + extent();
    int64_t own = overlap(begin, end, block.offset, block.offset + block.valid);
    most = std::max(most, overlap(begin, end, 0, size) - own);
  }
  return most;
}

} // namespace cleave
