//===- ReshardExhaustiveTest.cpp - Plans against all short plans ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exhaustive.h"
#include "RandomShardings.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

namespace {
struct Setting {
  const char *name;
  std::vector<int64_t> mesh, shape;
  /// Axes to use; whole ones if empty.
  std::vector<AxisRef> axes;
  std::vector<AxisRef> partial;
};
class ReshardExhaustive : public testing::TestWithParam<Setting> {};
} // namespace

/// The search only uses axes that one of the two shardings has.
static bool usesAll(const Sharding &from, const Sharding &to,
                    ArrayRef<AxisRef> axes) {
  return all_of(axes, [&](const AxisRef &axis) {
    return from.uses(axis) || to.uses(axis);
  });
}

TEST_P(ReshardExhaustive, NoShortPlanIsCheaper) {
  const Setting &setting = GetParam();
  Mesh mesh = makeMesh(setting.mesh);
  std::vector<AxisRef> axes = setting.axes;
  if (axes.empty())
    for (AxisId id = 0; id < mesh.axes.size(); ++id)
      axes.push_back(mesh.whole(id));
  Exhaustive all(mesh, setting.shape, axes, setting.partial);
  ReshardPlanner planner(mesh);
  int64_t compared = 0, better = 0;
  for (size_t i = 0; i < all.numShardings(); ++i) {
    std::vector<int64_t> best = all.cheapest(i, 3);
    for (size_t j = 0; j < all.numShardings(); ++j) {
      const Sharding &from = all.sharding(i), &to = all.sharding(j);
      std::optional<int64_t> bytes = planner.bytes(setting.shape, 4, from, to);
      if (best[j] < 0 || !usesAll(from, to, axes)) {
        continue;
      }
      ASSERT_TRUE(bytes.has_value());
      ASSERT_LE(*bytes, best[j]) << from.str(mesh) << " -> " << to.str(mesh);
      ++compared;
      better += *bytes < best[j];
    }
  }
  EXPECT_GT(compared, 0);
  RecordProperty("compared", compared);
  RecordProperty("longer_and_cheaper", better);
}

static const AxisRef kA4Major{0, 1, 2}, kA4Minor{0, 2, 2}, kA4{0, 1, 4};

INSTANTIATE_TEST_SUITE_P(
    Small, ReshardExhaustive,
    testing::Values(
        Setting{"EvenTwoAxes", {2, 4}, {16, 16}, {}, {}},
        Setting{"EvenThreeDims", {2, 4}, {8, 8, 8}, {}, {}},
        Setting{"EqualAxes", {2, 2, 2}, {8, 8}, {}, {}},
        Setting{"ThreeAxes", {2, 3, 4}, {24, 24}, {}, {}},
        Setting{"UnevenTwoAxes", {2, 3}, {7, 6}, {}, {}},
        Setting{"UnevenBoth", {2, 3}, {7, 5}, {}, {}},
        Setting{"UnevenThree", {2, 3, 2}, {7, 9}, {}, {}},
        Setting{"SmallExtent", {2, 3}, {3, 6}, {}, {}},
        Setting{"SubAxes",
                {4, 2},
                {8, 8},
                {kA4, kA4Major, kA4Minor, {1, 1, 2}},
                {}},
        Setting{"SubAxesUneven", {4}, {5, 6}, {kA4, kA4Major, kA4Minor}, {}},
        Setting{"Partial", {2, 4}, {16, 16}, {}, {{0, 1, 2}, {1, 1, 4}}},
        Setting{"PartialThree", {2, 2, 2}, {8, 6}, {}, {{0, 1, 2}, {1, 1, 2}}},
        Setting{"PartialUneven", {2, 3}, {7, 6}, {}, {{0, 1, 2}, {1, 1, 3}}}),
    [](const auto &info) { return info.param.name; });
