//===- LocalMovementTest.cpp - Slices and the like on simulated ranks -----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Over x = 2 and y = 3 blocks nest, are uneven and may be empty.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Graph/tests/SimulationTest.h"
#include "llvm/ADT/StringExtras.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class LocalMovementTest : public SimulationTest {
protected:
  LocalMovementTest() : SimulationTest(/*seed=*/3) {}

  bool percent(int64_t chance) { return range(0, 99) < chance; }

  /// Axes for one dimension, and, with other axes, for another.
  std::pair<AxisList, AxisList> randomAxes() {
    std::vector<std::pair<AxisList, AxisList>> choices{
        {{x}, {}},  {{y}, {}},    {{x}, {y}},
        {{y}, {x}}, {{x, y}, {}}, {{y, x}, {}}};
    return choices[range(0, choices.size() - 1)];
  }

  RankedTensorType i64() {
    return RankedTensorType::get({}, builder.getI64Type());
  }

  /// Elements count up; integers are -6 to 14.
  Simulation run(func::FuncOp func, const FactorShardings &factors) {
    std::vector<Literal> args;
    for (Type type : func.getArgumentTypes()) {
      Literal literal(cast<RankedTensorType>(type));
      if (literal.isFloat())
        for (auto [i, value] : llvm::enumerate(literal.mutableFloats()))
          value = 100 * args.size() + i + 1;
      else
        literal.mutableInts()[0] = range(-6, 14);
      args.push_back(std::move(literal));
    }
    return simulate(func, mesh, factors, args, Evaluator::Mode::Exact);
  }

  /// Factors of a rule by dimension of an operand.
  FactorShardings along(func::FuncOp func, unsigned operand,
                        ArrayRef<AxisList> dims) {
    auto op = cast<ShardingRuleOpInterface>(
        func.front().getTerminator()->getOperand(0).getDefiningOp());
    ShardingRule rule = op.getShardingRule();
    FactorShardings factors(rule.factors.size());
    for (auto [axes, dim] : llvm::zip(dims, rule.operands[operand].dims))
      if (rule.factors[dim.front()].kind != FactorKind::NeedReplication)
        factors[dim.front()] = axes;
    return factors;
  }

  struct SliceCase {
    SmallVector<int64_t> start, limit, stride, shape;
  };
  SliceCase randomSlice(ArrayRef<int64_t> sizes) {
    SliceCase slice;
    for (int64_t size : sizes) {
      bool isSliced = percent(75);
      slice.start.push_back(isSliced ? range(0, size - 1) : 0);
      slice.limit.push_back(isSliced ? range(slice.start.back() + 1, size)
                                     : size);
      slice.stride.push_back(isSliced ? range(1, 3) : 1);
      slice.shape.push_back(llvm::divideCeil(
          slice.limit.back() - slice.start.back(), slice.stride.back()));
    }
    return slice;
  }
};

} // namespace

TEST_F(LocalMovementTest, Slices) {
  for (int i = 0; i < 300; ++i) {
    SmallVector<int64_t> sizes{range(1, 13), range(1, 7)};
    SliceCase slice = randomSlice(sizes);
    func::FuncOp func = function({f32(sizes)}, [&](ValueRange args) -> Value {
      return SliceOp::create(builder, loc, f32(slice.shape), args[0],
                             slice.start, slice.limit, slice.stride);
    });
    auto [first, second] = randomAxes();
    EXPECT_EQ(run(func, along(func, 0, {first, second})).localError, 0) << i;
  }
}

TEST_F(LocalMovementTest, Pads) {
  for (int i = 0; i < 300; ++i) {
    SmallVector<int64_t> sizes{range(1, 9), range(1, 5)}, low, high, interior,
        shape;
    for (int64_t size : sizes) {
      bool isPadded = percent(75);
      low.push_back(isPadded ? range(-3, 5) : 0);
      high.push_back(isPadded ? range(-3, 5) : 0);
      interior.push_back(isPadded && percent(40) ? range(1, 3) : 0);
      int64_t dilated = size + (size - 1) * interior.back();
      if (low.back() + dilated + high.back() < 1)
        high.back() = 1 - low.back() - dilated;
      shape.push_back(low.back() + dilated + high.back());
    }
    bool isConstant = percent(50);
    func::FuncOp func =
        function({f32(sizes), f32({})}, [&](ValueRange args) -> Value {
          Value padding =
              isConstant ? splat(builder, loc, f32({}), 0.5) : args[1];
          return PadOp::create(builder, loc, f32(shape), args[0], padding, low,
                               high, interior);
        });
    auto [first, second] = randomAxes();
    EXPECT_EQ(run(func, along(func, 0, {first, second})).localError, 0) << i;
  }
}

