//===- PropagationTest.cpp - Shardings that spread ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"
#include "RandomShardings.h"
#include "llvm/ADT/STLExtras.h"
#include <chrono>
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

using Priority = ShardingRule::Priority;

namespace {
/// Axis "a" is data, "b" is model.
class PropagationTest : public testing::Test {
protected:
  Mesh mesh = makeMesh({2, 4});
  GraphBuilder g{mesh};
};
} // namespace

TEST_F(PropagationTest, MegatronMLP) {
  g.value("x", {8, 16, 32}, "a||");
  g.value("w1", {32, 128}, "|b");
  g.value("w2", {128, 32}, "b|");
  g.linear("x", "w1", "h");
  g.elementwise({"h"}, "act");
  g.linear("act", "w2", "y");
  PropagationStatistics statistics = g.run();
  EXPECT_EQ(g.sharding("h"), "a||b");
  EXPECT_EQ(g.sharding("act"), "a||b");
  // The contracted axis is not placed in the result.
  EXPECT_EQ(g.sharding("y"), "a||");
  EXPECT_EQ(statistics.conflicts, 0u);
  for (const PropagationValue &value : g.graph.values)
    for (const DimSharding &dim : value.sharding->dims)
      EXPECT_FALSE(dim.open);
}

TEST_F(PropagationTest, OneWeightImpliesTheOther) {
  // Only the first weight is annotated: the second becomes row-parallel.
  g.value("x", {8, 16, 32});
  g.value("w1", {32, 128}, "|b");
  g.value("w2", {128, 32});
  g.linear("x", "w1", "h");
  g.elementwise({"h"}, "act");
  g.linear("act", "w2", "y");
  g.run();
  EXPECT_EQ(g.sharding("w2"), "b|");
  EXPECT_EQ(g.sharding("x"), "||");
  EXPECT_EQ(g.sharding("y"), "||");
}

TEST_F(PropagationTest, MegatronAttention) {
  g.value("x", {8, 16, 32}, "a||");
  for (StringRef w : {"wq", "wk", "wv"})
    g.value(w, {32, 32}, "|b");
  g.value("wo", {32, 32}, "b|");
  auto heads = [&](StringRef weight, StringRef flat, StringRef name) {
    g.linear("x", weight, flat);
    g.op("bs(hd)->bshd", {flat}, name, {8, 16, 4, 8}, Priority::Movement);
  };
  heads("wq", "q0", "q");
  heads("wk", "k0", "k");
  heads("wv", "v0", "v");
  g.op("bshd,bthd->bhst", {"q", "k"}, "scores", {8, 4, 16, 16},
       Priority::Contraction);
  g.op("bhst->bhst", {"scores"}, "p", {8, 4, 16, 16}, Priority::Elementwise,
       "t");
  g.op("bhst,bthd->bshd", {"p", "v"}, "o", {8, 16, 4, 8},
       Priority::Contraction);
  g.op("bshd->bs(hd)", {"o"}, "o1", {8, 16, 32}, Priority::Movement);
  g.linear("o1", "wo", "y");
  PropagationStatistics statistics = g.run();
  EXPECT_EQ(g.sharding("q"), "a||b|");
  EXPECT_EQ(g.sharding("scores"), "a|b||");
  EXPECT_EQ(g.sharding("p"), "a|b||");
  EXPECT_EQ(g.sharding("o"), "a||b|");
  EXPECT_EQ(g.sharding("o1"), "a||b");
  EXPECT_EQ(g.sharding("y"), "a||");
  EXPECT_EQ(statistics.conflicts, 0u);
}

TEST_F(PropagationTest, ReplicationStopsHere) {
  g.value("x", {8, 16}, "|b");
  g.op("ij->ij", {"x"}, "y", {8, 16}, Priority::Elementwise, "j");
  g.run();
  EXPECT_EQ(g.sharding("y"), "|");
}

TEST_F(PropagationTest, ClosedDimensionsStay) {
  g.value("x", {8, 16}, "a|b");
  g.value("y", {8, 16}, "|?");
  g.elementwise({"x"}, "y");
  g.run();
  EXPECT_EQ(g.sharding("y"), "|b");
}

