//===- GenerateSmallFloats.cpp - Random floats of 8 bits ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "dialects/Graph/SmallFloats.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

/// A value in 8 bits, moved in up to three ways, and then converted back or an
/// operand of a product. Other ops do not see it.
bool Generator::smallFloats() {
  Type types[] = {
      Float8E3M4Type::get(context),        Float8E4M3Type::get(context),
      Float8E4M3B11FNUZType::get(context), Float8E4M3FNType::get(context),
      Float8E4M3FNUZType::get(context),    Float8E5M2Type::get(context),
      Float8E5M2FNUZType::get(context)};
  Type small = random.pick<Type>(types);
  // All of them have all integers up to 8.
  constexpr double limit = 8;
  Value small8;
  if (firstVisible == 0 && random.percent(30)) {
    RankedTensorType type = RankedTensorType::get(randomShape(0, 4), small);
    small8 = make(type, -4, 4, isExact || random.percent(20));
  } else {
    Value x = within(isExact ? anyExact() : anyFloat(), limit);
    Info info = infoOf(x);
    info.exact &= info.integral;
    if (isExact && !info.exact)
      return false;
    small8 = build("cleave.convert", x, withElement(typeOf(x), small));
    add(small8, info);
  }

  // Only it is in sight.
  size_t first = llvm::find(pool, small8) - pool.begin();
  size_t outside = std::exchange(firstVisible, first);
  using Family = bool (Generator::*)();
  static const Family movements[] = {
      &Generator::broadcast,    &Generator::reshape,
      &Generator::transpose,    &Generator::slice,
      &Generator::pad,          &Generator::concatenate,
      &Generator::reverse,      &Generator::gather,
      &Generator::dynamicSlice, &Generator::dynamicUpdateSlice};
  for (int64_t steps = random.range(0, 3); steps > 0; --steps)
    (this->*random.pick<Family>(movements))();
  auto isSmall = [&](Value v) { return typeOf(v).getElementType() == small; };
  Value moved = pick(isSmall);
  Info info = infoOf(moved);
  RankedTensorType type = typeOf(moved);
  Value weight;
  if (type.getRank() > 0 && random.percent(50))
    weight = make(RankedTensorType::get(
        {type.getShape().back(), random.range(1, 6)}, small));
  firstVisible = outside;
  llvm::erase_if(pool, isSmall);
  if (!weight) {
    Type wide = random.percent(70) ? mainFloat : builder.getF32Type();
    add(build("cleave.convert", moved, withElement(type, wide)), info);
    return true;
  }
  Info joint = joined({moved, weight});
  joint.bound = info.bound * infoOf(weight).bound * type.getShape().back();
  Shape shape(type.getShape());
  shape.back() = typeOf(weight).getDimSize(1);
  add(build("cleave.dot_general", {moved, weight},
            RankedTensorType::get(shape, builder.getF32Type()),
            {attr("lhs_contracting_dims", {type.getRank() - 1}),
             attr("rhs_contracting_dims", {0})}),
      joint);
  return true;
}
