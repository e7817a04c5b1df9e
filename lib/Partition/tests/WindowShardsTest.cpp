//===- WindowShardsTest.cpp - Tests of windows over cut dimensions --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowShards.h"
#include "gtest/gtest.h"
#include <random>
#include <vector>

using namespace cleave;

namespace {

/// What a rank has after the halo exchange and the slice: numbers of elements,
/// -1 in the padding.
std::vector<int64_t> window(const WindowShards &shards, const WindowDim &dim,
                            int64_t start, int64_t extent, int64_t block) {
  std::vector<int64_t> elements;
  for (int64_t i = start - shards.low; i < start + extent + shards.high; ++i)
    elements.push_back(i >= 0 && i < dim.size ? i : -1);
  int64_t at = shards.first(block) - (start - shards.low);
  EXPECT_GE(at, 0);
  EXPECT_LE(at + shards.count, int64_t(elements.size()));
  if (!shards.isShifted) {
    EXPECT_EQ(at, 0);
    EXPECT_EQ(shards.count, int64_t(elements.size()));
  }
  return {elements.begin() + at, elements.begin() + at + shards.count};
}

/// Dilates and slices elements whose phase differs between the ranks.
std::vector<int64_t> dilated(const WindowShards &shards,
                             std::vector<int64_t> elements, int64_t block) {
  if (shards.phase)
    return elements;
  std::vector<int64_t> positions;
  for (int64_t element : elements) {
    positions.push_back(element);
    positions.insert(positions.end(), shards.baseDilation - 1, -1);
  }
  int64_t phase = shards.demand.slope * block + shards.demand.base -
                  shards.first(block) * shards.baseDilation;
  EXPECT_LE(phase + shards.demand.length, int64_t(positions.size()));
  return {positions.begin() + phase,
          positions.begin() + phase + shards.demand.length};
}

class WindowShardsTest : public testing::Test {
protected:
  WindowDim randomDim(bool mayReverse) {
    auto range = [&](int64_t low, int64_t high) {
      return std::uniform_int_distribution<int64_t>(low, high)(engine);
    };
    WindowDim dim;
    dim.size = range(1, 14);
    dim.window = range(1, range(0, 2) ? 4 : 10);
    dim.stride = range(1, 3);
    dim.low = range(-2, 5);
    dim.high = range(-2, 5);
    dim.baseDilation = range(0, 1) ? 1 : range(1, 3);
    dim.windowDilation = range(1, 2);
    dim.isReversed = mayReverse && range(0, 1);
    axes.clear();
    axes.push_back({0, 1, range(1, 4)});
    if (range(0, 2) == 0)
      axes.push_back({1, 1, range(2, 3)});
    return dim;
  }

