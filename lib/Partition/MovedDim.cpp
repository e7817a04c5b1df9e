//===- MovedDim.cpp - A cut dimension that is made of another -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/MovedDim.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace llvm;

namespace cleave {

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

DimPiece pieceOfSlice(int64_t size, int64_t start, int64_t limit,
                      int64_t stride) {
  DimPiece piece;
  piece.size = size;
  piece.from = start;
  piece.step = stride;
  piece.count = divideCeil(limit - start, stride);
  return piece;
}

DimPiece pieceOfPad(int64_t size, int64_t low, int64_t high, int64_t interior) {
  DimPiece piece;
  piece.size = size;
  piece.spacing = interior + 1;
  // Element e stands at low + e * spacing, if that is in the result.
  int64_t dilated = size == 0 ? 0 : (size - 1) * piece.spacing + 1;
  int64_t result = low + dilated + high;
  int64_t end = std::clamp<int64_t>(
      divideCeilSigned(result - low, piece.spacing), 0, size);
  piece.from =
      std::clamp<int64_t>(divideCeilSigned(-low, piece.spacing), 0, end);
  piece.count = end - piece.from;
  piece.to = low + piece.from * piece.spacing;
  return piece;
}

DimPiece pieceOfReversal(int64_t size) {
  DimPiece piece;
  piece.size = piece.count = size;
  piece.from = size - 1;
  piece.step = -1;
  return piece;
}

DimPiece pieceOfPart(int64_t size, int64_t at) {
  DimPiece piece;
  piece.size = piece.count = size;
  piece.to = at;
  return piece;
}

bool isUniform(ArrayRef<int64_t> table) { return all_equal(table); }

//===----------------------------------------------------------------------===//
// Moving
//===----------------------------------------------------------------------===//

namespace {

/// Numbers from `begin` to `end`, perhaps none.
struct Range {
  int64_t begin, end;
  int64_t count() const { return end - begin; }
};

/// A number for each rank to which one matters; the others get that of the
/// first, so that the table is uniform if it can be.
class TableBuilder {
public:
  void add(std::optional<int64_t> number) { numbers.push_back(number); }
  RankTable take() const {
    int64_t other = 0;
    auto first = find_if(numbers, [](const auto &n) { return n.has_value(); });
    if (first != numbers.end())
      other = **first;
    RankTable table;
    for (const std::optional<int64_t> &number : numbers)
      table.push_back(number.value_or(other));
    return table;
  }

private:
  SmallVector<std::optional<int64_t>, 4> numbers;
};

} // namespace

/// The k in 0..count - 1 with begin <= first + k * step < end.
static Range numbersWithin(int64_t first, int64_t step, int64_t count,
                           int64_t begin, int64_t end) {
  int64_t low =
      std::clamp<int64_t>(divideCeilSigned(begin - first, step), 0, count);
  int64_t high =
      std::clamp<int64_t>(divideCeilSigned(end - first, step), low, count);
  return {low, high};
}

/// What each rank holds of the piece.
static void selectBlocks(MovedPiece &moved, ArrayRef<AxisRef> axes) {
  const DimPiece &piece = moved.piece;
  int64_t step = std::abs(piece.step);
  int64_t first = moved.lowest();
  moved.isSelected = step > 1 && piece.count > 1;
  TableBuilder firstSelected;
  for (const BlockExtent &block : blocksOf(piece.size, axes)) {
    Range held = numbersWithin(first, step, piece.count, block.offset,
                               block.offset + block.valid);
    if (held.count() == 0) {
      moved.exchange.blocks.emplace_back();
      firstSelected.add(std::nullopt);
      continue;
    }
    int64_t place = first + held.begin * step - block.offset;
    moved.exchange.blocks.push_back(
        {held.begin, held.count(), moved.isSelected ? 0 : place});
    firstSelected.add(place);
    moved.selected = std::max(moved.selected, held.count());
  }
  moved.firstSelected = firstSelected.take();
}

/// What each rank's block of the result needs of it.
static void placeWindows(MovedPiece &moved, ArrayRef<BlockExtent> results,
                         int64_t extent) {
  const DimPiece &piece = moved.piece;
  int64_t spacing = piece.spacing;
  moved.extent = (extent + 2 * spacing - 2) / spacing;
  TableBuilder phase;
  for (const BlockExtent &block : results) {
    int64_t start = block.offset - piece.to;
    // The number of the element at place 0.
    int64_t base = divideFloorSigned(start, spacing);
    Range wanted = numbersWithin(piece.to, spacing, piece.count, block.offset,
                                 block.offset + block.valid);
    if (block.valid == 0)
      phase.add(std::nullopt);
    else
      phase.add(start - base * spacing);
    if (wanted.count() == 0) {
      moved.exchange.windows.emplace_back();
      moved.firstValid.push_back(0);
      moved.validCount.push_back(0);
      continue;
    }
    int64_t place = wanted.begin - base;
    moved.firstValid.push_back(place);
    moved.validCount.push_back(wanted.count());
    LineSegment window{wanted.begin, wanted.count(), place};
    if (moved.isReversed()) {
      window.begin = piece.count - wanted.end;
      window.at = moved.extent - place - wanted.count();
    }
    moved.exchange.windows.push_back(window);
  }
  moved.phase = phase.take();
}

/// Whether valid elements of some rank's result are none of the piece.
static bool leavesOthers(const MovedPiece &moved,
                         ArrayRef<BlockExtent> results) {
  for (auto [block, phase, count] :
       zip_equal(results, moved.phase, moved.validCount)) {
    int64_t places = (phase + block.valid - 1) / moved.piece.spacing + 1;
    if (block.valid > 0 && count < places)
      return true;
  }
  return false;
}

MovedPiece movePiece(const DimPiece &piece, int64_t size,
                     ArrayRef<AxisRef> axes, bool isResultWhole) {
  MovedPiece moved;
  moved.piece = piece;
  selectBlocks(moved, axes);
  SmallVector<BlockExtent> results = blocksOf(size, axes);
  if (isResultWhole)
    llvm::fill(results, BlockExtent{0, size});
  placeWindows(moved, results, isResultWhole ? size : blockSize(size, axes));
  moved.isPartial = leavesOthers(moved, results);
  moved.received = moved.exchange.received();
  TableBuilder ownStart;
  for (auto [block, window] :
       zip_equal(moved.exchange.blocks, moved.exchange.windows)) {
    if (window.count == 0)
      ownStart.add(std::nullopt);
    else
      ownStart.add(block.at + window.begin - block.begin - window.at);
  }
  moved.ownStart = ownStart.take();
  return moved;
}

int64_t receivedByGather(int64_t size, ArrayRef<AxisRef> axes) {
  int64_t least = size;
  for (BlockExtent block : blocksOf(size, axes))
    least = std::min(least, block.valid);
  return size - least;
}

int64_t receivedByReduction(int64_t size, int64_t ranks) {
  return divideCeil(2 * (ranks - 1) * size, ranks);
}

} // namespace cleave