TEST_F(PropagationTest, BarriersLetThroughWhatTheySay) {
  // x -> [forward] -> y, y -> [backward] -> z, z -> [none] -> w.
  for (auto [annotated, expected] :
       {std::pair("x", "a,a,-,-"), std::pair("y", "-,a,-,-"),
        std::pair("z", "-,a,a,-"), std::pair("w", "-,-,-,a")}) {
    GraphBuilder g{mesh};
    for (StringRef name : {"x", "y", "z", "w"})
      g.value(name, {8}, name == annotated ? "a" : "none");
    auto add = [&](StringRef from, StringRef to, bool back, bool forth) {
      g.elementwise({from}, to);
      g.graph.ops.back().reachesOperands = back;
      g.graph.ops.back().reachesResults = forth;
    };
    add("x", "y", false, true);
    add("y", "z", true, false);
    add("z", "w", false, false);
    g.run();
    std::string found;
    for (StringRef name : {"x", "y", "z", "w"})
      found += (found.empty() ? "" : ",") +
               (g.sharding(name).empty() ? "-" : g.sharding(name));
    EXPECT_EQ(found, expected) << annotated;
  }
}

TEST_F(PropagationTest, PrefixesAreExtended) {
  g.value("x", {8, 16}, "a|");
  g.value("y", {8, 16}, "a,b|");
  g.value("w", {8, 16}, "a,?|?");
  g.elementwise({"x", "y"}, "z");
  g.elementwise({"z"}, "w");
  PropagationStatistics statistics = g.run();
  EXPECT_EQ(g.sharding("z"), "a,b|");
  EXPECT_EQ(g.sharding("w"), "a,b|");
  EXPECT_EQ(g.sharding("x"), "a|");
  EXPECT_EQ(statistics.conflicts, 0u);
}

TEST_F(PropagationTest, SubAxisPrefixesAreExtended) {
  g.value("x", {8, 16}, "b(1)2,?|");
  g.value("y", {8, 16}, "b|");
  g.elementwise({"x", "y"}, "z");
  EXPECT_EQ(g.run().conflicts, 0u);
  EXPECT_EQ(g.sharding("z"), "b|");
  EXPECT_EQ(g.sharding("x"), "b|");
  // Of 7 rows the blocks of "b" are no parts of those of its half.
  GraphBuilder odd(mesh);
  odd.value("x", {7, 16}, "b(1)2,?|");
  odd.value("y", {7, 16}, "b|");
  odd.elementwise({"x", "y"}, "z");
  EXPECT_EQ(odd.run().conflicts, 1u);
  EXPECT_EQ(odd.sharding("x"), "b(1)2|");
}

TEST_F(PropagationTest, ConflictsGoToTheCostlier) {
  g.value("small", {8, 1}, "a|");
  g.value("large", {8, 64}, "b|");
  g.op("i1,ij->ij", {"small", "large"}, "y", {8, 64}, Priority::Elementwise);
  PropagationStatistics statistics = g.run();
  EXPECT_EQ(g.sharding("y"), "b|");
  EXPECT_EQ(statistics.conflicts, 1u);
}

TEST_F(PropagationTest, AnAxisOncePerIterationSpace) {
  // Data-parallel activations and a weight that is sharded over data too.
  g.value("x", {512, 64}, "a|");
  g.value("w", {64, 64}, "|a");
  g.linear("x", "w", "y");
  PropagationStatistics statistics = g.run();
  EXPECT_EQ(g.sharding("y"), "a|");
  EXPECT_EQ(statistics.conflicts, 1u);
  // With few rows it is cheaper to move the activations.
  GraphBuilder few(mesh);
  few.value("x", {2, 64}, "a|");
  few.value("w", {64, 64}, "|a");
  few.linear("x", "w", "y");
  few.run();
  EXPECT_EQ(few.sharding("y"), "|a");
}

TEST_F(PropagationTest, ContractedAxisIsNotReused) {
  g.value("x", {8, 64}, "?|b");
  g.value("w", {64, 32}, "b|?");
  g.value("r", {8, 32}, "?|b");
  g.linear("x", "w", "y");
  g.elementwise({"y", "r"}, "z");
  g.run();
  // z may be sharded as r is, x and w contract over "b".
  EXPECT_EQ(g.sharding("w"), "b|");
  EXPECT_EQ(g.sharding("x"), "|b");
  EXPECT_EQ(g.sharding("z"), "|b");
}

