//===- SimulatedRanks.cpp - Local forms of all ranks at once --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/SimulatedRanks.h"
#include "cleave/Partition/WindowExchange.h"
#include "cleave/Partition/WindowShards.h"
#include "dialects/Graph/GraphBuilders.h"
#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Elements from `first` on, `extent` of them, of a dimension of `size`.
struct HaloWindow {
  int64_t size, first, extent;
  TypedAttr fill;
};

/// A value that a rank takes from a collective, to be replaced when all ranks
/// have built theirs.
struct PendingCollective {
  Operation *op;
  Value local;
  AxisList axes;
  std::optional<ReductionKind> kind;
  unsigned dim;
  std::optional<HaloWindow> halo;
  std::optional<WindowExchange> windows;
};

class SimulatedShards : public LocalShards {
public:
  SimulatedShards(const Mesh &mesh, int64_t rank, const ShardingRule &rule,
                  const FactorShardings &factors)
      : mesh(mesh), rank(rank), rule(rule), factors(factors) {}

  RankedTensorType localType(OpResult result) override {
    auto type = cast<RankedTensorType>(result.getType());
    Sharding sharding = projectFromFactors(
        rule, rule.results[result.getResultNumber()], factors);
    return withShape(type, sharding.localShape(type.getShape()));
  }
  ArrayRef<AxisRef> axes(unsigned factor) override { return factors[factor]; }
  Value offset(OpBuilder &builder, Location loc, unsigned factor) override {
    return offset(builder, loc, factor, rule.factors[factor].size);
  }
  Value offset(OpBuilder &builder, Location loc, unsigned factor,
               int64_t size) override {
    return scalar(builder, loc, start(factor, size));
  }
  Value validCount(OpBuilder &builder, Location loc, unsigned factor) override {
    return scalar(builder, loc, block(factor).valid);
  }
  Value maskPadding(OpBuilder &builder, Location loc, Value value, unsigned dim,
                    unsigned factor, ReductionKind kind) override {
    RankedTensorType type = typeOf(value);
    Value index =
        iota(builder, loc, withElement(type, builder.getI32Type()), dim);
    Value valid = broadcastTo(builder, loc, validCount(builder, loc, factor),
                              type.getShape(), {});
    Value neutral = broadcastTo(
        builder, loc, neutralScalar(builder, loc, type.getElementType(), kind),
        type.getShape(), {});
    return SelectOp::create(
        builder, loc, type,
        compare(builder, loc, ComparisonDirection::LT, index, valid), value,
        neutral);
  }
  Value allReduce(OpBuilder &builder, Location loc, Value value,
                  ArrayRef<unsigned> over, ReductionKind kind,
                  StringRef cause) override {
    return collective(builder, loc, value, value.getType(), over, kind, 0,
                      cause);
  }
  Value allGather(OpBuilder &builder, Location loc, Value value, unsigned dim,
                  unsigned factor, StringRef cause) override {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[dim] *= numShards(factor);
    return collective(builder, loc, value, withShape(typeOf(value), shape),
                      factor, std::nullopt, dim, cause);
  }

  Value haloExchange(OpBuilder &builder, Location loc, Value value,
                     unsigned dim, unsigned factor, int64_t size, int64_t low,
                     int64_t high, TypedAttr fill, StringRef cause) override {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    shape[dim] += low + high;
    Value result =
        collective(builder, loc, value, withShape(typeOf(value), shape), factor,
                   std::nullopt, dim, cause);
    pending.back().halo = {size, start(factor, size) - low, shape[dim], fill};
    return result;
  }

  Value windowExchange(OpBuilder &builder, Location loc, Value value,
                       unsigned dim, unsigned factor,
                       const WindowExchange &exchange, int64_t extent,
                       StringRef cause) override {
    SmallVector<int64_t> shape(typeOf(value).getShape());
    EXPECT_EQ(exchange.findFault(numShards(factor), shape[dim], extent), "");
    shape[dim] = extent;
    Value result =
        collective(builder, loc, value, withShape(typeOf(value), shape), factor,
                   std::nullopt, dim, cause);
    pending.back().windows = exchange;
    return result;
  }

