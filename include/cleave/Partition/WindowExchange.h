//===- WindowExchange.h - Elements of a line on other ranks -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A window exchange moves elements of a line between the ranks of a group: each
// rank holds a segment of the line along one dimension of its operand and gets
// another along that of its result, from whoever holds the elements. Both
// segments are listed for every position of the group, so that they may differ
// from rank to rank in any way.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_WINDOWEXCHANGE_H
#define CLEAVE_PARTITION_WINDOWEXCHANGE_H

#include "cleave/Partition/Sharding.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <string>

namespace cleave {

/// Elements begin to begin + count of a line, at places `at` to at + count of
/// a buffer's dimension. Amounts are in elements.
struct LineSegment {
  int64_t begin = 0, count = 0, at = 0;

  int64_t end() const { return begin + count; }
  bool operator==(const LineSegment &o) const {
    return begin == o.begin && count == o.count && at == o.at;
  }
};

struct WindowExchange {
  /// What each position holds, disjoint, and what it wants.
  llvm::SmallVector<LineSegment, 4> blocks, windows;

  /// Most elements along the line that a rank gets from others.
  int64_t received() const;
  /// What is wrong for `positions` ranks whose operands and results have these
  /// extents along the line; empty if nothing is.
  std::string findFault(int64_t positions, int64_t operandExtent,
                        int64_t resultExtent) const;
};

/// From blocks of a line of factorSize * `inner` elements, cut over `axes`, to
/// the elements of blocks of the factor, each of whose elements is `inner` of
/// the line; or back (not `toFactor`).
WindowExchange exchangeBlocks(int64_t factorSize, int64_t inner,
                              llvm::ArrayRef<AxisRef> axes, bool toFactor);

/// Segments as lists of begin, count, at, and back. A list of another length
/// than a multiple of 3 loses its end.
llvm::SmallVector<int64_t> flatten(llvm::ArrayRef<LineSegment> segments);
llvm::SmallVector<LineSegment, 4> toSegments(llvm::ArrayRef<int64_t> numbers);

} // namespace cleave

#endif // CLEAVE_PARTITION_WINDOWEXCHANGE_H
