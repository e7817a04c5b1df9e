//===- ShardingRulesReshape.cpp - Rule of reshape -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both shapes are walked from the major side. What divides becomes a factor of
// both; blocks of it are the same elements on either side. Where a dimension
// has more factors and is cut into a number of blocks that does not divide
// them, its blocks are other elements than those of the factor: the local form
// moves the difference. Where the rest of the two dimensions does not divide,
// only the greatest common part can be cut, and the remainder of the group (up
// to where both shapes have the same number of elements behind them) must be
// whole.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowExchange.h"
#include "dialects/Graph/Sharding/LocalForm.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include <numeric>

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

namespace {
/// A position in a shape, inside a dimension of which `left` is not yet named.
struct Cursor {
  ArrayRef<int64_t> shape;
  unsigned dim = 0;
  int64_t left = 1;
  /// Product of all that was named.
  int64_t done = 1;

  explicit Cursor(ArrayRef<int64_t> shape) : shape(shape) {
    left = shape.empty() ? 1 : shape[0];
    skip();
  }
  /// Goes to the next dimension that has something left.
  void skip() {
    while (left == 1 && dim + 1 < shape.size())
      left = shape[++dim];
  }
  void take(int64_t size) {
    left /= size;
    done *= size;
  }
};
} // namespace

/// Names what is left of two groups that have no common refinement.
static void addWholeGroup(ShardingRuleBuilder &builder, Cursor &in,
                          Cursor &out) {
  auto addWhole = [&](Cursor &cursor, bool operand) {
    unsigned f = builder.factor(cursor.left, FactorKind::NeedReplication);
    if (operand)
      builder.operand(0, cursor.dim, f);
    else
      builder.result(0, cursor.dim, f);
    cursor.take(cursor.left);
    cursor.skip();
  };
  addWhole(in, true);
  addWhole(out, false);
  while (in.done != out.done) {
    if (in.done < out.done)
      addWhole(in, true);
    else
      addWhole(out, false);
  }
}

//===----------------------------------------------------------------------===//
// Blocks of a factor and of a dimension
//===----------------------------------------------------------------------===//

namespace {
/// A factor with others within it in a dimension.
struct OuterFactor {
  unsigned dim, factor;
  /// Elements of the dimension in one of the factor.
  int64_t inner;
};
} // namespace

static SmallVector<OuterFactor> outerFactors(const ShardingRule &rule,
                                             const TensorFactors &tensor) {
  SmallVector<OuterFactor> outer;
  for (auto [d, factors] : enumerate(tensor.dims)) {
    int64_t inner = 1;
    for (unsigned factor : reverse(factors)) {
      if (inner > 1)
        outer.push_back({static_cast<unsigned>(d), factor, inner});
      inner *= rule.factors[factor].size;
    }
  }
  return outer;
}

/// Lets the factors of a dimension that has several be cut into blocks of any
/// size, and says what is moved then.
static void addBlocked(ShardingRule &rule) {
  auto add = [&](const TensorFactors &tensor, bool isOperand) {
    for (ArrayRef<unsigned> factors : tensor.dims)
      for (unsigned f : factors.size() > 1 ? factors : ArrayRef<unsigned>())
        if (rule.factors[f].kind == FactorKind::PassThrough)
          rule.factors[f].kind = FactorKind::Blocked;
    for (const OuterFactor &outer : outerFactors(rule, tensor)) {
      const Factor &factor = rule.factors[outer.factor];
      if (factor.kind != FactorKind::Blocked)
        continue;
      // Along the operand's dimension that the factor is in.
      FactorTransfer transfer;
      transfer.factor = outer.factor;
      int64_t size = factor.size, inner = outer.inner, unit = 1;
      transfer.dim = outer.dim;
      if (!isOperand)
        for (auto [d, factors] : enumerate(rule.operands[0].dims))
          if (is_contained(factors, outer.factor)) {
            transfer.dim = d;
            unit = inner;
          }
      transfer.received = [=](ArrayRef<AxisRef> axes) {
        return divideCeil(
            exchangeBlocks(size, inner, axes, isOperand).received(), unit);
      };
      rule.transfers.push_back(std::move(transfer));
    }
  };
  add(rule.operands[0], /*isOperand=*/true);
  add(rule.results[0], /*isOperand=*/false);
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

ShardingRule ReshapeOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(ShardingRule::Priority::Movement);
  if (hasSums(getType()))
    builder.linear({0});
  ArrayRef<int64_t> from = typeOf(getOperand()).getShape();
  ArrayRef<int64_t> to = typeOf(getResult()).getShape();
  // Of a tensor without elements every part is everything.
  if (is_contained(from, 0))
    return builder.take();

  Cursor in(from), out(to);
  while (in.left != 1 || out.left != 1) {
    int64_t common = std::gcd(in.left, out.left);
    if (common != 1) {
      unsigned f = builder.factor(common);
      builder.operand(0, in.dim, f).result(0, out.dim, f);
      in.take(common);
      out.take(common);
    }
    if (in.left != 1 && out.left != 1)
      addWholeGroup(builder, in, out);
    in.skip();
    out.skip();
  }
  ShardingRule rule = builder.take();
  addBlocked(rule);
  return rule;
}

