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

namespace {

/// Counts the elements that anybody holds.
class HeldElements {
public:
  explicit HeldElements(ArrayRef<LineSegment> blocks) {
    copy_if(blocks, std::back_inserter(sorted),
            [](const LineSegment &block) { return block.count > 0; });
    sort(sorted, [](const LineSegment &a, const LineSegment &b) {
      return a.begin < b.begin;
    });
    before.push_back(0);
    for (const LineSegment &block : sorted)
      before.push_back(before.back() + block.count);
  }

  /// Those below `end`.
  int64_t below(int64_t end) const {
    size_t i = partition_point(sorted,
                               [&](const LineSegment &block) {
                                 return block.begin < end;
                               }) -
               sorted.begin();
    return i == 0 ? 0
                  : before[i - 1] + std::min(sorted[i - 1].count,
                                             end - sorted[i - 1].begin);
  }

private:
  SmallVector<LineSegment, 4> sorted;
  SmallVector<int64_t, 4> before;
};

} // namespace

static int64_t overlap(const LineSegment &a, const LineSegment &b) {
  return std::max<int64_t>(0, std::min(a.end(), b.end()) -
                                  std::max(a.begin, b.begin));
}

int64_t WindowExchange::received() const {
  HeldElements held(blocks);
  int64_t most = 0;
  for (auto [block, window] : zip_equal(blocks, windows))
    most = std::max(most, held.below(window.end()) - held.below(window.begin) -
                              overlap(block, window));
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

WindowExchange exchangeBlocks(int64_t factorSize, int64_t inner,
                              ArrayRef<AxisRef> axes, bool toFactor) {
  WindowExchange exchange;
  for (const BlockExtent &block : blocksOf(factorSize * inner, axes))
    exchange.blocks.push_back({block.valid ? block.offset : 0, block.valid, 0});
  for (const BlockExtent &block : blocksOf(factorSize, axes))
    exchange.windows.push_back(
        {block.valid ? block.offset * inner : 0, block.valid * inner, 0});
  if (!toFactor)
    std::swap(exchange.blocks, exchange.windows);
  return exchange;
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
