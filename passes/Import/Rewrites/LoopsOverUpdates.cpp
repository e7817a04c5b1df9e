//===- LoopsOverUpdates.cpp - Scatters as loops ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where an update goes: the index that the indices have for its scatter
// dimensions, plus its place in the window, as in the specification.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Rewrites/LoopsOverElements.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;
using graph::typeOf;

/// Whether all of an index is within a shape.
static Value isInBounds(SourceBuilder &b, ArrayRef<Value> index,
                        ArrayRef<int64_t> shape) {
  Value result = b.compare("EQ", b.number(0), b.number(0));
  for (auto [position, size] : llvm::zip_equal(index, shape)) {
    result = b.both(result, b.compare("GE", position, b.number(0)));
    result = b.both(result, b.compare("LT", position, b.number(size)));
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {

struct ScatterDims {
  SmallVector<int64_t> window, inserted, batching, indicesBatching, map;
  int64_t vectorDim = 0;

  bool read(stablehlo::RecordAttr record);
  bool fits(RankedTensorType input, RankedTensorType indices,
            RankedTensorType updates) const;
  /// Where the update at `place` goes.
  SmallVector<Value> target(SourceBuilder &b, Value indices,
                            ArrayRef<Value> place, int64_t rank) const;
};

} // namespace

bool ScatterDims::read(stablehlo::RecordAttr record) {
  if (!record)
    return false;
  auto list = [&](StringRef field, SmallVector<int64_t> &values) {
    return readList(record.getFields().get(field), {}, values);
  };
  if (auto number = dyn_cast_or_null<IntegerAttr>(
          record.getFields().get("index_vector_dim")))
    vectorDim = number.getInt();
  return list("update_window_dims", window) &&
         list("inserted_window_dims", inserted) &&
         list("input_batching_dims", batching) &&
         list("scatter_indices_batching_dims", indicesBatching) &&
         list("scatter_dims_to_operand_dims", map);
}

/// That no access is beyond a list; the rest of what the specification asks for
/// does not change where updates go.
bool ScatterDims::fits(RankedTensorType input, RankedTensorType indices,
                       RankedTensorType updates) const {
  auto areBelow = [](ArrayRef<int64_t> dims, int64_t rank) {
    return llvm::all_of(dims, [&](int64_t dim) {
      return dim >= 0 && dim < rank && llvm::count(dims, dim) == 1;
    });
  };
  SmallVector<int64_t> single(inserted);
  single.append(batching);
  int64_t rank = indices.getRank();
  bool hasVector = vectorDim >= 0 && vectorDim < rank;
  int64_t numIndices = hasVector ? indices.getDimSize(vectorDim) : 1;
  return vectorDim >= 0 && vectorDim <= rank &&
         int64_t(map.size()) == numIndices && areBelow(map, input.getRank()) &&
         areBelow(window, updates.getRank()) &&
         areBelow(single, input.getRank()) && areBelow(indicesBatching, rank) &&
         !llvm::is_contained(indicesBatching, vectorDim) &&
         batching.size() == indicesBatching.size() &&
         int64_t(window.size() + inserted.size() + batching.size()) ==
             input.getRank() &&
         updates.getRank() - int64_t(window.size()) == rank - hasVector;
}

SmallVector<Value> ScatterDims::target(SourceBuilder &b, Value indices,
                                       ArrayRef<Value> place,
                                       int64_t rank) const {
  // The place of the update's index among the indices.
  SmallVector<Value> row;
  for (auto [dim, position] : llvm::enumerate(place))
    if (!llvm::is_contained(window, int64_t(dim)))
      row.push_back(position);
  bool hasVector = vectorDim < typeOf(indices).getRank();
  if (hasVector)
    row.insert(row.begin() + vectorDim, Value());
  SmallVector<Value> index(rank);
  for (auto [component, dim] : llvm::enumerate(map)) {
    if (hasVector)
      row[vectorDim] = b.number(component);
    index[dim] = b.convert(b.elementAt(indices, row), b.getI64Type());
  }
  for (auto [dim, indicesDim] : llvm::zip_equal(batching, indicesBatching))
    index[dim] = row[indicesDim];
  unsigned next = 0;
  for (int64_t dim = 0; dim < rank; ++dim) {
    bool isWindow = !llvm::is_contained(inserted, dim) &&
                    !llvm::is_contained(batching, dim);
    if (!isWindow && !index[dim])
      index[dim] = b.number(0);
    if (!isWindow)
      continue;
    Value offset = place[window[next++]];
    index[dim] = index[dim] ? b.add(index[dim], offset) : offset;
  }
  return index;
}

bool reader::loopOverUpdates(stablehlo::ScatterOp op) {
  unsigned count = op->getNumResults();
  if (count == 0 || op->getNumOperands() != 2 * count + 1)
    return false;
  ValueRange inputs = op->getOperands().take_front(count);
  Value indices = op->getOperand(count);
  ValueRange updates = op->getOperands().drop_front(count + 1);
  RankedTensorType input = typeOf(inputs[0]), update = typeOf(updates[0]);
  SmallVector<Type> elements, arguments;
  for (unsigned i = 0; i < count; ++i) {
    elements.push_back(typeOf(inputs[i]).getElementType());
    if (inputs[i].getType() != op->getResult(i).getType() ||
        typeOf(inputs[i]).getShape() != input.getShape() ||
        updates[i].getType() != update.clone(elements.back()))
      return false;
  }
  arguments.append(elements);
  arguments.append(elements);
  ScatterDims dims;
  Region &computation = op->getRegion(0);
  if (!isFromTo(computation, arguments, elements) ||
      !isa<IntegerType>(typeOf(indices).getElementType()) ||
      !dims.read(
          dyn_cast<stablehlo::RecordAttr>(op.getScatterDimensionNumbers())) ||
      !dims.fits(input, typeOf(indices), update))
    return false;
  SourceBuilder b(op.getLoc(), op);
  // An empty tensor has no place for an update.
  int64_t trips = input.getNumElements() ? update.getNumElements() : 0;
  auto results = b.loop(trips, inputs, [&](Value number, ValueRange carried) {
    SmallVector<Value> place = b.indexOf(number, update.getShape());
    SmallVector<Value> index = dims.target(b, indices, place, input.getRank());
    Value isInside = isInBounds(b, index, input.getShape());
    SmallVector<Value> terms;
    for (Value result : carried)
      terms.push_back(b.elementAt(result, index));
    for (Value values : updates)
      terms.push_back(b.elementAt(values, place));
    SmallVector<Value> computed = b.apply(computation, terms), results;
    for (auto [i, result] : llvm::enumerate(carried))
      results.push_back(b.withElementAt(
          result, b.select(isInside, computed[i], terms[i]), index));
    return results;
  });
  op->replaceAllUsesWith(results);
  return true;
}

//===----------------------------------------------------------------------===//
// Select and scatter
//===----------------------------------------------------------------------===//

/// One loop keeps, for each window, the element that `select` prefers and where
/// it is in the operand, in row-major order, -1 for nowhere; another one
/// scatters.
bool reader::loopOverSelections(stablehlo::SelectAndScatterOp op) {
  RankedTensorType type = typeOf(op->getOperand(0)),
                   source = typeOf(op->getOperand(1));
  Type element = type.getElementType();
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rank = type.getRank();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0), sizes, strides,
      padding;
  if (!isFromTo(op->getRegion(0), {element, element},
                {IntegerType::get(op.getContext(), 1)}) ||
      !isFromTo(op->getRegion(1), {element, element}, {element}) ||
      op.getType() != type || source.getElementType() != element ||
      op->getOperand(2).getType() != RankedTensorType::get({}, element) ||
      !readList(op.getWindowDimensionsAttr(), ones, sizes) ||
      !readList(op.getWindowStridesAttr(), ones, strides) ||
      !readList(op.getPaddingAttr(), zeros, padding) ||
      source.getRank() != rank || sizes.size() != ones.size() ||
      strides.size() != ones.size() || padding.size() != zeros.size())
    return false;
  for (int64_t d = 0; d < rank; ++d) {
    int64_t left = shape[d] + padding[2 * d] + padding[2 * d + 1] - sizes[d];
    if (strides[d] < 1 || sizes[d] < 1 ||
        source.getDimSize(d) != (left < 0 ? 0 : left / strides[d] + 1))
      return false;
  }
  SourceBuilder b(op.getLoc(), op);
  if (type.getNumElements() == 0) {
    op->replaceAllUsesWith(ValueRange{b.broadcast(op->getOperand(2), shape)});
    return true;
  }
  SmallVector<int64_t> space(source.getShape());
  llvm::append_range(space, sizes);
  Value nowhere = b.broadcast(b.number(-1), source.getShape());
  auto selected = b.loop(
      ShapedType::getNumElements(space), {b.zeros(source), nowhere},
      [&](Value number, ValueRange carried) -> SmallVector<Value> {
        SmallVector<Value> place = b.indexOf(number, space), index;
        ArrayRef<Value> window = ArrayRef(place).take_front(rank);
        Value position = b.number(0);
        for (int64_t d = 0; d < rank; ++d) {
          Value first = b.add(b.multiply(window[d], b.number(strides[d])),
                              b.number(-padding[2 * d]));
          index.push_back(b.add(first, place[rank + d]));
          position = b.add(b.multiply(position, b.number(shape[d])), index[d]);
        }
        Value best = b.elementAt(carried[0], window);
        Value bestPosition = b.elementAt(carried[1], window);
        Value next = b.elementAt(op->getOperand(0), index);
        Value isBetter = b.apply(op->getRegion(0), {best, next})[0];
        Value isKept =
            b.both(isBetter, b.compare("GE", bestPosition, b.number(0)));
        Value isTaken = b.both(
            isInBounds(b, index, shape),
            b.compare("EQ", isKept, b.compare("NE", b.number(0), b.number(0))));
        return {
            b.withElementAt(carried[0], b.select(isTaken, next, best), window),
            b.withElementAt(carried[1],
                            b.select(isTaken, position, bestPosition), window)};
      });
  auto results =
      b.loop(source.getNumElements(), b.broadcast(op->getOperand(2), shape),
             [&](Value number, ValueRange carried) -> SmallVector<Value> {
               SmallVector<Value> window = b.indexOf(number, source.getShape());
               Value position = b.elementAt(selected[1], window);
               Value isSelected = b.compare("GE", position, b.number(0));
               Value known = b.select(isSelected, position, b.number(0));
               SmallVector<Value> index = b.indexOf(known, shape);
               Value sum = b.elementAt(carried[0], index);
               Value term = b.elementAt(op->getOperand(1), window);
               Value next = b.apply(op->getRegion(1), {sum, term})[0];
               return {b.withElementAt(carried[0],
                                       b.select(isSelected, next, sum), index)};
             });
  op->replaceAllUsesWith(results);
  return true;
}