TEST_F(LocalMovementTest, ReshapesWhoseBlocksAreOthers) {
  int moved = 0;
  for (int i = 0; i < 300; ++i) {
    int64_t outer = range(1, 9), inner = range(1, 5), columns = range(1, 4);
    SmallVector<int64_t> flat{outer * inner, columns},
        split{outer, inner, columns};
    auto [first, second] = randomAxes();
    SmallVector<AxisList> dims{first, {}, second};
    // Inside of one that is cut completely.
    if (percent(30)) {
      flat.front() *= 2;
      split.insert(split.begin(), 2);
      dims = {{x}, {y}, {}, {}};
    }
    bool isSplit = percent(50);
    func::FuncOp func =
        function({f32(isSplit ? flat : split)}, [&](ValueRange args) -> Value {
          return ReshapeOp::create(builder, loc, f32(isSplit ? split : flat),
                                   args[0]);
        });
    auto op = cast<ReshapeOp>(
        func.front().getTerminator()->getOperand(0).getDefiningOp());
    ShardingRule rule = op.getShardingRule();
    FactorShardings factors(rule.factors.size());
    const TensorFactors &parts = isSplit ? rule.results[0] : rule.operands[0];
    for (auto [axes, dim] : llvm::zip_equal(dims, parts.dims))
      if (!dim.empty())
        factors[dim.front()] = axes;
    Simulation simulation = run(func, factors);
    EXPECT_EQ(simulation.localError, 0)
        << i << (isSplit ? " split " : " merge ") << str(rule) << " "
        << mesh.str(first) << " " << mesh.str(second) << " "
        << llvm::join(simulation.collectives, ", ");
    moved += !simulation.collectives.empty();
  }
  EXPECT_GT(moved, 50);
}

TEST_F(LocalMovementTest, Concatenations) {
  for (int i = 0; i < 200; ++i) {
    SmallVector<RankedTensorType> types;
    int64_t dim = range(0, 1), other = range(1, 5), total = 0;
    for (int64_t parts = range(1, 3); parts > 0; --parts) {
      SmallVector<int64_t> shape{other, other};
      shape[dim] = range(percent(10) ? 0 : 1, 9);
      total += shape[dim];
      types.push_back(f32(shape));
    }
    if (total == 0)
      continue;
    func::FuncOp func = function(types, [&](ValueRange args) -> Value {
      SmallVector<int64_t> shape{other, other};
      shape[dim] = total;
      return ConcatenateOp::create(builder, loc, f32(shape), args, dim);
    });
    auto [first, second] = randomAxes();
    FactorShardings factors;
    // An empty part has a factor of its own.
    for (unsigned part = 0; part < types.size(); ++part)
      if (types[part].getDimSize(dim) > 0)
        factors = along(func, part, {first, second});
    EXPECT_EQ(run(func, factors).localError, 0) << i;
  }
}

TEST_F(LocalMovementTest, Reversals) {
  for (int i = 0; i < 100; ++i) {
    SmallVector<int64_t> sizes{range(1, 13), range(1, 7)}, dims;
    for (int64_t dim : {0, 1})
      if (percent(70))
        dims.push_back(dim);
    func::FuncOp func = function({f32(sizes)}, [&](ValueRange args) -> Value {
      return ReverseOp::create(builder, loc, args[0].getType(), args[0], dims);
    });
    auto [first, second] = randomAxes();
    Simulation simulation = run(func, along(func, 0, {first, second}));
    EXPECT_EQ(simulation.localError, 0) << i;
  }
}

TEST_F(LocalMovementTest, DynamicSlices) {
  int gathered = 0, reduced = 0;
  for (int i = 0; i < 300; ++i) {
    SmallVector<int64_t> sizes{range(1, 13), range(1, 7)}, wanted;
    for (int64_t size : sizes)
      wanted.push_back(percent(75) ? range(1, size) : size);
    func::FuncOp func =
        function({f32(sizes), i64(), i64()}, [&](ValueRange args) -> Value {
          return DynamicSliceOp::create(builder, loc, f32(wanted), args[0],
                                        args.drop_front(), wanted);
        });
    auto [first, second] = randomAxes();
    Simulation simulation = run(func, along(func, 0, {first, second}));
    EXPECT_EQ(simulation.localError, 0) << i;
    gathered += simulation.collectives.size() > 1;
    reduced += simulation.collectives.size() == 1;
  }
  EXPECT_GT(gathered, 0);
  EXPECT_GT(reduced, 100);
}

TEST_F(LocalMovementTest, DynamicUpdateSlices) {
  for (int i = 0; i < 300; ++i) {
    SmallVector<int64_t> sizes{range(1, 13), range(1, 7)}, written;
    for (int64_t size : sizes)
      written.push_back(percent(75) ? range(percent(5) ? 0 : 1, size) : size);
    func::FuncOp func = function({f32(sizes), f32(written), i64(), i64()},
                                 [&](ValueRange args) -> Value {
                                   return DynamicUpdateSliceOp::create(
                                       builder, loc, f32(sizes), args[0],
                                       args[1], args.drop_front(2));
                                 });
    auto [first, second] = randomAxes();
    // The operand cut: nothing is communicated. The update: that is gathered.
    unsigned operand = percent(70) ? 0 : 1;
    Simulation simulation = run(func, along(func, operand, {first, second}));
    EXPECT_EQ(simulation.localError, 0) << i;
    if (operand == 0)
      EXPECT_TRUE(simulation.collectives.empty());
  }
}
