//===- SortUpdates.cpp - Updates of one element side by side --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each update has a key: the place of its element, and below that its own
// number in row-major order. Keys are unique, so that sorted ones have the
// updates of an element together and in order, however they are sorted. Places
// and numbers are then read from the keys.
//
//===----------------------------------------------------------------------===//

#include "passes/Fusion/SortUpdates.h"
#include "dialects/Graph/GraphBuilders.h"
#include "passes/Fusion/KernelClusters.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::fusion;
using namespace cleave::graph;

ScatterParts::ScatterParts(ScatterOp op) : dims(op) {
  for (auto [d, dim] : llvm::enumerate(dims.inputDims)) {
    if (dim.batchDim >= 0) {
      batches.push_back(dim.batchDim);
      batchedInput.push_back(d);
    } else if (dim.windowDim >= 0 && dim.isWhole()) {
      windows.push_back(dim.windowDim);
    } else {
      placedInput.push_back(d);
      numPlaces *= dim.size;
    }
  }
  RankedTensorType updates = typeOf(op.getUpdates().front());
  for (int64_t d = 0; d < updates.getRank(); ++d)
    if (!llvm::is_contained(batches, d) && !llvm::is_contained(windows, d)) {
      placed.push_back(d);
      numUpdates *= updates.getDimSize(d);
    }
}

/// Keys are below this number; one place more stands for all out of bounds.
static std::optional<int64_t> numKeys(const ScatterParts &parts) {
  int64_t places, keys;
  if (llvm::AddOverflow<int64_t>(parts.numPlaces, 1, places) ||
      llvm::MulOverflow(places, parts.numUpdates, keys))
    return std::nullopt;
  return keys;
}

bool cleave::fusion::canSortUpdates(const ScatterParts &parts) {
  return numKeys(parts).has_value();
}

namespace {

class UpdateSorter {
public:
  UpdateSorter(ScatterOp op, const ScatterParts &parts)
      : op(op), parts(parts), b(op), loc(op.getLoc()),
        updateShape(typeOf(op.getUpdates().front()).getShape()) {
    for (int64_t d : parts.batches)
      batchShape.push_back(updateShape[d]);
    rowShape = batchShape;
    rowShape.push_back(parts.numUpdates);
    keyType =
        *numKeys(parts) > INT32_MAX ? b.getI64Type() : Type(b.getI32Type());
  }

  ScatterOp run();

private:
  template <typename Op> Value binary(Value lhs, Value rhs) {
    return Op::create(b, loc, lhs.getType(), lhs, rhs);
  }
  Value number(Value like, int64_t value) {
    return splatInt(b, loc, typeOf(like), value);
  }
  Value startIndex(int64_t component, RankedTensorType type,
                   ArrayRef<int64_t> order);
  Value makeKeys();
  Value sort(Value keys);
  Value makeIndices(Value places);
  Value permute(Value updates, Value numbers);

  ScatterOp op;
  const ScatterParts &parts;
  OpBuilder b;
  Location loc;
  ArrayRef<int64_t> updateShape;
  /// Of batches, and of these with the updates of each.
  SmallVector<int64_t> batchShape, rowShape;
  Type keyType;
};

} // namespace

/// A component of the start indices as i64 for each update; `order` has the
/// dimensions of the updates that `type` has.
Value UpdateSorter::startIndex(int64_t component, RankedTensorType type,
                               ArrayRef<int64_t> order) {
  Value indices = op.getScatterIndices();
  int64_t vectorDim = parts.dims.vectorDim;
  if (vectorDim >= 0) {
    indices = sliceDim(b, loc, indices, vectorDim, component, component + 1);
    SmallVector<int64_t> shape(typeOf(indices).getShape());
    shape.erase(shape.begin() + vectorDim);
    indices = reshapeTo(b, loc, indices, shape);
  }
  RankedTensorType wide = withElement(typeOf(indices), b.getI64Type());
  if (typeOf(indices).getElementType().isUnsignedInteger(64)) {
    // Those beyond i64 must not become small when a window's offset is added.
    indices = BitcastConvertOp::create(b, loc, wide, indices);
    Value isFar =
        compare(b, loc, ComparisonDirection::LT, indices, number(indices, 0));
    indices = SelectOp::create(b, loc, wide, isFar, number(indices, INT64_MIN),
                               indices);
  }
  indices = convertElement(b, loc, indices, b.getI64Type());
  SmallVector<int64_t> positions;
  for (int64_t d : parts.dims.scatterDims)
    positions.push_back(llvm::find(order, d) - order.begin());
  return broadcastTo(b, loc, indices, type.getShape(), positions);
}

