//===- GenerateManual.cpp - Random manual computations --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ManualGenerator.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;
using spmd::Reduction;

//===----------------------------------------------------------------------===//
// Values and axes
//===----------------------------------------------------------------------===//

Value ManualGenerator::note(Value value, Info info, Variation variation) {
  Value added = g.add(value, info);
  variations[value] = variations[added] = variation;
  return added;
}

ManualGenerator::Variation ManualGenerator::variationOf(Value value) {
  if (auto it = variations.find(value); it != variations.end())
    return it->second;
  // An op that computes from its operands and from what its regions use.
  Variation variation = 0;
  Operation *op = value.getDefiningOp();
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      if (operand.getParentBlock() == op->getBlock())
        variation |= variationOf(operand);
  });
  return variations[value] = variation;
}

ManualGenerator::Variation ManualGenerator::bits(ArrayRef<AxisRef> axes) {
  Variation variation = 0;
  for (const AxisRef &axis : axes)
    variation |= 1u << axis.axis;
  return variation;
}

bool ManualGenerator::hasNumbers(Value value) {
  return !typeOf(value).getElementType().isInteger(1);
}

bool ManualGenerator::sumFits(Value value, double bound) {
  Type element = typeOf(value).getElementType();
  Info info = g.infoOf(value);
  if (element.isInteger(1))
    return false;
  return isa<IntegerType>(element) || (info.exact && info.integral &&
                                       bound <= Generator::exactLimit(element));
}

/// Up to `most` whole axes that are manual, in random order.
AxisList ManualGenerator::someAxes(size_t most) {
  AxisList axes = manualAxes;
  random.shuffle(axes);
  axes.truncate(std::min<size_t>(axes.size(), random.range(1, most)));
  return axes;
}

AxisList ManualGenerator::axesOf(Variation variation) {
  AxisList axes;
  for (AxisId id = 0; id < mesh.axes.size(); ++id)
    if (variation & (1u << id))
      axes.push_back(mesh.whole(id));
  random.shuffle(axes);
  return axes;
}

Sharding ManualGenerator::randomSharding(int64_t rank) {
  Sharding sharding = Sharding::replicated(rank);
  if (rank > 0)
    for (const AxisRef &axis : someAxes(mesh.axes.size())) {
      AxisList &axes = sharding.dims[random.range(0, rank - 1)].axes;
      // Parts that follow one another cut uneven sizes otherwise than the axis.
      if (axis.size % 2 == 0 && axis.size > 2 && random.percent(30))
        axes.append(
            {AxisRef{axis.axis, 1, 2}, AxisRef{axis.axis, 2, axis.size / 2}});
      else
        axes.push_back(axis);
    }
  return sharding;
}

/// The sharding of a side: after the manual axes, some free ones.
spmd::ShardingAttr ManualGenerator::withFreeAxes(Sharding sharding) {
  for (AxisId id = 0; id < mesh.axes.size(); ++id)
    if ((free & (1u << id)) && !sharding.dims.empty() && random.percent(40))
      sharding.dims[random.range(0, sharding.dims.size() - 1)].axes.push_back(
          mesh.whole(id));
  for (DimSharding &dim : sharding.dims)
    dim.open = free != 0 && random.percent(60);
  return spmd::toAttr(g.context, sharding, mesh);
}

/// A size whose blocks, `count` of them, have this extent.
int64_t ManualGenerator::uneven(int64_t block, int64_t count) {
  if (block == 0)
    return 0;
  return random.percent(50)
             ? block * count
             : random.range((block - 1) * count + 1, block * count);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// The sum, or for inexact values the maximum, of two values of one type.
bool ManualGenerator::combineTwo() {
  Value x = pick([&](Value v) { return hasNumbers(v); });
  if (!x)
    return false;
  Value y = pick([&](Value v) { return v.getType() == x.getType(); });
  Info info = g.joined({x, y});
  double sum = g.infoOf(x).bound + g.infoOf(y).bound;
  bool adds = sumFits(x, sum) && sumFits(y, sum);
  info.bound = adds ? sum : info.bound;
  note(g.build(adds ? "cleave.add" : "cleave.maximum", {x, y}, x.getType()),
       info, variationOf(x) | variationOf(y));
  return true;
}

/// What the body computes is partitioned along free axes.
bool ManualGenerator::constrain() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!x)
    return false;
  auto sharding = withFreeAxes(Sharding::replicated(typeOf(x).getRank()));
  note(spmd::ShardingConstraintOp::create(builder, loc, x.getType(), x,
                                          sharding),
       g.infoOf(x), variationOf(x));
  return true;
}

