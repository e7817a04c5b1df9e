//===- GenerateControlFlow.cpp - Random loops, branches and calls ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

/// `like` plus the largest element of a value of another type, so that what is
/// computed in a region has its part in the region's result.
Value Generator::foldInto(Value like, Value value) {
  RankedTensorType type = typeOf(like), from = typeOf(value);
  Type element = type.getElementType();
  Info info = infoOf(like);
  if (element.isInteger(1) ||
      (!infoOf(value).exact && (info.exact || isa<IntegerType>(element))) ||
      (info.exact && isa<FloatType>(element) && !info.integral) ||
      from.getNumElements() == 0 || (info.integral && !infoOf(value).integral))
    return {};
  value = within(value, 4);
  ReductionKind kind = from.getElementType().isInteger(1) ? ReductionKind::Or
                                                          : ReductionKind::Max;
  Value scalar =
      graph::reduce(builder, loc, value, dimRange(from.getRank()), kind);
  scalar = convertElement(builder, loc, scalar, element);
  scalar = broadcastTo(builder, loc, scalar, type.getShape(), {});
  double top = growthLimit(element);
  Value start = info.bound + 4 > top ? within(like, top - 4) : like;
  info.bound = infoOf(start).bound + 4;
  return add(build("cleave.add", {start, scalar}, type), info);
}

/// Some value that was made since `poolStart`, of the type of `like`, or the
/// sum of `like` and another.
Value Generator::regionResult(Value like, size_t poolStart, double limit) {
  bool mustBeExact = isExact || infoOf(like).exact;
  SmallVector<Value> fitting;
  for (size_t i = poolStart; i < pool.size(); ++i)
    if (pool[i].getType() == like.getType() && pool[i] != like &&
        !isa<BlockArgument>(pool[i]) &&
        (infoOf(pool[i]).exact || !mustBeExact) &&
        (infoOf(pool[i]).integral || !infoOf(like).integral))
      fitting.push_back(pool[i]);
  if (!fitting.empty())
    return within(random.pick<Value>(fitting), limit);
  if (pool.size() > poolStart && pool.back() != like)
    if (Value sum = foldInto(like, pool.back()))
      return within(sum, limit);
  Type element = typeOf(like).getElementType();
  if (element.isInteger(1))
    return like;
  if (mustBeExact && !infoOf(like).integral)
    return add(build("cleave.negate", like, like.getType()), infoOf(like));
  Value one = splat(builder, loc, typeOf(like), 1);
  Info info = infoOf(like);
  double top = growthLimit(element);
  Value start = info.bound + 1 > top ? within(like, top - 1) : like;
  info.bound = infoOf(start).bound + 1;
  return within(add(build("cleave.add", {start, one}, like.getType()), info),
                limit);
}

