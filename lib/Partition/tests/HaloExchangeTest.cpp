//===- HaloExchangeTest.cpp - Windows of a cut dimension ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/HaloExchange.h"
#include "RandomShardings.h"
#include <algorithm>
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

static std::vector<std::pair<int64_t, int64_t>> blocks(int64_t size,
                                                       ArrayRef<AxisRef> axes) {
  std::vector<std::pair<int64_t, int64_t>> result;
  for (const BlockExtent &block : blocksOf(size, axes))
    result.push_back({block.offset, block.valid});
  return result;
}

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

TEST(HaloExchange, EmptyBlocksStartWhereTheirCoordinatesSay) {
  Mesh mesh = makeMesh({2, 3});
  AxisRef a = mesh.whole(0), b = mesh.whole(1);
  EXPECT_EQ(blocks(7, {a, b}),
            (Pairs{{0, 2}, {2, 2}, {4, 0}, {4, 2}, {6, 1}, {8, 0}}));
  EXPECT_EQ(blocks(7, {b, a}),
            (Pairs{{0, 2}, {2, 1}, {3, 2}, {5, 1}, {6, 1}, {8, 0}}));
  EXPECT_EQ(blocks(0, {a}), (Pairs{{0, 0}, {0, 0}}));
  EXPECT_EQ(blocks(5, {}), (Pairs{{0, 5}}));
}

TEST(HaloExchange, ValidBlocksAreThoseOfRanks) {
  Mesh mesh = makeMesh({2, 3});
  AxisList axes{mesh.whole(1), mesh.whole(0)};
  for (int64_t size = 0; size < 20; ++size) {
    SmallVector<BlockExtent> along = blocksOf(size, axes);
    for (int64_t rank = 0; rank < 6; ++rank) {
      BlockExtent block = blockOf(mesh, rank, size, axes);
      const BlockExtent &same = along[mesh.position(rank, axes)];
      EXPECT_EQ(block.valid, same.valid);
      EXPECT_EQ(block.offset, std::min(same.offset, size));
    }
  }
}

/// By counting elements.
static int64_t count(const HaloExchange &exchange) {
  SmallVector<BlockExtent> all = blocksOf(exchange.size, exchange.axes);
  int64_t most = 0;
  for (size_t rank = 0; rank < all.size(); ++rank) {
    int64_t received = 0;
    for (int64_t p = 0; p < exchange.extent(); ++p) {
      int64_t element = all[rank].offset - exchange.low + p;
      for (size_t owner = 0; owner < all.size(); ++owner)
        received += owner != rank && element >= all[owner].offset &&
                    element < all[owner].offset + all[owner].valid;
    }
    most = std::max(most, received);
  }
  return most;
}

TEST(HaloExchange, ReceivedElementsAreThoseOfOthers) {
  Mesh mesh = makeMesh({3, 2});
  for (const AxisList &axes :
       {AxisList{}, AxisList{mesh.whole(0)}, AxisList{mesh.whole(1)},
        AxisList{mesh.whole(0), mesh.whole(1)}})
    for (int64_t size = 0; size < 12; ++size)
      for (int64_t low = -2; low < 6; ++low)
        for (int64_t high = -2; high < 6; ++high) {
          HaloExchange exchange{size, axes, low, high};
          if (exchange.extent() >= 0)
            EXPECT_EQ(exchange.received(), count(exchange))
                << size << ' ' << low << ' ' << high;
        }
}
