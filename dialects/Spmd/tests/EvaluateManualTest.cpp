//===- EvaluateManualTest.cpp - Manual computations on all ranks ----------===//
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
class EvaluateManualTest : public ManualComputationTest {};
} // namespace

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

TEST_F(EvaluateManualTest, UnevenBlocksAreCutAndPutTogether) {
  Computation c{R"("x"=3)",
                R"([{"x"}])",
                "tensor<7xi32>",
                "tensor<3xi32>",
                "%r = cleave.negate %a : tensor<3xi32>",
                R"([{"x"}])",
                "tensor<7xi32>",
                "tensor<3xi32>"};
  EXPECT_EQ(ints(c, upTo(7)), (Ints{-1, -2, -3, -4, -5, -6, -7}));
}

TEST_F(EvaluateManualTest, NestedAndEmptyBlocksAreCutAndPutTogether) {
  // Blocks of 4 and 3, cut into 2, 2, 0 and 2, 1, 0.
  Computation c{R"("x"=2, "y"=3)",
                R"([{"x", "y"}])",
                "tensor<7xi32>",
                "tensor<2xi32>",
                "%i = spmd.axis_index @m [\"x\", \"y\"] : tensor<i32>\n"
                "%r = cleave.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> "
                "tensor<2xi32>",
                R"([{"x", "y"}])",
                "tensor<7xi32>",
                "tensor<2xi32>"};
  EXPECT_EQ(ints(c, upTo(7)), (Ints{0, 0, 1, 1, 3, 3, 4}));
}

TEST_F(EvaluateManualTest, PaddingIsUnspecified) {
  // The third rank sees 7 and padding, which is 0x5a in all bytes.
  Computation c{R"("x"=3)",
                R"([{"x"}])",
                "tensor<7xi8>",
                "tensor<3xi8>",
                R"(%r = spmd.all_gather %a dim 0 over @m ["x"]
                     : tensor<3xi8> -> tensor<9xi8>)",
                "[{}]",
                "tensor<9xi8>",
                "tensor<9xi8>"};
  EXPECT_EQ(ints(c, upTo(7)), (Ints{1, 2, 3, 4, 5, 6, 7, 0x5a, 0x5a}));
}

TEST_F(EvaluateManualTest, MasksReplacePadding) {
  Computation c{
      R"("x"=3)",
      R"([{"x"}])",
      "tensor<7xi8>",
      "tensor<3xi8>",
      R"(%m = spmd.mask_padding max %a dim 0 size 7 over @m ["x"] : tensor<3xi8>
                   %r = spmd.all_gather %m dim 0 over @m ["x"]
                     : tensor<3xi8> -> tensor<9xi8>)",
      "[{}]",
      "tensor<9xi8>",
      "tensor<9xi8>"};
  EXPECT_EQ(ints(c, upTo(7)), (Ints{1, 2, 3, 4, 5, 6, 7, -128, -128}));
}

TEST_F(EvaluateManualTest, PartialInputsAreTermsAndPartialResultsAreReduced) {
  // Every rank adds 1 to its term, and there are 2 * 3 of them.
  Computation c{R"("x"=2, "y"=3)",
                R"([{}], partial = [sum "x", sum "y"])",
                "tensor<2xi32>",
                "tensor<2xi32>",
                "%one = cleave.constant dense<1> : tensor<2xi32>\n"
                "%r = cleave.add %a, %one : tensor<2xi32>",
                R"([{}], partial = [sum "y", sum "x"])",
                "tensor<2xi32>",
                "tensor<2xi32>"};
  EXPECT_EQ(ints(c, {10, 20}), (Ints{16, 26}));
}

TEST_F(EvaluateManualTest, ReductionsOfPartialValuesMayDiffer) {
  Computation c{R"("x"=2, "y"=3)",
                R"([{}], partial = [max "x", sum "y"])",
                "tensor<2xi32>",
                "tensor<2xi32>",
                R"(%s = spmd.all_reduce sum %a over @m ["y"] : tensor<2xi32>
                   %r = spmd.all_reduce max %s over @m ["x"] : tensor<2xi32>)",
                "[{}]",
                "tensor<2xi32>",
                "tensor<2xi32>"};
  EXPECT_EQ(ints(c, {-10, 20}), (Ints{-10, 20}));
}

TEST_F(EvaluateManualTest, ReplicasMustAgree) {
  func::FuncOp func = parse(Computation{
      R"("x"=2, "y"=2)", R"([{"x"}, {}])", "tensor<2x2xi32>", "tensor<1x2xi32>",
      "%i = spmd.axis_index @m [\"y\"] : tensor<i32>\n"
      "%b = cleave.broadcast_in_dim %i, dims = [] : (tensor<i32>) -> "
      "tensor<1x2xi32>\n"
      "%r = cleave.add %a, %b : tensor<1x2xi32>",
      R"([{"x"}, {}])", "tensor<2x2xi32>", "tensor<1x2xi32>"});
  EXPECT_EQ(errorOf(func, upTo(4)),
            "result 0 is #spmd.sharding<@m, [{\"x\"}, {}]>, but ranks 0 and 1, "
            "which should have the same block, differ: element [0, 0] is 1 on "
            "one and 2 on the other");
}

