//===- LocalWindowsTest.cpp - Windowed ops on simulated ranks -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Graph/tests/SimulationTest.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class LocalWindowsTest : public SimulationTest {
protected:
  LocalWindowsTest() : SimulationTest(/*seed=*/11) {
    context.allowUnregisteredDialects();
  }

  Literal randomLiteral(RankedTensorType type) {
    Literal literal(type);
    if (literal.isFloat()) {
      std::normal_distribution<double> distribution;
      for (double &value : literal.mutableFloats())
        value = roundToType(distribution(engine), literal.elementType());
    } else {
      for (int64_t &value : literal.mutableInts())
        value = wrapToType(range(-3, 15), literal.elementType());
    }
    return literal;
  }

  Simulation run(func::FuncOp func, const FactorShardings &factors) {
    std::vector<Literal> args;
    for (Type type : func.getArgumentTypes())
      args.push_back(randomLiteral(cast<RankedTensorType>(type)));
    return simulate(func, mesh, factors, args, Evaluator::Mode::Exact);
  }

  /// An initial value: a constant, or an argument.
  Value init(ValueRange args, RankedTensorType type, bool isConstant) {
    if (!isConstant)
      return args[1];
    return splat(builder, loc, withShape(type, {}), 0.25);
  }

  func::FuncOp reduceWindow(RankedTensorType type, ArrayRef<WindowDim> windows,
                            ReductionKind kind, bool hasConstant) {
    return function({type, withShape(type, {})}, [&](ValueRange args) -> Value {
      return ReduceWindowOp::create(builder, loc, args[0],
                                    init(args, type, hasConstant), windows,
                                    kind)
          .getResult(0);
    });
  }
  func::FuncOp scan(RankedTensorType type, int64_t dim, bool isReverse,
                    ReductionKind kind) {
    SmallVector<WindowDim> windows;
    for (int64_t size : type.getShape()) {
      windows.emplace_back();
      windows.back().size = size;
    }
    windows[dim].window = windows[dim].size;
    (isReverse ? windows[dim].high : windows[dim].low) = windows[dim].size - 1;
    return function({type}, [&](ValueRange args) -> Value {
      Value neutral = neutralScalar(builder, loc, type.getElementType(), kind);
      return ReduceWindowOp::create(builder, loc, args[0], neutral, windows,
                                    kind)
          .getResult(0);
    });
  }

  struct Groups {
    int64_t features = 1, batch = 1;
  };
  /// lhs [batch, spatial.., feature], kernel [spatial.., input, output].
  func::FuncOp convolution(int64_t batch, int64_t features, int64_t outputs,
                           ArrayRef<WindowDim> windows, Groups groups) {
    SmallVector<int64_t> lhs = {batch}, rhs, result = {batch / groups.batch};
    SmallVector<bool> reversal;
    for (const WindowDim &window : windows) {
      lhs.push_back(window.size);
      rhs.push_back(window.window);
      result.push_back(*window.count());
      reversal.push_back(window.isReversed);
    }
    lhs.push_back(features);
    rhs.append({features / groups.features, outputs});
    result.push_back(outputs);
    int64_t rank = lhs.size(), spatial = windows.size();
    SmallVector<int64_t> ones(spatial, 1), zeros(2 * spatial, 0);
    SmallVector<int64_t> kernelDims = dimRange(spatial), dims;
    for (int64_t dim : kernelDims)
      dims.push_back(dim + 1);
    return function({f32(lhs), f32(rhs)}, [&](ValueRange args) -> Value {
      auto op = ConvolutionOp::create(
          builder, loc, f32(result), args[0], args[1], ones, zeros, ones, ones,
          reversal, 0, rank - 1, dims, rank - 2, rank - 1, kernelDims, 0,
          rank - 1, dims, groups.features, groups.batch);
      op.setWindows(windows);
      return op;
    });
  }

  WindowDim randomWindow(bool mayReverse) {
    WindowDim window;
    window.size = range(2, 13);
    window.window = range(1, range(0, 3) ? 3 : 8);
    window.stride = range(1, 3);
    window.low = range(-2, 4);
    window.high = range(-2, 4);
    window.baseDilation = range(0, 2) ? 1 : range(1, 3);
    window.windowDilation = range(0, 2) ? 1 : 2;
    window.isReversed = mayReverse && range(0, 1);
    return window;
  }

  std::string describe(const WindowDim &window, const Simulation &result) {
    std::string text = window.describe() + ", low " +
                       std::to_string(window.low) +
                       ", taps reversed: " + std::to_string(window.isReversed);
    for (const std::string &cause : result.collectives)
      text += "\n  " + cause;
    return text;
  }

  /// The axes of the factor of dimension `dim` of operand 0.
  FactorShardings cut(func::FuncOp func, unsigned dim, AxisList axes) {
    auto op = cast<ShardingRuleOpInterface>(
        func.front().getTerminator()->getOperand(0).getDefiningOp());
    ShardingRule rule = op.getShardingRule();
    FactorShardings factors(rule.factors.size());
    unsigned factor = rule.operands[0].dims[dim].front();
    if (rule.factors[factor].kind != FactorKind::NeedReplication)
      factors[factor] = axes;
    return factors;
  }

  static constexpr double tolerance = 1e-12;
};

