//===- GenerateContraction.cpp - Random contractions and reductions -------===//
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

/// Whether sums of `terms` products of numbers of at least 1 stay in `limit`.
static bool isRoomFor(double limit, double terms) {
  return terms < 1 || std::floor(std::sqrt(limit / terms)) >= 1;
}

void Generator::limitProducts(Value &lhs, Value &rhs, double terms,
                              double limit) {
  if (infoOf(lhs).bound * infoOf(rhs).bound * terms <= limit)
    return;
  double each = std::floor(std::sqrt(limit / std::max(terms, 1.0)));
  lhs = within(lhs, each);
  rhs = within(rhs, each);
}

bool Generator::dotGeneral() {
  Value lhs = random.percent(15) ? anyExact(1, 4) : anyNumber(1, 4);
  RankedTensorType type = typeOf(lhs);
  Type element = type.getElementType();
  SmallVector<int64_t> order = dimRange(type.getRank()), batching, contracting;
  random.shuffle(order);
  if (order.size() > 1 && random.percent(35))
    batching.push_back(order.pop_back_val());
  if (order.size() > 2 && random.percent(30))
    batching.push_back(order.pop_back_val());
  int64_t contracted = std::min<int64_t>(
      order.size(), random.pick<int64_t>({0, 1, 1, 1, 1, 1, 2}));
  double terms = 1;
  for (int64_t i = 0; i < contracted; ++i) {
    contracting.push_back(order.pop_back_val());
    terms *= type.getDimSize(contracting.back());
  }
  llvm::sort(order); // what is left is free
  // The right side has its dimensions in any order.
  struct Dim {
    int64_t size, role; // role: index in batching, then contracting, then free
  };
  SmallVector<Dim> dims;
  for (int64_t dim : batching)
    dims.push_back({type.getDimSize(dim), int64_t(dims.size())});
  for (int64_t dim : contracting)
    dims.push_back({type.getDimSize(dim), int64_t(dims.size())});
  int64_t numShared = dims.size();
  for (int64_t more = random.pick<int64_t>({0, 1, 1, 1, 2}); more > 0; --more)
    dims.push_back({randomDim(), int64_t(dims.size())});
  random.shuffle(dims);
  SmallVector<int64_t> rhsShared(numShared);
  Shape rhsShape, shape;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    rhsShape.push_back(dim.size);
    if (dim.role < numShared)
      rhsShared[dim.role] = i;
  }
  for (int64_t dim : batching)
    shape.push_back(type.getDimSize(dim));
  for (int64_t dim : order)
    shape.push_back(type.getDimSize(dim));
  for (Dim dim : dims)
    if (dim.role >= numShared)
      shape.push_back(dim.size);
  RankedTensorType result = withShape(type, shape);
  double limit = growthLimit(element);
  if (result.getNumElements() > 2000 || shape.size() > 5 ||
      withShape(type, rhsShape).getNumElements() > 2000 ||
      !isRoomFor(limit, terms))
    return false;

  Value rhs = ofShape(rhsShape, element);
  Info info = joined({lhs, rhs});
  if (isa<FloatType>(element)) {
    limitProducts(lhs, rhs, terms, limit);
    info.bound = infoOf(lhs).bound * infoOf(rhs).bound * terms;
    info.exact &= info.integral && info.bound <= exactLimit(element);
    info.integral &= info.exact;
    if (random.percent(15) && !element.isF64())
      result = withElement(result, element.isF32() ? builder.getF64Type()
                                                   : builder.getF32Type());
  } else {
    info.bound *= infoOf(lhs).bound * terms;
    if (info.bound * 2 > std::exp2(element.getIntOrFloatBitWidth()))
      info.bound = HUGE_VAL;
  }
  size_t numBatching = batching.size();
  SmallVector<NamedAttribute> attrs = {
      attr("lhs_batching_dims", batching),
      attr("rhs_batching_dims", ArrayRef(rhsShared).take_front(numBatching)),
      attr("lhs_contracting_dims", contracting),
      attr("rhs_contracting_dims",
           ArrayRef(rhsShared).drop_front(numBatching))};
  add(build("cleave.dot_general", {lhs, rhs}, result, attrs), info);
  return true;
}

bool Generator::linear() {
  Value x = anyFloat(1, 4);
  RankedTensorType type = typeOf(x);
  Type element = type.getElementType();
  int64_t count = type.getRank() > 1 && random.percent(25) ? 2 : 1;
  Shape weightShape(type.getShape().take_back(count));
  double terms = 1;
  for (int64_t size : weightShape)
    terms *= size;
  Shape trailing = randomShape(0, 2);
  weightShape.append(trailing.begin(), trailing.end());
  Shape shape(type.getShape().drop_back(count));
  shape.append(trailing.begin(), trailing.end());
  RankedTensorType result = withShape(type, shape);
  double limit = growthLimit(element) / 2;
  if (result.getNumElements() > 2000 || shape.size() > 5 ||
      withShape(type, weightShape).getNumElements() > 2000 ||
      !isRoomFor(limit, terms))
    return false;
  Value weight = ofShape(weightShape, element);
  SmallVector<Value> operands = {x, weight};
  limitProducts(operands[0], operands[1], terms, limit);
  double bound = infoOf(operands[0]).bound * infoOf(operands[1]).bound * terms;
  if (random.percent(60)) {
    operands.push_back(within(ofShape(trailing, element), limit));
    bound += infoOf(operands[2]).bound;
  }
  Info info = joined(operands);
  info.bound = bound;
  info.exact &= info.integral && bound <= exactLimit(element);
  info.integral &= info.exact;
  add(build("cleave.linear", operands, result, scalar("contracting", count)),
      info);
  return true;
}

