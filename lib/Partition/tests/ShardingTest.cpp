//===- ShardingTest.cpp - Blocks, axes, texts -----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseSharding.h"
#include "RandomShardings.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <vector>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

static std::vector<std::pair<int64_t, int64_t>>
blocks(const Mesh &mesh, int64_t n, ArrayRef<AxisRef> axes) {
  std::vector<std::pair<int64_t, int64_t>> result;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    BlockExtent block = blockOf(mesh, rank, n, axes);
    result.push_back({block.offset, block.valid});
  }
  return result;
}

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

TEST(Sharding, BlocksOfSevenNest) {
  Mesh mesh = makeMesh({2, 3});
  AxisRef a = mesh.whole(0), b = mesh.whole(1);
  EXPECT_EQ(blockSize(7, {a}), 4);
  EXPECT_EQ(blockSize(7, {b}), 3);
  EXPECT_EQ(blockSize(7, {a, b}), 2);
  EXPECT_EQ(blocks(mesh, 7, {a}),
            (Pairs{{0, 4}, {0, 4}, {0, 4}, {4, 3}, {4, 3}, {4, 3}}));
  EXPECT_EQ(blocks(mesh, 7, {b}),
            (Pairs{{0, 3}, {3, 3}, {6, 1}, {0, 3}, {3, 3}, {6, 1}}));
  // ceil(7 / 2) = 4, then ceil(4 / 3) = 2: the third part of 4 is empty.
  EXPECT_EQ(blocks(mesh, 7, {a, b}),
            (Pairs{{0, 2}, {2, 2}, {4, 0}, {4, 2}, {6, 1}, {7, 0}}));
}

TEST(Sharding, SmallAndEmptyDimensions) {
  Mesh mesh = makeMesh({4});
  AxisRef a = mesh.whole(0);
  EXPECT_EQ(blocks(mesh, 1, {a}), (Pairs{{0, 1}, {1, 0}, {1, 0}, {1, 0}}));
  EXPECT_EQ(blocks(mesh, 0, {a}), (Pairs{{0, 0}, {0, 0}, {0, 0}, {0, 0}}));
  EXPECT_EQ(blocks(mesh, 5, {a}), (Pairs{{0, 2}, {2, 2}, {4, 1}, {5, 0}}));
  // Not the same as cutting twice by 2.
  EXPECT_EQ(blocks(mesh, 5, {{0, 1, 2}, {0, 2, 2}}),
            (Pairs{{0, 2}, {2, 1}, {3, 2}, {5, 0}}));
  EXPECT_TRUE(isPadded(5, {a}));
  EXPECT_TRUE(isPadded(1, {a}));
  EXPECT_FALSE(isPadded(8, {a}));
  EXPECT_FALSE(isPadded(0, {a}));
}

TEST(Sharding, BlocksPartitionTheDimension) {
  RandomShardings random(3);
  for (int i = 0; i < 2000; ++i) {
    Mesh mesh = random.mesh({1, 2, 3, 4, 6}, 3, 64);
    Sharding sharding = random.sharding(mesh, 1, 50);
    int64_t n = random.below(20);
    ArrayRef<AxisRef> axes = sharding.dims[0].axes;
    std::vector<int64_t> owners(n);
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      BlockExtent block = blockOf(mesh, rank, n, axes);
      ASSERT_LE(block.valid, blockSize(n, axes));
      for (int64_t e = 0; e < block.valid; ++e)
        ++owners[block.offset + e];
    }
    for (int64_t count : owners)
      ASSERT_EQ(count, mesh.numRanks() / numShards(axes));
  }
}

TEST(Sharding, FlatBlocksAreThoseOfOneCut) {
  RandomShardings random(4);
  for (int i = 0; i < 2000; ++i) {
    Mesh mesh = random.mesh({2, 3, 4}, 3, 64);
    Sharding sharding = random.sharding(mesh, 1, 0);
    int64_t n = random.below(30);
    ArrayRef<AxisRef> axes = sharding.dims[0].axes;
    bool same = true;
    int64_t piece = blockSize(n, axes);
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      BlockExtent block = blockOf(mesh, rank, n, axes);
      int64_t start = mesh.position(rank, axes) * piece;
      same &= block.valid == std::clamp<int64_t>(n - start, 0, piece) &&
              (block.valid == 0 || block.offset == start);
    }
    // The rule may miss coincidences, but must never claim too much.
    if (blocksAreFlat(n, axes)) {
      ASSERT_TRUE(same);
    }
    if (axes.size() == 1 || n % numShards(axes) == 0) {
      ASSERT_TRUE(blocksAreFlat(n, axes));
    }
  }
}

