//===- GenerateInPlace.cpp - Values that could be updated in place --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chains of updates of values of one type, in which old values live on, are
// read at other indices, swapped, or left in branches: whatever could go wrong
// when a result takes over the buffer of an operand.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

/// Ends a region: what was made in it is out of sight.
void Generator::yieldFrom(mlir::Block *block, ValueRange values) {
  graph::ReturnOp::create(builder, loc, values);
  llvm::erase_if(pool, [&](Value v) { return v.getParentBlock() == block; });
}

/// `x` with some elements replaced by others of `y`, or of another value.
Value Generator::updatePart(Value x, Value y) {
  RankedTensorType type = typeOf(x);
  Shape sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(random.percent(40) ? size : random.range(1, size));
  Type element = builder.getI32Type();
  auto starts = [&](SmallVector<Value> &operands) {
    for (int64_t i = 0; i < type.getRank(); ++i)
      operands.push_back(index(element));
  };
  Value update;
  if (random.percent(60)) {
    SmallVector<Value> operands = {y};
    starts(operands);
    update = build("cleave.dynamic_slice", operands, withShape(type, sizes),
                   attr("sizes", sizes));
  } else {
    update = splat(builder, loc, withShape(type, sizes), 1);
  }
  SmallVector<Value> operands = {x, update};
  starts(operands);
  return build("cleave.dynamic_update_slice", operands, type);
}

/// One more value of the type of `values`, whose magnitude is no larger.
Value Generator::nextValue(SmallVectorImpl<Value> &values) {
  // Rather a recent one, which nothing else reads yet.
  Value x = random.percent(60) ? values.back() : random.pick<Value>(values);
  Value y = random.pick<Value>(values);
  RankedTensorType type = typeOf(x);
  StringRef extremum = random.percent(50) ? "cleave.maximum" : "cleave.minimum";
  auto combine = [&](Value other) { return build(extremum, {x, other}, type); };
  switch (random.range(0, 9)) {
  default:
    return updatePart(x, y);
  case 0:
    return combine(y);
  case 1: {
    // Other indices than those that are written.
    SmallVector<int64_t> dims;
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (random.percent(60))
        dims.push_back(i);
    return combine(build("cleave.reverse", y, type, attr("dims", dims)));
  }
  case 2: {
    // All of it.
    Value most =
        graph::reduce(builder, loc, y, dimRange(type.getRank()),
                      type.getElementType().isInteger(1) ? ReductionKind::Or
                                                         : ReductionKind::Max);
    return combine(broadcastTo(builder, loc, most, type.getShape(), {}));
  }
  case 3: {
    auto flag = RankedTensorType::get({}, builder.getI1Type());
    return build("cleave.select", {ofType(flag), x, y}, type);
  }
  case 4: {
    // The old value in another shape.
    Shape flat = {type.getNumElements()};
    Value line = reshapeTo(builder, loc, x, flat);
    Value changed = updatePart(line, line);
    return reshapeTo(builder, loc, changed, type.getShape());
  }
  case 5:
    return loopOver(values, 1)[0];
  case 6: {
    auto flag = RankedTensorType::get({}, builder.getI1Type());
    OperationState state(loc, IfOp::getOperationName(), ofType(flag), type);
    for (int branch = 0; branch < 2; ++branch) {
      OpBuilder::InsertionGuard guard(builder);
      mlir::Block *block = builder.createBlock(state.addRegion());
      SmallVector<Value> inner(values.begin(), values.end());
      if (random.percent(70))
        inner.push_back(updatePart(x, y));
      if (random.percent(30))
        inner.push_back(updatePart(inner.back(), x));
      yieldFrom(block, inner.back());
    }
    return builder.create(state)->getResult(0);
  }
  }
}

/// A loop that carries up to three of `values` and updates them.
SmallVector<Value> Generator::loopOver(SmallVectorImpl<Value> &values,
                                       int64_t depth) {
  RankedTensorType counter = RankedTensorType::get({}, builder.getI32Type());
  SmallVector<Value> operands = {splat(builder, loc, counter, 0)};
  for (int64_t count = random.range(1, 3); count > 0; --count)
    operands.push_back(random.percent(50) ? values.back()
                                          : random.pick<Value>(values));
  SmallVector<Type> types(ValueRange(operands).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  OperationState state(loc, WhileOp::getOperationName(), operands, types);
  Region *cond = state.addRegion(), *body = state.addRegion();
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(cond, {}, types, locs);
    Value limit = splat(builder, loc, counter, random.range(0, 3));
    graph::ReturnOp::create(builder, loc,
                            graph::compare(builder, loc,
                                           ComparisonDirection::LT,
                                           block->getArgument(0), limit));
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(body, {}, types, locs);
    SmallVector<Value> inner;
    if (random.percent(20))
      inner.push_back(random.pick<Value>(values));
    llvm::append_range(inner, block->getArguments().drop_front());
    for (int64_t count = random.range(0, 4); count > 0; --count) {
      Value next = depth > 0 || !random.percent(15) ? nextValue(inner)
                                                    : loopOver(inner, 1)[0];
      inner.push_back(next);
    }
    Value one = splat(builder, loc, counter, 1);
    SmallVector<Value> yields = {
        build("cleave.add", {block->getArgument(0), one}, counter)};
    for (size_t i = 1; i < operands.size(); ++i)
      yields.push_back(
          random.percent(60)
              ? inner[inner.size() - 1 -
                      random.range(0, std::min<int64_t>(inner.size() - 1, 2))]
              : random.pick<Value>(inner));
    yieldFrom(block, yields);
  }
  Operation *op = builder.create(state);
  return SmallVector<Value>(op->getResults().drop_front());
}

bool Generator::updatesInPlace() {
  if (depth > 0)
    return false;
  Value x = random.percent(70) ? anyNumber(1, 3) : anyExact(1, 3);
  if (typeOf(x).getNumElements() == 0)
    return false;
  SmallVector<Value> values = {x};
  if (random.percent(60))
    values.push_back(within(ofType(typeOf(x)), std::max(infoOf(x).bound, 2.0)));
  Info info = joined(values);
  info.bound = std::max(info.bound, 1.0);
  // Indices and conditions are made before, where loops can see them.
  ++depth;
  for (int64_t count = random.range(1, 4); count > 0; --count) {
    if (random.percent(50))
      llvm::append_range(values, loopOver(values, 0));
    else
      values.push_back(nextValue(values));
  }
  --depth;
  add(values.back(), info);
  if (random.percent(40))
    add(random.pick<Value>(values), info);
  return true;
}