//===----------------------------------------------------------------------===//
// The local form
//===----------------------------------------------------------------------===//

/// Brings each dimension of `value` whose blocks are not those of its factor
/// from the one to the other.
static Value moveBlocks(LocalForm &form, const ShardingRule &rule,
                        const TensorFactors &tensor, Value value,
                        bool toFactor) {
  for (const OuterFactor &outer : outerFactors(rule, tensor)) {
    const Factor &factor = rule.factors[outer.factor];
    ArrayRef<AxisRef> axes = form.shards.axes(outer.factor);
    if (axes.empty() || factor.passesThrough(axes))
      continue;
    int64_t extent = toFactor ? blockSize(factor.size, axes) * outer.inner
                              : blockSize(factor.size * outer.inner, axes);
    // Who has all of the dimension takes its block from there.
    if (Value whole = toFactor
                          ? form.shards.wholeOf(value, outer.dim, outer.factor)
                          : Value()) {
      Value zero =
          splatInt(form.builder, form.loc, withShape(typeOf(value), {}), 0);
      Value start =
          form.multiply(form.offset(outer.factor), form.index(outer.inner));
      value = form.sliceAt(form.padDim(whole, zero, outer.dim, 0, extent),
                           outer.dim, start, extent);
      continue;
    }
    std::string cause =
        ("reshape: blocks of sharded dimension " + Twine(outer.dim) +
         " of its " + (toFactor ? "operand" : "result") + " divide its " +
         Twine(factor.size) + " groups of " + Twine(outer.inner) + " elements")
            .str();
    value = form.shards.windowExchange(
        form.builder, form.loc, value, outer.dim, outer.factor,
        exchangeBlocks(factor.size, outer.inner, axes, toFactor), extent,
        cause);
  }
  return value;
}

LocalResults ReshapeOp::buildLocal(OpBuilder &builder, ValueRange operands,
                                   LocalShards &shards) {
  LocalForm form(*this, builder, shards);
  ShardingRule rule = getShardingRule();
  RankedTensorType type = shards.localType(cast<OpResult>(getResult()));
  // The result while its blocks are those of factors.
  SmallVector<int64_t> shape(type.getShape());
  for (const OuterFactor &outer : outerFactors(rule, rule.results[0])) {
    const Factor &factor = rule.factors[outer.factor];
    ArrayRef<AxisRef> axes = shards.axes(outer.factor);
    if (!axes.empty() && !factor.passesThrough(axes))
      shape[outer.dim] = blockSize(factor.size, axes) * outer.inner;
  }
  Value value = moveBlocks(form, rule, rule.operands[0], operands[0],
                           /*toFactor=*/true);
  value = ReshapeOp::create(builder, getLoc(), withShape(type, shape), value);
  value = moveBlocks(form, rule, rule.results[0], value, /*toFactor=*/false);
  return form.finish(value);
}

} // namespace cleave::graph
