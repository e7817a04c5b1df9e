//===- OpStrategyTest.cpp - Strategies of known ops -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/OpStrategy.h"

#include "Graphs.h"
#include "RandomShardings.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <map>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

using Priority = ShardingRule::Priority;

namespace {
/// Axis "a" is data of 2, "b" is model of 4.
class OpStrategyTest : public testing::Test {
protected:
  TensorInfo tensor(ArrayRef<int64_t> shape, StringRef sharding) {
    TensorInfo info;
    info.shape.assign(shape.begin(), shape.end());
    info.sharding = parse(mesh, sharding);
    info.sharding.dims.resize(shape.size());
    return info;
  }

  ShardingRule matmul(int64_t i, int64_t k, int64_t j) {
    ShardingRule rule = makeRule("ik,kj->ij", {{"i", i}, {"k", k}, {"j", j}},
                                 Priority::Contraction);
    rule.linear = {{0}, {1}};
    return rule;
  }

  /// `operand; operand -> result`.
  std::string choose(const ShardingRule &rule, ArrayRef<TensorInfo> operands,
                     const TensorInfo &result) {
    strategy = chooseStrategy(rule, operands, result, planner);
    std::string text;
    for (const Sharding &operand : strategy.operands)
      text += print(mesh, operand) +
              (&operand == &strategy.operands.back() ? " -> " : "; ");
    return text + print(mesh, strategy.results[0]);
  }

  Mesh mesh = makeMesh({2, 4});
  ReshardPlanner planner{mesh};
  OpStrategy strategy;
};
} // namespace

TEST_F(OpStrategyTest, ColumnParallel) {
  ShardingRule rule = matmul(8, 64, 256);
  EXPECT_EQ(choose(rule, {tensor({8, 64}, "a|"), tensor({64, 256}, "|b")},
                   tensor({8, 256}, "a|b")),
            "a|; |b -> a|b");
  EXPECT_EQ(strategy.bytes, 0);
  // A replicated result: the few rows are gathered, not the weight.
  EXPECT_EQ(choose(rule, {tensor({8, 64}, "|"), tensor({64, 256}, "|b")},
                   tensor({8, 256}, "|")),
            "|; |b -> |b");
  EXPECT_EQ(strategy.bytes, 8 * 192 * 4);
}

TEST_F(OpStrategyTest, RowParallel) {
  ShardingRule rule = matmul(8, 256, 64);
  EXPECT_EQ(choose(rule, {tensor({8, 256}, "a|b"), tensor({256, 64}, "b|")},
                   tensor({8, 64}, "a|")),
            "a|b; b| -> a| + b");
  EXPECT_EQ(strategy.bytes, 2 * 3 * (4 * 64 * 4) / 4);
  // Sequence parallel: the sum is scattered.
  EXPECT_EQ(choose(rule, {tensor({8, 256}, "|b"), tensor({256, 64}, "b|")},
                   tensor({8, 64}, "b|")),
            "|b; b| -> | + b");
  EXPECT_EQ(strategy.bytes, 3 * (2 * 64 * 4));
}

TEST_F(OpStrategyTest, OneOperandIsSlicedLikeTheOther) {
  // The activations are replicated: their slice is free.
  ShardingRule rule = matmul(8, 256, 64);
  EXPECT_EQ(choose(rule, {tensor({8, 256}, "|"), tensor({256, 64}, "b|")},
                   tensor({8, 64}, "|")),
            "|b; b| -> | + b");
}

TEST_F(OpStrategyTest, ReplicatedOpsDoLeastWork) {
  ShardingRule rule = matmul(8, 64, 64);
  EXPECT_EQ(choose(rule, {tensor({8, 64}, "|"), tensor({64, 64}, "|")},
                   tensor({8, 64}, "a|b")),
            "a|; |b -> a|b");
  EXPECT_EQ(strategy.bytes, 0);
}

TEST_F(OpStrategyTest, ConflictingOperands) {
  ShardingRule rule =
      makeRule("ij,ij->ij", {{"i", 64}, {"j", 64}}, Priority::Elementwise);
  EXPECT_EQ(choose(rule, {tensor({64, 64}, "b|"), tensor({64, 64}, "|b")},
                   tensor({64, 64}, "b|")),
            "b|; b| -> b|");
  EXPECT_EQ(strategy.bytes, 64 * 64 * 4 / 4 * 3 / 4);
  EXPECT_EQ(choose(rule, {tensor({64, 64}, "b|"), tensor({64, 64}, "|b")},
                   tensor({64, 64}, "|b")),
            "|b; |b -> |b");
}