TEST_F(PropagationTest, PartialAxesAreUsed) {
  g.value("x", {8, 16}, "a|");
  g.value("y", {8, 16}, "?|? + a");
  g.elementwise({"x"}, "y");
  g.run();
  EXPECT_EQ(g.sharding("y"), "| + a");
}

TEST_F(PropagationTest, PrioritiesGoFirst) {
  // "w" would win by bytes.
  g.value("x", {8, 64}, "ap0|");
  g.value("w", {64, 64}, "|ap1");
  g.linear("x", "w", "y");
  g.run();
  EXPECT_EQ(g.sharding("y"), "a|");
  GraphBuilder other(mesh);
  other.value("x", {8, 64}, "ap1|");
  other.value("w", {64, 64}, "|ap0");
  other.linear("x", "w", "y");
  other.run();
  EXPECT_EQ(other.sharding("y"), "|a");
  // None is last.
  GraphBuilder none(mesh);
  none.value("x", {8, 64}, "ap7|");
  none.value("w", {64, 64}, "|a");
  none.linear("x", "w", "y");
  none.run();
  EXPECT_EQ(none.sharding("y"), "a|");
}

TEST_F(PropagationTest, ElementwiseBeforeContraction) {
  // Both could reach h; the elementwise op is asked first.
  g.value("x", {8, 64}, "|");
  g.value("w", {64, 32}, "|b");
  g.value("r", {8, 32}, "b|");
  g.linear("x", "w", "h");
  g.elementwise({"h", "r"}, "y");
  g.run();
  EXPECT_EQ(g.sharding("h"), "b|");
  EXPECT_EQ(g.sharding("y"), "b|");
}

TEST_F(PropagationTest, ReshapeSplitsAnAxis) {
  Mesh large = makeMesh({8});
  GraphBuilder r(large);
  r.value("x", {16}, "a");
  r.op("(ij)->ij", {"x"}, "y", {4, 4}, Priority::Movement);
  r.run();
  EXPECT_EQ(r.sharding("y"), "a(1)4|a(4)2");
  EXPECT_EQ(r.get("y").origins.size(), 2u);
  EXPECT_EQ(r.get("y").origins[1].annotation, 100u);
}

TEST_F(PropagationTest, OriginsNameAnnotationAndOp) {
  g.value("x", {8, 16, 32}, "a||");
  g.value("w1", {32, 128}, "|b");
  unsigned linear = g.linear("x", "w1", "h");
  unsigned gelu = g.elementwise({"h"}, "act");
  g.run();
  const PropagationValue &h = g.get("h"), &act = g.get("act");
  ASSERT_EQ(h.origins.size(), 2u);
  EXPECT_EQ(h.origins[0].annotation, 100u);
  EXPECT_EQ(h.origins[0].dim, 0u);
  EXPECT_EQ(h.origins[0].via, linear);
  EXPECT_EQ(h.origins[1].annotation, 101u);
  EXPECT_EQ(h.origins[1].dim, 2u);
  ASSERT_EQ(act.origins.size(), 2u);
  EXPECT_EQ(act.origins[1].annotation, 101u);
  EXPECT_EQ(act.origins[1].via, gelu);
  ASSERT_EQ(g.get("x").origins.size(), 1u);
  EXPECT_FALSE(g.get("x").origins[0].via.has_value());
}

TEST_F(PropagationTest, SmallDimensionsFollowTheirAnnotation) {
  g.value("x", {3, 16}, "b|");
  g.elementwise({"x"}, "y");
  // 3 rows of 16 are not cut by 4 at row boundaries.
  g.op("ij->(ij)", {"y"}, "z", {48}, Priority::Movement);
  g.run();
  EXPECT_EQ(g.sharding("y"), "b|");
  EXPECT_EQ(g.sharding("z"), "");
}

