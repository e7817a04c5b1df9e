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

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace cleave;
using graph::Evaluator;
using graph::Literal;

namespace {

using Ints = std::vector<int64_t>;
using Floats = std::vector<double>;

/// One manual computation of one input: shardings without their mesh, types as
/// text, and the body after its arguments, whose last value is %r.
struct Computation {
  const char *mesh;
  const char *in, *global, *local;
  const char *body;
  const char *out, *result, *localResult;
};

class EvaluateManualTest : public testing::Test {
protected:
  EvaluateManualTest() {
    context.loadDialect<graph::CleaveDialect, spmd::SpmdDialect,
                        func::FuncDialect>();
  }

  func::FuncOp parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module ? module->lookupSymbol<func::FuncOp>("f") : func::FuncOp();
  }

  func::FuncOp parse(const Computation &c) {
    return parse(llvm::formatv(
        R"(
spmd.mesh @m <{0}>
func.func @f(%x: {1}) -> {2} {{
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, {3}>]
      out [#spmd.sharding<@m, {4}>] : ({1}) -> {2} {{
  ^bb0(%a: {5}):
{6}
    spmd.return %r : {7}
  }
  return %0 : {2}
}
)",
        c.mesh, c.global, c.result, c.in, c.out, c.local, c.body,
        c.localResult));
  }

  Literal run(const Computation &c, Ints values) {
    func::FuncOp func = parse(c);
    Literal input(cast<RankedTensorType>(func.getArgumentTypes()[0]),
                  std::move(values));
    auto results = Evaluator().evaluate(func, input);
    EXPECT_TRUE(succeeded(results));
    return succeeded(results) ? results->front() : Literal();
  }
  Ints ints(const Computation &c, Ints values) {
    return run(c, std::move(values)).ints().vec();
  }

  std::string errorOf(func::FuncOp func, Ints values) {
    Literal input(cast<RankedTensorType>(func.getArgumentTypes()[0]),
                  std::move(values));
    std::string message;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
    EXPECT_TRUE(failed(Evaluator().evaluate(func, input)));
    return message;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

Ints upTo(int64_t n) {
  Ints values;
  for (int64_t i = 1; i <= n; ++i)
    values.push_back(i);
  return values;
}

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
// Collectives
//===----------------------------------------------------------------------===//

TEST_F(EvaluateManualTest, GathersFollowTheOrderOfAxes) {
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

TEST_F(EvaluateManualTest, GathersOverPartsOfAnAxis) {
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

TEST_F(EvaluateManualTest, GathersAndSlicesCutOffAtTheEnd) {
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

TEST_F(EvaluateManualTest, ReductionsWrapAndScatter) {
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

TEST_F(EvaluateManualTest, SumsOfBooleansAreOr) {
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

TEST_F(EvaluateManualTest, SumsOfHalfTypesAreRoundedOnce) {
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

TEST_F(EvaluateManualTest, AllToAllTransposesTheBlocks) {
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

TEST_F(EvaluateManualTest, PermutesLeaveZerosWhereNothingArrives) {
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

TEST_F(EvaluateManualTest, BroadcastsTakeWhatIsAtThePosition) {
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

TEST_F(EvaluateManualTest, ListedGroupsMayLeaveRanksOut) {
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

TEST_F(EvaluateManualTest, ListedGroupsMayDifferInSize) {
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

TEST_F(EvaluateManualTest, HalosComeFromWhoeverHasThem) {
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

TEST_F(EvaluateManualTest, HalosSkipEmptyBlocks) {
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

TEST_F(EvaluateManualTest, WindowsComeFromWhoeverHasThem) {
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

TEST_F(EvaluateManualTest, WithoutFillTheOutsideIsUnspecified) {
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
