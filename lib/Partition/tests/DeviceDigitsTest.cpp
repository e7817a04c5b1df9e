//===- DeviceDigitsTest.cpp - Device numbers as mixed-radix digits --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeviceDigits.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace cleave;
using namespace llvm;

namespace {

/// The list that digits count to, by definition.
SmallVector<int64_t> listOf(ArrayRef<DeviceDigit> digits, int64_t base = 0) {
  SmallVector<int64_t> list{base};
  for (const DeviceDigit &digit : digits) {
    SmallVector<int64_t> longer;
    for (int64_t prefix : list)
      for (int64_t i = 0; i < digit.size; ++i)
        longer.push_back(prefix + i * digit.stride);
    list = std::move(longer);
  }
  return list;
}

TEST(DeviceDigits, CountingDigitsInvertTheirList) {
  for (DeviceDigits digits : {
           DeviceDigits{},
           DeviceDigits{{8, 1}},
           DeviceDigits{{2, 1}, {4, 2}},
           DeviceDigits{{2, 4}, {3, 8}},
           DeviceDigits{{3, 2}, {2, 6}, {2, 1}},
       }) {
    auto found = countingDigits(listOf(digits, 5));
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, digits);
  }
}

TEST(DeviceDigits, ConsecutiveDigitsAreOne) {
  auto found = countingDigits(listOf({{2, 4}, {4, 1}}));
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, (DeviceDigits{{8, 1}}));
}

TEST(DeviceDigits, OrdersThatNoGridHas) {
  EXPECT_FALSE(countingDigits({1, 0}));
  EXPECT_FALSE(countingDigits({0, 1, 3, 2}));
  EXPECT_FALSE(countingDigits({0, 1, 2, 4}));
  EXPECT_FALSE(countingDigits({0, 0}));
}

TEST(DeviceDigits, SplittingCutsDigitsThatStraddle) {
  auto groups = splitDigits({{8, 1}}, {2, 1, 4});
  ASSERT_TRUE(groups);
  EXPECT_EQ((*groups)[0], (DeviceDigits{{2, 4}}));
  EXPECT_TRUE((*groups)[1].empty());
  EXPECT_EQ((*groups)[2], (DeviceDigits{{4, 1}}));
  EXPECT_FALSE(splitDigits({{2, 3}, {3, 1}}, {3, 2}));
  EXPECT_FALSE(splitDigits({{8, 1}}, {2, 2}));
}

TEST(DeviceDigits, DimsAlongWhichPairsLieApart) {
  using Dims = SmallVector<unsigned, 2>;
  EXPECT_EQ(dimsApart({2, 1, 3}, {0, 3, 1, 4}), (Dims{0}));
  EXPECT_EQ(dimsApart({2, 1, 3}, {0, 0, 1, 2}), (Dims{2}));
  EXPECT_EQ(dimsApart({2, 1, 3}, {0, 4}), (Dims{0, 2}));
  EXPECT_EQ(dimsApart({2, 1, 3}, {0, 1, 1, 4}), (Dims{0, 2}));
  EXPECT_EQ(dimsApart({2, 1, 3}, {5, 5}), Dims());
}

TEST(DeviceDigits, CommonGridOfTwoMeshes) {
  CommonGrid grid(8);
  EXPECT_TRUE(grid.add({8, 1}));
  EXPECT_TRUE(grid.add({2, 4}));
  EXPECT_TRUE(grid.add({4, 1}));
  EXPECT_EQ(grid.axes(), (DeviceDigits{{2, 4}, {4, 1}}));
  EXPECT_EQ(grid.axesOf({8, 1}), (SmallVector<unsigned, 2>{0, 1}));
  EXPECT_EQ(grid.axesOf({4, 1}), (SmallVector<unsigned, 2>{1}));
}

TEST(DeviceDigits, NoCommonGridOf2x3And3x2) {
  CommonGrid grid(6);
  EXPECT_TRUE(grid.add({2, 3}));
  EXPECT_FALSE(grid.add({3, 2}));
}

TEST(DeviceDigits, OneDeviceHasNoAxes) {
  CommonGrid grid(1);
  EXPECT_TRUE(grid.add({1, 1}));
  EXPECT_TRUE(grid.axes().empty());
}

} // namespace