/// After propagation of anything, no value uses an axis twice, annotations
/// are kept, and each axis has an origin.
TEST_F(PropagationTest, RandomGraphsStayValid) {
  RandomShardings random(11);
  for (int i = 0; i < 300; ++i) {
    Mesh m = random.mesh({2, 3, 4}, 3, 24);
    GraphBuilder r(m);
    std::vector<std::string> names;
    std::vector<Sharding> given;
    for (int n = 0; n < 4; ++n) {
      names.push_back("v" + std::to_string(n));
      r.value(names.back(), {8, 8});
      if (random.below(3) != 0)
        r.get(names.back()).sharding = random.sharding(m, 2, 40);
    }
    for (int n = 4; n < 24; ++n) {
      StringRef a = names[random.below(n)], b = names[random.below(n)];
      std::string out = "v" + std::to_string(n);
      if (random.below(2) != 0)
        r.elementwise({a, b}, out);
      else
        r.linear(a, b, out);
      names.push_back(out);
      if (random.below(6) == 0) {
        r.get(out).sharding = random.sharding(m, 2, 40);
        for (DimSharding &dim : r.get(out).sharding->dims)
          dim.open = random.below(2);
      }
    }
    std::vector<PropagationValue> before = r.graph.values;
    r.run();
    for (auto [was, is] : zip_equal(before, r.graph.values)) {
      ASSERT_TRUE(is.sharding.has_value());
      AxisList all;
      for (unsigned d = 0; d < 2; ++d) {
        ArrayRef<AxisRef> axes = is.sharding->dims[d].axes;
        for (const AxisRef &axis : axes) {
          ASSERT_FALSE(overlapsAny(axis, all)) << is.sharding->str(m);
          all.push_back(axis);
        }
        if (!was.sharding)
          continue;
        const DimSharding &dim = was.sharding->dims[d];
        ASSERT_LE(numShards(dim.axes), numShards(axes));
        if (!dim.open) {
          ASSERT_EQ(ArrayRef<AxisRef>(dim.axes), axes);
        }
      }
      ASSERT_EQ(is.origins.size(), all.size());
    }
  }
}

TEST_F(PropagationTest, OuterAxesStayInFront) {
  // Blocks of 5 elements over a are values of their own, which b cuts unevenly.
  auto border = [&](unsigned outer, unsigned inner) {
    PropagationOp op;
    TensorFactors factors;
    factors.dims = {{op.rule.addFactor(5)}, {op.rule.addFactor(8)}};
    op.rule.operands = {factors};
    op.rule.results = {factors};
    op.operands = {outer};
    op.results = {inner};
    op.outerAxes = {{mesh.whole(0)}, {}};
    g.graph.ops.push_back(op);
  };
  g.value("other", {5, 8}, "b|");
  border(g.value("outer", {10, 8}, "a,?|?"), g.value("inner", {5, 8}));
  g.elementwise({"other", "inner"}, "sum");
  // The other way around, and one that is cut otherwise.
  border(g.value("cut", {10, 8}, "a,b|"), g.value("part", {5, 8}));
  border(g.value("elsewhere", {10, 8}, "b|?"), g.value("apart", {5, 8}));
  g.run();
  EXPECT_EQ(g.sharding("outer"), "a,b|");
  EXPECT_EQ(g.sharding("inner"), "b|");
  EXPECT_EQ(g.sharding("part"), "b|");
  EXPECT_EQ(g.sharding("apart"), "|");
}

TEST_F(PropagationTest, TenThousandOps) {
  Mesh huge = makeMesh({64, 64});
  GraphBuilder r(huge);
  r.value("x0", {512, 512}, "a|");
  for (int i = 0; i < 2500; ++i) {
    std::string n = std::to_string(i), next = "x" + std::to_string(i + 1);
    r.value("u" + n, {512, 2048}, "|b");
    r.value("d" + n, {2048, 512}, "b|");
    r.linear("x" + n, "u" + n, "h" + n);
    r.elementwise({"h" + n}, "g" + n);
    r.linear("g" + n, "d" + n, "y" + n);
    r.elementwise({"x" + n, "y" + n}, next);
  }
  auto start = std::chrono::steady_clock::now();
  PropagationStatistics statistics = r.run();
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - start;
  EXPECT_EQ(r.sharding("x2500"), "a|");
  EXPECT_EQ(r.sharding("g2499"), "a|b");
  // Linear: few visits per op. The time is generous, for loaded machines.
  EXPECT_LT(statistics.opVisits, 40000u);
  EXPECT_LT(seconds.count(), 2.0);
  RecordProperty("milliseconds", static_cast<int>(seconds.count() * 1000));
  RecordProperty("visits", static_cast<int>(statistics.opVisits));
}
