//===- EvaluateCollectivesTest.cpp - Collectives on all ranks -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expected values are written out by hand, from docs/manifest.md.
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/tests/ManualComputationTest.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;
using graph::Evaluator;
using graph::Literal;

namespace {
class EvaluateCollectivesTest : public ManualComputationTest {};
} // namespace

TEST_F(EvaluateCollectivesTest, GathersFollowTheOrderOfAxes) {
  Computation c{R"("x"=2, "y"=2)",
                R"([{"x", "y"}])",
                "tensor<4xi32>",
                "tensor<1xi32>",
                R"(%r = spmd.all_gather %a dim 0 over @m ["y", "x"]
                     : tensor<1xi32> -> tensor<4xi32>)",
                "[{}]",
                "tensor<4xi32>",
                "tensor<4xi32>"};
  EXPECT_EQ(ints(c, upTo(4)), (Ints{1, 3, 2, 4}));
}

TEST_F(EvaluateCollectivesTest, GathersOverPartsOfAnAxis) {
  // Ranks 0, 1 and ranks 2, 3 gather among themselves.
  Computation c{R"("x"=4)",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>",
                R"(%r = spmd.all_gather %a dim 0 over @m ["x":(2)2]
                     : tensor<1xi32> -> tensor<2xi32>)",
                R"([{"x":(1)2}])",
                "tensor<4xi32>",
                "tensor<2xi32>"};
  EXPECT_EQ(ints(c, upTo(4)), upTo(4));
}

TEST_F(EvaluateCollectivesTest, GathersAndSlicesCutOffAtTheEnd) {
  Computation c{R"("x"=3)",
                R"([{"x"}])",
                "tensor<7xi32>",
                "tensor<3xi32>",
                R"(%g = spmd.all_gather %a dim 0 over @m ["x"]
                     : tensor<3xi32> -> tensor<7xi32>
                   %v = cleave.reverse %g, dims = [0] : tensor<7xi32>
                   %r = spmd.all_slice %v dim 0 over @m ["x"]
                     : tensor<7xi32> -> tensor<3xi32>)",
                R"([{"x"}])",
                "tensor<7xi32>",
                "tensor<3xi32>"};
  EXPECT_EQ(ints(c, upTo(7)), (Ints{7, 6, 5, 4, 3, 2, 1}));
}

TEST_F(EvaluateCollectivesTest, ReductionsWrapAndScatter) {
  Computation c{R"("x"=3)",
                "[{}]",
                "tensor<4xi8>",
                "tensor<4xi8>",
                R"(%r = spmd.reduce_scatter sum %a dim 0 over @m ["x"]
                     : tensor<4xi8> -> tensor<2xi8>)",
                R"([{"x"}])",
                "tensor<4xi8>",
                "tensor<2xi8>"};
  EXPECT_EQ(ints(c, {1, 100, -100, 50}), (Ints{3, 44, -44, -106}));
  c.global = c.local = c.result = "tensor<4xui8>";
  c.localResult = "tensor<2xui8>";
  c.body = R"(%i = spmd.axis_index @m ["x"] : tensor<i32>
              %u = cleave.convert %i : (tensor<i32>) -> tensor<ui8>
              %b = cleave.broadcast_in_dim %u, dims = [] : (tensor<ui8>) -> tensor<4xui8>
              %s = cleave.subtract %a, %b : tensor<4xui8>
              %r = spmd.reduce_scatter max %s dim 0 over @m ["x"]
                : tensor<4xui8> -> tensor<2xui8>)";
  // 0 - 1 is 255.
  EXPECT_EQ(ints(c, {0, 100, 200, 1}), (Ints{255, 100, 200, 255}));
}

TEST_F(EvaluateCollectivesTest, SumsOfBooleansAreOr) {
  Computation c{R"("x"=2)",
                R"([{"x"}])",
                "tensor<4xi1>",
                "tensor<2xi1>",
                R"(%r = spmd.all_reduce sum %a over @m ["x"] : tensor<2xi1>)",
                "[{}]",
                "tensor<2xi1>",
                "tensor<2xi1>"};
  EXPECT_EQ(ints(c, {1, 0, 1, 0}), (Ints{1, 0}));
}

TEST_F(EvaluateCollectivesTest, SumsOfHalfTypesAreRoundedOnce) {
  // In bf16 steps at 256 are of 2: rounding each sum would give 256.
  func::FuncOp func = parse(Computation{
      R"("x"=3)", R"([{"x"}])", "tensor<3xbf16>", "tensor<1xbf16>",
      R"(%r = spmd.all_reduce sum %a over @m ["x"] : tensor<1xbf16>)", "[{}]",
      "tensor<1xbf16>", "tensor<1xbf16>"});
  Literal input(cast<RankedTensorType>(func.getArgumentTypes()[0]),
                Floats{256, 1, 1});
  auto results = Evaluator(Evaluator::Mode::Rounded).evaluate(func, input);
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(results->front().floats().front(), 258);
}

TEST_F(EvaluateCollectivesTest, AllToAllTransposesTheBlocks) {
  // [[1 2 3] [4 5 6] [7 8 9]] by rows (2, 1), then by columns (2, 1).
  Computation c{R"("x"=2)",
                R"([{"x"}, {}])",
                "tensor<3x3xi32>",
                "tensor<2x3xi32>",
                R"(%r = spmd.all_to_all %a split 1 concat 0 over @m ["x"]
                     : tensor<2x3xi32> -> tensor<3x2xi32>)",
                R"([{}, {"x"}])",
                "tensor<3x3xi32>",
                "tensor<3x2xi32>"};
  EXPECT_EQ(ints(c, upTo(9)), upTo(9));
}

