//===- HaloExchange.cpp - Windows of a cut dimension ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/HaloExchange.h"

#include <algorithm>

using namespace llvm;

namespace cleave {

/// Elements that lie in both of two intervals.
static int64_t overlap(int64_t begin, int64_t end, int64_t otherBegin,
                       int64_t otherEnd) {
  return std::max<int64_t>(0, std::min(end, otherEnd) -
                                  std::max(begin, otherBegin));
}

int64_t HaloExchange::received() const {
  int64_t most = 0;
  for (const BlockExtent &block : blocksOf(size, axes)) {
    int64_t begin = block.offset - low, end = begin + extent();
    int64_t own = overlap(begin, end, block.offset, block.offset + block.valid);
    most = std::max(most, overlap(begin, end, 0, size) - own);
  }
  return most;
}

} // namespace cleave
