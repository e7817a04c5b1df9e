//===- GenerateManual.cpp - Random manual computations --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A body does what it likes with shards and collectives, as long as it keeps
// two rules. No valid element comes from padding: what may hold padding is
// masked at once. Ranks that have the same block of a result agree on it: for
// each value the axes along which it may vary are known, and a result is cut
// along them, unless it is reduced over them before or left partial.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;
using spmd::AxesAttr;
using spmd::Reduction;

namespace cleave::differential {

class ManualGenerator {
public:
  explicit ManualGenerator(Generator &generator)
      : g(generator), random(g.random), builder(g.builder), loc(g.loc),
        mesh(g.mesh) {}
  bool run();

private:
  /// Axes by their bits.
  using Variation = uint32_t;

  void chooseAxes(Variation from);
  bool build(ManualGenerator *outer);
  bool inner();
  void addInput(mlir::Block *block, Value input, const Sharding &sharding,
                Variation variation);
  bool step();
  bool ownIndex();
  bool combineTwo();
  bool allReduce();
  bool allGather();
  bool slice();
  bool allToAll();
  bool permute();
  bool broadcast();
  bool listedGroups();
  bool haloExchange();
  bool windowExchange();
  bool constrain();
  bool loop();
  bool branch();
  Value completed(Value value);
  bool addResult(Value value);

  Value pick(llvm::function_ref<bool(Value)> fits) { return g.pick(fits); }
  Value note(Value value, Info info, Variation variation);
  Variation variationOf(Value value);
  Variation bits(ArrayRef<AxisRef> axes);
  bool hasNumbers(Value value);
  /// Whether terms of up to `bound` each may be added up in the value's type.
  bool sumFits(Value value, double bound);
  AxisList someAxes(size_t most);
  AxisList axesOf(Variation variation);
  Sharding randomSharding(int64_t rank);
  spmd::ShardingAttr withFreeAxes(Sharding sharding);
  SmallVector<int64_t> ranksAt(ArrayRef<int64_t> positions, int64_t like);
  int64_t uneven(int64_t block, int64_t count);
  AxesAttr attr(ArrayRef<AxisRef> axes) {
    return spmd::toAttr(g.context, axes, mesh);
  }
  FlatSymbolRefAttr meshName() {
    return FlatSymbolRefAttr::get(g.context, mesh.name);
  }
  IntegerAttr number(int64_t value) { return builder.getI64IntegerAttr(value); }
  Value reduceOver(Value value, Reduction reduction, ArrayRef<AxisRef> axes);
  Value mask(Value value, int64_t dim, int64_t size, ArrayRef<AxisRef> axes);
  Value rankIndex(ArrayRef<AxisRef> axes);

  Generator &g;
  Random &random;
  OpBuilder &builder;
  Location loc;
  const Mesh &mesh;
  /// Axes along which the body is a program on whole values.
  Variation free = 0;
  /// The others, and how many positions there are along them.
  AxisList manualAxes;
  int64_t numPositions = 1;
  llvm::DenseMap<Value, Variation> variations;
  SmallVector<Attribute> inShardings, outShardings;
  SmallVector<Value> returned;
  SmallVector<Type> resultTypes;
  SmallVector<Info> resultInfos;
  /// What is left of the variation of each result: axes of the one around.
  SmallVector<Variation> resultVariations;
};

} // namespace cleave::differential

/// Local tensors and results stay below this.
constexpr int64_t maxElements = 1500;

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