TEST(Sharding, MergesSubAxes) {
  Mesh mesh = makeMesh({8, 2});
  AxisRef first{0, 1, 2}, second{0, 2, 2}, third{0, 4, 2}, b = mesh.whole(1);
  AxisList axes{first, second, third, b};
  mergeSubAxes(axes);
  EXPECT_EQ(axes, (AxisList{mesh.whole(0), b}));
  axes = {first, third, b, second};
  mergeSubAxes(axes);
  EXPECT_EQ(axes, (AxisList{first, third, b, second}));
  // 12 over 2, 2 and 2: ceil(6 / 2) = 3 is not cut evenly.
  axes = {first, second, third};
  mergeSubAxes(axes, 12);
  EXPECT_EQ(axes, (AxisList{{0, 1, 4}, third}));
}

TEST(Sharding, AxesOverlap) {
  AxisRef whole{0, 1, 6}, major{0, 1, 2}, minor{0, 2, 3};
  EXPECT_TRUE(whole.overlaps(major));
  EXPECT_TRUE(minor.overlaps(whole));
  EXPECT_FALSE(major.overlaps(minor));
  EXPECT_FALSE(minor.overlaps(major));
  EXPECT_FALSE(major.overlaps({1, 1, 2}));
  // Parts of different number systems.
  EXPECT_TRUE(major.overlaps({0, 3, 2}));
}

TEST(Sharding, CoordinatesOfSubAxes) {
  Mesh mesh = makeMesh({3, 8});
  // Rank 13 is at (1, 5), and 5 = 101 in binary.
  EXPECT_EQ(mesh.coordinate(13, mesh.whole(0)), 1);
  EXPECT_EQ(mesh.coordinate(13, mesh.whole(1)), 5);
  EXPECT_EQ(mesh.coordinate(13, {1, 1, 2}), 1);
  EXPECT_EQ(mesh.coordinate(13, {1, 2, 2}), 0);
  EXPECT_EQ(mesh.coordinate(13, {1, 4, 2}), 1);
  EXPECT_EQ(mesh.position(13, {{1, 4, 2}, mesh.whole(0)}), 4);
}

TEST(Sharding, Prints) {
  Mesh mesh = makeMesh({2, 4});
  EXPECT_EQ(mesh.str(mesh.whole(0)), "\"a\"");
  EXPECT_EQ(mesh.str(AxisRef{1, 2, 2}), "\"b\":(2)2");
  EXPECT_EQ(parse(mesh, "a,?p1|?|b(1)2 + b(2)2").str(mesh),
            "[{\"a\", ?}p1, {?}, {\"b\":(1)2}], partial = [sum \"b\":(2)2]");
}

TEST(Sharding, ComparesPlacement) {
  Mesh mesh = makeMesh({2, 4});
  Sharding open = parse(mesh, "a,?p1|?"), closed = parse(mesh, "a|");
  EXPECT_FALSE(open == closed);
  EXPECT_TRUE(open.samePlacement(closed));
  EXPECT_FALSE(open.samePlacement(parse(mesh, "a| + b")));
  EXPECT_TRUE(parse(mesh, "| + a,b").samePlacement(parse(mesh, "| + b,a")));
  EXPECT_TRUE(closed.uses({0, 1, 2}));
  EXPECT_FALSE(closed.uses({1, 1, 4}));
  EXPECT_TRUE(parse(mesh, "| + b").uses({1, 2, 2}));
  EXPECT_FALSE(parse(mesh, "| + b").isReplicated());
  EXPECT_TRUE(parse(mesh, "?|").isReplicated());
}

TEST(Sharding, SumsOverPartsAreSumsOverTheAxis) {
  Mesh mesh = makeMesh({2, 4});
  Sharding parts = parse(mesh, "|+b(2)2,b(1)2"), whole = parse(mesh, "|+b"),
           part = parse(mesh, "|+b(2)2"), both = parse(mesh, "|+a,b");
  EXPECT_TRUE(parts.samePlacement(whole));
  EXPECT_TRUE(whole.samePlacement(parts));
  EXPECT_FALSE(whole.samePlacement(part));
  EXPECT_TRUE(isPartialWithin(part.partial, whole.partial));
  EXPECT_TRUE(isPartialWithin(parts.partial, both.partial));
  EXPECT_FALSE(isPartialWithin(whole.partial, part.partial));
  EXPECT_FALSE(isPartialWithin(both.partial, parts.partial));
}