using Collectives = std::vector<std::string>;

TEST_F(LocalWindowsTest, RandomReductions) {
  AxisList cuts[] = {{x}, {y}, {x, y}, {y, x}};
  int tested = 0;
  for (int i = 0; i < 200; ++i) {
    WindowDim window = randomWindow(false), row;
    row.size = 2;
    if (*window.count() < 2)
      continue;
    auto kind = ReductionKind(range(0, 3)); // sum, max, min, product
    func::FuncOp func =
        reduceWindow(f32({2, window.size}), {row, window}, kind, range(0, 1));
    Simulation result = run(func, cut(func, 1, cuts[range(0, 3)]));
    ASSERT_LT(result.localError, tolerance) << describe(window, result);
    ++tested;
  }
  EXPECT_GT(tested, 100);
}

TEST_F(LocalWindowsTest, ReductionsOfTwoCutDimensions) {
  int tested = 0;
  for (int i = 0; i < 60; ++i) {
    WindowDim a = randomWindow(false), b = randomWindow(false);
    if (*a.count() < 2 || *b.count() < 2)
      continue;
    func::FuncOp func = reduceWindow(f32({a.size, b.size}), {a, b},
                                     ReductionKind::Sum, range(0, 1));
    FactorShardings factors = cut(func, 0, {x});
    factors[1] = {y};
    ASSERT_LT(run(func, factors).localError, tolerance)
        << a.describe() << "; " << b.describe();
    ++tested;
  }
  EXPECT_GT(tested, 20);
}

TEST_F(LocalWindowsTest, WindowOfAWholeDimension) {
  // Each rank reduces its block of 7 elements; ranks combine what they have.
  WindowDim row, all;
  row.size = 3;
  all.size = all.window = 7;
  for (auto kind : {ReductionKind::Max, ReductionKind::Min}) {
    func::FuncOp func = reduceWindow(f32({3, 7}), {row, all}, kind, true);
    Simulation result = run(func, cut(func, 1, {x, y}));
    EXPECT_LT(result.localError, tolerance);
    EXPECT_TRUE(result.collectives.empty());
  }
}

TEST_F(LocalWindowsTest, Scans) {
  for (auto kind :
       {ReductionKind::Sum, ReductionKind::Max, ReductionKind::Prod})
    for (bool isReverse : {false, true})
      for (int64_t size : {2, 6, 7, 12})
        for (AxisList axes : {AxisList{x}, AxisList{y}, AxisList{x, y}}) {
          func::FuncOp func = scan(f32({size, 2}), 0, isReverse, kind);
          Simulation result = run(func, cut(func, 0, axes));
          EXPECT_LT(result.localError, tolerance) << size;
          EXPECT_EQ(result.collectives,
                    Collectives{"scan along a sharded dimension"});
        }
  auto i1 = RankedTensorType::get({7}, builder.getI1Type());
  func::FuncOp ors = scan(i1, 0, false, ReductionKind::Or);
  EXPECT_EQ(run(ors, cut(ors, 0, {x, y})).localError, 0);
  // Another dimension is cut: no communication.
  func::FuncOp columns = scan(f32({5, 4}), 0, false, ReductionKind::Sum);
  Simulation local = run(columns, cut(columns, 1, {x}));
  EXPECT_LT(local.localError, tolerance);
  EXPECT_TRUE(local.collectives.empty());
}

TEST_F(LocalWindowsTest, RandomConvolutions) {
  AxisList cuts[] = {{x}, {y}, {x, y}};
  int windowsCut = 0, tapsCut = 0;
  for (int i = 0; i < 250; ++i) {
    WindowDim window = randomWindow(true);
    if (*window.count() < 1)
      continue;
    func::FuncOp func = convolution(2, 3, 2, window, {});
    Simulation result = run(func, cut(func, 1, cuts[range(0, 2)]));
    ASSERT_LT(result.localError, tolerance) << describe(window, result);
    ++(window.window > *window.count() ? tapsCut : windowsCut);
  }
  EXPECT_GT(windowsCut, 60);
  EXPECT_GT(tapsCut, 15);
}

