//===- GenerateManualCollectives.cpp - Ops between ranks ------------------===//
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

RankedTensorType ManualGenerator::ValueDim::resized(int64_t size) const {
  Shape shape(type().getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, type().getElementType());
}

std::optional<ManualGenerator::ValueDim> ManualGenerator::anyDim() {
  Value value = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!value)
    return std::nullopt;
  return ValueDim{value, random.range(0, typeOf(value).getRank() - 1)};
}

//===----------------------------------------------------------------------===//
// Along axes
//===----------------------------------------------------------------------===//

bool ManualGenerator::ownIndex() {
  AxisList axes = someAxes(2);
  note(rankIndex(axes), {8}, bits(axes));
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
  std::optional<ValueDim> x = anyDim();
  if (!x)
    return false;
  AxisList axes = someAxes(2);
  RankedTensorType result = x->resized(uneven(x->size(), numShards(axes)));
  if (isLarge(result))
    return false;
  note(spmd::AllGatherOp::create(builder, loc, result, x->value, number(x->dim),
                                 meshName(), attr(axes), StringAttr()),
       g.infoOf(x->value), variationOf(x->value) & ~bits(axes));
  return true;
}

/// all_slice or reduce_scatter; several axes where they divide.
bool ManualGenerator::slice() {
  std::optional<ValueDim> x = anyDim();
  if (!x)
    return false;
  AxisList axes = someAxes(2);
  if (!blocksAreFlat(x->size(), axes))
    axes.truncate(1);
  RankedTensorType result = x->resized(blockSize(x->size(), axes));
  Info info = g.infoOf(x->value);
  Value piece;
  if (random.percent(50)) {
    piece =
        spmd::AllSliceOp::create(builder, loc, result, x->value, number(x->dim),
                                 meshName(), attr(axes), StringAttr());
  } else {
    int64_t k = numShards(axes);
    bool isSum = sumFits(x->value, info.bound * k);
    piece = spmd::ReduceScatterOp::create(
        builder, loc, result,
        spmd::ReductionAttr::get(g.context,
                                 isSum ? Reduction::Sum : Reduction::Min),
        x->value, number(x->dim), meshName(), attr(axes), StringAttr());
    if (isSum)
      info.bound *= k;
  }
  if (isPadded(x->size(), axes))
    piece = mask(piece, x->dim, x->size(), axes);
  note(piece, info, variationOf(x->value) | bits(axes));
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
  if (isLarge(result))
    return false;
  Value moved = spmd::AllToAllOp::create(builder, loc, result, x, number(split),
                                         number(concat), meshName(), attr(axes),
                                         StringAttr());
  if (isPadded(size, axes))
    moved = mask(moved, split, size, axes);
  note(moved, g.infoOf(x), variationOf(x) | bits(axes));
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

/// Windows of the dimension whose blocks the ranks have. What lies outside of
/// it is filled, unless there is nothing.
bool ManualGenerator::haloExchange() {
  std::optional<ValueDim> x = anyDim();
  if (!x)
    return false;
  HaloExchange exchange;
  exchange.axes = someAxes(2);
  exchange.size = uneven(x->size(), numShards(exchange.axes));
  exchange.low = random.range(-2, 5);
  exchange.high = random.range(-2, 5);
  if (exchange.extent() < 0)
    return false;
  RankedTensorType result = x->resized(exchange.extent());
  if (isLarge(result))
    return false;
  bool reachesOut = false;
  for (const BlockExtent &block : blocksOf(exchange.size, exchange.axes)) {
    int64_t first = block.offset - exchange.low;
    reachesOut |= first < 0 || first + exchange.extent() > exchange.size;
  }
  TypedAttr fill;
  Info info = g.infoOf(x->value);
  if (reachesOut || random.percent(20)) {
    fill = numberAttr(result.getElementType(), random.range(0, 1));
    info.bound = std::max(info.bound, 1.0);
  }
  note(spmd::HaloExchangeOp::create(
           builder, loc, result, x->value, number(x->dim),
           number(exchange.size), number(exchange.low), number(exchange.high),
           meshName(), attr(exchange.axes), fill, StringAttr()),
       info, variationOf(x->value) | bits(exchange.axes));
  return true;
}

/// Segments of a line that the ranks' blocks make in any order; all of each
/// window is there.
bool ManualGenerator::windowExchange() {
  std::optional<ValueDim> x = anyDim();
  if (!x)
    return false;
  AxisList axes = someAxes(2);
  SmallVector<int64_t> order = dimRange(numShards(axes));
  random.shuffle(order);
  int64_t block = x->size(), size = order.size() * block;
  int64_t window = random.range(0, std::min<int64_t>(size, 6));
  RankedTensorType result = x->resized(window);
  if (isLarge(result))
    return false;
  WindowExchange exchange;
  for (int64_t place : order) {
    exchange.blocks.push_back({place * block, block, 0});
    exchange.windows.push_back({random.range(0, size - window), window, 0});
  }
  note(spmd::WindowExchangeOp::create(
           builder, loc, result, x->value, number(x->dim),
           builder.getDenseI64ArrayAttr(flatten(exchange.blocks)),
           builder.getDenseI64ArrayAttr(flatten(exchange.windows)), meshName(),
           attr(axes), StringAttr()),
       g.infoOf(x->value), variationOf(x->value) | bits(axes));
  return true;
}

//===----------------------------------------------------------------------===//
// Along listed ranks
//===----------------------------------------------------------------------===//

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

/// Groups of `size` ranks each, which may leave ranks out.
spmd::GroupsAttr ManualGenerator::someGroups(int64_t &size) {
  SmallVector<int64_t> positions = dimRange(numPositions);
  random.shuffle(positions);
  size = random.range(1, positions.size());
  int64_t count = random.range(1, positions.size() / size);
  SmallVector<DenseI64ArrayAttr> listed;
  for (int64_t i = 0; i < count; ++i)
    for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
      if (mesh.position(rank, manualAxes) == 0)
        listed.push_back(builder.getDenseI64ArrayAttr(
            ranksAt(ArrayRef(positions).slice(i * size, size), rank)));
  return spmd::GroupsAttr::get(g.context, listed);
}

/// A collective over groups that are not along axes.
bool ManualGenerator::listedGroups() {
  Value x = pick([](Value v) { return typeOf(v).getRank() > 0; });
  if (!x)
    return false;
  int64_t k;
  spmd::GroupsAttr groups = someGroups(k);
  ValueDim at{x, random.range(0, typeOf(x).getRank() - 1)};
  Info info = g.infoOf(x);
  bool isSum = sumFits(x, info.bound * k);
  auto reduction = spmd::ReductionAttr::get(g.context, isSum ? Reduction::Sum
                                                             : Reduction::Max);
  // Pieces that are cut off would leave padding, for which there is no mask.
  bool divides = at.size() % k == 0;
  Value result;
  switch (random.range(0, divides ? 4 : 2)) {
  case 0:
    result = spmd::AllReduceOp::create(builder, loc, x.getType(), reduction, x,
                                       meshName(), groups, StringAttr());
    info.bound *= isSum ? k : 1;
    break;
  case 1:
    result = spmd::BroadcastOp::create(builder, loc, x.getType(), x,
                                       number(random.range(0, k - 1)),
                                       meshName(), groups, StringAttr());
    break;
  case 2: {
    RankedTensorType gathered = at.resized(uneven(at.size(), k));
    if (isLarge(gathered))
      return false;
    result =
        spmd::AllGatherOp::create(builder, loc, gathered, x, number(at.dim),
                                  meshName(), groups, StringAttr());
    break;
  }
  case 3:
    result = spmd::AllSliceOp::create(builder, loc, at.resized(at.size() / k),
                                      x, number(at.dim), meshName(), groups,
                                      StringAttr());
    break;
  default:
    result = spmd::ReduceScatterOp::create(
        builder, loc, at.resized(at.size() / k), reduction, x, number(at.dim),
        meshName(), groups, StringAttr());
    info.bound *= isSum ? k : 1;
  }
  note(result, info, variationOf(x) | bits(manualAxes));
  return true;
}