/// The ranks at positions along the manual axes, where `like` is along all
/// others.
SmallVector<int64_t> ManualGenerator::ranksAt(ArrayRef<int64_t> positions,
                                              int64_t like) {
  AxisList others;
  for (AxisId id = 0; id < mesh.axes.size(); ++id)
    if (!(bits(manualAxes) & (1u << id)))
      others.push_back(mesh.whole(id));
  SmallVector<int64_t> ranks;
  for (int64_t position : positions)
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
      if (mesh.position(rank, manualAxes) == position &&
          mesh.position(rank, others) == mesh.position(like, others))
        ranks.push_back(rank);
  return ranks;
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
// Ops
//===----------------------------------------------------------------------===//

Value ManualGenerator::reduceOver(Value value, Reduction reduction,
                                  ArrayRef<AxisRef> axes) {
  return spmd::AllReduceOp::create(
      builder, loc, value.getType(),
      spmd::ReductionAttr::get(g.context, reduction), value, meshName(),
      attr(axes), StringAttr());
}

Value ManualGenerator::mask(Value value, int64_t dim, int64_t size,
                            ArrayRef<AxisRef> axes) {
  return spmd::MaskPaddingOp::create(
      builder, loc, value.getType(),
      spmd::ReductionAttr::get(g.context, Reduction::Sum), value, number(dim),
      number(size), meshName(), attr(axes));
}

Value ManualGenerator::rankIndex(ArrayRef<AxisRef> axes) {
  return spmd::AxisIndexOp::create(
      builder, loc, RankedTensorType::get({}, builder.getI32Type()), meshName(),
      attr(axes));
}

bool ManualGenerator::ownIndex() {
  AxisList axes = someAxes(2);
  note(rankIndex(axes), {8}, bits(axes));
  return true;
}

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

bool ManualGenerator::allReduce() {
  Value x = pick([](Value) { return true; });
  AxisList axes = someAxes(mesh.axes.size());
  // Now and then over a part of an axis, whose other part then still varies.
  bool isPart = axes[0].size == 4 && random.percent(30);
  if (isPart)
    axes = {AxisRef{axes[0].axis, random.percent(50) ? 1 : 2, 2}};
  int64_t k = numShards(axes);
  Info info = g.infoOf(x);
  bool isSum = random.percent(60) && sumFits(x, info.bound * k);
  Reduction reduction = isSum                ? Reduction::Sum
                        : random.percent(50) ? Reduction::Max
                                             : Reduction::Min;
  if (isSum)
    info.bound *= k;
  Variation left = variationOf(x);
  if (!isPart)
    left &= ~bits(axes);
  note(reduceOver(x, reduction, axes), info, left);
  return true;
}

bool ManualGenerator::allGather() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!x)
    return false;
  RankedTensorType type = typeOf(x);
  int64_t dim = random.range(0, type.getRank() - 1);
  AxisList axes = someAxes(2);
  Shape shape(type.getShape());
  shape[dim] = uneven(shape[dim], numShards(axes));
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (result.getNumElements() > maxElements)
    return false;
  note(spmd::AllGatherOp::create(builder, loc, result, x, number(dim),
                                 meshName(), attr(axes), StringAttr()),
       g.infoOf(x), variationOf(x) & ~bits(axes));
  return true;
}

/// all_slice or reduce_scatter; several axes where they divide.
bool ManualGenerator::slice() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!x)
    return false;
  RankedTensorType type = typeOf(x);
  int64_t dim = random.range(0, type.getRank() - 1);
  AxisList axes = someAxes(2);
  int64_t size = type.getDimSize(dim);
  if (!blocksAreFlat(size, axes))
    axes.truncate(1);
  Shape shape(type.getShape());
  shape[dim] = blockSize(size, axes);
  auto result = RankedTensorType::get(shape, type.getElementType());
  Info info = g.infoOf(x);
  Value piece;
  if (random.percent(50)) {
    piece = spmd::AllSliceOp::create(builder, loc, result, x, number(dim),
                                     meshName(), attr(axes), StringAttr());
  } else {
    int64_t k = numShards(axes);
    bool isSum = sumFits(x, info.bound * k);
    piece = spmd::ReduceScatterOp::create(
        builder, loc, result,
        spmd::ReductionAttr::get(g.context,
                                 isSum ? Reduction::Sum : Reduction::Min),
        x, number(dim), meshName(), attr(axes), StringAttr());
    if (isSum)
      info.bound *= k;
  }
  if (isPadded(size, axes))
    piece = mask(piece, dim, size, axes);
  note(piece, info, variationOf(x) | bits(axes));
  return true;
}