  std::mt19937 engine{5};
  AxisList axes;
};

TEST_F(WindowShardsTest, BlocksOfWindows) {
  int tested = 0, numLocal = 0;
  for (int i = 0; i < 20000; ++i) {
    WindowDim dim = randomDim(true);
    if (*dim.count() < 1)
      continue;
    WindowShards shards = shardWindows(dim, demandOfWindows(dim, axes), axes);
    WindowDim local = shards.local(dim, dim.window);
    ASSERT_EQ(local.count(), blockSize(*dim.count(), axes));
    auto elements = blocksOf(dim.size, axes);
    auto blocks = blocksOf(*dim.count(), axes);
    bool readsPadding = false, readsOthers = false;
    for (size_t rank = 0; rank < blocks.size(); ++rank) {
      if (blocks[rank].valid == 0)
        continue;
      int64_t start = blocks[rank].offset;
      std::vector<int64_t> have =
          dilated(shards,
                  window(shards, dim, elements[rank].offset,
                         blockSize(dim.size, axes), start),
                  start);
      for (int64_t w = 0; w < blocks[rank].valid; ++w)
        for (int64_t k = 0; k < dim.window; ++k) {
          int64_t at = local.element(w, k);
          int64_t element = dim.element(start + w, k);
          ASSERT_EQ(at < 0 ? -1 : have[at], element) << dim.describe();
          readsOthers |= element >= 0 && (element < elements[rank].offset ||
                                          element >= elements[rank].offset +
                                                         elements[rank].valid);
          int64_t position = dim.position(start + w, k);
          readsPadding |= position < 0 || position >= dim.dilatedSize();
        }
    }
    // Only the padding around the elements needs values.
    if (dim.windowDilation == 1 && dim.stride <= dim.window) {
      EXPECT_EQ(shards.needsFill, readsPadding) << dim.describe();
    }
    EXPECT_TRUE(shards.needsFill || !readsPadding) << dim.describe();
    EXPECT_FALSE(shards.isLocal && (readsPadding || readsOthers))
        << dim.describe();
    numLocal += shards.isLocal;
    ++tested;
  }
  EXPECT_GT(tested, 10000);
  EXPECT_GT(numLocal, 100);
}

TEST_F(WindowShardsTest, BlocksOfTaps) {
  int tested = 0;
  for (int i = 0; i < 20000; ++i) {
    WindowDim dim = randomDim(true);
    if (*dim.count() < 1 || isPadded(dim.window, axes))
      continue;
    WindowShards shards = shardWindows(dim, demandOfTaps(dim, axes), axes);
    int64_t taps = blockSize(dim.window, axes);
    WindowDim local = shards.local(dim, taps);
    ASSERT_EQ(local.count(), dim.count());
    auto elements = blocksOf(dim.size, axes);
    auto blocks = blocksOf(dim.window, axes);
    for (size_t rank = 0; rank < blocks.size(); ++rank) {
      int64_t start = blocks[rank].offset;
      std::vector<int64_t> have =
          dilated(shards,
                  window(shards, dim, elements[rank].offset,
                         blockSize(dim.size, axes), start),
                  start);
      for (int64_t w = 0; w < *dim.count(); ++w)
        for (int64_t k = 0; k < taps; ++k) {
          int64_t at = local.element(w, k);
          ASSERT_EQ(at < 0 ? -1 : have[at], dim.element(w, start + k))
              << dim.describe();
        }
    }
    ++tested;
  }
  EXPECT_GT(tested, 3000);
}

TEST_F(WindowShardsTest, AmountsOfUsualConvolutions) {
  AxisList two = {{0, 1, 2}};
  auto shard = [&](WindowDim dim) {
    return shardWindows(dim, demandOfWindows(dim, two), two);
  };
  // 3 taps around each of 56 elements.
  WindowShards same = shard({56, 3, 1, 1, 1});
  EXPECT_EQ(same.low, 1);
  EXPECT_EQ(same.high, 1);
  EXPECT_TRUE(same.needsFill);
  EXPECT_FALSE(same.isShifted);
  // Every second one: the end of a block is not read beyond.
  WindowShards strided = shard({56, 3, 2, 1, 1});
  EXPECT_EQ(strided.low, 1);
  EXPECT_EQ(strided.high, 0);
  // One tap, every second element: none of a neighbour's.
  WindowShards pointwise = shard({56, 1, 2, 0, 0});
  EXPECT_EQ(pointwise.low, 0);
  EXPECT_EQ(pointwise.high, -1);
  EXPECT_TRUE(pointwise.isLocal);
  // Without padding, 54 results are cut elsewhere than 56 elements.
  WindowShards valid = shard({56, 3, 1, 0, 0});
  EXPECT_EQ(valid.low, 1);
  EXPECT_EQ(valid.high, 1);
  EXPECT_TRUE(valid.isShifted);
  EXPECT_FALSE(valid.needsFill);
  // The transpose of a strided convolution.
  WindowShards dilated = shard({28, 3, 1, 1, 2, 2});
  EXPECT_EQ(dilated.low, 1);
  EXPECT_EQ(dilated.high, 1);
  EXPECT_EQ(dilated.phase, 1);
}

} // namespace