TEST_F(EvaluateCollectivesTest, PermutesLeaveZerosWhereNothingArrives) {
  Computation c{R"("x"=4)",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>",
                "%r = spmd.collective_permute %a over @m pairs [0, 1, 1, 0, 3, "
                "2] : tensor<1xi32>",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>"};
  EXPECT_EQ(ints(c, upTo(4)), (Ints{2, 1, 4, 0}));
}

TEST_F(EvaluateCollectivesTest, BroadcastsTakeWhatIsAtThePosition) {
  Computation c{
      R"("x"=2, "y"=2)",
      R"([{"x", "y"}])",
      "tensor<4xi32>",
      "tensor<1xi32>",
      R"(%r = spmd.broadcast %a from 1 over @m ["y"] : tensor<1xi32>)",
      R"([{"x", "y"}])",
      "tensor<4xi32>",
      "tensor<1xi32>"};
  EXPECT_EQ(ints(c, upTo(4)), (Ints{2, 2, 4, 4}));
}

TEST_F(EvaluateCollectivesTest, ListedGroupsMayLeaveRanksOut) {
  // Positions are as listed; rank 2 gets zeros.
  Computation c{R"("x"=4)",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>",
                R"(%r = spmd.all_gather %a dim 0 over @m groups [[3, 0]]
                     : tensor<1xi32> -> tensor<2xi32>)",
                R"([{"x"}])",
                "tensor<8xi32>",
                "tensor<2xi32>"};
  EXPECT_EQ(ints(c, upTo(4)), (Ints{4, 1, 0, 0, 0, 0, 4, 1}));
}

TEST_F(EvaluateCollectivesTest, ListedGroupsMayDifferInSize) {
  Computation c{R"("x"=4)",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>",
                R"(%r = spmd.all_reduce sum %a over @m groups [[1], [0, 3, 2]]
                     : tensor<1xi32>)",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>"};
  EXPECT_EQ(ints(c, upTo(4)), (Ints{8, 2, 8, 8}));
}

TEST_F(EvaluateCollectivesTest, HalosComeFromWhoeverHasThem) {
  // Blocks 1 2 3 | 4 5 6 | 7; windows of 5 on from one before each block.
  Computation c{
      R"("x"=3)",
      R"([{"x"}])",
      "tensor<7xi32>",
      "tensor<3xi32>",
      R"(%r = spmd.halo_exchange %a dim 0 size 7 low 1 high 1 over @m ["x"] fill -1 : i32
                     : tensor<3xi32> -> tensor<5xi32>)",
      R"([{"x"}])",
      "tensor<15xi32>",
      "tensor<5xi32>"};
  EXPECT_EQ(ints(c, upTo(7)),
            (Ints{-1, 1, 2, 3, 4, 3, 4, 5, 6, 7, 6, 7, -1, -1, -1}));
}

TEST_F(EvaluateCollectivesTest, HalosSkipEmptyBlocks) {
  // Blocks 1 2 | 3 4 | none, starting at 4 | 5 6 | 7 | none, starting at 8;
  // windows of 3 before and none of the block.
  Computation c{
      R"("x"=2, "y"=3)",
      R"([{"x", "y"}])",
      "tensor<7xi32>",
      "tensor<2xi32>",
      R"(%r = spmd.halo_exchange %a dim 0 size 7 low 3 high -2 over @m ["x", "y"] fill 0 : i32
                     : tensor<2xi32> -> tensor<3xi32>)",
      R"([{"x", "y"}])",
      "tensor<18xi32>",
      "tensor<3xi32>"};
  EXPECT_EQ(ints(c, upTo(7)),
            (Ints{0, 0, 0, 0, 1, 2, 2, 3, 4, 2, 3, 4, 4, 5, 6, 6, 7, 0}));
}

TEST_F(EvaluateCollectivesTest, WindowsComeFromWhoeverHasThem) {
  // Blocks 1 2 3 | 4 5 6 | 7; windows 6 7 | 4 | 1 2 3 from the second place on.
  Computation c{
      R"("x"=3)",
      R"([{"x"}])",
      "tensor<7xi8>",
      "tensor<3xi8>",
      R"(%r = spmd.window_exchange %a dim 0 blocks [0, 3, 0, 3, 3, 0, 6, 1, 0]
                     windows [5, 3, 1, 3, 1, 1, 0, 3, 1] over @m ["x"] : tensor<3xi8> -> tensor<4xi8>)",
      R"([{"x"}])",
      "tensor<12xi8>",
      "tensor<4xi8>"};
  EXPECT_EQ(ints(c, upTo(7)),
            (Ints{0x5a, 6, 7, 0x5a, 0x5a, 4, 0x5a, 0x5a, 0x5a, 1, 2, 3}));
}

TEST_F(EvaluateCollectivesTest, WithoutFillTheOutsideIsUnspecified) {
  Computation c{
      R"("x"=2)",
      R"([{"x"}, {}])",
      "tensor<3x2xi8>",
      "tensor<2x2xi8>",
      R"(%r = spmd.halo_exchange %a dim 0 size 3 low 0 high 1 over @m ["x"]
                     : tensor<2x2xi8> -> tensor<3x2xi8>)",
      R"([{"x"}, {}])",
      "tensor<6x2xi8>",
      "tensor<3x2xi8>"};
  EXPECT_EQ(ints(c, upTo(6)),
            (Ints{1, 2, 3, 4, 5, 6, 5, 6, 0x5a, 0x5a, 0x5a, 0x5a}));
}