TEST_F(OpStrategyTest, AnAxisOnce) {
  // Rows and columns both over "a": the smaller operand is moved.
  ShardingRule rule = matmul(512, 64, 64);
  EXPECT_EQ(choose(rule, {tensor({512, 64}, "a|"), tensor({64, 64}, "|a")},
                   tensor({512, 64}, "a|")),
            "a|; | -> a|");
}

TEST_F(OpStrategyTest, ReplicationIsRespected) {
  ShardingRule rule =
      makeRule("ij->ij", {{"i", 8}, {"j", 8}}, Priority::Elementwise, "j");
  EXPECT_EQ(choose(rule, {tensor({8, 8}, "a|b")}, tensor({8, 8}, "a|b")),
            "a| -> a|");
}

TEST_F(OpStrategyTest, SumsWaitWhereTheOpIsLinear) {
  ShardingRule add = makeRule("i,i->i", {{"i", 64}}, Priority::Elementwise);
  add.linear = {{0, 1}};
  TensorInfo sum = tensor({64}, " + b"), whole = tensor({64}, "");
  // Two sums are added first and reduced once.
  EXPECT_EQ(choose(add, {sum, sum}, whole), " + b;  + b ->  + b");
  EXPECT_EQ(strategy.bytes, 2 * 3 * 64 * 4 / 4);
  // One of them cannot wait.
  EXPECT_EQ(choose(add, {sum, whole}, whole), ";  -> ");
  ShardingRule exp = makeRule("i->i", {{"i", 64}}, Priority::Elementwise);
  EXPECT_EQ(choose(exp, {sum}, whole), " -> ");
  // Fewer elements are reduced after the op.
  ShardingRule rows =
      makeRule("ij->i", {{"i", 8}, {"j", 64}}, Priority::Contraction);
  rows.linear = {{0}};
  EXPECT_EQ(choose(rows, {tensor({8, 64}, "| + b")}, tensor({8}, "")),
            "| + b ->  + b");
  EXPECT_EQ(choose(rows, {tensor({8, 64}, "|a + b")}, tensor({8}, "")),
            "|a + b ->  + a,b");
  // Nothing but the sum is known of a scalar.
  ShardingRule scale = makeRule("i,->i", {{"i", 64}}, Priority::Elementwise);
  scale.operands[1].dims.clear();
  scale.linear = {{0}, {1}};
  EXPECT_EQ(choose(scale, {tensor({64}, ""), tensor({}, " + b")}, whole),
            ";  -> ");
}

TEST_F(OpStrategyTest, MaximaOfSumsDoNotWait) {
  ShardingRule rule =
      makeRule("ij->i", {{"i", 8}, {"j", 64}}, Priority::Elementwise);
  rule.factors[1].reduction = ReductionKind::Max;
  EXPECT_EQ(choose(rule, {tensor({8, 64}, "|a + b")}, tensor({8}, "")),
            "|a ->  + a");
  EXPECT_EQ(strategy.results[0].partial[0].kind, ReductionKind::Max);
}

TEST_F(OpStrategyTest, ReshapeThatCannotStayLocal) {
  ShardingRule rule =
      makeRule("ij->(ij)", {{"i", 4}, {"j", 8}}, Priority::Movement);
  EXPECT_EQ(choose(rule, {tensor({4, 8}, "b|")}, tensor({32}, "b")), "b| -> b");
  EXPECT_EQ(strategy.bytes, 0);
  // Columns are not contiguous in the result.
  EXPECT_EQ(choose(rule, {tensor({4, 8}, "|b")}, tensor({32}, "b")), "b| -> b");
  EXPECT_EQ(choose(rule, {tensor({4, 8}, "|b")}, tensor({32}, "")), "| -> ");
}

TEST_F(OpStrategyTest, ImpossibleTargetsGiveAStrategy) {
  ShardingRule rule = makeRule("i->i", {{"i", 64}}, Priority::Elementwise);
  EXPECT_EQ(choose(rule, {tensor({64}, "a")}, tensor({64}, " + b")), "a -> a");
}

