//===- GenerateIndexing.cpp - Random gathers and moving windows -----------===//
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

Generator::WindowShape Generator::placeWindow(ArrayRef<int64_t> window,
                                              ArrayRef<int64_t> batch) {
  SmallVector<int64_t> places = dimRange(window.size() + batch.size());
  random.shuffle(places);
  places.truncate(window.size());
  llvm::sort(places);
  Shape shape;
  size_t nextOfWindow = 0, nextOfBatch = 0;
  for (size_t i = 0; i < window.size() + batch.size(); ++i)
    shape.push_back(llvm::is_contained(places, i) ? window[nextOfWindow++]
                                                  : batch[nextOfBatch++]);
  return {shape, places};
}

/// Any window, any order of dimensions.
bool Generator::gather() {
  Value x = random.percent(70) ? anyNumber(1, 3) : anyExact(1, 3);
  RankedTensorType type = typeOf(x);
  int64_t rank = type.getRank();
  SmallVector<int64_t> order = dimRange(rank), map, collapsed, batching;
  random.shuffle(order);
  bool isBatched = rank > 1 && random.percent(25);
  if (isBatched)
    batching.push_back(order.pop_back_val());
  map.assign(order.begin(), order.begin() + random.range(1, order.size()));
  Shape sizes, offsets;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t size = type.getDimSize(dim);
    sizes.push_back(random.percent(50) ? size : random.range(0, size));
    bool isMapped = llvm::is_contained(map, dim);
    if (llvm::is_contained(batching, dim)) {
      if (size == 0)
        return false;
      sizes.back() = 1;
    } else if (isMapped && size > 0 && random.percent(60)) {
      sizes.back() = 1;
      collapsed.push_back(dim);
    } else {
      offsets.push_back(sizes.back());
    }
  }
  // The indices: batch dimensions, and one for the components.
  Shape batch = randomShape(isBatched ? 1 : 0, 2);
  SmallVector<int64_t> indexBatching;
  int64_t vectorDim = random.range(0, batch.size());
  int64_t batched = random.range(0, std::max<int64_t>(batch.size(), 1) - 1);
  if (isBatched) {
    batch[batched] = type.getDimSize(batching[0]);
    indexBatching.push_back(batched + (vectorDim <= batched));
  }
  Shape indices(batch);
  indices.insert(indices.begin() + vectorDim, map.size());
  if (map.size() == 1 && vectorDim == int64_t(batch.size()) &&
      random.percent(50))
    indices.pop_back();
  auto [shape, places] = placeWindow(offsets, batch);
  RankedTensorType result = withShape(type, shape);
  if (result.getNumElements() > 2000)
    return false;
  Value starts = ofShape(indices, randomInteger());
  SmallVector<NamedAttribute> attrs = {
      attr("offset_dims", places),
      attr("collapsed_slice_dims", collapsed),
      attr("operand_batching_dims", batching),
      attr("start_indices_batching_dims", indexBatching),
      attr("start_index_map", map),
      scalar("index_vector_dim", vectorDim),
      attr("slice_sizes", sizes)};
  add(build("cleave.gather", {x, starts}, result, attrs), infoOf(x));
  return true;
}

/// As exporters write a table look-up.
bool Generator::gatherRows() {
  Value table = random.percent(80) ? anyNumber(2, 2) : anyExact(2, 2);
  RankedTensorType type = typeOf(table);
  if (type.getDimSize(0) == 0)
    return false;
  Shape batch = randomShape(1, 2), indices(batch), shape(batch);
  indices.push_back(1);
  shape.push_back(type.getDimSize(1));
  Value ids = ofShape(indices, builder.getI32Type());
  int64_t last = batch.size();
  SmallVector<NamedAttribute> attrs = {
      attr("offset_dims", {last}), attr("collapsed_slice_dims", {0}),
      attr("start_index_map", {0}), scalar("index_vector_dim", last),
      attr("slice_sizes", {1, type.getDimSize(1)})};
  add(build("cleave.gather", {table, ids}, withShape(type, shape), attrs),
      infoOf(table));
  return true;
}

bool Generator::dynamicSlice() {
  Value x = random.percent(70) ? anyNumber(1, 4) : anyExact(1, 4);
  RankedTensorType type = typeOf(x);
  Type element = randomInteger();
  SmallVector<Value> operands = {x};
  Shape sizes;
  for (int64_t size : type.getShape()) {
    operands.push_back(index(element));
    sizes.push_back(random.percent(40) ? size : random.range(0, size));
  }
  add(build("cleave.dynamic_slice", operands, withShape(type, sizes),
            attr("sizes", sizes)),
      infoOf(x));
  return true;
}

bool Generator::dynamicUpdateSlice() {
  Value x = random.percent(70) ? anyNumber(1, 4) : anyExact(1, 4);
  RankedTensorType type = typeOf(x);
  Type element = randomInteger();
  Shape sizes;
  for (int64_t size : type.getShape())
    sizes.push_back(random.percent(40) ? size : random.range(0, size));
  Value update = ofShape(sizes, type.getElementType());
  SmallVector<Value> operands = {x, update};
  for (int64_t i = 0; i < type.getRank(); ++i)
    operands.push_back(index(element));
  add(build("cleave.dynamic_update_slice", operands, type),
      joined({x, update}));
  return true;
}

bool Generator::embedding() {
  Value table = anyFloat(2, 2);
  RankedTensorType type = typeOf(table);
  if (type.getDimSize(0) == 0)
    return false;
  Shape shape = randomShape(0, 2);
  Value ids = ofShape(shape, randomInteger());
  shape.push_back(type.getDimSize(1));
  add(build("cleave.embedding", {table, ids}, withShape(type, shape)),
      infoOf(table));
  return true;
}
