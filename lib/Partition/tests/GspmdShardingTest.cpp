//===- GspmdShardingTest.cpp - Shardings written as GSPMD strings ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/GspmdSharding.h"
#include "llvm/ADT/ArrayRef.h"
#include "gtest/gtest.h"

using namespace cleave;
using namespace llvm;

namespace {

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
  EXPECT_EQ(parse("{unreduced}").kind, GspmdSharding::Kind::Unreduced);
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
    EXPECT_EQ(sharding.rank(), 2u);
    EXPECT_EQ(ArrayRef<int64_t>(sharding.tiles), ArrayRef<int64_t>({2, 1, 2}));
    EXPECT_EQ(ArrayRef<int64_t>(sharding.devices),
              ArrayRef<int64_t>({0, 2, 1, 3}));
    ASSERT_EQ(sharding.subgroups.size(), 1u);
    EXPECT_EQ(sharding.subgroups[0], GspmdSharding::Subgroup::Replicated);
    EXPECT_EQ(sharding.numDevices, 4);
  }
}

TEST(GspmdSharding, DevicesAsTheyComeAreNotListed) {
  EXPECT_TRUE(parse("{devices=[4]0,1,2,3}").devices.empty());
  EXPECT_TRUE(parse("{devices=[2,2]<=[4]}").devices.empty());
  EXPECT_EQ(parse("{devices=[4]3,1,0,2}").devices.front(), 3);
}

TEST(GspmdSharding, SubgroupsOfSeveralKinds) {
  GspmdSharding sharding =
      parse("{devices=[2,2,2]<=[8] last_tile_dims={manual, replicated}}");
  EXPECT_EQ(sharding.rank(), 1u);
  ASSERT_EQ(sharding.subgroups.size(), 2u);
  EXPECT_EQ(sharding.subgroups[0], GspmdSharding::Subgroup::Manual);
  EXPECT_EQ(sharding.subgroups[1], GspmdSharding::Subgroup::Replicated);
}

TEST(GspmdSharding, BadTextIsAnError) {
  for (StringRef text :
       {"", "{", "{}x", "{devices=[2,1]}", "{devices=[2,2]<=[8]}",
        "{devices=[2]0,0}", "{devices=[0]<=[0]}", "{devices=[4]<=[4]T(0,1)}",
        "{devices=[99999999999999999999]<=[1]}",
        "{devices=[2]<=[2] last_tile_dims={other}}", "{maximal}",
        "{devices=[2]<=[2] last_tile_dims={manual, manual}}"}) {
    std::string error;
    EXPECT_FALSE(GspmdSharding::parse(text, error)) << text.str();
    EXPECT_FALSE(error.empty());
  }
}

TEST(GspmdSharding, EqualShardingsMayBeWrittenInManyWays) {
  EXPECT_EQ(parse("{devices=[2,1]<=[2]}"), parse("{devices=[2,1]0,1}"));
  EXPECT_EQ(parse("{{replicated}, {devices=[2,1,2]<=[2,2]T(1,0) "
                  "last_tile_dim_replicate}}"),
            parse("{{replicated},{devices=[2,1,2]0,2,1,3 "
                  "last_tile_dims={replicated}}}"));
  EXPECT_FALSE(parse("{devices=[2]<=[2]}") == parse("{devices=[2]1,0}"));
  EXPECT_FALSE(parse("{devices=[2,1]<=[2]}") == parse("{devices=[1,2]<=[2]}"));
  EXPECT_FALSE(parse("{replicated}") == parse("{manual}"));
  EXPECT_FALSE(parse("{replicated}") == parse("{{replicated}}"));
}

TEST(GspmdSharding, NumbersOfElementsAreSkipped) {
  StringRef text = "{{replicated}, {replicated}, {replicated}, {replicated}, "
                   "{replicated}, /*index=5*/{devices=[2,1]<=[2]}, {manual}}";
  GspmdSharding tuple = parse(text);
  ASSERT_EQ(tuple.elements.size(), 7u);
  EXPECT_EQ(tuple.elements[5], parse("{devices=[2,1]<=[2]}"));
  EXPECT_EQ(GspmdSharding::splitTuple(text)[5], "{devices=[2,1]<=[2]}");
  std::string error;
  EXPECT_FALSE(GspmdSharding::parse("{{manual}, /*index=1 {manual}}", error));
}

TEST(GspmdSharding, TextsOfATuple) {
  using Texts = SmallVector<StringRef>;
  StringRef cut = "{devices=[2,2]<=[4] last_tile_dims={manual}}";
  std::string tuple = ("{{replicated}, " + cut + ",{}}").str();
  EXPECT_EQ(GspmdSharding::splitTuple(tuple),
            (Texts{"{replicated}", cut, "{}"}));
  EXPECT_EQ(GspmdSharding::splitTuple("{{{replicated}}}"),
            (Texts{"{{replicated}}"}));
  EXPECT_EQ(GspmdSharding::splitTuple("{}"), Texts());
}

TEST(GspmdSharding, ProtocolBuffersAreNamed) {
  for (StringRef text : {StringRef(""), StringRef("\x08\x03\x1a\x01\x02")}) {
    std::string error;
    EXPECT_FALSE(GspmdSharding::parse(text, error));
    EXPECT_TRUE(StringRef(error).starts_with("a serialized OpSharding"));
  }
}

TEST(GspmdSharding, MeshesOfNamedAxesAreNamed) {
  for (StringRef text :
       {"{mesh[a=2,b=4], [{b}, {a}]}", "{mesh['a'=2], [{}, {?}]}",
        "{{replicated}, {mesh[], replicated}}"}) {
    std::string error;
    EXPECT_FALSE(GspmdSharding::parse(text, error)) << text.str();
    EXPECT_TRUE(
        StringRef(error).starts_with("a mesh of named axes is not read"))
        << error;
  }
}

TEST(GspmdSharding, LeavesUnknownToOthers) {
  std::string error;
  auto sharding = GspmdSharding::parse("{unknown shard_like 3}", error);
  ASSERT_TRUE(sharding) << error;
  EXPECT_EQ(sharding->kind, GspmdSharding::Kind::Unknown);
  EXPECT_EQ(sharding->group, 3);
}

} // namespace