Value UpdateSorter::makeKeys() {
  SmallVector<int64_t> order(parts.batches), shape;
  llvm::append_range(order, parts.placed);
  for (int64_t d : order)
    shape.push_back(updateShape[d]);
  auto type = RankedTensorType::get(shape, b.getI64Type());
  Value place, isInside;
  auto require = [&](Value condition) {
    isInside = isInside ? binary<AndOp>(isInside, condition) : condition;
  };
  for (int64_t d : parts.placedInput) {
    const ScatterInputDim &dim = parts.dims.inputDims[d];
    Value index;
    if (dim.component >= 0)
      index = startIndex(dim.component, type, order);
    if (dim.windowDim >= 0) {
      Value offset =
          iota(b, loc, type, llvm::find(order, dim.windowDim) - order.begin());
      index = index ? binary<AddOp>(index, offset) : offset;
    }
    if (!index)
      index = splatInt(b, loc, type, 0);
    if (dim.component >= 0) {
      require(
          compare(b, loc, ComparisonDirection::GE, index, number(index, 0)));
      // What is too large in the first dimension is so as a place, too.
      if (!place)
        index = binary<MinOp>(index, number(index, dim.size));
      else
        require(compare(b, loc, ComparisonDirection::LT, index,
                        number(index, dim.size)));
    }
    place = place ? binary<AddOp>(binary<MulOp>(place, number(place, dim.size)),
                                  index)
                  : index;
  }
  if (isInside)
    place = SelectOp::create(b, loc, type, isInside, place,
                             number(place, parts.numPlaces));
  if (parts.placedInput.size() > 1)
    place = binary<MinOp>(place, number(place, parts.numPlaces));
  place = reshapeTo(b, loc, place, rowShape);
  Value keys =
      binary<AddOp>(binary<MulOp>(place, number(place, parts.numUpdates)),
                    iota(b, loc, typeOf(place), batchShape.size()));
  return convertElement(b, loc, keys, keyType);
}

Value UpdateSorter::sort(Value keys) {
  auto sort = SortOp::create(b, loc, TypeRange(keys.getType()), keys,
                             /*dimension=*/batchShape.size());
  OpBuilder::InsertionGuard guard(b);
  Block &body = sort.getBody().emplaceBlock();
  auto scalar = RankedTensorType::get({}, keyType);
  Value left = body.addArgument(scalar, loc);
  Value right = body.addArgument(scalar, loc);
  b.setInsertionPointToEnd(&body);
  Value isFirst = compare(b, loc, ComparisonDirection::LT, left, right);
  graph::ReturnOp::create(b, loc, isFirst);
  return sort->getResult(0);
}

/// Index vectors along a last dimension. Only the first component of a place
/// out of bounds is.
Value UpdateSorter::makeIndices(Value places) {
  SmallVector<Value> components(parts.placedInput.size());
  SmallVector<int64_t> shape(rowShape);
  shape.push_back(1);
  for (size_t i = components.size(); i-- > 0;) {
    Value index = places;
    if (i > 0) {
      Value size =
          number(places, parts.dims.inputDims[parts.placedInput[i]].size);
      index = binary<RemOp>(places, size);
      places = binary<DivOp>(places, size);
    }
    components[i] = reshapeTo(b, loc, index, shape);
  }
  if (components.size() == 1)
    return components[0];
  shape.back() = components.size();
  return ConcatenateOp::create(b, loc, RankedTensorType::get(shape, keyType),
                               components, /*dim=*/rowShape.size());
}

/// Updates by batch, number and window.
Value UpdateSorter::permute(Value updates, Value numbers) {
  RankedTensorType type = typeOf(updates);
  SmallVector<int64_t> order(parts.batches), shape(rowShape),
      sizes(rowShape.size(), 1), windowDims;
  llvm::append_range(order, parts.placed);
  llvm::append_range(order, parts.windows);
  for (int64_t d : parts.windows) {
    windowDims.push_back(shape.size());
    shape.push_back(updateShape[d]);
    sizes.push_back(updateShape[d]);
  }
  RankedTensorType permuted = withShape(type, shape);
  if (isSplatConstant(updates)) {
    auto elements =
        cast<DenseElementsAttr>(updates.getDefiningOp<ConstantOp>().getValue());
    return ConstantOp::create(b, loc,
                              DenseElementsAttr(elements).reshape(permuted));
  }
  updates = reshapeTo(b, loc, transpose(b, loc, updates, order), shape);
  int64_t numBatches = batchShape.size();
  return GatherOp::create(
      b, loc, permuted, updates, numbers, /*offset_dims=*/windowDims,
      /*collapsed_slice_dims=*/ArrayRef<int64_t>(numBatches),
      /*operand_batching_dims=*/dimRange(numBatches),
      /*start_indices_batching_dims=*/dimRange(numBatches),
      /*start_index_map=*/ArrayRef<int64_t>(numBatches),
      /*index_vector_dim=*/numBatches + 1, /*slice_sizes=*/sizes);
}

ScatterOp UpdateSorter::run() {
  Value sorted = sort(makeKeys());
  Value numbers = binary<RemOp>(sorted, number(sorted, parts.numUpdates));
  Value places = binary<DivOp>(sorted, number(sorted, parts.numUpdates));
  Value indices = makeIndices(places);
  SmallVector<Value> updates;
  for (Value update : op.getUpdates())
    updates.push_back(permute(update, numbers));
  int64_t numBatches = batchShape.size();
  SmallVector<int64_t> windowDims;
  for (int64_t d : dimRange(parts.windows.size()))
    windowDims.push_back(rowShape.size() + d);
  auto result = ScatterOp::create(
      b, loc, op->getResultTypes(), op.getInputs(), indices, updates,
      /*update_window_dims=*/windowDims,
      /*inserted_window_dims=*/parts.placedInput,
      /*input_batching_dims=*/parts.batchedInput,
      /*scatter_indices_batching_dims=*/dimRange(numBatches),
      /*scatter_dims_to_operand_dims=*/parts.placedInput,
      /*index_vector_dim=*/numBatches + 1, /*unique_indices=*/false);
  result.getBody().takeBody(op.getBody());
  op->replaceAllUsesWith(result);
  op->erase();
  return result;
}

ScatterOp cleave::fusion::sortUpdates(ScatterOp op, const ScatterParts &parts) {
  return UpdateSorter(op, parts).run();
}
