//===- MovedDimTest.cpp - Tests of dimensions made of others --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/MovedDim.h"
#include "RandomShardings.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>
#include <vector>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

namespace {

using Line = std::vector<int64_t>;

/// Numbers of elements stand for them; what nobody has said is kNoise, what the
/// piece does not have kOther.
constexpr int64_t kNoise = -7, kOther = -1;

/// By the definition of a piece.
Line wholeResult(const DimPiece &piece, int64_t size) {
  Line result(size, kOther);
  for (int64_t j = 0; j < piece.count; ++j)
    result[piece.to + j * piece.spacing] = piece.from + j * piece.step;
  return result;
}

/// `extent` elements from `start` on, which may lie outside.
Line take(const Line &line, int64_t start, int64_t extent) {
  Line result;
  for (int64_t i = start; i < start + extent; ++i)
    result.push_back(i >= 0 && i < int64_t(line.size()) ? line[i] : kNoise);
  return result;
}

/// Executes what a MovedPiece says on all ranks.
class MovedDimSimulator {
public:
  MovedDimSimulator(const MovedPiece &moved, ArrayRef<AxisRef> axes)
      : moved(moved) {
    int64_t extent = blockSize(moved.piece.size, axes);
    for (const BlockExtent &block : blocksOf(moved.piece.size, axes)) {
      Line line(extent, kNoise);
      for (int64_t i = 0; i < block.valid; ++i)
        line[i] = block.offset + i;
      ranks.push_back(line);
    }
  }

  std::vector<Line> run(int64_t extent) {
    if (moved.isSelected)
      select();
    EXPECT_EQ(
        moved.exchange.findFault(ranks.size(), ranks[0].size(), moved.extent),
        "");
    exchange();
    for (size_t r = 0; r < ranks.size(); ++r) {
      if (moved.isReversed())
        std::reverse(ranks[r].begin(), ranks[r].end());
      for (int64_t i = 0; i < moved.extent; ++i)
        if (moved.isPartial && (i < moved.firstValid[r] ||
                                i >= moved.firstValid[r] + moved.validCount[r]))
          ranks[r][i] = kOther;
      if (moved.isSpaced())
        space(r, extent);
      EXPECT_EQ(int64_t(ranks[r].size()), extent);
    }
    return ranks;
  }

private:
  void select() {
    int64_t step = std::abs(moved.piece.step);
    for (auto [line, first] : zip_equal(ranks, moved.firstSelected)) {
      Line selected;
      for (int64_t i = 0; i < moved.selected; ++i)
        selected.push_back(take(line, first + i * step, 1)[0]);
      line = selected;
    }
  }

  void exchange() {
    std::vector<Line> results;
    for (size_t r = 0; r < ranks.size(); ++r) {
      if (moved.received == 0) {
        results.push_back(take(ranks[r], moved.ownStart[r], moved.extent));
        continue;
      }
      const LineSegment &window = moved.exchange.windows[r];
      results.emplace_back(moved.extent, kNoise);
      for (int64_t i = 0; i < window.count; ++i)
        for (auto [line, block] : zip_equal(ranks, moved.exchange.blocks)) {
          int64_t at = window.begin + i - block.begin;
          if (at >= 0 && at < block.count)
            results[r][window.at + i] = line[block.at + at];
        }
    }
    ranks = results;
  }

  void space(size_t r, int64_t extent) {
    Line apart;
    for (int64_t element : ranks[r]) {
      apart.push_back(element);
      apart.insert(apart.end(), moved.piece.spacing - 1, kOther);
    }
    EXPECT_LE(moved.phase[r] + extent, int64_t(apart.size()));
    ranks[r] = take(apart, moved.phase[r], extent);
  }

  const MovedPiece &moved;
  std::vector<Line> ranks;
};

/// Elements that valid results of a rank need and the rank does not have, at
/// most: what no way to bring them can go below.
int64_t leastReceived(const Line &whole, int64_t size,
                      ArrayRef<BlockExtent> own,
                      ArrayRef<BlockExtent> results) {
  int64_t most = 0;
  for (auto [block, result] : zip_equal(own, results)) {
    int64_t received = 0;
    for (int64_t i = 0; i < result.valid; ++i) {
      int64_t element = whole[result.offset + i];
      received += element >= 0 && (element < block.offset ||
                                   element >= block.offset + block.valid);
    }
    most = std::max(most, received);
  }
  return most;
}

void check(const DimPiece &piece, int64_t size, ArrayRef<AxisRef> axes,
           bool isResultWhole) {
  Line whole = wholeResult(piece, size);
  MovedPiece moved = movePiece(piece, size, axes, isResultWhole);
  SmallVector<BlockExtent> results = blocksOf(size, axes);
  if (isResultWhole)
    llvm::fill(results, BlockExtent{0, size});
  int64_t extent = isResultWhole ? size : blockSize(size, axes);
  std::vector<Line> made = MovedDimSimulator(moved, axes).run(extent);
  for (size_t r = 0; r < made.size(); ++r)
    for (int64_t i = 0; i < results[r].valid; ++i)
      ASSERT_EQ(made[r][i], whole[results[r].offset + i])
          << "rank " << r << " element " << i;
  EXPECT_EQ(moved.received,
            leastReceived(whole, size, blocksOf(piece.size, axes), results));
}

} // namespace

TEST(MovedDim, PiecesOfSlices) {
  DimPiece piece = pieceOfSlice(10, 2, 9, 3);
  EXPECT_EQ(piece.from, 2);
  EXPECT_EQ(piece.step, 3);
  EXPECT_EQ(piece.count, 3);
  EXPECT_EQ(wholeResult(piece, 3), (Line{2, 5, 8}));
  EXPECT_EQ(pieceOfSlice(10, 4, 4, 2).count, 0);
}

