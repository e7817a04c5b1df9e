//===- GenerateWindows.cpp - Random windowed operations -------------------===//
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

/// More steps than this make a case slow.
static constexpr int64_t maxSteps = 30000;

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

/// Windows along a dimension of `size` elements, every field random.
WindowDim Generator::randomWindow(int64_t size, bool mayReverse) {
  WindowDim window;
  window.size = size;
  window.window = random.range(1, random.percent(80) ? 3 : 6);
  // What models have, which is where forms of their own are.
  if (random.percent(50)) {
    window.stride = random.percent(70) ? 1 : 2;
    window.low = random.range(0, window.window - 1);
    window.high = random.range(0, window.window - 1);
    return window;
  }
  window.stride = random.range(1, 3);
  window.low = random.range(-2, 4);
  window.high = random.range(-2, 4);
  if (random.percent(30))
    window.baseDilation = random.range(1, 3);
  if (random.percent(30))
    window.windowDilation = random.range(1, 3);
  if (mayReverse)
    window.isReversed = random.percent(30);
  return window;
}

/// The attributes of windows, or nothing if there are no results.
static std::optional<Shape> countAll(ArrayRef<WindowDim> windows) {
  Shape shape;
  int64_t steps = 1;
  for (const WindowDim &window : windows) {
    std::optional<int64_t> count = window.count();
    if (!count)
      return std::nullopt;
    shape.push_back(*count);
    steps *= *count * window.window;
  }
  if (steps > maxSteps)
    return std::nullopt;
  return shape;
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

SmallVector<WindowDim> Generator::randomWindows(ArrayRef<int64_t> shape) {
  SmallVector<WindowDim> windows;
  int64_t form = random.range(0, 99);
  int64_t special = shape.empty() ? 0 : random.range(0, shape.size() - 1);
  for (auto [d, size] : llvm::enumerate(shape)) {
    WindowDim window;
    window.size = size;
    bool isSpecial = static_cast<int64_t>(d) == special && size > 0;
    if (form < 30 && isSpecial) {
      window.window = size; // a scan
      (form < 15 ? window.low : window.high) = size - 1;
    } else if (form >= 30 && form < 45) {
      if (isSpecial || random.percent(40))
        window.window = std::max<int64_t>(size, 1); // all at once
    } else if (form >= 45 && random.percent(60)) {
      window = randomWindow(size, /*mayReverse=*/false);
    }
    windows.push_back(window);
  }
  return windows;
}

bool Generator::reduceWindow() {
  Value x = random.percent(70) ? anyNumber(0, 4) : anyExact(0, 4);
  RankedTensorType type = typeOf(x);
  Type element = type.getElementType();
  SmallVector<WindowDim> windows = randomWindows(type.getShape());
  std::optional<Shape> shape = countAll(windows);
  if (!shape)
    return false;
  double terms = 1;
  bool hasPadding = false;
  for (const WindowDim &window : windows) {
    terms *= window.window;
    hasPadding |= window.low > 0 || window.high > 0 || window.baseDilation > 1;
  }
  using Kind = ReductionKind;
  Kind kind = randomReduction(element);

  bool isFloat = isa<FloatType>(element);
  bool isExtremum = kind == Kind::Max || kind == Kind::Min;
  double limit = growthLimit(element);
  Value init = neutralScalar(builder, loc, element, kind);
  // Windows of padding alone would have infinite extrema.
  bool hasInit = random.percent(20) || (isFloat && isExtremum && hasPadding);
  if (hasInit)
    init = within(ofType(withShape(type, {})), 2);
  double initBound = hasInit ? infoOf(init).bound : kind == Kind::Prod ? 1 : 0;
  Info info = infoOf(x);
  if (isFloat && kind == Kind::Sum) {
    double each = std::floor(limit / (terms + 1));
    if (each < 2)
      return false;
    x = within(x, each);
    info = infoOf(x);
    info.bound = std::max(info.bound, initBound) * (terms + 1);
  } else if (isFloat && kind == Kind::Prod) {
    if (terms > 8)
      return false;
    x = within(x, terms > 3 ? 1 : 2);
    info = infoOf(x);
    info.bound = std::pow(std::max({info.bound, initBound, 1.0}), terms + 1);
    if (info.bound > limit)
      return false;
  } else if (isFloat) {
    info.bound = std::max(info.bound, initBound);
  } else {
    info.bound = HUGE_VAL;
  }
  if (hasInit) {
    info.exact &= infoOf(init).exact;
    info.integral &= infoOf(init).integral;
  }
  if (isFloat && !isExtremum) {
    info.exact &= info.integral && info.bound <= exactLimit(element);
    info.integral &= info.exact;
  }
  if (isExact && !info.exact)
    return false;
  add(ReduceWindowOp::create(builder, loc, x, init, windows, kind).getResult(0),
      info);
  return true;
}

/// Two inputs: the largest element of a window and where it is.
bool Generator::reduceWindowPair() {
  Value x = anyExact(1, 3);
  RankedTensorType type = typeOf(x);
  if (type.getElementType().isInteger(1))
    return false;
  SmallVector<WindowDim> windows = randomWindows(type.getShape());
  std::optional<Shape> shape = countAll(windows);
  if (!shape)
    return false;
  RankedTensorType second = withElement(type, builder.getI32Type());
  int64_t dim = random.range(0, type.getRank() - 1);
  Value y = graph::iota(builder, loc, second, dim);
  double low = type.getElementType().isUnsignedInteger() ? 0 : -100;
  Value inits[] = {splat(builder, loc, withShape(type, {}), low),
                   splat(builder, loc, withShape(second, {}), -1)};
  SmallVector<int64_t> ones(shape->size(), 1), zeros(2 * shape->size(), 0);
  auto op = ReduceWindowOp::create(
      builder, loc, {withShape(type, *shape), withShape(second, *shape)},
      {x, y}, inits, ones, ones, ones, ones, zeros);
  op.setWindows(windows);
  {
    OpBuilder::InsertionGuard guard(builder);
    Type a = withShape(type, {}), b = withShape(second, {});
    mlir::Block &body = *builder.createBlock(&op.getBody(), {}, {a, b, a, b},
                                             {loc, loc, loc, loc});
    Value most = body.getArgument(0), at = body.getArgument(1);
    Value element = body.getArgument(2), index = body.getArgument(3);
    // Of equal elements the one with the largest index, in any order.
    using Direction = ComparisonDirection;
    Value more = graph::compare(builder, loc, Direction::GT, element, most);
    Value same = graph::compare(builder, loc, Direction::EQ, element, most);
    Value after = graph::compare(builder, loc, Direction::GT, index, at);
    Type flag = more.getType();
    same = build("cleave.and", {same, after}, flag);
    more = build("cleave.or", {more, same}, flag);
    Value yields[] = {
        build("cleave.select", {more, element, most}, most.getType()),
        build("cleave.select", {more, index, at}, at.getType())};
    graph::ReturnOp::create(builder, loc, yields);
  }
  Info info = infoOf(x);
  info.bound = std::max(info.bound, 100.0);
  add(op->getResult(0), info);
  add(op->getResult(1), {100});
  return true;
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

/// An old value whose dimensions get any role, or a new one.
Value Generator::convolutionOperand() {
  if (Value known = random.percent(50) ? anyNumber(2, 4) : Value())
    return known;
  Shape shape;
  for (int64_t rank = random.pick<int64_t>({2, 3, 3, 4, 4, 4, 5}); rank > 0;
       --rank)
    shape.push_back(sizeUpTo(1, rank > 3 ? 4 : 7, rank > 3 ? 5 : 12));
  return make(RankedTensorType::get(
      shape, random.percent(80) ? randomFloat() : randomInteger()));
}

bool Generator::convolution() {
  Value lhs = convolutionOperand();
  RankedTensorType type = typeOf(lhs);
  Type element = type.getElementType();
  int64_t rank = type.getRank();
  auto shuffled = [&] {
    SmallVector<int64_t> dims = dimRange(rank);
    random.shuffle(dims);
    return dims;
  };
  // Batch or output feature, feature or input feature, then spatial ones.
  SmallVector<int64_t> from = shuffled(), kernel = shuffled(), to = shuffled();
  int64_t batch = type.getDimSize(from[0]), features = type.getDimSize(from[1]);
  auto divisor = [&](int64_t n) {
    int64_t d = random.range(1, std::max<int64_t>(std::min<int64_t>(n, 4), 1));
    return n % d == 0 ? d : 1;
  };
  int64_t featureGroups = random.percent(35) ? divisor(features) : 1;
  int64_t batchGroups =
      featureGroups == 1 && random.percent(35) ? divisor(batch) : 1;
  int64_t outputs = featureGroups * batchGroups * sizeUpTo(1, 4, 70);
  SmallVector<WindowDim> windows;
  Shape kernelShape(rank), shape(rank);
  kernelShape[kernel[0]] = outputs;
  kernelShape[kernel[1]] = features / featureGroups;
  for (int64_t i = 2; i < rank; ++i) {
    windows.push_back(
        randomWindow(type.getDimSize(from[i]), /*mayReverse=*/true));
    if (random.percent(5))
      windows.back().window = std::max<int64_t>(windows.back().size, 1);
    kernelShape[kernel[i]] = windows.back().window;
  }
  std::optional<Shape> counts = countAll(windows);
  if (!counts)
    return false;
  for (int64_t i = 2; i < rank; ++i)
    shape[to[i]] = (*counts)[i - 2];
  shape[to[0]] = batch / batchGroups;
  shape[to[1]] = outputs;
  RankedTensorType result = withShape(type, shape);
  RankedTensorType kernelType = withShape(type, kernelShape);
  double terms = static_cast<double>(kernelType.getNumElements()) / outputs;
  double limit = growthLimit(element);
  int64_t maxElements = isWide ? 20000 : 2000;
  if (result.getNumElements() > maxElements ||
      kernelType.getNumElements() > maxElements ||
      result.getNumElements() * terms > (isWide ? 20 : 1) * maxSteps ||
      std::floor(std::sqrt(limit / std::max(terms, 1.0))) < 1)
    return false;

  Value rhs = ofType(kernelType);
  Info info;
  if (isa<FloatType>(element)) {
    limitProducts(lhs, rhs, terms, limit);
    info = joined({lhs, rhs});
    info.bound = infoOf(lhs).bound * infoOf(rhs).bound * terms;
    info.exact &= info.integral && info.bound <= exactLimit(element);
    info.integral &= info.exact;
    if (random.percent(15) && !element.isF64())
      result = withElement(result, element.isF32() ? builder.getF64Type()
                                                   : builder.getF32Type());
  } else {
    info.bound = HUGE_VAL;
    if (random.percent(20) && element.isSignlessInteger(8))
      result = withElement(result, builder.getI32Type());
  }
  if (isExact && !info.exact)
    return false;
  auto spatial = [](ArrayRef<int64_t> dims) { return dims.drop_front(2); };
  SmallVector<bool> reversal = llvm::map_to_vector(
      windows, [](const WindowDim &w) { return w.isReversed; });
  SmallVector<int64_t> ones(windows.size(), 1), zeros(2 * windows.size(), 0);
  auto op = ConvolutionOp::create(
      builder, loc, result, lhs, rhs, ones, zeros, ones, ones, reversal,
      from[0], from[1], spatial(from), kernel[1], kernel[0], spatial(kernel),
      to[0], to[1], spatial(to), featureGroups, batchGroups);
  op.setWindows(windows);
  add(op, info);
  return true;
}