bool ManualGenerator::allToAll() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 1; });
  if (!x)
    return false;
  RankedTensorType type = typeOf(x);
  SmallVector<int64_t> dims = dimRange(type.getRank());
  random.shuffle(dims);
  int64_t split = dims[0], concat = dims[1];
  AxisList axes = someAxes(2);
  int64_t size = type.getDimSize(split);
  if (!blocksAreFlat(size, axes))
    axes.truncate(1);
  Shape shape(type.getShape());
  shape[split] = blockSize(size, axes);
  shape[concat] = uneven(shape[concat], numShards(axes));
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (result.getNumElements() > maxElements)
    return false;
  Value moved = spmd::AllToAllOp::create(builder, loc, result, x, number(split),
                                         number(concat), meshName(), attr(axes),
                                         StringAttr());
  if (isPadded(size, axes))
    moved = mask(moved, split, size, axes);
  note(moved, g.infoOf(x), variationOf(x) | bits(axes));
  return true;
}

bool ManualGenerator::permute() {
  Value x = pick([](Value) { return true; });
  SmallVector<int64_t> targets = dimRange(numPositions);
  random.shuffle(targets);
  SmallVector<int64_t> pairs;
  for (int64_t target : targets)
    if (random.percent(80)) {
      int64_t source = random.range(0, numPositions - 1);
      for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
        if (mesh.position(rank, manualAxes) == 0)
          llvm::append_range(pairs, ranksAt({source, target}, rank));
    }
  Variation all = variationOf(x) | bits(manualAxes);
  note(spmd::CollectivePermuteOp::create(
           builder, loc, x.getType(), x, meshName(),
           builder.getDenseI64ArrayAttr(pairs), StringAttr()),
       g.infoOf(x), all);
  return true;
}

bool ManualGenerator::broadcast() {
  Value x = pick([](Value) { return true; });
  AxisList axes = someAxes(mesh.axes.size());
  note(spmd::BroadcastOp::create(builder, loc, x.getType(), x,
                                 number(random.range(0, numShards(axes) - 1)),
                                 meshName(), attr(axes), StringAttr()),
       g.infoOf(x), variationOf(x) & ~bits(axes));
  return true;
}

/// A collective over groups that are not along axes, and may leave ranks out.
bool ManualGenerator::listedGroups() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!x)
    return false;
  SmallVector<int64_t> positions = dimRange(numPositions);
  random.shuffle(positions);
  int64_t k = random.range(1, positions.size());
  int64_t count = random.range(1, positions.size() / k);
  SmallVector<DenseI64ArrayAttr> listed;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
      if (mesh.position(rank, manualAxes) == 0)
        listed.push_back(builder.getDenseI64ArrayAttr(
            ranksAt(ArrayRef(positions).slice(i * k, k), rank)));
  auto groups = spmd::GroupsAttr::get(g.context, listed);
  RankedTensorType type = typeOf(x);
  int64_t dim = random.range(0, type.getRank() - 1);
  int64_t size = type.getDimSize(dim);
  Info info = g.infoOf(x);
  Variation all = variationOf(x) | bits(manualAxes);
  bool isSum = sumFits(x, info.bound * k);
  auto reduction = spmd::ReductionAttr::get(g.context, isSum ? Reduction::Sum
                                                             : Reduction::Max);
  // Pieces that are cut off would leave padding, for which there is no mask.
  bool divides = size % k == 0;
  auto withSize = [&](int64_t newSize) {
    Shape shape(type.getShape());
    shape[dim] = newSize;
    return RankedTensorType::get(shape, type.getElementType());
  };
  Value result;
  switch (random.range(0, divides ? 4 : 2)) {
  case 0:
    result = spmd::AllReduceOp::create(builder, loc, type, reduction, x,
                                       meshName(), groups, StringAttr());
    info.bound *= isSum ? k : 1;
    break;
  case 1:
    result = spmd::BroadcastOp::create(builder, loc, type, x,
                                       number(random.range(0, k - 1)),
                                       meshName(), groups, StringAttr());
    break;
  case 2: {
    RankedTensorType gathered = withSize(uneven(size, k));
    if (gathered.getNumElements() > maxElements)
      return false;
    result = spmd::AllGatherOp::create(builder, loc, gathered, x, number(dim),
                                       meshName(), groups, StringAttr());
    break;
  }
  case 3:
    result =
        spmd::AllSliceOp::create(builder, loc, withSize(size / k), x,
                                 number(dim), meshName(), groups, StringAttr());
    break;
  default:
    result = spmd::ReduceScatterOp::create(builder, loc, withSize(size / k),
                                           reduction, x, number(dim),
                                           meshName(), groups, StringAttr());
    info.bound *= isSum ? k : 1;
  }
  note(result, info, all);
  return true;
}