/// Propagates and counts the collectives of all reshards.
static std::map<std::string, int> collectives(GraphBuilder &g) {
  g.run();
  std::map<std::string, int> counts;
  ReshardPlanner planner(g.mesh);
  auto info = [&](unsigned id) {
    const PropagationValue &value = g.graph.values[id];
    return TensorInfo{value.shape, value.elementBytes, *value.sharding};
  };
  auto add = [&](const TensorInfo &t, const Sharding &from,
                 const Sharding &to) {
    for (const ReshardStep &step :
         planner.plan(t.shape, t.elementBytes, from, to)->steps)
      ++counts[stringifyCollective(step.kind).str()];
  };
  for (const PropagationOp &op : g.graph.ops) {
    SmallVector<TensorInfo, 4> operands, results;
    for (unsigned id : op.operands)
      operands.push_back(info(id));
    for (unsigned id : op.results)
      results.push_back(info(id));
    OpStrategy strategy = chooseStrategy(op.rule, operands, results, planner);
    for (auto [t, needed] : zip_equal(operands, strategy.operands))
      add(t, t.sharding, needed);
    for (auto [t, made] : zip_equal(results, strategy.results))
      add(t, made, t.sharding);
  }
  return counts;
}

using Counts = std::map<std::string, int>;

TEST_F(OpStrategyTest, MLPHasOneAllReduce) {
  GraphBuilder g(mesh);
  g.value("x", {64, 512}, "a|");
  g.value("up", {512, 2048}, "|b");
  g.value("down", {2048, 512}, "b|");
  g.linear("x", "up", "h");
  g.elementwise({"h"}, "act");
  g.linear("act", "down", "y");
  EXPECT_EQ(collectives(g), (Counts{{"all_reduce", 1}}));
}

TEST_F(OpStrategyTest, ChainOfMLPsHasOneAllReduceEach) {
  GraphBuilder g(mesh);
  g.value("x0", {64, 512}, "a|");
  for (int i = 0; i < 4; ++i) {
    std::string n = std::to_string(i);
    g.value("up" + n, {512, 2048}, "|b");
    g.value("down" + n, {2048, 512}, "b|");
    g.linear("x" + n, "up" + n, "h" + n);
    g.elementwise({"h" + n}, "act" + n);
    g.linear("act" + n, "down" + n, "y" + n);
    g.elementwise({"x" + n, "y" + n}, "x" + std::to_string(i + 1));
  }
  EXPECT_EQ(collectives(g), (Counts{{"all_reduce", 4}}));
}

TEST_F(OpStrategyTest, SequenceParallelMLP) {
  GraphBuilder g(mesh);
  g.value("x", {8, 16, 512}, "a|b|");
  g.value("up", {512, 2048}, "|b");
  g.value("down", {2048, 512}, "b|");
  g.linear("x", "up", "h");
  g.elementwise({"h"}, "act");
  g.linear("act", "down", "y");
  g.elementwise({"x", "y"}, "out");
  g.get("out").sharding = parse(mesh, "a|b|");
  g.get("h").sharding = parse(mesh, "a||b");
  EXPECT_EQ(collectives(g), (Counts{{"all_gather", 1}, {"reduce_scatter", 1}}));
}

TEST_F(OpStrategyTest, WhatTheOpMovesItselfCounts) {
  // A reversal of 16 x 8 moves a block of 4 x 8 over b.
  ShardingRule rule =
      makeRule("ij->ij", {{"i", 16}, {"j", 8}}, Priority::Movement);
  rule.factors[0].kind = FactorKind::Collective;
  rule.transfers.push_back({0, 0, 0, false, [](ArrayRef<AxisRef> axes) {
                              return 16 / numShards(axes);
                            }});
  EXPECT_EQ(choose(rule, {tensor({16, 8}, "b|")}, tensor({16, 8}, "b|")),
            "b| -> b|");
  EXPECT_EQ(strategy.bytes, 4 * 8 * 4);
  // To get it whole costs as much before as after.
  EXPECT_EQ(choose(rule, {tensor({16, 8}, "b|")}, tensor({16, 8}, "|")),
            "| -> |");
  EXPECT_EQ(strategy.bytes, 12 * 8 * 4);
  // What all have is cut where it is wanted.
  EXPECT_EQ(choose(rule, {tensor({16, 8}, "|")}, tensor({16, 8}, "b|")),
            "b| -> b|");
  EXPECT_EQ(strategy.bytes, 0);
}
