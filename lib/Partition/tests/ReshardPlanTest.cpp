//===- ReshardPlanTest.cpp - Plans of known reshards ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ParseSharding.h"
#include "RandomShardings.h"
#include "Simulator.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

namespace {
class ReshardPlanTest : public testing::Test {
protected:
  void use(ArrayRef<int64_t> axes, ArrayRef<int64_t> tensor) {
    mesh = makeMesh(axes);
    shape.assign(tensor.begin(), tensor.end());
    planner = std::make_unique<ReshardPlanner>(mesh);
  }

  std::string plan(StringRef from, StringRef to) {
    Sharding a = parse(mesh, from), b = parse(mesh, to);
    const ReshardPlan *plan = planner->plan(shape, 4, a, b);
    if (!plan)
      return "none";
    bytes = plan->bytes;
    EXPECT_EQ(Simulator(mesh, shape, 4).check(*plan, a, b), "");
    return print(mesh, *plan);
  }

  Mesh mesh;
  Shape shape;
  std::unique_ptr<ReshardPlanner> planner;
  int64_t bytes = 0;
};
} // namespace

TEST_F(ReshardPlanTest, NothingToDo) {
  use({2, 4}, {16, 16});
  EXPECT_EQ(plan("a|b", "a|b"), "");
  EXPECT_EQ(plan("a(1)2|", "a|"), "");
  // Parts of one axis that cut as the whole does.
  EXPECT_EQ(plan("b(1)2,b(2)2|", "b|"), "");
}

TEST_F(ReshardPlanTest, GatherAndSlice) {
  use({2, 4}, {16, 16});
  EXPECT_EQ(plan("a|", "|"), "all_gather a -> |\n");
  EXPECT_EQ(bytes, 8 * 16 * 4);
  EXPECT_EQ(plan("a,b|", "|"), "all_gather a,b -> |\n");
  EXPECT_EQ(plan("a,b|", "a|"), "all_gather b -> a|\n");
  EXPECT_EQ(plan("|", "a|b"), "all_slice a -> a|\nall_slice b -> a|b\n");
  EXPECT_EQ(bytes, 0);
  EXPECT_EQ(plan("a|", "a|b"), "all_slice b -> a|b\n");
}

TEST_F(ReshardPlanTest, MoveBetweenDimensions) {
  use({2, 4}, {16, 16});
  EXPECT_EQ(plan("a|", "|a"), "all_to_all a -> |a\n");
  EXPECT_EQ(bytes, 8 * 8 * 4);
  EXPECT_EQ(plan("a,b|", "a|b"), "all_to_all b -> a|b\n");
  EXPECT_EQ(plan("a,b|", "|a,b"), "all_to_all a,b -> |a,b\n");
}

TEST_F(ReshardPlanTest, Relabel) {
  use({4, 4}, {16, 16});
  EXPECT_EQ(plan("a|b", "b|a"), "collective_permute -> b|a\n");
  EXPECT_EQ(bytes, 4 * 4 * 4);
  EXPECT_EQ(plan("a,b|", "b,a|"), "collective_permute -> b,a|\n");
  EXPECT_EQ(bytes, 16 * 4);
  EXPECT_EQ(plan("a|", "b|"), "collective_permute -> b|\n");
}

TEST_F(ReshardPlanTest, SwapOfUnequalAxes) {
  use({2, 4}, {16, 16});
  // Half of "b" goes first, then axes of equal sizes are exchanged.
  EXPECT_EQ(plan("a|b", "b|a"), "all_to_all b(2)2 -> a,b(2)2|b(1)2\n"
                                "collective_permute -> b|a\n");
  EXPECT_EQ(bytes, 4 * 4 * 4 + 8 * 4 * 4);
}

TEST_F(ReshardPlanTest, Reductions) {
  use({2, 4}, {16, 16});
  EXPECT_EQ(plan("| + b", "|"), "all_reduce b -> |\n");
  EXPECT_EQ(bytes, 2 * 3 * 16 * 16 * 4 / 4);
  EXPECT_EQ(plan("| + b", "b|"), "reduce_scatter b -> b|\n");
  EXPECT_EQ(bytes, 3 * 4 * 16 * 4);
  EXPECT_EQ(plan("a| + b", "a|b"), "reduce_scatter b -> a|b\n");
  EXPECT_EQ(plan("| + a,b", "|"), "all_reduce a,b -> |\n");
  EXPECT_EQ(plan("| + a,b", "| + a"), "all_reduce b -> | + a\n");
  // Slicing first makes the reduction smaller.
  EXPECT_EQ(plan("| + b", "a|"), "all_slice a -> a| + b\nall_reduce b -> a|\n");
  EXPECT_EQ(plan("|", "| + a"), "none");
}

TEST_F(ReshardPlanTest, KeepsPartOfAPartialAxis) {
  use({4}, {8});
  // The simulator wants kept axes spelled alike.
  Sharding from = parse(mesh, " + a"), to = parse(mesh, "a(2)2 + a(1)2");
  EXPECT_EQ(print(mesh, *planner->plan(shape, 4, from, to)),
            "reduce_scatter a(2)2 -> a(2)2 + a(1)2\n");
  EXPECT_EQ(plan(" + a(1)2,a(2)2", "a(2)2 + a(1)2"),
            "reduce_scatter a(2)2 -> a(2)2 + a(1)2\n");
}