/// Windows of the dimension whose blocks the ranks have. What lies outside of
/// it is filled, unless there is nothing.
bool ManualGenerator::haloExchange() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!x)
    return false;
  RankedTensorType type = typeOf(x);
  int64_t dim = random.range(0, type.getRank() - 1);
  HaloExchange exchange;
  exchange.axes = someAxes(2);
  exchange.size = uneven(type.getDimSize(dim), numShards(exchange.axes));
  exchange.low = random.range(-2, 5);
  exchange.high = random.range(-2, 5);
  Shape shape(type.getShape());
  shape[dim] = exchange.extent();
  if (shape[dim] < 0)
    return false;
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (result.getNumElements() > maxElements)
    return false;
  bool reachesOut = false;
  for (const BlockExtent &block : blocksOf(exchange.size, exchange.axes)) {
    int64_t first = block.offset - exchange.low;
    reachesOut |= first < 0 || first + exchange.extent() > exchange.size;
  }
  TypedAttr fill;
  Info info = g.infoOf(x);
  if (reachesOut || random.percent(20)) {
    fill = numberAttr(type.getElementType(), random.range(0, 1));
    info.bound = std::max(info.bound, 1.0);
  }
  note(spmd::HaloExchangeOp::create(builder, loc, result, x, number(dim),
                                    number(exchange.size), number(exchange.low),
                                    number(exchange.high), meshName(),
                                    attr(exchange.axes), fill, StringAttr()),
       info, variationOf(x) | bits(exchange.axes));
  return true;
}

/// Segments of a line that the ranks' blocks make in any order; all of each
/// window is there.
bool ManualGenerator::windowExchange() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!x)
    return false;
  RankedTensorType type = typeOf(x);
  int64_t dim = random.range(0, type.getRank() - 1);
  int64_t block = type.getDimSize(dim);
  AxisList axes = someAxes(2);
  SmallVector<int64_t> order = dimRange(numShards(axes));
  random.shuffle(order);
  int64_t size = order.size() * block;
  Shape shape(type.getShape());
  shape[dim] = random.range(0, std::min<int64_t>(size, 6));
  auto result = RankedTensorType::get(shape, type.getElementType());
  if (result.getNumElements() > maxElements)
    return false;
  WindowExchange exchange;
  for (int64_t place : order) {
    exchange.blocks.push_back({place * block, block, 0});
    exchange.windows.push_back(
        {random.range(0, size - shape[dim]), shape[dim], 0});
  }
  note(spmd::WindowExchangeOp::create(
           builder, loc, result, x, number(dim),
           builder.getDenseI64ArrayAttr(flatten(exchange.blocks)),
           builder.getDenseI64ArrayAttr(flatten(exchange.windows)), meshName(),
           attr(axes), StringAttr()),
       g.infoOf(x), variationOf(x) | bits(axes));
  return true;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

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

/// Makes `value` a result, cut along the axes over which it varies.
bool ManualGenerator::addResult(Value value) {
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
  if (result.getNumElements() > maxElements)
    return false;
  returned.push_back(value);
  resultTypes.push_back(result);
  resultInfos.push_back(info);
  resultVariations.push_back(all & ~own);
  outShardings.push_back(withFreeAxes(sharding));
  return true;
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