  std::vector<PendingCollective> pending;
  std::vector<std::string> causes;

private:
  /// Start of the rank's block, also of an empty one beyond the end.
  int64_t start(unsigned factor, int64_t size) {
    return blocksOf(size, factors[factor])[mesh.position(rank, factors[factor])]
        .offset;
  }
  BlockExtent block(unsigned factor) {
    return blockOf(mesh, rank, rule.factors[factor].size, factors[factor]);
  }
  static Value scalar(OpBuilder &builder, Location loc, int64_t number) {
    return splatInt(builder, loc,
                    RankedTensorType::get({}, builder.getI32Type()), number);
  }
  Value collective(OpBuilder &builder, Location loc, Value value, Type type,
                   ArrayRef<unsigned> over, std::optional<ReductionKind> kind,
                   unsigned dim, StringRef cause) {
    AxisList axes;
    for (unsigned factor : over)
      append_range(axes, factors[factor]);
    auto op = UnrealizedConversionCastOp::create(builder, loc, TypeRange{type},
                                                 ValueRange{value});
    pending.push_back({op, value, axes, kind, dim, std::nullopt, std::nullopt});
    causes.push_back(cause.str());
    return op.getResult(0);
  }

  const Mesh &mesh;
  int64_t rank;
  const ShardingRule &rule;
  const FactorShardings &factors;
};

} // namespace

/// The ranks that differ from `rank` only along `axes` (whole ones), in the
/// order of their positions.
static SmallVector<int64_t> groupOf(const Mesh &mesh, int64_t rank,
                                    ArrayRef<AxisRef> axes) {
  SmallVector<int64_t> group(numShards(axes));
  for (int64_t other = 0; other < mesh.numRanks(); ++other) {
    bool same = true;
    for (AxisId axis = 0; axis < mesh.axes.size(); ++axis)
      if (!overlapsAny(mesh.whole(axis), axes))
        same &= mesh.coordinate(rank, mesh.whole(axis)) ==
                mesh.coordinate(other, mesh.whole(axis));
    if (same)
      group[mesh.position(other, axes)] = other;
  }
  return group;
}

static Value combineGroup(OpBuilder &builder, Location loc, ValueRange values,
                          std::optional<ReductionKind> kind, unsigned dim) {
  if (!kind) {
    SmallVector<int64_t> shape(typeOf(values[0]).getShape());
    shape[dim] *= values.size();
    return ConcatenateOp::create(
        builder, loc, withShape(typeOf(values[0]), shape), values, dim);
  }
  Value result = values[0];
  for (Value value : values.drop_front())
    result = combine(builder, loc, *kind, result, value);
  return result;
}

/// The window of a rank: what all ranks hold, padded or cut off. What nobody
/// has said is NaN or 101.
static Value windowOfGroup(OpBuilder &builder, Location loc, ValueRange values,
                           const PendingCollective &collective) {
  const HaloWindow &halo = *collective.halo;
  unsigned dim = collective.dim;
  SmallVector<Value> parts;
  for (auto [value, block] :
       zip_equal(values, blocksOf(halo.size, collective.axes)))
    parts.push_back(sliceDim(builder, loc, value, dim, 0, block.valid));
  SmallVector<int64_t> shape(typeOf(values[0]).getShape());
  shape[dim] = halo.size;
  RankedTensorType type = withShape(typeOf(values[0]), shape);
  Value whole = ConcatenateOp::create(builder, loc, type, parts, dim);
  Type element = type.getElementType();
  Value fill = halo.fill ? splat(builder, loc, withShape(type, {}), halo.fill)
               : isa<FloatType>(element)
                   ? splat(builder, loc, withShape(type, {}), std::nan(""))
                   : splatInt(builder, loc, withShape(type, {}), 101);
  SmallVector<int64_t> low(shape.size(), 0), high(low), none(low);
  low[dim] = -halo.first;
  high[dim] = halo.first + halo.extent - halo.size;
  shape[dim] = halo.extent;
  return PadOp::create(builder, loc, withShape(type, shape), whole, fill, low,
                       high, none);
}

/// A value of which nobody has said anything: NaN or 101.
static Value unspecified(OpBuilder &builder, Location loc,
                         RankedTensorType type) {
  return isa<FloatType>(type.getElementType())
             ? splat(builder, loc, type, std::nan(""))
             : splatInt(builder, loc, type, 101);
}

