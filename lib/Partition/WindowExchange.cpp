//===- WindowExchange.cpp - Elements of a line on other ranks -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowExchange.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

using namespace llvm;

namespace cleave {

int64_t WindowExchange::received() const {
  int64_t most = 0;
  for (const auto &[rank, window] : enumerate(windows)) {
    int64_t received = 0;
    if (window.count == 0)
      continue;
    for (const auto &[other, block] : enumerate(blocks))
      if (other != rank)
        received +=
            std::max<int64_t>(0, std::min(window.end(), block.end()) -
                                     std::max(window.begin, block.begin));
    most = std::max(most, received);
  }
  return most;
}

/// Far from where sums could overflow.
static constexpr int64_t kMost = int64_t(1) << 40;

static std::string findFault(StringRef what, ArrayRef<LineSegment> segments,
                             int64_t positions, int64_t extent) {
  if (static_cast<int64_t>(segments.size()) != positions)
    return ("lists " + Twine(segments.size()) + " " + what + " for " +
            Twine(positions) + " ranks")
        .str();
  for (const LineSegment &segment : segments) {
    if (std::abs(segment.begin) > kMost)
      return (what + " begin within " + Twine(kMost) + " of 0, not at " +
              Twine(segment.begin))
          .str();
    if (segment.count < 0 || segment.at < 0 || segment.count > extent ||
        segment.at > extent - segment.count)
      return (what + " lie within an extent of " + Twine(extent) + ", not " +
              Twine(segment.count) + " elements at " + Twine(segment.at))
          .str();
  }
  return {};
}

std::string WindowExchange::findFault(int64_t positions, int64_t operandExtent,
                                      int64_t resultExtent) const {
  std::string fault =
      cleave::findFault("blocks", blocks, positions, operandExtent);
  if (fault.empty())
    fault = cleave::findFault("windows", windows, positions, resultExtent);
  if (!fault.empty())
    return fault;
  SmallVector<LineSegment, 4> sorted;
  copy_if(blocks, std::back_inserter(sorted),
          [](const LineSegment &block) { return block.count > 0; });
  sort(sorted, [](const LineSegment &a, const LineSegment &b) {
    return a.begin < b.begin;
  });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].begin < sorted[i - 1].end())
      return ("two blocks have element " + Twine(sorted[i].begin)).str();
  return {};
}

SmallVector<int64_t> flatten(ArrayRef<LineSegment> segments) {
  SmallVector<int64_t> numbers;
  for (const LineSegment &segment : segments)
    numbers.append({segment.begin, segment.count, segment.at});
  return numbers;
}

SmallVector<LineSegment, 4> toSegments(ArrayRef<int64_t> numbers) {
  SmallVector<LineSegment, 4> segments;
  for (size_t i = 0; i + 2 < numbers.size(); i += 3)
    segments.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
  return segments;
}

} // namespace cleave
