//===- ShardingRulesReshape.cpp - Rule of reshape -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Both shapes are walked from the major side. What divides becomes a factor of
// both; blocks of it are the same elements on either side. Where the rest of
// the two dimensions does not divide, only the greatest common part can be cut,
// and the remainder of the group (up to where both shapes have the same number
// of elements behind them) must be whole.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
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
  return builder.take();
}

} // namespace cleave::graph
