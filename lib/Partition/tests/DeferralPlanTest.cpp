//===- DeferralPlanTest.cpp - Cheapest places of collectives --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeferralPlan.h"

#include "RandomShardings.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

namespace {
/// Builds a graph value by value.
struct Builder {
  DeferralGraph graph;

  unsigned value(int64_t bytes, bool isNeeded = false, int64_t dueBytes = 0) {
    graph.values.push_back({bytes, dueBytes, isNeeded});
    return graph.values.size() - 1;
  }
  unsigned op(ArrayRef<unsigned> operands, ArrayRef<unsigned> results,
              bool needsAll = true, int64_t extraBytes = 0) {
    DeferralGraph::Op op;
    op.operands.assign(operands.begin(), operands.end());
    op.results.assign(results.begin(), results.end());
    op.needsAll = needsAll;
    op.extraBytes = extraBytes;
    graph.ops.push_back(std::move(op));
    return graph.ops.size() - 1;
  }
};
} // namespace

using Choice = std::vector<bool>;

TEST(DeferralPlan, TwoSumsThatAreAdded) {
  Builder b;
  unsigned x = b.value(8), y = b.value(8), sum = b.value(8, true);
  b.op({x, y}, {sum});
  DeferralPlan plan = planDeferral(b.graph);
  EXPECT_EQ(plan.isDeferred, Choice{true});
  EXPECT_EQ(plan.savedBytes, 8);
}

TEST(DeferralPlan, NothingMovesWithoutGain) {
  Builder b;
  unsigned x = b.value(8), y = b.value(8, true);
  b.op({x}, {y});
  DeferralPlan plan = planDeferral(b.graph);
  EXPECT_EQ(plan.isDeferred, Choice{false});
  EXPECT_EQ(plan.savedBytes, 0);
}

/// A value that is needed complete, too, pays for itself anyway.
TEST(DeferralPlan, OtherUses) {
  Builder b;
  unsigned x = b.value(8, true), y = b.value(8), sum = b.value(8, true);
  b.op({x, y}, {sum});
  EXPECT_EQ(planDeferral(b.graph).savedBytes, 0);
}

/// Through ops that gain nothing to one that does.
TEST(DeferralPlan, ThroughAChain) {
  Builder b;
  unsigned x = b.value(8), negated = b.value(8), row = b.value(2, true);
  b.op({x}, {negated});
  b.op({negated}, {row});
  DeferralPlan plan = planDeferral(b.graph);
  EXPECT_EQ(plan.isDeferred, (Choice{true, true}));
  EXPECT_EQ(plan.savedBytes, 6);
}

/// An accumulator: its start and what is added must be incomplete, and it is
/// only if its own update is.
TEST(DeferralPlan, Cycle) {
  Builder b;
  unsigned start = b.value(0), term = b.value(800), update = b.value(800);
  unsigned carried = b.value(8, true);
  b.op({start, update}, {carried});
  b.op({carried, term}, {update});
  DeferralPlan plan = planDeferral(b.graph);
  EXPECT_EQ(plan.isDeferred, (Choice{true, true}));
  EXPECT_EQ(plan.savedBytes, 792);
}

TEST(DeferralPlan, PiecesAreDue) {
  Builder b;
  // Only pieces of x are used: half the price, whatever else is deferred.
  unsigned x = b.value(8, false, 4), y = b.value(3, true);
  b.op({x}, {y});
  DeferralPlan plan = planDeferral(b.graph);
  EXPECT_EQ(plan.isDeferred, Choice{true});
  EXPECT_EQ(plan.savedBytes, 1);
}

TEST(DeferralPlan, NoBetterChoiceExists) {
  RandomShardings random(11);
  for (int trial = 0; trial < 3000; ++trial) {
    Builder b;
    int64_t numOps = 1 + random.below(7);
    std::vector<unsigned> values;
    for (int64_t i = 1 + random.below(3); i > 0; --i)
      values.push_back(b.value(random.below(9), random.below(4) == 0));
    for (int64_t i = 0; i < numOps; ++i) {
      SmallVector<unsigned, 2> operands;
      for (int64_t n = 1 + random.below(2); n > 0; --n)
        operands.push_back(values[random.below(values.size())]);
      int64_t bytes = random.below(9);
      unsigned result = b.value(bytes, random.below(3) == 0,
                                random.below(3) ? 0 : random.below(bytes + 1));
      b.op(operands, {result}, random.below(2),
           random.below(3) ? 0 : random.below(7) - 3);
      values.push_back(result);
    }
    // Now and then a loop.
    if (random.below(3) == 0)
      b.graph.ops[0].operands.push_back(values.back());

    DeferralPlan plan = planDeferral(b.graph);
    std::optional<int64_t> bytes = deferralBytes(b.graph, plan.isDeferred);
    ASSERT_TRUE(bytes);
    int64_t before = *deferralBytes(b.graph, Choice(numOps));
    EXPECT_EQ(plan.savedBytes, before - *bytes);
    for (unsigned bits = 0; bits < 1u << numOps; ++bits) {
      Choice choice;
      for (int64_t i = 0; i < numOps; ++i)
        choice.push_back(bits >> i & 1);
      std::optional<int64_t> other = deferralBytes(b.graph, choice);
      if (!other)
        continue;
      ASSERT_GE(*other, *bytes);
      if (*other == *bytes) {
        ASSERT_LE(count(plan.isDeferred, true), count(choice, true));
      }
    }
  }
}