bool Generator::whileLoop() {
  if (depth > 0)
    return false;
  SmallVector<Value> inits;
  for (int64_t count = random.range(1, 2); count > 0; --count)
    inits.push_back(random.percent(70) ? anyNumber(0, 3) : anyExact(0, 3));
  RankedTensorType counter = RankedTensorType::get({}, builder.getI32Type());
  Value zero = splat(builder, loc, counter, 0);
  int64_t trips = random.range(0, 4);
  SmallVector<double> limits;
  for (Value &init : inits) {
    Type element = typeOf(init).getElementType();
    double limit = std::max(infoOf(init).bound, 4.0);
    if (isa<FloatType>(element))
      limit = std::min(limit, growthLimit(element));
    if (element.isInteger(1))
      limit = 1;
    init = within(init, limit);
    limits.push_back(limit);
  }
  SmallVector<Value> operands = {zero};
  operands.append(inits);
  SmallVector<Type> types(ValueRange(operands).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  OperationState state(loc, WhileOp::getOperationName(), operands, types);
  Region *cond = state.addRegion(), *body = state.addRegion();
  ++depth;
  size_t poolStart = pool.size();
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(cond, {}, types, locs);
    Value limit = splat(builder, loc, counter, trips);
    graph::ReturnOp::create(
        builder, loc,
        ValueRange{graph::compare(builder, loc, ComparisonDirection::LT,
                                  block->getArgument(0), limit)});
  }
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(body, {}, types, locs);
    add(block->getArgument(0), {4});
    for (auto [i, init] : llvm::enumerate(inits)) {
      bool isFloat = isa<FloatType>(typeOf(init).getElementType());
      bool stays = isExact || !isFloat;
      infos[block->getArgument(i + 1)] = {limits[i], stays, stays};
      pool.push_back(block->getArgument(i + 1));
    }
    someOps(random.range(1, 3));
    Value one = splat(builder, loc, counter, 1);
    SmallVector<Value> yields = {
        build("cleave.add", {block->getArgument(0), one}, counter)};
    for (size_t i = 0; i < inits.size(); ++i)
      yields.push_back(
          regionResult(block->getArgument(i + 1), poolStart, limits[i]));
    graph::ReturnOp::create(builder, loc, yields);
  }
  --depth;
  // Arguments of the function that the body needed stay visible.
  pool.erase(std::remove_if(
                 pool.begin() + poolStart, pool.end(),
                 [&](Value v) { return v.getParentBlock() != &main.front(); }),
             pool.end());
  Operation *op = builder.create(state);
  for (auto [i, init] : llvm::enumerate(inits)) {
    bool stays = isExact || !isa<FloatType>(typeOf(init).getElementType());
    add(op->getResult(i + 1), {limits[i], stays, stays});
  }
  return true;
}

/// A loop that adds up terms, sums of products themselves, in a variable that
/// starts from zero, as gradients are accumulated over micro-batches.
bool Generator::accumulate() {
  if (depth > 0)
    return false;
  Type element = random.percent(80) ? mainFloat : randomFloat();
  int64_t m = randomDim(), k = randomDim(), n = randomDim();
  RankedTensorType type = RankedTensorType::get({m, n}, element);
  int64_t trips = random.range(0, 4);
  double each = std::floor(std::sqrt(growthLimit(element) / (8.0 * (k + 1))));
  if (type.getNumElements() > 500 || each < 1)
    return false;
  RankedTensorType counter = RankedTensorType::get({}, builder.getI32Type());
  Value zero = splat(builder, loc, type, 0);
  if (random.percent(15))
    zero = within(ofType(type), 1);
  Value operands[] = {splat(builder, loc, counter, 0), zero};
  SmallVector<Type> types(ValueRange(operands).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  OperationState state(loc, WhileOp::getOperationName(), operands, types);
  Region *cond = state.addRegion(), *body = state.addRegion();
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(cond, {}, types, locs);
    Value limit = splat(builder, loc, counter, trips);
    graph::ReturnOp::create(builder, loc,
                            graph::compare(builder, loc,
                                           ComparisonDirection::LT,
                                           block->getArgument(0), limit));
  }
  ++depth;
  size_t poolStart = pool.size();
  Info info;
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(body, {}, types, locs);
    Value sum = block->getArgument(1);
    add(block->getArgument(0), {4});
    someOps(random.range(0, 2));
    Value lhs = within(ofShape({m, k}, element), each);
    Value rhs = within(ofShape({k, n}, element), each);
    // Another factor in each iteration.
    if (random.percent(50) && each >= 8) {
      Value step = convertElement(builder, loc, block->getArgument(0), element);
      lhs = within(lhs, std::floor(each / 4));
      lhs =
          add(build("cleave.multiply",
                    {lhs, broadcastTo(builder, loc, step, {m, k}, {})},
                    lhs.getType()),
              {4 * infoOf(lhs).bound, infoOf(lhs).exact, infoOf(lhs).integral});
    }
    info = joined({lhs, rhs});
    info.bound = infoOf(lhs).bound * infoOf(rhs).bound * k;
    info.exact &= info.integral;
    Value term = build(
        "cleave.dot_general", {lhs, rhs}, type,
        {attr("lhs_batching_dims", {}), attr("rhs_batching_dims", {}),
         attr("lhs_contracting_dims", {1}), attr("rhs_contracting_dims", {0})});
    if (random.percent(30))
      term = build("cleave.negate", term, type);
    if (random.percent(20))
      add(term, info);
    info.bound = info.bound * trips + 1;
    infos[sum] = info;
    if (random.percent(15)) {
      pool.push_back(sum);
      someOps(1);
    }
    Value one = splat(builder, loc, counter, 1);
    StringRef op = random.percent(80) ? "cleave.add" : "cleave.subtract";
    graph::ReturnOp::create(
        builder, loc,
        ValueRange{build("cleave.add", {block->getArgument(0), one}, counter),
                   build(op, {sum, term}, type)});
  }
  --depth;
  pool.erase(std::remove_if(
                 pool.begin() + poolStart, pool.end(),
                 [&](Value v) { return v.getParentBlock() != &main.front(); }),
             pool.end());
  add(builder.create(state)->getResult(1), info);
  return true;
}

