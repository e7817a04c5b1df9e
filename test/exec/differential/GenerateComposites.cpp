//===- GenerateComposites.cpp - Random composites -------------------------===//
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

bool Generator::softmax() {
  if (isExact)
    return false;
  Value x = anyFloat(1, 4);
  x = within(x, 20);
  int64_t dim = random.range(0, typeOf(x).getRank() - 1);
  add(build("cleave.softmax", x, x.getType(), scalar("dim", dim)),
      {1, false, false});
  return true;
}

bool Generator::norm() {
  if (isExact)
    return false;
  Value x = anyFloat(1, 4);
  RankedTensorType type = typeOf(x);
  bool isF16 = type.getElementType().isF16();
  x = within(x, isF16 ? 30 : 1000); // the square must fit
  RankedTensorType vector = withShape(type, type.getShape().take_back());
  double epsilon = random.pick<double>({1e-5, 1e-3, 1e-6});
  NamedAttribute attribute =
      builder.getNamedAttr("epsilon", builder.getF64FloatAttr(epsilon));
  SmallVector<Value> operands = {x, within(ofType(vector), 10)};
  bool isLayer = random.percent(60);
  if (isLayer)
    operands.push_back(within(ofType(vector), 100));
  double rows = std::max<int64_t>(type.getShape().back(), 1);
  double bound = infoOf(operands[1]).bound * std::sqrt(rows) +
                 (isLayer ? infoOf(operands[2]).bound : 0);
  add(build(isLayer ? "cleave.layer_norm" : "cleave.rms_norm", operands, type,
            attribute),
      {bound, false, false});
  return true;
}

bool Generator::activation() {
  Value x = anyFloat(0, 4);
  Info info = infoOf(x);
  if (isExact || random.percent(25)) {
    add(build("cleave.relu", x, x.getType()), info);
    return true;
  }
  info.exact = info.integral = false;
  if (random.percent(35)) {
    add(build("cleave.silu", x, x.getType()), info);
    return true;
  }
  GeluForm form = random.percent(50) ? GeluForm::Erf : GeluForm::Tanh;
  // The cube of the tanh form must fit.
  x = within(x, typeOf(x).getElementType().isF16() ? 30 : 1000);
  info.bound = infoOf(x).bound;
  add(GeluOp::create(builder, loc, x.getType(), x, form), info);
  return true;
}

bool Generator::attention() {
  if (isExact)
    return false;
  Type element = randomFloat();
  int64_t batch = random.range(1, 3), s = sizeUpTo(1, 7, 40);
  int64_t groups = random.range(1, 3), heads = groups * random.range(1, 2);
  int64_t d = sizeUpTo(1, 6, 40), e = sizeUpTo(1, 6, 40);
  int64_t t = random.percent(50) ? s : sizeUpTo(1, 9, 70);
  bool isCausal = random.percent(40);
  // A position that sees nothing is NaN: seldom.
  if (isCausal && t < s && !random.percent(10))
    t = s;
  Value query = within(ofShape({batch, s, heads, d}, element), 8);
  Value key = within(ofShape({batch, t, groups, d}, element), 8);
  Value value = ofShape({batch, t, groups, e}, element);
  double bound = infoOf(value).bound;
  Value mask;
  FloatAttr scale, fill;
  if (random.percent(50)) {
    Shape shape = {batch, heads, s, t};
    for (int64_t i = 0; i < 3; ++i)
      if (random.percent(50))
        shape[i] = 1;
    if (random.percent(50)) {
      mask = within(ofShape(shape, element), 20);
    } else {
      mask = ofShape(shape, builder.getI1Type());
      // Without, a position for which all is false is NaN: seldom.
      if (!isCausal && !random.percent(10))
        fill = builder.getF64FloatAttr(random.percent(50) ? -2 : -1e4);
    }
  }
  if (random.percent(30))
    scale = builder.getF64FloatAttr(0.5);
  add(AttentionOp::create(builder, loc,
                          RankedTensorType::get({batch, s, heads, e}, element),
                          query, key, value, mask, isCausal, scale, fill),
      {bound, false, false});
  return true;
}

bool Generator::rotary() {
  if (isExact)
    return false;
  Value x = random.percent(50) ? pick([&](Value v) {
    return typeOf(v).getRank() == 4 && typeOf(v).getDimSize(3) % 2 == 0 &&
           isa<FloatType>(typeOf(v).getElementType());
  })
                               : Value();
  if (!x) {
    Shape shape = {random.range(1, 3), random.range(1, 7), random.range(1, 4),
                   2 * random.range(1, 4)};
    x = make(RankedTensorType::get(shape, randomFloat()));
  }
  Shape rows(typeOf(x).getShape().take_front(2));
  if (random.percent(60))
    rows.erase(rows.begin());
  Value positions = within(ofShape(rows, builder.getI32Type()), 40);
  auto base = builder.getNamedAttr(
      "base", builder.getF64FloatAttr(random.percent(70) ? 10000 : 100));
  add(build("cleave.rotary_embedding", {x, positions}, x.getType(), base),
      {infoOf(x).bound * 1.5, false, false});
  return true;
}

bool Generator::crossEntropy() {
  if (isExact)
    return false;
  Value logits = within(anyFloat(1, 3), 50);
  RankedTensorType type = typeOf(logits);
  if (type.getShape().back() == 0)
    return false;
  Shape rows(type.getShape().drop_back());
  Value labels = ofShape(rows, randomInteger());
  add(build("cleave.cross_entropy", {logits, labels}, withShape(type, rows)),
      {2 * infoOf(logits).bound + 5, false, false});
  return true;
}