TEST_F(LocalWindowsTest, ConvolutionOfTwoCutDimensions) {
  int tested = 0;
  for (int i = 0; i < 50; ++i) {
    WindowDim a = randomWindow(true), b = randomWindow(true);
    if (*a.count() < 2 || *b.count() < 2)
      continue;
    func::FuncOp func = convolution(1, 2, 2, {a, b}, {});
    FactorShardings factors = cut(func, 1, {x}), columns = cut(func, 2, {y});
    for (auto [factor, other] : llvm::zip_equal(factors, columns))
      factor.append(other);
    ASSERT_LT(run(func, factors).localError, tolerance)
        << a.describe() << "; " << b.describe();
    ++tested;
  }
  EXPECT_GT(tested, 15);
}

TEST_F(LocalWindowsTest, CommunicatesOnlyWhatIsReached) {
  WindowDim window;
  window.size = 8;
  window.window = 3;
  window.low = window.high = 1;
  func::FuncOp three = convolution(2, 3, 2, window, {});
  EXPECT_EQ(run(three, cut(three, 1, {x})).collectives,
            Collectives{"convolution reads 1 elements before and 1 after each "
                        "block of dimension 1"});
  // One tap at every second element stays inside of the blocks.
  window.window = 1;
  window.stride = 2;
  window.low = window.high = 0;
  func::FuncOp one = convolution(2, 3, 2, window, {});
  Simulation local = run(one, cut(one, 1, {x}));
  EXPECT_TRUE(local.collectives.empty());
  EXPECT_LT(local.localError, tolerance);
}

TEST_F(LocalWindowsTest, BatchAndFeatures) {
  WindowDim window;
  window.size = 5;
  window.window = 3;
  window.low = 1;
  // group, batch, input features, output features
  for (FactorShardings factors :
       {FactorShardings{{}, {x}, {y}, {}}, FactorShardings{{}, {}, {x}, {y}},
        FactorShardings{{}, {y}, {}, {x}},
        FactorShardings{{}, {}, {x, y}, {}}}) {
    func::FuncOp func = convolution(7, 7, 5, window, {});
    factors.resize(6);
    Simulation result = run(func, factors);
    EXPECT_LT(result.localError, tolerance);
    EXPECT_TRUE(result.collectives.empty());
  }
}

TEST_F(LocalWindowsTest, GroupsOfFeatures) {
  WindowDim window;
  window.size = 5;
  window.window = 2;
  // Whole groups; parts of a group, once those are on ranks of their own; the
  // batch at the same time.
  for (FactorShardings factors :
       {FactorShardings{{x}, {y}, {}, {}}, FactorShardings{{x}, {}, {y}, {}},
        FactorShardings{{x}, {}, {}, {y}}, FactorShardings{{}, {x}, {}, {}}}) {
    func::FuncOp func = convolution(4, 6, 8, window, {2, 1});
    factors.resize(6);
    Simulation result = run(func, factors);
    EXPECT_LT(result.localError, tolerance);
    EXPECT_TRUE(result.collectives.empty());
  }
  // One feature each: groups may be cut unevenly.
  func::FuncOp depthwise = convolution(4, 7, 7, window, {7, 1});
  for (AxisList axes : {AxisList{x}, AxisList{x, y}}) {
    FactorShardings factors{axes};
    factors.resize(6);
    EXPECT_LT(run(depthwise, factors).localError, tolerance);
  }
}

TEST_F(LocalWindowsTest, GroupsOfBatch) {
  // A batch that is cut has whole groups on each rank, which are features of
  // the result, and not parts of its batch.
  WindowDim window;
  window.size = 5;
  window.window = 2;
  for (FactorShardings factors :
       {FactorShardings{{x}, {}, {}, {}}, FactorShardings{{x}, {y}, {}, {}},
        FactorShardings{{x}, {}, {y}, {}}, FactorShardings{{x}, {}, {}, {y}},
        FactorShardings{{}, {}, {x}, {}}}) {
    func::FuncOp func = convolution(6, 3, 8, window, {1, 2});
    factors.resize(6);
    Simulation result = run(func, factors);
    EXPECT_LT(result.localError, tolerance);
    EXPECT_TRUE(result.collectives.empty());
  }
}

} // namespace