bool Generator::ifElse() {
  if (depth > 0)
    return false;
  RankedTensorType flag = RankedTensorType::get({}, builder.getI1Type());
  Value pred = ofType(flag);
  Value like = random.percent(70) ? anyNumber(0, 3) : anyExact(0, 3);
  double limit = std::max(infoOf(like).bound, 4.0);
  OperationState state(loc, IfOp::getOperationName(), pred, like.getType());
  ++depth;
  size_t poolStart = pool.size();
  Info info = infoOf(like);
  for (int branch = 0; branch < 2; ++branch) {
    Region *region = state.addRegion();
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(region);
    size_t branchStart = pool.size();
    someOps(random.range(0, 2));
    Value yield = branch == 1 && random.percent(30)
                      ? like
                      : regionResult(like, branchStart, limit);
    Info other = infoOf(yield);
    info.exact &= other.exact;
    info.integral &= other.integral;
    info.bound = std::max(info.bound, other.bound);
    graph::ReturnOp::create(builder, loc, yield);
    pool.erase(std::remove_if(pool.begin() + poolStart, pool.end(),
                              [&](Value v) {
                                return v.getParentBlock() != &main.front();
                              }),
               pool.end());
  }
  --depth;
  add(builder.create(state)->getResult(0), info);
  return true;
}

/// A function of its own, called once or twice.
bool Generator::call() {
  if (depth > 0)
    return false;
  SmallVector<Value> operands;
  for (int64_t count = random.range(1, 3); count > 0; --count)
    operands.push_back(random.percent(70) ? anyNumber(0, 3) : anyExact(0, 3));
  SmallVector<Type> types(ValueRange(operands).getTypes());
  std::string name = "callee" + std::to_string(numCallees++);
  func::FuncOp callee;
  Info info;
  ++depth;
  size_t poolStart = pool.size();
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToEnd(result.module->getBody());
    callee = func::FuncOp::create(builder, loc, name,
                                  FunctionType::get(context, types, {}));
    callee.setPrivate();
    mlir::Block *block = callee.addEntryBlock();
    builder.setInsertionPointToEnd(block);
    size_t outer = std::exchange(firstVisible, poolStart);
    for (auto [argument, operand] :
         llvm::zip(block->getArguments(), operands)) {
      infos[argument] = infoOf(operand);
      pool.push_back(argument);
    }
    someOps(random.range(1, 4));
    Value yield = pool.back();
    info = infoOf(yield);
    func::ReturnOp::create(builder, loc, yield);
    callee.setType(FunctionType::get(context, types, yield.getType()));
    firstVisible = outer;
    pool.resize(poolStart);
  }
  --depth;
  add(func::CallOp::create(builder, loc, callee, operands).getResult(0), info);
  return true;
}