/// As many rounds as a rank's position along some axes says: each takes the
/// maximum over other axes, if there are any.
bool ManualGenerator::loop() {
  Value x = pick([&](Value v) { return hasNumbers(v); });
  if (!x)
    return false;
  AxisList axes = someAxes(mesh.axes.size());
  AxisList others = axesOf(bits(manualAxes) & ~bits(axes));
  auto counter = RankedTensorType::get({}, builder.getI32Type());
  Value limit = rankIndex(axes), zero = splat(builder, loc, counter, 0);
  SmallVector<Type> types{counter, x.getType()};
  SmallVector<Location> locs{loc, loc};
  OperationState state(loc, WhileOp::getOperationName(), ValueRange{zero, x},
                       types);
  Region *cond = state.addRegion(), *body = state.addRegion();
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(cond, {}, types, locs);
    graph::ReturnOp::create(
        builder, loc,
        ValueRange{graph::compare(builder, loc, ComparisonDirection::LT,
                                  block->getArgument(0), limit)});
    block = builder.createBlock(body, {}, types, locs);
    Value one = splat(builder, loc, counter, 1);
    Value next = g.build("cleave.add", {block->getArgument(0), one}, counter);
    Value value = g.build("cleave.negate", block->getArgument(1), x.getType());
    if (!others.empty())
      value = reduceOver(value, Reduction::Max, others);
    graph::ReturnOp::create(builder, loc, ValueRange{next, value});
  }
  Operation *op = builder.create(state);
  // A rank that does not take part keeps what it has.
  note(op->getResult(1), g.infoOf(x), variationOf(x) | bits(axes));
  return true;
}

/// A branch on the rank without collectives, or on what all ranks agree on.
bool ManualGenerator::branch() {
  Value x = pick([&](Value v) { return hasNumbers(v); });
  if (!x)
    return false;
  AxisList axes = someAxes(2);
  Value index = rankIndex(axes);
  bool isUniform = random.percent(50);
  if (isUniform)
    index = reduceOver(index, Reduction::Max, axes);
  auto scalar = RankedTensorType::get({}, builder.getI32Type());
  Value pred = graph::compare(builder, loc, ComparisonDirection::LT, index,
                              splat(builder, loc, scalar, random.range(0, 4)));
  OperationState state(loc, IfOp::getOperationName(), pred, x.getType());
  for (int side = 0; side < 2; ++side) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(state.addRegion());
    Value value = x;
    if (side == 0)
      value = g.build("cleave.abs", x, x.getType());
    else if (isUniform)
      value = reduceOver(x, Reduction::Min, someAxes(2));
    graph::ReturnOp::create(builder, loc, value);
  }
  note(builder.create(state)->getResult(0), g.infoOf(x),
       variationOf(x) | (isUniform ? 0 : bits(axes)));
  return true;
}