TEST_F(ReshardPlanTest, SubAxes) {
  use({4, 2}, {16, 16});
  EXPECT_EQ(plan("a|", "a(1)2|"), "all_gather a(2)2 -> a(1)2|\n");
  EXPECT_EQ(plan("a|", "a(1)2|a(2)2"), "all_to_all a(2)2 -> a(1)2|a(2)2\n");
  EXPECT_EQ(plan("a(1)2|a(2)2", "a|"), "all_to_all a(2)2 -> a|\n");
  EXPECT_EQ(plan("a(1)2|", "a|"), "all_slice a(2)2 -> a|\n");
}

TEST_F(ReshardPlanTest, SubAxesOfUnevenDimensions) {
  use({4}, {5, 8});
  // ceil(5 / 4) cut at once and ceil(ceil(5 / 2) / 2) are different blocks.
  EXPECT_NE(plan("a|", "a(1)2|"), "all_gather a(2)2 -> a(1)2|\n");
  EXPECT_NE(plan("a|", "a(1)2,a(2)2|"), "");
  EXPECT_EQ(plan("|a", "a|"), "all_to_all a -> a|\n");
}

TEST_F(ReshardPlanTest, SevenRows) {
  use({2, 3}, {7, 6});
  EXPECT_EQ(plan("a|", "|"), "all_gather a -> |\n");
  // The second rank owns 3 of 7 rows and receives 4.
  EXPECT_EQ(bytes, 4 * 6 * 4);
  EXPECT_EQ(plan("b|", "|"), "all_gather b -> |\n");
  EXPECT_EQ(bytes, 6 * 6 * 4);
  EXPECT_EQ(plan("a,b|", "a|"), "all_gather b -> a|\n");
  EXPECT_EQ(plan("a|", "|a"), "all_to_all a -> |a\n");
  EXPECT_EQ(plan("b|", "|b"), "all_to_all b -> |b\n");
  // Blocks of the two differ: no permutation.
  EXPECT_EQ(plan("a,b|", "b,a|").find("collective_permute -> b,a|"),
            std::string::npos);
}

TEST_F(ReshardPlanTest, NestedBlocksAreGatheredOneAxisAtATime) {
  use({2, 3}, {7});
  EXPECT_EQ(plan("a,b", ""), "all_gather b -> a\nall_gather a -> \n");
  use({2, 3}, {9});
  // 9 over 3, then 3 over 2, is not at equal distances; 9 over 2 is ceil 5.
  EXPECT_EQ(plan("b,a", ""), "all_gather a -> b\nall_gather b -> \n");
  use({2, 3}, {11});
  // ceil(11 / 2) = 6 over 3 is even: one collective.
  EXPECT_EQ(plan("a,b", ""), "all_gather a,b -> \n");
}

TEST_F(ReshardPlanTest, UnevenAxesOfEqualSizeAreExchanged) {
  use({3, 3}, {7, 5});
  EXPECT_EQ(plan("a|", "b|"), "collective_permute -> b|\n");
  EXPECT_EQ(plan("a|b", "b|a"), "collective_permute -> b|a\n");
}

TEST_F(ReshardPlanTest, FewerElementsThanRanks) {
  use({4, 2}, {1, 3});
  EXPECT_EQ(plan("a|", "|"), "all_gather a -> |\n");
  EXPECT_EQ(bytes, 3 * 4);
  EXPECT_EQ(plan("a,b|", "b,a|"), "");
  plan("|a", "a|b");
  plan("a|b", "|a,b");
}

TEST_F(ReshardPlanTest, MaximaAndSumsAreReducedInOrder) {
  use({2, 2}, {8});
  Sharding from = parse(mesh, "");
  from.partial.push_back({mesh.whole(1), ReductionKind::Max});
  from.partial.push_back({mesh.whole(0), ReductionKind::Sum});
  Sharding to = parse(mesh, "");
  const ReshardPlan *plan = planner->plan(shape, 4, from, to);
  ASSERT_NE(plan, nullptr);
  // The sum is of halves of the maxima, which are gathered after it.
  EXPECT_EQ(print(mesh, *plan), "reduce_scatter b -> b + a\n"
                                "all_reduce a -> b\n"
                                "all_gather b -> \n");
  EXPECT_EQ(plan->steps[0].reduction, ReductionKind::Max);
  EXPECT_EQ(plan->steps[1].reduction, ReductionKind::Sum);
  EXPECT_EQ(Simulator(mesh, shape, 4).check(*plan, from, to), "");
}

TEST_F(ReshardPlanTest, ManyRanks) {
  use({64, 64}, {4096, 128});
  const ReshardPlan *plan =
      planner->plan(shape, 4, parse(mesh, "a|b"), parse(mesh, "b|a"));
  ASSERT_EQ(plan->steps.size(), 1u);
  EXPECT_EQ(plan->steps[0].pairs.size(), 4096u);
}

TEST_F(ReshardPlanTest, ManyAxes) {
  // Too many states for the search: a plan there is nevertheless.
  use({2, 2, 2, 2, 2, 2}, {64, 64, 64, 64, 64, 64, 64});
  shape = {2, 2, 2, 2, 2, 2, 2};
  EXPECT_NE(plan("a|b|c|d|e|f|", "f|e|d|c|b|a|"), "");
  EXPECT_NE(plan("|a|b|c|d|e|f", "f|e|d|c|b|a|"), "");
}
