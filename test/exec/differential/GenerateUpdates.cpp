//===- GenerateUpdates.cpp - Random scatters, sorts and random bits -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generator.h"
#include "dialects/Graph/ScatterDimensions.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// What a scatter's body does to an element x and its update u.
enum class Generator::Update {
  Add,
  Maximum,
  Minimum,
  Multiply,
  Replace,
  Chain
};

/// x + u and the like for each input; for Chain 3 x - u, whose order shows.
void Generator::buildUpdate(Region &region, Update update, TypeRange scalars) {
  OpBuilder::InsertionGuard guard(builder);
  SmallVector<Type> types(scalars);
  llvm::append_range(types, scalars);
  SmallVector<Location> locs(types.size(), loc);
  mlir::Block *body = builder.createBlock(&region, {}, types, locs);
  SmallVector<Value> results;
  for (auto [i, type] : llvm::enumerate(scalars)) {
    Value x = body->getArgument(i), u = body->getArgument(scalars.size() + i);
    switch (update) {
    case Update::Add:
      results.push_back(build("cleave.add", {x, u}, type));
      break;
    case Update::Maximum:
      results.push_back(build("cleave.maximum", {u, x}, type));
      break;
    case Update::Minimum:
      results.push_back(build("cleave.minimum", {x, u}, type));
      break;
    case Update::Multiply:
      results.push_back(build("cleave.multiply", {x, u}, type));
      break;
    case Update::Replace:
      results.push_back(u);
      break;
    case Update::Chain: {
      Value three = splat(builder, loc, cast<RankedTensorType>(type), 3);
      Value more = build("cleave.multiply", {x, three}, type);
      results.push_back(build("cleave.subtract", {more, u}, type));
      break;
    }
    }
  }
  graph::ReturnOp::create(builder, loc, results);
}

/// A body for x and up to `count` updates u of one element, which are clamped
/// where that is needed; what is known of the result.
std::optional<Info> Generator::chooseUpdate(Value &x, Value &u, int64_t count,
                                            Update &update) {
  Type element = typeOf(x).getElementType();
  bool isFloat = isa<FloatType>(element);
  update = random.pick<Update>(
      {Update::Add, Update::Add, Update::Add, Update::Maximum, Update::Minimum,
       Update::Multiply, Update::Replace, Update::Replace, Update::Chain});
  Info info = joined({x, u});
  if (element.isInteger(1) && update == Update::Chain)
    update = Update::Maximum;
  if (!isFloat) {
    info.bound = HUGE_VAL;
    return info;
  }
  double limit = growthLimit(element);
  if (update == Update::Multiply || update == Update::Chain) {
    if (count > 3)
      return std::nullopt;
    x = within(x, 2);
    u = within(u, 2);
    info = joined({x, u});
    info.bound = 128;
  } else if (update == Update::Add) {
    double each = std::floor(limit / (count + 1.0));
    if (each < 1)
      return std::nullopt;
    x = within(x, each);
    u = within(u, each);
    info = joined({x, u});
    info.bound *= count + 1.0;
  } else {
    return info;
  }
  info.exact &= info.integral && info.bound <= exactLimit(element);
  info.integral &= info.exact;
  if (isExact && !info.exact)
    return std::nullopt;
  return info;
}

/// Any window, any order of dimensions.
bool Generator::scatter() {
  Value x = random.percent(70) ? anyNumber(1, 3) : anyExact(1, 3);
  RankedTensorType type = typeOf(x);
  int64_t rank = type.getRank();
  SmallVector<int64_t> order = dimRange(rank), map, inserted, batching;
  random.shuffle(order);
  if (rank > 1 && random.percent(30))
    batching.push_back(order.pop_back_val());
  map.assign(order.begin(), order.begin() + random.range(1, order.size()));
  Shape windows;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = type.getDimSize(dim);
    if (llvm::is_contained(batching, dim))
      continue;
    bool isMapped = llvm::is_contained(map, dim);
    if (random.percent(isMapped ? 60 : 10))
      inserted.push_back(dim);
    else
      windows.push_back(
          random.percent(isMapped ? 20 : 70) ? size : random.range(0, size));
  }
  Shape batch = randomShape(batching.empty() ? 0 : 1, 2);
  SmallVector<int64_t> indexBatching;
  int64_t vectorDim = random.range(0, batch.size());
  if (!batching.empty()) {
    int64_t batched = random.range(0, batch.size() - 1);
    batch[batched] = type.getDimSize(batching[0]);
    indexBatching.push_back(batched + (vectorDim <= batched));
  }
  Shape indices(batch);
  indices.insert(indices.begin() + vectorDim, map.size());
  if (map.size() == 1 && vectorDim == int64_t(batch.size()) &&
      random.percent(50))
    indices.pop_back();
  auto [shape, places] = placeWindow(windows, batch);
  // Windows may overlap.
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  if (count > 2000)
    return false;
  Value u = ofShape(shape, type.getElementType());
  SmallVector<NamedAttribute> attrs = {
      attr("update_window_dims", places),
      attr("inserted_window_dims", inserted),
      attr("input_batching_dims", batching),
      attr("scatter_indices_batching_dims", indexBatching),
      attr("scatter_dims_to_operand_dims", map),
      scalar("index_vector_dim", vectorDim)};
  return finishScatter(x, ofShape(indices, randomInteger()), u, count, attrs);
}