/// What the rank at a position wants of what all ranks hold.
static Value exchangedWindow(OpBuilder &builder, Location loc,
                             ValueRange values, int64_t position,
                             const PendingCollective &collective) {
  const WindowExchange &exchange = *collective.windows;
  const LineSegment &window = exchange.windows[position];
  unsigned dim = collective.dim;
  auto type = cast<RankedTensorType>(collective.op->getResult(0).getType());
  Value result = unspecified(builder, loc, type);
  for (auto [value, block] : zip_equal(values, exchange.blocks)) {
    int64_t first = std::max(window.begin, block.begin);
    int64_t count = std::min(window.end(), block.end()) - first;
    if (count <= 0)
      continue;
    int64_t from = block.at + first - block.begin;
    Value piece = sliceDim(builder, loc, value, dim, from, from + count);
    auto scalar = RankedTensorType::get({}, builder.getI32Type());
    SmallVector<Value> starts(type.getRank(),
                              splatInt(builder, loc, scalar, 0));
    starts[dim] =
        splatInt(builder, loc, scalar, window.at + first - window.begin);
    result =
        DynamicUpdateSliceOp::create(builder, loc, type, result, piece, starts);
  }
  return result;
}

/// A tensor's block on one rank: where it lies, and how much of it is valid.
struct LocalBlock {
  SmallVector<int64_t> offsets, valid, zeros;
  RankedTensorType type;

  LocalBlock(const Mesh &mesh, int64_t rank, const Sharding &sharding,
             RankedTensorType global) {
    for (auto [n, dim] : zip_equal(global.getShape(), sharding.dims)) {
      BlockExtent block = blockOf(mesh, rank, n, dim.axes);
      offsets.push_back(block.offset);
      valid.push_back(block.valid);
    }
    zeros.resize(offsets.size());
    type = withShape(global, sharding.localShape(global.getShape()));
  }
};

/// A rank's operand: padding is NaN, or neutral where the op reduces.
static Literal localOperand(const LocalBlock &block, const Literal &global,
                            std::optional<ReductionKind> neutral) {
  Literal local(block.type);
  if (local.isFloat()) {
    double filler = std::nan("");
    if (neutral)
      filler =
          cast<FloatAttr>(neutralElement(block.type.getElementType(), *neutral))
              .getValueAsDouble();
    fill(local.mutableFloats(), filler);
  } else {
    fill(local.mutableInts(), 101);
  }
  local.insert(global.slice(block.offsets, block.valid), block.zeros);
  return local;
}

static double difference(const Literal &a, const Literal &b) {
  double most = 0;
  for (int64_t i = 0; i < a.size(); ++i) {
    double x = a.isFloat() ? a.floats()[i] : a.ints()[i];
    double y = b.isFloat() ? b.floats()[i] : b.ints()[i];
    if (x == y || (std::isnan(x) && std::isnan(y)))
      continue;
    double error = std::abs(x - y);
    most = std::isnan(error) ? infinity : std::max(most, error);
  }
  return most;
}

static std::optional<ReductionKind> reductionOf(const ShardingRule &rule,
                                                const TensorFactors &tensor) {
  for (const auto &dim : tensor.dims)
    for (unsigned f : dim)
      if (rule.factors[f].kind == FactorKind::Reduction)
        return rule.factors[f].reduction;
  return std::nullopt;
}

/// Reduces what sharded reductions leave partial; a value per rank.
static void completeReductions(OpBuilder &builder, Location loc,
                               const Mesh &mesh, const ShardingRule &rule,
                               const FactorShardings &factors,
                               MutableArrayRef<Value> values) {
  for (auto [f, factor] : enumerate(rule.factors)) {
    if (factor.kind != FactorKind::Reduction || factors[f].empty())
      continue;
    SmallVector<Value> partial(values);
    for (auto [rank, value] : enumerate(values)) {
      SmallVector<Value> group;
      for (int64_t other : groupOf(mesh, rank, factors[f]))
        group.push_back(partial[other]);
      value = combineGroup(builder, loc, group, factor.reduction, 0);
    }
  }
}