TEST(MovedDim, PiecesOfPads) {
  EXPECT_EQ(wholeResult(pieceOfPad(3, 1, 2, 0), 6),
            (Line{-1, 0, 1, 2, -1, -1}));
  EXPECT_EQ(wholeResult(pieceOfPad(3, 1, 0, 1), 6),
            (Line{-1, 0, -1, 1, -1, 2}));
  EXPECT_EQ(wholeResult(pieceOfPad(4, -1, -1, 0), 2), (Line{1, 2}));
  EXPECT_EQ(wholeResult(pieceOfPad(3, -1, -2, 2), 4), (Line{-1, -1, 1, -1}));
  EXPECT_EQ(wholeResult(pieceOfPad(2, -5, 4, 0), 1), (Line{-1}));
  EXPECT_EQ(wholeResult(pieceOfPad(0, 1, 1, 3), 2), (Line{-1, -1}));
}

TEST(MovedDim, SevenOverTwoByThree) {
  Mesh mesh = makeMesh({2, 3});
  AxisList axes{mesh.whole(0), mesh.whole(1)};
  // Blocks 0-1, 2-3, none, 4-5, 6, none. Reversed, the first rank wants 6
  // and 5.
  DimPiece reversed{7, 6, -1, 7, 0, 1};
  MovedPiece moved = movePiece(reversed, 7, axes);
  EXPECT_TRUE(moved.isReversed());
  EXPECT_FALSE(moved.isPartial);
  EXPECT_EQ(moved.received, 2);
  EXPECT_EQ(moved.exchange.windows[0], (LineSegment{5, 2, 0}));
  EXPECT_EQ(moved.exchange.windows[2], LineSegment());
  EXPECT_EQ(moved.exchange.windows[4], (LineSegment{0, 1, 1}));
  check(reversed, 7, axes, false);
  for (int64_t start = 0; start < 7; ++start)
    for (int64_t limit = start + 1; limit <= 7; ++limit)
      for (int64_t stride = 1; stride < 4; ++stride) {
        DimPiece slice = pieceOfSlice(7, start, limit, stride);
        check(slice, slice.count, axes, false);
        check(slice, slice.count, axes, true);
      }
}

TEST(MovedDim, AlignedSlicesStayWhereTheyAre) {
  AxisList axes{makeMesh({4}).whole(0)};
  MovedPiece even = movePiece(pieceOfSlice(16, 0, 16, 2), 8, axes);
  EXPECT_EQ(even.received, 0);
  EXPECT_TRUE(isUniform(even.firstSelected));
  EXPECT_TRUE(isUniform(even.ownStart));
  MovedPiece padded = movePiece(pieceOfPad(8, 0, 1, 1), 16, axes);
  EXPECT_EQ(padded.received, 0);
  EXPECT_TRUE(isUniform(padded.ownStart));
  EXPECT_TRUE(isUniform(padded.phase));
  EXPECT_FALSE(padded.isPartial);
}

TEST(MovedDim, NeighboursExchangeWhatAShiftMoves) {
  AxisList axes{makeMesh({4}).whole(0)};
  // One element of a neighbour, not a block, nor all.
  EXPECT_EQ(movePiece(pieceOfSlice(16, 1, 16, 1), 15, axes).received, 1);
  EXPECT_EQ(movePiece(pieceOfPad(16, 2, -2, 0), 16, axes).received, 2);
  // A block of the result that is half as long.
  EXPECT_EQ(movePiece(pieceOfSlice(16, 0, 8, 1), 8, axes).received, 2);
  // A single element, wanted everywhere.
  EXPECT_EQ(movePiece(pieceOfSlice(16, 5, 6, 1), 1, axes, true).received, 1);
}

TEST(MovedDim, RandomPiecesAreMadeFromTheFewestElements) {
  std::mt19937 engine(11);
  auto range = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  int64_t numLocal = 0, tested = 0;
  for (int i = 0; i < 20000; ++i) {
    Mesh mesh = makeMesh({range(1, 4), range(2, 3), 2});
    AxisList axes{mesh.whole(0)};
    for (unsigned axis : {1, 2})
      if (range(0, 1))
        axes.push_back(mesh.whole(axis));
    DimPiece piece;
    piece.size = range(1, 16);
    piece.step = range(1, range(1, 4));
    piece.count = range(0, (piece.size - 1) / piece.step + 1);
    int64_t reach = (std::max<int64_t>(piece.count, 1) - 1) * piece.step;
    piece.from = range(0, piece.size - 1 - reach);
    if (range(0, 1)) {
      piece.from += reach;
      piece.step = -piece.step;
    }
    piece.to = range(0, 6);
    piece.spacing = range(1, range(1, 4));
    int64_t size = piece.to +
                   (std::max<int64_t>(piece.count, 1) - 1) * piece.spacing + 1 +
                   range(0, 5);
    bool isResultWhole = range(0, 3) == 0;
    SCOPED_TRACE(testing::Message()
                 << "size " << piece.size << " from " << piece.from << " step "
                 << piece.step << " count " << piece.count << " to " << piece.to
                 << " spacing " << piece.spacing << " in " << size << " over "
                 << axes.size() << " axes, whole " << isResultWhole);
    check(piece, size, axes, isResultWhole);
    if (HasFatalFailure())
      return;
    ++tested;
    numLocal += movePiece(piece, size, axes, isResultWhole).received == 0;
  }
  EXPECT_GT(numLocal, tested / 20);
  EXPECT_LT(numLocal, tested / 2);
}
