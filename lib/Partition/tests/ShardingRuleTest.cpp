//===- ShardingRuleTest.cpp - Projection to factors and back --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/ShardingRule.h"

#include "ParseSharding.h"
#include "RandomShardings.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

/// reshape of [i * j] to [i, j] and back.
static ShardingRule reshapeRule(int64_t i, int64_t j) {
  ShardingRule rule;
  unsigned fi = rule.addFactor(i), fj = rule.addFactor(j);
  rule.operands.push_back({{{fi, fj}}});
  rule.results.push_back({{{fi}, {fj}}});
  return rule;
}

static std::string project(const Mesh &mesh, const ShardingRule &rule,
                           const TensorFactors &from, const TensorFactors &to,
                           StringRef text) {
  FactorShardings factors;
  bool complete = projectToFactors(rule, from, parse(mesh, text), factors);
  return print(mesh, projectFromFactors(rule, to, factors)) +
         (complete ? "" : " ...");
}

/// From the operand of a rule to its result, and back.
static std::string split(const Mesh &mesh, const ShardingRule &rule,
                         StringRef text) {
  return project(mesh, rule, rule.operands[0], rule.results[0], text);
}
static std::string merge(const Mesh &mesh, const ShardingRule &rule,
                         StringRef text) {
  return project(mesh, rule, rule.results[0], rule.operands[0], text);
}

TEST(ShardingRule, EinsumLetters) {
  Mesh mesh = makeMesh({2, 4});
  ShardingRule rule;
  unsigned i = rule.addFactor(6), j = rule.addFactor(8),
           k = rule.addFactor(7, FactorKind::Reduction);
  rule.operands = {{{{i}, {k}}}, {{{k}, {j}}}};
  rule.results = {{{{i}, {j}}}};
  FactorShardings factors;
  EXPECT_TRUE(
      projectToFactors(rule, rule.operands[0], parse(mesh, "a|b"), factors));
  EXPECT_EQ(factors[i], (AxisList{{0, 1, 2}}));
  EXPECT_EQ(factors[k], (AxisList{{1, 1, 4}}));
  EXPECT_TRUE(factors[j].empty());
  EXPECT_EQ(print(mesh, projectFromFactors(rule, rule.operands[1], factors)),
            "b|");
  EXPECT_EQ(print(mesh, resultSharding(rule, 0, factors)), "a| + b");
}

TEST(ShardingRule, MergedDimensionFillsTheMajorFactorFirst) {
  Mesh mesh = makeMesh({2, 4});
  ShardingRule rule = reshapeRule(4, 6);
  EXPECT_EQ(split(mesh, rule, "a"), "a|");
  EXPECT_EQ(split(mesh, rule, "b"), "b|");
  EXPECT_EQ(split(mesh, rule, "b,a"), "b|a");
  // The minor half of "b" is the first that reaches the minor factor.
  EXPECT_EQ(split(mesh, rule, "a,b"), "a,b(1)2|b(2)2");
}

TEST(ShardingRule, SplitDimensionsMergeOnlyWhatIsContiguous) {
  Mesh mesh = makeMesh({2, 4});
  ShardingRule rule = reshapeRule(4, 6);
  EXPECT_EQ(merge(mesh, rule, "a|"), "a");
  EXPECT_EQ(merge(mesh, rule, "b|a"), "b,a");
  EXPECT_EQ(merge(mesh, rule, "a,b(1)2|b(2)2"), "a,b");
  EXPECT_EQ(merge(mesh, rule, "|a"), "");
  EXPECT_EQ(merge(mesh, rule, "a|b"), "a");
}

TEST(ShardingRule, MergedDimensionNeedsEvenFactors) {
  Mesh mesh = makeMesh({2, 4});
  ShardingRule rule = reshapeRule(3, 8);
  // 24 over 2 is even, but 12 is not a number of rows of 8.
  EXPECT_EQ(project(mesh, rule, rule.operands[0], rule.results[0], "a"),
            "| ...");
  EXPECT_EQ(project(mesh, rule, rule.results[0], rule.operands[0], "a|"), "");
}