TEST_F(EvaluateManualTest, WithoutInputsOrResultsNothingHappens) {
  func::FuncOp func = parse(R"(
    func.func @f(%x: tensor<i32>) -> tensor<i32> {
      spmd.manual_computation() in [] out [] : () -> () {
        spmd.return
      }
      return %x : tensor<i32>
    })");
  Literal input(cast<RankedTensorType>(func.getArgumentTypes()[0]), Ints{3});
  auto results = Evaluator().evaluate(func, input);
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(results->front().ints().front(), 3);
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

/// Rank (x, y) adds 1 as often as `%i` says, and then what `inner` adds.
static std::string countingLoop(const char *axis, const char *inner) {
  return llvm::formatv(R"(
spmd.mesh @m <"x"=2, "y"=2>
func.func private @bump(%v: tensor<1xi32>) -> tensor<1xi32> {{
  %one = cleave.constant dense<1> : tensor<1xi32>
  %w = cleave.add %v, %one : tensor<1xi32>
  return %w : tensor<1xi32>
}
func.func @f(%x: tensor<4xi32>) -> tensor<4xi32> {{
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{{"x", "y"}]>]
      out [#spmd.sharding<@m, [{{"x", "y"}]>] : (tensor<4xi32>) -> tensor<4xi32> {{
  ^bb0(%a: tensor<1xi32>):
    %i = spmd.axis_index @m ["{0}"] : tensor<i32>
    %zero = cleave.constant dense<0> : tensor<i32>
    %step = cleave.constant dense<1> : tensor<i32>
    %n, %r = cleave.while(%k = %zero, %v = %a) : tensor<i32>, tensor<1xi32>
     cond {{
      %more = cleave.compare LT, %k, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
      cleave.return %more : tensor<i1>
    } do {{
      %next = cleave.add %k, %step : tensor<i32>
      %w = func.call @bump(%v) : (tensor<1xi32>) -> tensor<1xi32>
      {1}
      cleave.return %next, %u : tensor<i32>, tensor<1xi32>
    }
    spmd.return %r : tensor<1xi32>
  }
  return %0 : tensor<4xi32>
}
)",
                       axis, inner)
      .str();
}

TEST_F(EvaluateManualTest, LoopsMayDifferWithoutCollectives) {
  func::FuncOp func =
      parse(countingLoop("y", "%u = cleave.add %w, %w : tensor<1xi32>"));
  Literal input(cast<RankedTensorType>(func.getArgumentTypes()[0]), upTo(4));
  auto results = Evaluator().evaluate(func, input);
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(results->front().ints().vec(), (Ints{1, 6, 3, 10}));
}

TEST_F(EvaluateManualTest, LoopsMayDifferBetweenGroupsOfTheirCollectives) {
  // Ranks with x = 1 run once and sum over y.
  func::FuncOp func = parse(countingLoop(
      "x", R"(%u = spmd.all_reduce sum %w over @m ["y"] : tensor<1xi32>)"));
  Literal input(cast<RankedTensorType>(func.getArgumentTypes()[0]), upTo(4));
  auto results = Evaluator().evaluate(func, input);
  ASSERT_TRUE(succeeded(results));
  EXPECT_EQ(results->front().ints().vec(), (Ints{1, 2, 9, 9}));
}

TEST_F(EvaluateManualTest, CollectivesNeedTheirWholeGroup) {
  func::FuncOp func = parse(countingLoop(
      "y", R"(%u = spmd.all_reduce sum %w over @m ["y"] : tensor<1xi32>)"));
  EXPECT_EQ(errorOf(func, upTo(4)),
            "rank 1 executes it, but rank 0 of the same group does not: the "
            "condition of a loop or branch around it differs between them");
  func = parse(countingLoop(
      "y",
      "%u = spmd.collective_permute %w over @m pairs [1, 0] : tensor<1xi32>"));
  EXPECT_EQ(errorOf(func, upTo(4)),
            "rank 1 executes it, but rank 0 of the same group does not: the "
            "condition of a loop or branch around it differs between them");
}

TEST_F(EvaluateManualTest, BranchesMayDifferBetweenRanks) {
  Computation c{R"("x"=4)",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>",
                R"(%three = cleave.constant dense<3> : tensor<1xi32>
                   %small = cleave.compare LT, %a, %three : (tensor<1xi32>, tensor<1xi32>) -> tensor<1xi1>
                   %p = cleave.reshape %small : (tensor<1xi1>) -> tensor<i1>
                   %r = cleave.if %p : (tensor<i1>) -> tensor<1xi32> then {
                     %n = cleave.negate %a : tensor<1xi32>
                     cleave.return %n : tensor<1xi32>
                   } else {
                     %n = cleave.multiply %a, %a : tensor<1xi32>
                     cleave.return %n : tensor<1xi32>
                   })",
                R"([{"x"}])",
                "tensor<4xi32>",
                "tensor<1xi32>"};
  EXPECT_EQ(ints(c, upTo(4)), (Ints{-1, -2, 9, 16}));
}

TEST_F(EvaluateManualTest, EndlessLoopsAndRecursionAreErrors) {
  func::FuncOp func = parse(R"(
spmd.mesh @m <"x"=2>
func.func private @g(%v: tensor<1xi32>) -> tensor<1xi32> {
  %w = func.call @g(%v) : (tensor<1xi32>) -> tensor<1xi32>
  return %w : tensor<1xi32>
}
func.func @f(%x: tensor<2xi32>) -> tensor<2xi32> {
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, [{"x"}]>]
      out [#spmd.sharding<@m, [{"x"}]>] : (tensor<2xi32>) -> tensor<2xi32> {
  ^bb0(%a: tensor<1xi32>):
    %r = func.call @g(%a) : (tensor<1xi32>) -> tensor<1xi32>
    spmd.return %r : tensor<1xi32>
  }
  return %0 : tensor<2xi32>
})");
  EXPECT_EQ(errorOf(func, upTo(2)),
            "calls nest more than 200 deep; recursion cannot be evaluated");
}
