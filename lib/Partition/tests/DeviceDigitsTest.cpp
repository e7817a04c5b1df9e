//===- DeviceDigitsTest.cpp - Device numbers as mixed-radix digits --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeviceDigits.h"
#include "cleave/Partition/GspmdSharding.h"
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

GspmdSharding parse(StringRef text) {
  std::string error;
  auto sharding = GspmdSharding::parse(text, error);
  EXPECT_TRUE(sharding) << error;
  return sharding.value_or(GspmdSharding());
}

TEST(GspmdSharding, Kinds) {
  EXPECT_EQ(parse("{replicated}").kind, GspmdSharding::Kind::Replicated);
  EXPECT_EQ(parse("{manual}").kind, GspmdSharding::Kind::Manual);
  EXPECT_EQ(parse("{maximal device=3}").kind, GspmdSharding::Kind::Maximal);
  GspmdSharding tuple = parse("{{replicated}, {devices=[2,1]<=[2]}}");
  ASSERT_EQ(tuple.elements.size(), 2u);
  EXPECT_EQ(tuple.elements[1].kind, GspmdSharding::Kind::Tiled);
}

TEST(GspmdSharding, IotaAndListsMeanTheSame) {
  GspmdSharding iota =
      parse("{devices=[2,1,2]<=[2,2]T(1,0) last_tile_dim_replicate}");
  GspmdSharding list =
      parse("{devices=[2,1,2]0,2,1,3 last_tile_dim_replicate}");
  for (const GspmdSharding &sharding : {iota, list}) {
    ASSERT_EQ(sharding.dims.size(), 2u);
    EXPECT_EQ(sharding.dims[0], (DeviceDigits{{2, 1}}));
    EXPECT_TRUE(sharding.dims[1].empty());
    ASSERT_EQ(sharding.subgroups.size(), 1u);
    EXPECT_EQ(sharding.subgroups[0].second, (DeviceDigits{{2, 2}}));
    EXPECT_EQ(sharding.numDevices, 4);
  }
}

TEST(GspmdSharding, SubgroupsOfSeveralKinds) {
  GspmdSharding sharding =
      parse("{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}");
  ASSERT_EQ(sharding.dims.size(), 1u);
  EXPECT_EQ(sharding.dims[0], (DeviceDigits{{2, 4}}));
  ASSERT_EQ(sharding.subgroups.size(), 2u);
  EXPECT_EQ(sharding.subgroups[0].first, GspmdSharding::Subgroup::Manual);
  EXPECT_EQ(sharding.subgroups[1].second, (DeviceDigits{{2, 1}}));
}

TEST(GspmdSharding, BadTextIsAnError) {
  for (StringRef text :
       {"", "{", "{}x", "{devices=[2,1]}", "{devices=[2,2]<=[8]}",
        "{devices=[4]1,0,2,3}", "{devices=[2]0,0}", "{devices=[0]<=[0]}",
        "{devices=[4]<=[4]T(0,1)}", "{devices=[99999999999999999999]<=[1]}",
        "{devices=[2]<=[2] last_tile_dims={other}}", "{maximal}",
        "{devices=[3,2]<=[2,3]}"}) {
    std::string error;
    EXPECT_FALSE(GspmdSharding::parse(text, error)) << text.str();
    EXPECT_FALSE(error.empty());
  }
}

} // namespace

TEST(GspmdSharding, NumbersDevicesAnew) {
  std::string error;
  SmallVector<int64_t> odd;
  EXPECT_FALSE(GspmdSharding::parse("{devices=[4]0,2,3,1}", error, {}, &odd));
  EXPECT_EQ(odd, (SmallVector<int64_t>{0, 2, 3, 1}));
  // The place of each device in that list.
  SmallVector<int64_t> places{0, 3, 1, 2};
  auto sharding = GspmdSharding::parse("{devices=[4]0,2,3,1}", error, places);
  ASSERT_TRUE(sharding) << error;
  EXPECT_EQ(sharding->dims[0], (DeviceDigits{{4, 1}}));
  EXPECT_FALSE(GspmdSharding::parse("{devices=[4]<=[4]}", error, places));
}

TEST(GspmdSharding, LeavesUnknownToOthers) {
  std::string error;
  auto sharding = GspmdSharding::parse("{unknown shard_like 3}", error);
  ASSERT_TRUE(sharding) << error;
  EXPECT_EQ(sharding->kind, GspmdSharding::Kind::Unknown);
  EXPECT_EQ(sharding->group, 3);
}