TEST(ShardingRule, BlockedFactorTakesUnevenAxes) {
  Mesh mesh = makeMesh({2, 4});
  ShardingRule rule = reshapeRule(6, 8);
  rule.factors[0].kind = FactorKind::Blocked;
  EXPECT_EQ(split(mesh, rule, "b"), "b|");
  EXPECT_EQ(merge(mesh, rule, "b|"), "b");
  // 3 of 6 are left within "a", which "b" does not divide.
  EXPECT_EQ(split(mesh, rule, "a,b"), "a,b|");
  EXPECT_EQ(merge(mesh, rule, "a,b|"), "a,b");
  // A minor factor is contiguous only inside of single elements.
  EXPECT_EQ(merge(mesh, rule, "b|a"), "b");
  AxisList a{mesh.whole(0)}, b{mesh.whole(1)};
  EXPECT_TRUE(rule.factors[0].passesThrough(a));
  EXPECT_FALSE(rule.factors[0].passesThrough(b));
  // Blocks over "b" are not those over its halves.
  rule.factors[0].size = 2;
  rule.factors.push_back({3, FactorKind::Blocked});
  rule.operands[0].dims = {{0, 2, 1}};
  rule.results[0].dims = {{0}, {2}, {1}};
  EXPECT_EQ(split(mesh, rule, "b"), "b(1)2|| ...");
  EXPECT_EQ(merge(mesh, rule, "b(1)2|b(2)2|"), "b(1)2");
  EXPECT_EQ(split(mesh, rule, "a,b"), "a|b|");
  EXPECT_EQ(merge(mesh, rule, "a|b|"), "a,b");
  // The axes of the major factor divide it.
  ShardingRule within = reshapeRule(2, 7);
  within.factors[0].kind = FactorKind::Blocked;
  EXPECT_EQ(split(mesh, within, "a"), "a|");
  EXPECT_EQ(split(mesh, within, "b"), "b(1)2| ...");
}

TEST(ShardingRule, SingleFactorTakesUnevenAxes) {
  Mesh mesh = makeMesh({2, 4});
  ShardingRule rule = reshapeRule(7, 1);
  // A factor of size 1 is no second factor.
  EXPECT_EQ(project(mesh, rule, rule.operands[0], rule.results[0], "a"), "a|");
  EXPECT_EQ(project(mesh, rule, rule.results[0], rule.operands[0], "b|"), "b");
  ShardingRule unit = reshapeRule(1, 7);
  EXPECT_EQ(project(mesh, unit, unit.operands[0], unit.results[0], "b"), "|b");
}

TEST(ShardingRule, BroadcastDimensionHasNoFactor) {
  Mesh mesh = makeMesh({2});
  ShardingRule rule;
  unsigned i = rule.addFactor(4);
  rule.operands.push_back({{{}, {i}}});
  EXPECT_EQ(project(mesh, rule, rule.operands[0], rule.operands[0], "|a"),
            "|a");
  EXPECT_EQ(project(mesh, rule, rule.operands[0], rule.operands[0], "a|"),
            "| ...");
}

/// Where a sharding of the merged dimension is projected completely, it and
/// its projection give each rank the same elements.
TEST(ShardingRule, ReshapeKeepsElements) {
  RandomShardings random(7);
  int projected = 0;
  for (int n = 0; n < 20000; ++n) {
    Mesh mesh = random.mesh({2, 3, 4, 6}, 3, 48);
    int64_t i = 1 + random.below(12), j = 1 + random.below(12);
    ShardingRule rule = reshapeRule(i, j);
    Sharding merged = random.sharding(mesh, 1, 40);
    FactorShardings factors;
    if (!projectToFactors(rule, rule.operands[0], merged, factors))
      continue;
    ++projected;
    Sharding split = projectFromFactors(rule, rule.results[0], factors);
    Sharding back = projectFromFactors(rule, rule.operands[0], factors);
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
      BlockExtent whole = blockOf(mesh, rank, i * j, merged.dims[0].axes);
      BlockExtent again = blockOf(mesh, rank, i * j, back.dims[0].axes);
      BlockExtent rows = blockOf(mesh, rank, i, split.dims[0].axes);
      BlockExtent cols = blockOf(mesh, rank, j, split.dims[1].axes);
      ASSERT_EQ(whole.valid, rows.valid * cols.valid) << merged.str(mesh);
      ASSERT_EQ(whole.valid, again.valid);
      if (whole.valid == 0)
        continue;
      ASSERT_EQ(whole.offset, rows.offset * j + cols.offset);
      ASSERT_EQ(whole.offset, again.offset);
    }
  }
  EXPECT_GT(projected, 5000);
}
