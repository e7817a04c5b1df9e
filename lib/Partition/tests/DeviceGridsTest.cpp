//===- DeviceGridsTest.cpp - Grids over the same devices ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeviceGrids.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "gtest/gtest.h"
#include <random>

using namespace cleave;
using namespace llvm;

namespace {

using Numbers = SmallVector<int64_t>;

struct Written {
  Numbers devices, sizes;
};

/// The position of a rank along axes of the combined grid.
int64_t positionOf(int64_t rank, ArrayRef<unsigned> along,
                   const DeviceDigits &axes) {
  int64_t position = 0;
  for (unsigned i : along)
    position = position * axes[i].size + rank / axes[i].stride % axes[i].size;
  return position;
}

/// By definition: the device that a grid has at a position along each of its
/// dimensions is the one that devicesOf has for the rank at that position; and
/// this is the rank's own device, if the grid is said to be in place.
void expectRight(ArrayRef<Written> written, int64_t numDevices) {
  DeviceGrids grids(numDevices);
  std::vector<DeviceGrids::Grid> added;
  for (const Written &grid : written)
    added.push_back(grids.add(grid.devices, grid.sizes));
  grids.combine();
  DeviceDigits axes = grids.axes();
  for (auto [grid, source] : zip_equal(added, written)) {
    Numbers devices = grids.devicesOf(grid.order);
    std::vector<bool> seen(axes.size());
    for (const DeviceDigits &dim : grid.dims)
      for (unsigned axis : grids.axesOf(grid.order, dim)) {
        EXPECT_FALSE(seen[axis]) << "axis used twice";
        seen[axis] = true;
      }
    EXPECT_TRUE(all_of(seen, [](bool one) { return one; }));
    for (int64_t rank = 0; rank < numDevices; ++rank) {
      int64_t place = 0;
      for (auto [dim, size] : zip_equal(grid.dims, source.sizes))
        place = place * size +
                positionOf(rank, grids.axesOf(grid.order, dim), axes);
      int64_t device = source.devices.empty() ? place : source.devices[place];
      EXPECT_EQ(device, devices[rank]);
      if (grids.isInPlace(grid.order)) {
        EXPECT_EQ(device,
                  grids.devices().empty() ? rank : grids.devices()[rank]);
      }
    }
  }
}

TEST(DeviceGrids, OneGridKeepsItsOrder) {
  DeviceGrids grids(4);
  auto grid = grids.add({3, 1, 0, 2}, {2, 2});
  grids.combine();
  EXPECT_EQ(Numbers(grids.devices()), (Numbers{3, 1, 0, 2}));
  EXPECT_EQ(grids.axes(), (DeviceDigits{{2, 2}, {2, 1}}));
  EXPECT_TRUE(grids.isInPlace(grid.order));
}

/// The dimension counts 0, 2, 1, 3: it is two digits of the rank.
TEST(DeviceGrids, APermutedDimensionIsSeveralAxes) {
  DeviceGrids grids(4);
  grids.add({}, {4});
  auto grid = grids.add({0, 2, 1, 3}, {4});
  grids.combine();
  EXPECT_EQ(grids.axes(), (DeviceDigits{{2, 2}, {2, 1}}));
  EXPECT_TRUE(grids.devices().empty());
  EXPECT_TRUE(grids.isInPlace(grid.order));
  EXPECT_EQ(grids.axesOf(grid.order, grid.dims[0]),
            (SmallVector<unsigned>{1, 0}));
}

TEST(DeviceGrids, AnotherOrderIsCutAlikeOnOtherRanks) {
  DeviceGrids grids(4);
  auto odd = grids.add({3, 1, 0, 2}, {4});
  auto plain = grids.add({}, {4});
  auto part = grids.add({3, 1, 0, 2}, {2, 2});
  grids.combine();
  EXPECT_TRUE(grids.devices().empty());
  EXPECT_TRUE(grids.isInPlace(plain.order));
  EXPECT_FALSE(grids.isInPlace(odd.order));
  EXPECT_EQ(part.order, odd.order);
  EXPECT_EQ(grids.devicesOf(odd.order), (Numbers{3, 1, 0, 2}));
}

/// Axes of the same sizes stand for one another.
TEST(DeviceGrids, A3x2GridBesideOneOf2x3) {
  DeviceGrids grids(6);
  grids.add({}, {2, 3});
  auto other = grids.add({}, {3, 2});
  grids.combine();
  EXPECT_EQ(grids.axes(), (DeviceDigits{{2, 3}, {3, 1}}));
  EXPECT_FALSE(grids.isInPlace(other.order));
  EXPECT_EQ(grids.axesOf(other.order, other.dims[0]),
            (SmallVector<unsigned>{1}));
  EXPECT_EQ(grids.axesOf(other.order, other.dims[1]),
            (SmallVector<unsigned>{0}));
}

/// What counts in several orders can be had in each.
TEST(DeviceGrids, FindsAGridInAnotherOrder) {
  DeviceGrids grids(6);
  grids.add({}, {2, 3});
  unsigned order = grids.add({}, {3, 2}).order;
  EXPECT_NE(grids.add({}, {6}).order, order);
  grids.combine();
  auto line = grids.findIn(order, {}, {6});
  ASSERT_TRUE(line);
  EXPECT_EQ(grids.axesOf(order, line->dims[0]), (SmallVector<unsigned>{1, 0}));
  EXPECT_FALSE(grids.findIn(order, {}, {2, 3}));
  EXPECT_FALSE(grids.findIn(order, {5, 4, 3, 2, 1, 0}, {6}));
}

TEST(DeviceGrids, PartsOfADimension) {
  DeviceGrids grids(8);
  auto grid = grids.add({}, {8});
  EXPECT_TRUE(grids.addPart(grid.order, DeviceDigits{{2, 2}}));
  grids.combine();
  EXPECT_EQ(grids.axes(), (DeviceDigits{{2, 4}, {2, 2}, {2, 1}}));
  EXPECT_FALSE(grids.addPart(grid.order, DeviceDigits{{2, 3}}));
}

TEST(DeviceGrids, GridsOfOtherFactors) {
  expectRight({{{}, {2, 3, 4}}, {{}, {4, 6}}, {{}, {3, 8}}, {{}, {12, 2}}}, 24);
  expectRight({{{}, {1, 6}}, {{}, {3, 1, 2}}, {{5, 4, 3, 2, 1, 0}, {6}}}, 6);
  expectRight({{{1, 0}, {2}}, {{}, {2}}, {{1, 0}, {1, 2}}}, 2);
  expectRight({{{}, {1}}}, 1);
}

TEST(DeviceGrids, RandomGrids) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    int64_t numDevices =
        SmallVector<int64_t>{4, 6, 8, 12, 24, 36}[random() % 6];
    SmallVector<Written> written(1 + random() % 4);
    for (Written &grid : written) {
      for (int64_t rest = numDevices; rest > 1;) {
        int64_t size = 2 + random() % (rest - 1);
        if (rest % size != 0)
          continue;
        grid.sizes.push_back(size);
        rest /= size;
      }
      if (random() % 2) {
        grid.devices = to_vector(seq<int64_t>(0, numDevices));
        std::shuffle(grid.devices.begin(), grid.devices.end(), random);
      }
    }
    expectRight(written, numDevices);
  }
}

} // namespace