/// The gradient of a table look-up, and the like.
bool Generator::scatterRows() {
  Value x = random.percent(80) ? anyNumber(2, 2) : anyExact(2, 2);
  RankedTensorType type = typeOf(x);
  Shape batch = randomShape(1, 2), indices(batch), shape(batch);
  indices.push_back(1);
  shape.push_back(type.getDimSize(1));
  int64_t count = 1;
  for (int64_t size : batch)
    count *= size;
  int64_t last = batch.size();
  SmallVector<NamedAttribute> attrs = {
      attr("update_window_dims", {last}), attr("inserted_window_dims", {0}),
      attr("scatter_dims_to_operand_dims", {0}),
      scalar("index_vector_dim", last)};
  return finishScatter(x, ofShape(indices, builder.getI32Type()),
                       ofShape(shape, type.getElementType()), count, attrs);
}

bool Generator::finishScatter(Value x, Value indices, Value u, int64_t count,
                              ArrayRef<NamedAttribute> attrs) {
  Update update;
  std::optional<Info> info = chooseUpdate(x, u, count, update);
  if (!info)
    return false;
  SmallVector<Value> inputs = {x}, updates = {u};
  // Two at once: the parts of complex numbers, say.
  bool isPair = random.percent(15);
  if (isPair) {
    inputs.push_back(x);
    updates.push_back(within(ofType(typeOf(u)), infoOf(u).bound));
    Info second = joined({x, updates.back()});
    if (!second.exact || !second.integral || second.bound > infoOf(u).bound) {
      inputs.pop_back();
      updates.pop_back();
      isPair = false;
    }
  }
  // From zero, as gradients are.
  if (random.percent(30))
    for (Value &input : inputs)
      input = splat(builder, loc, typeOf(input), 0);
  OperationState state(loc, ScatterOp::getOperationName());
  state.addOperands(inputs);
  state.addOperands(indices);
  state.addOperands(updates);
  state.addTypes(TypeRange(ValueRange(inputs)));
  state.addAttributes(attrs);
  RankedTensorType element = withShape(typeOf(x), {});
  buildUpdate(*state.addRegion(), update,
              SmallVector<Type>(inputs.size(), element));
  Operation *op = builder.create(state);
  for (Value result : op->getResults())
    add(result, *info);
  return true;
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

/// Sorts values that may differ a little: the largest stays about as large.
bool Generator::sortAlone() {
  Value x = isWide ? ofShape({random.range(1, 3), random.range(65, 400)},
                             randomElement())
            : random.percent(70) ? anyNumber(1, 3)
                                 : anyExact(1, 3);
  return finishSort(x, {x}, random.range(0, typeOf(x).getRank() - 1));
}

/// What comes along moves as keys say, which must not differ at all.
bool Generator::sortTogether() {
  Value key = isWide ? ofShape({random.range(65, 200), random.range(1, 3)},
                               randomInteger())
                     : anyExact(1, 3);
  RankedTensorType type = typeOf(key);
  int64_t dimension = random.range(0, type.getRank() - 1);
  SmallVector<Value> inputs = {key};
  inputs.push_back(random.percent(50)
                       ? graph::iota(builder, loc,
                                     withElement(type, builder.getI32Type()),
                                     dimension)
                       : ofType(withElement(type, randomElement())));
  infos.try_emplace(inputs.back(), Info{100});
  if (random.percent(30))
    inputs.push_back(ofType(type));
  return finishSort(key, inputs, dimension);
}

bool Generator::finishSort(Value key, ArrayRef<Value> inputs,
                           int64_t dimension) {
  OperationState state(loc, SortOp::getOperationName());
  state.addOperands(inputs);
  state.addTypes(TypeRange(ValueRange(inputs)));
  state.addAttribute("dimension", builder.getI64IntegerAttr(dimension));
  SmallVector<Type> types;
  for (Value input : inputs)
    types.append(2, withShape(typeOf(input), {}));
  Region *region = state.addRegion();
  {
    OpBuilder::InsertionGuard guard(builder);
    mlir::Block *body = builder.createBlock(
        region, {}, types, SmallVector<Location>(types.size(), loc));
    auto direction =
        random.percent(50) ? ComparisonDirection::LT : ComparisonDirection::GT;
    Value before = graph::compare(builder, loc, direction, body->getArgument(0),
                                  body->getArgument(1));
    graph::ReturnOp::create(builder, loc, before);
  }
  Operation *op = builder.create(state);
  for (auto [result, input] : llvm::zip_equal(op->getResults(), inputs))
    add(result, infoOf(input));
  return true;
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

bool Generator::randomBits() {
  bool isPhilox = random.percent(50);
  Type word = IntegerType::get(context, 64, IntegerType::Unsigned);
  Value state = ofShape({isPhilox && random.percent(50) ? 3 : 2}, word);
  RankedTensorType type =
      RankedTensorType::get(randomShape(0, 3), randomInteger());
  auto op = RngBitGeneratorOp::create(
      builder, loc, TypeRange{state.getType(), type},
      isPhilox ? RngAlgorithm::Philox : RngAlgorithm::ThreeFry, state);
  add(op.getOutputState(), {HUGE_VAL});
  add(op.getOutput(), {HUGE_VAL});
  return true;
}