/// Puts what the pending collectives give in their places.
static void communicate(OpBuilder &builder, Location loc, const Mesh &mesh,
                        MutableArrayRef<SimulatedShards> ranks,
                        MutableArrayRef<Value> values) {
  for (unsigned i = 0; i < ranks[0].pending.size(); ++i)
    for (auto [rank, shards] : enumerate(ranks)) {
      PendingCollective &collective = shards.pending[i];
      SmallVector<Value> group;
      for (int64_t other : groupOf(mesh, rank, collective.axes))
        // A pending collective may be what another one communicates.
        group.push_back(ranks[other].pending[i].op->getOperand(0));
      Value result = collective.windows
                         ? exchangedWindow(builder, loc, group,
                                           mesh.position(rank, collective.axes),
                                           collective)
                     : collective.halo
                         ? windowOfGroup(builder, loc, group, collective)
                         : combineGroup(builder, loc, group, collective.kind,
                                        collective.dim);
      collective.op->getResult(0).replaceAllUsesWith(result);
      for (Value &value : values)
        if (value == collective.op->getResult(0))
          value = result;
    }
}

Simulation simulate(func::FuncOp func, const Mesh &mesh,
                    const FactorShardings &sharded, ArrayRef<Literal> args,
                    Evaluator::Mode mode) {
  Simulation simulation;
  simulation.localError = infinity;
  auto made = cast<OpResult>(func.front().getTerminator()->getOperand(0));
  Operation *op = made.getOwner();
  unsigned number = made.getResultNumber();
  auto shardable = cast<ShardingRuleOpInterface>(op);
  ShardingRule rule = shardable.getShardingRule();
  FactorShardings factors = sharded;
  factors.resize(rule.factors.size());

  // Whatever is not an argument (a constant) is the same on all ranks.
  OpBuilder builder(func.getContext());
  builder.setInsertionPointAfter(func);
  Location loc = func.getLoc();
  auto all = func::FuncOp::create(builder, loc, "all_ranks",
                                  builder.getFunctionType({}, {}));
  Block &body = *all.addEntryBlock();
  builder.setInsertionPointToStart(&body);
  IRMapping constants;
  for (Operation &other : func.front())
    if (&other != op && !other.hasTrait<OpTrait::IsTerminator>())
      builder.clone(other, constants);

  std::vector<SimulatedShards> ranks;
  std::vector<Literal> localArgs;
  SmallVector<Value> results;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    SmallVector<Value> operands;
    for (auto [i, operand] : enumerate(op->getOperands())) {
      auto arg = dyn_cast<BlockArgument>(operand);
      if (!arg) {
        operands.push_back(constants.lookup(operand));
        continue;
      }
      const TensorFactors &tensor = rule.operands[i];
      LocalBlock block(mesh, rank, projectFromFactors(rule, tensor, factors),
                       typeOf(operand));
      operands.push_back(body.addArgument(block.type, loc));
      localArgs.push_back(localOperand(block, args[arg.getArgNumber()],
                                       reductionOf(rule, tensor)));
    }
    ranks.emplace_back(mesh, rank, rule, factors);
    auto local = shardable.buildLocal(builder, operands, ranks.back());
    if (failed(local))
      return simulation;
    results.push_back((*local)[number]);
    // What an op does may be nothing on one rank.
    if (Operation *made = results.back().getDefiningOp())
      simulation.attributes = made->getDiscardableAttrDictionary();
  }
  simulation.collectives = ranks[0].causes;

  completeReductions(builder, loc, mesh, rule, factors, results);
  communicate(builder, loc, mesh, ranks, results);
  func::ReturnOp::create(builder, loc, results);
  for (SimulatedShards &shards : ranks)
    for (PendingCollective &collective : shards.pending)
      collective.op->erase();
  all.setFunctionType(builder.getFunctionType(body.getArgumentTypes(),
                                              ValueRange(results).getTypes()));
  if (!sortTopologically(&body) || failed(verify(all)))
    return simulation;

  auto exact = Evaluator(Evaluator::Mode::Exact).evaluate(func, args);
  auto plain = Evaluator(mode).evaluate(func, args);
  auto local = Evaluator(mode).evaluate(all, localArgs);
  if (failed(exact) || failed(plain) || failed(local))
    return simulation;
  simulation.plainError = difference(plain->front(), exact->front());
  simulation.localError = 0;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    LocalBlock block(mesh, rank,
                     projectFromFactors(rule, rule.results[number], factors),
                     typeOf(made));
    if ((*local)[rank].type != block.type) {
      simulation.localError = infinity;
      return simulation;
    }
    simulation.localError =
        std::max(simulation.localError,
                 difference((*local)[rank].slice(block.zeros, block.valid),
                            exact->front().slice(block.offsets, block.valid)));
  }
  return simulation;
}

} // namespace cleave::graph