bool ManualGenerator::step() {
  if (free != 0 && random.percent(25))
    return random.percent(80) ? constrain() : inner();
  switch (random.range(0, 19)) {
  case 0:
    return ownIndex();
  case 1:
  case 2:
    return combineTwo();
  case 3:
  case 4:
    return allReduce();
  case 5:
    return allGather();
  case 6:
  case 7:
    return slice();
  case 8:
    return allToAll();
  case 9:
    return permute();
  case 10:
    return loop();
  case 11:
    return branch();
  case 12:
    return broadcast();
  case 13:
  case 14:
    return listedGroups();
  case 15:
  case 16:
    return haloExchange();
  case 17:
    return windowExchange();
  default:
    // Inexact ops in a body have no error that the reference knows.
    return g.isExact && g.oneOp();
  }
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

void ManualGenerator::addInput(mlir::Block *block, Value input,
                               const Sharding &sharding, Variation variation) {
  RankedTensorType type = typeOf(input);
  Value local = block->addArgument(
      RankedTensorType::get(sharding.localShape(type.getShape()),
                            type.getElementType()),
      loc);
  for (auto [dim, cut] : llvm::enumerate(sharding.dims)) {
    variation |= bits(cut.axes);
    if (isPadded(type.getDimSize(dim), cut.axes))
      local = mask(local, dim, type.getDimSize(dim), cut.axes);
  }
  inShardings.push_back(withFreeAxes(sharding));
  note(local, g.infoOf(input), variation);
}

/// Makes `value` a result, cut along the axes over which it varies, unless that
/// is too large.
void ManualGenerator::addResult(Value value) {
  RankedTensorType type = typeOf(value);
  Sharding sharding = Sharding::replicated(type.getRank());
  Info info = g.infoOf(value);
  Variation all = variationOf(value), own = all & bits(manualAxes);
  for (const AxisRef &axis : axesOf(own)) {
    int64_t chance = random.range(0, 99);
    if (chance < 20 && axis.size > 1 &&
        sumFits(value, info.bound * axis.size)) {
      sharding.partial.push_back({axis, ReductionKind::Sum});
      info.bound *= axis.size;
    } else if (chance < 70 && type.getRank() > 0) {
      sharding.dims[random.range(0, type.getRank() - 1)].axes.push_back(axis);
    } else {
      value = reduceOver(value, Reduction::Max, axis);
    }
  }
  Shape shape;
  for (auto [block, dim] : llvm::zip(type.getShape(), sharding.dims))
    shape.push_back(uneven(block, numShards(dim.axes)));
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (isLarge(result))
    return;
  returned.push_back(value);
  resultTypes.push_back(result);
  resultInfos.push_back(info);
  resultVariations.push_back(all & ~own);
  outShardings.push_back(withFreeAxes(sharding));
}

/// Takes some axes of those that are free around it, one at least.
void ManualGenerator::chooseAxes(Variation from) {
  for (AxisId id = 0; id < mesh.axes.size(); ++id) {
    if (!(from & (1u << id)))
      continue;
    bool isLast = from >> id == 1 && manualAxes.empty();
    if (!isLast && random.percent(25))
      free |= 1u << id;
    else
      manualAxes.push_back(mesh.whole(id));
  }
  numPositions = numShards(manualAxes);
}

bool ManualGenerator::run() {
  if (g.depth > 0)
    return false;
  chooseAxes((1u << mesh.axes.size()) - 1);
  return build(nullptr);
}

/// One inside of this one.
bool ManualGenerator::inner() {
  ManualGenerator generator(g);
  generator.chooseAxes(free);
  return generator.build(this);
}

bool ManualGenerator::build(ManualGenerator *outer) {
  SmallVector<Value> inputs;
  for (int64_t count = random.range(1, 2); count > 0; --count) {
    if (outer)
      inputs.push_back(pick([](Value v) { return typeOf(v).getRank() <= 3; }));
    else
      inputs.push_back(random.percent(70) ? g.anyNumber(0, 3)
                                          : g.anyExact(0, 3));
    if (!inputs.back())
      return false;
  }
  OperationState state(loc, spmd::ManualComputationOp::getOperationName());
  Region *body = state.addRegion();
  size_t poolStart = g.pool.size();
  size_t firstVisible = std::exchange(g.firstVisible, poolStart);
  ++g.depth;
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *block = builder.createBlock(body);
    for (Value input : inputs)
      addInput(block, input, randomSharding(typeOf(input).getRank()),
               outer ? outer->variationOf(input) : 0);
    for (int64_t count = random.range(2, 7); count > 0; --count)
      for (int64_t tries = 0; tries < 10 && !step(); ++tries)
        ;
    for (int64_t count = random.range(1, 2); count > 0; --count)
      addResult(pick([](Value) { return true; }));
    spmd::ReturnOp::create(builder, loc, returned);
  }
  --g.depth;
  g.firstVisible = firstVisible;
  g.pool.resize(poolStart);
  state.addOperands(inputs);
  state.addTypes(resultTypes);
  state.addAttribute("in_shardings", builder.getArrayAttr(inShardings));
  state.addAttribute("out_shardings", builder.getArrayAttr(outShardings));
  SmallVector<StringRef> freeNames;
  for (AxisId id = 0; id < mesh.axes.size(); ++id)
    if (free & (1u << id))
      freeNames.push_back(mesh.axes[id].name);
  if (free != 0)
    state.addAttribute("free_axes", builder.getStrArrayAttr(freeNames));
  Operation *op = builder.create(state);
  for (auto [value, info, variation] :
       llvm::zip_equal(op->getResults(), resultInfos, resultVariations))
    if (outer)
      outer->note(value, info, variation);
    else
      g.add(value, info);
  return true;
}

bool Generator::manual() { return ManualGenerator(*this).run(); }