ReductionKind Generator::randomReduction(Type element) {
  using Kind = ReductionKind;
  Kind kind = random.pick<Kind>(
      {Kind::Sum, Kind::Sum, Kind::Sum, Kind::Max, Kind::Min, Kind::Prod});
  if (isa<IntegerType>(element) && random.percent(40))
    kind = random.percent(50) ? Kind::And : Kind::Or;
  if (element.isInteger(1) && kind != Kind::And && kind != Kind::Or)
    kind = Kind::Or;
  return kind;
}

bool Generator::reduce() {
  Value x = random.percent(70) ? anyNumber(1, 4) : anyExact(1, 4);
  RankedTensorType type = typeOf(x);
  Type element = type.getElementType();
  SmallVector<int64_t> dims;
  double terms = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (random.percent(50)) {
      dims.push_back(dim);
      terms *= type.getDimSize(dim);
    }
  using Kind = ReductionKind;
  Kind kind = randomReduction(element);

  Info info = infoOf(x);
  double limit = growthLimit(element);
  bool isFloat = isa<FloatType>(element);
  // The initial value counts once, whatever the number of ranks.
  Value init = neutralScalar(builder, loc, element, kind);
  bool hasInit = random.percent(25);
  if (isFloat && kind == Kind::Sum) {
    if (info.bound * terms > limit - 4) {
      double each = std::floor((limit - 4) / std::max(terms, 1.0));
      if (each < 1)
        return false;
      x = within(x, each);
    }
    info = infoOf(x);
    info.bound = info.bound * terms + 4;
  } else if (isFloat && kind == Kind::Prod) {
    if (terms > 12)
      return false;
    x = within(x, isExact && terms > 3 ? 1 : terms > 6 ? 1 : 2);
    info = infoOf(x);
    info.bound = std::pow(info.bound, terms) * 4;
  } else if (terms == 0 && !hasInit) {
    info.bound = HUGE_VAL;
  }
  if (hasInit)
    init = within(ofType(withShape(type, {})), 4);
  info.exact &= infoOf(init).exact || !hasInit;
  info.integral &= !hasInit || infoOf(init).integral;
  if (isFloat && (kind == Kind::Sum || kind == Kind::Prod)) {
    info.exact &= info.integral && info.bound <= exactLimit(element);
    info.integral &= info.exact;
  } else if (isFloat) {
    info.bound = std::max(info.bound, hasInit ? infoOf(init).bound : 0.0);
    if (terms == 0 && !hasInit)
      return false; // an infinity would end everything
  } else {
    info.bound = HUGE_VAL;
  }
  if (isExact && !info.exact)
    return false;
  Value result =
      ReduceOp::create(builder, loc, x, init, dims, kind).getResult(0);
  add(result, info);
  return true;
}

/// Two inputs and a body that is no single op: the largest element and where
/// it is, or a maximum and a sum at once.
bool Generator::reducePair() {
  Value x = anyExact(1, 3);
  RankedTensorType type = typeOf(x);
  if (type.getElementType().isInteger(1))
    return false;
  bool isArgMax = random.percent(60);
  int64_t dim = random.range(0, type.getRank() - 1);
  RankedTensorType second = withElement(type, builder.getI32Type());
  Value y = isArgMax ? graph::iota(builder, loc, second, dim) : ofType(second);
  Shape shape(type.getShape());
  shape.erase(shape.begin() + dim);
  RankedTensorType a = withShape(type, {}), b = withShape(second, {});
  double low = type.getElementType().isUnsignedInteger() ? 0 : -100;
  Value inits[] = {splat(builder, loc, a, low), splat(builder, loc, b, 0)};
  OperationState state(loc, ReduceOp::getOperationName());
  state.addOperands({x, y, inits[0], inits[1]});
  state.addTypes({withShape(type, shape), withShape(second, shape)});
  state.addAttribute("dimensions", builder.getDenseI64ArrayAttr({dim}));
  Region *region = state.addRegion();
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *body =
        builder.createBlock(region, {}, {a, b, a, b}, {loc, loc, loc, loc});
    Value accA = body->getArgument(0), accB = body->getArgument(1);
    Value newA = body->getArgument(2), newB = body->getArgument(3);
    SmallVector<Value> yields;
    if (isArgMax) {
      // Of equal elements the first one, whatever the order of evaluation.
      using Direction = ComparisonDirection;
      Value more = graph::compare(builder, loc, Direction::GT, newA, accA);
      Value same = graph::compare(builder, loc, Direction::EQ, newA, accA);
      Value before = graph::compare(builder, loc, Direction::LT, newB, accB);
      Type flag = more.getType();
      same = build("cleave.and", {same, before}, flag);
      more = build("cleave.or", {more, same}, flag);
      yields = {build("cleave.select", {more, newA, accA}, a),
                build("cleave.select", {more, newB, accB}, b)};
    } else {
      yields = {build("cleave.maximum", {accA, newA}, a),
                build("cleave.add", {accB, newB}, b)};
    }
    graph::ReturnOp::create(builder, loc, yields);
  }
  Operation *op = builder.create(state);
  Info info = infoOf(x);
  info.bound = std::max(info.bound, 100.0);
  add(op->getResult(0), info);
  add(op->getResult(1), {isArgMax ? 100 : HUGE_VAL});
  return true;
}
