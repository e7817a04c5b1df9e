//===- RankGroupsTest.cpp - Which ranks act together ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/RankGroups.h"
#include "RandomShardings.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

using Groups = std::vector<RankGroup>;

TEST(RankGroups, AreOrderedByTheirFirstRanks) {
  Mesh mesh = makeMesh({2, 3});
  AxisRef a = mesh.whole(0), b = mesh.whole(1);
  EXPECT_EQ(groupsAlong(mesh, {}), (Groups{{0}, {1}, {2}, {3}, {4}, {5}}));
  EXPECT_EQ(groupsAlong(mesh, {a}), (Groups{{0, 3}, {1, 4}, {2, 5}}));
  EXPECT_EQ(groupsAlong(mesh, {b}), (Groups{{0, 1, 2}, {3, 4, 5}}));
}

TEST(RankGroups, PositionsFollowTheOrderOfAxes) {
  Mesh mesh = makeMesh({2, 3});
  AxisRef a = mesh.whole(0), b = mesh.whole(1);
  EXPECT_EQ(groupsAlong(mesh, {a, b}), (Groups{{0, 1, 2, 3, 4, 5}}));
  EXPECT_EQ(groupsAlong(mesh, {b, a}), (Groups{{0, 3, 1, 4, 2, 5}}));
}

TEST(RankGroups, PartsOfAnAxisAreItsDigits) {
  Mesh mesh = makeMesh({8});
  EXPECT_EQ(groupsAlong(mesh, AxisRef{0, 2, 2}),
            (Groups{{0, 2}, {1, 3}, {4, 6}, {5, 7}}));
  EXPECT_EQ(groupsAlong(mesh, {AxisRef{0, 1, 2}, AxisRef{0, 4, 2}}),
            (Groups{{0, 1, 4, 5}, {2, 3, 6, 7}}));
}

TEST(RankGroups, TextsAreCutShort) {
  EXPECT_EQ(describeGroups({}), "[]");
  EXPECT_EQ(describeGroups({{0, 2}, {1}}), "[[0, 2], [1]]");
  EXPECT_EQ(largestGroup({{0, 2}, {1}}), 2);
  EXPECT_EQ(largestGroup({}), 1);
  Mesh mesh = makeMesh({10, 2});
  EXPECT_EQ(describeGroups(groupsAlong(mesh, {mesh.whole(1)})),
            "[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11], [12, 13], "
            "[14, 15], [...");
}

TEST(RankGroups, AxesAreNamedWithTheirParts) {
  Mesh mesh = makeMesh({2, 4, 1});
  EXPECT_EQ(describeAxes(mesh, {}), "");
  EXPECT_EQ(describeAxes(mesh, {mesh.whole(1), mesh.whole(0)}), "b, a");
  EXPECT_EQ(describeAxes(mesh, {mesh.whole(0), AxisRef{1, 2, 2}}), "a, b:(2)2");
  EXPECT_EQ(describeAxes(mesh, {AxisRef{1, 1, 2}, mesh.whole(2)}), "b:(1)2, c");
}

TEST(RankGroups, PairsAreNamedByTheAxesBetweenThem) {
  Mesh mesh = makeMesh({2, 1, 3});
  EXPECT_EQ(describeAxesApart(mesh, {0, 3, 1, 4}), "a");
  EXPECT_EQ(describeAxesApart(mesh, {0, 1, 1, 4}), "a, c");
  EXPECT_EQ(describeAxesApart(mesh, {5, 5}), "");
}

TEST(RankGroups, EveryRankIsWhereItsPositionSays) {
  Mesh mesh = makeMesh({2, 1, 6});
  AxisList axes{mesh.whole(2), mesh.whole(1), AxisRef{0, 1, 2}};
  for (const RankGroup &group : groupsAlong(mesh, axes))
    for (size_t i = 0; i < group.size(); ++i)
      EXPECT_EQ(mesh.position(group[i], axes), int64_t(i));
}
