//===- LoopsOverElements.cpp - Computations as loops ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Windows: element `tap` of the window of result `out` is at out * stride +
// tap * window_dilation of the padded and dilated operand, per dimension. A
// reduction is one of windows as large as the reduced dimensions.
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Rewrites/LoopsOverElements.h"
#include "dialects/Graph/GraphBuilders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;
using graph::typeOf;

bool reader::readList(Attribute attribute, ArrayRef<int64_t> absent,
                      SmallVectorImpl<int64_t> &values) {
  values.clear();
  if (!attribute) {
    values.append(absent.begin(), absent.end());
    return true;
  }
  if (auto array = dyn_cast<DenseI64ArrayAttr>(attribute)) {
    values.append(array.asArrayRef().begin(), array.asArrayRef().end());
    return true;
  }
  auto elements = dyn_cast<DenseIntElementsAttr>(attribute);
  if (!elements || !elements.getElementType().isInteger(64))
    return false;
  llvm::append_range(values, elements.getValues<int64_t>());
  return true;
}

bool reader::isFromTo(Region &computation, ArrayRef<Type> arguments,
                      ArrayRef<Type> results) {
  auto areScalars = [](TypeRange types, ArrayRef<Type> elements) {
    return types.size() == elements.size() &&
           llvm::all_of(llvm::zip_equal(types, elements), [](auto pair) {
             return std::get<0>(pair) ==
                    RankedTensorType::get({}, std::get<1>(pair));
           });
  };
  return computation.hasOneBlock() &&
         areScalars(computation.getArgumentTypes(), arguments) &&
         areScalars(computation.front().getTerminator()->getOperandTypes(),
                    results);
}

static SmallVector<Type> elementsOf(TypeRange types) {
  return llvm::map_to_vector(types, [](Type type) -> Type {
    return cast<RankedTensorType>(type).getElementType();
  });
}

static int64_t product(ArrayRef<int64_t> sizes) {
  return ShapedType::getNumElements(sizes);
}

//===----------------------------------------------------------------------===//
// Maps
//===----------------------------------------------------------------------===//

static bool loopOverMap(stablehlo::MapOp op) {
  auto type = cast<RankedTensorType>(op.getType());
  Region &computation = op->getRegion(0);
  if (!isFromTo(computation, elementsOf(op->getOperandTypes()),
                {type.getElementType()}) ||
      !llvm::all_of(op->getOperands(), [&](Value input) {
        return typeOf(input).getShape() == type.getShape();
      }))
    return false;
  SourceBuilder b(op.getLoc(), op);
  auto results =
      b.loop(type.getNumElements(), b.zeros(type),
             [&](Value number, ValueRange carried) -> SmallVector<Value> {
               SmallVector<Value> index = b.indexOf(number, type.getShape());
               SmallVector<Value> elements =
                   llvm::map_to_vector(op->getOperands(), [&](Value input) {
                     return b.elementAt(input, index);
                   });
               Value element = b.apply(computation, elements)[0];
               return {b.withElementAt(carried[0], element, index)};
             });
  op->replaceAllUsesWith(results);
  return true;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// A reduction of windows, one entry per dimension.
struct Windows {
  SmallVector<int64_t> sizes, strides, base, window, padding, results;

  /// Elements along dimension `d` with padding, between elements too.
  int64_t paddedSize(int64_t d, int64_t size) const {
    return padding[2 * d] + padding[2 * d + 1] + size +
           std::max<int64_t>(size - 1, 0) * (base[d] - 1);
  }
  /// Whether there are as many results along dimension `d` as windows.
  bool isResult(int64_t d, int64_t size) const {
    if (sizes[d] < 1 || strides[d] < 1 || base[d] < 1 || window[d] < 1 ||
        paddedSize(d, size) < 0)
      return false;
    int64_t left = paddedSize(d, size) - (sizes[d] - 1) * window[d] - 1;
    return results[d] == (left < 0 ? 0 : left / strides[d] + 1);
  }
};
} // namespace

static Value padInput(SourceBuilder &b, Value input, Value init,
                      const Windows &windows) {
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> low, high, interior, shape;
  for (int64_t d = 0; d < type.getRank(); ++d) {
    low.push_back(windows.padding[2 * d]);
    high.push_back(windows.padding[2 * d + 1]);
    interior.push_back(windows.base[d] - 1);
    shape.push_back(windows.paddedSize(d, type.getDimSize(d)));
  }
  if (type.getShape() == ArrayRef(shape))
    return input;
  return b.build<stablehlo::PadOp>(
      type.clone(shape), {input, init},
      {b.getNamedAttr("edge_padding_low", b.getDenseI64ArrayAttr(low)),
       b.getNamedAttr("edge_padding_high", b.getDenseI64ArrayAttr(high)),
       b.getNamedAttr("interior_padding", b.getDenseI64ArrayAttr(interior))});
}

/// The results, in shape `windows.results`; none where the op is malformed.
static SmallVector<Value> reduceWindows(SourceBuilder &b, Operation *op,
                                        const Windows &windows) {
  unsigned count = op->getNumResults();
  Region &body = op->getRegion(0);
  // Sums may be of a wider type than what they are of.
  SmallVector<Type> sums = elementsOf(op->getResultTypes());
  SmallVector<Type> arguments(sums);
  llvm::append_range(arguments, sums);
  if (!isFromTo(body, arguments, sums))
    return {};
  SmallVector<Value> inputs, initial;
  for (unsigned i = 0; i < count; ++i) {
    Value init = b.convert(op->getOperand(count + i), sums[i]);
    Value input = b.convert(op->getOperand(i), sums[i]);
    inputs.push_back(padInput(b, input, init, windows));
    initial.push_back(b.broadcast(init, windows.results));
  }
  size_t rank = windows.sizes.size();
  SmallVector<int64_t> space(windows.results);
  llvm::append_range(space, windows.sizes);
  return b.loop(product(space), initial, [&](Value number, ValueRange carried) {
    SmallVector<Value> place = b.indexOf(number, space), index;
    ArrayRef<Value> out = ArrayRef(place).take_front(rank);
    for (size_t d = 0; d < rank; ++d) {
      Value first = b.multiply(out[d], b.number(windows.strides[d]));
      Value tap = b.multiply(place[rank + d], b.number(windows.window[d]));
      index.push_back(b.add(first, tap));
    }
    SmallVector<Value> terms;
    for (Value sum : carried)
      terms.push_back(b.elementAt(sum, out));
    for (Value input : inputs)
      terms.push_back(b.elementAt(input, index));
    SmallVector<Value> results;
    for (auto [sum, element] : llvm::zip_equal(carried, b.apply(body, terms)))
      results.push_back(b.withElementAt(sum, element, out));
    return results;
  });
}

/// Whether there are inputs of one shape, and as many scalars.
static bool areInputsAndInits(Operation *op) {
  unsigned count = op->getNumResults();
  if (count == 0 || op->getNumOperands() != 2 * count)
    return false;
  auto shape = typeOf(op->getOperand(0)).getShape();
  for (unsigned i = 0; i < count; ++i)
    if (typeOf(op->getOperand(i)).getShape() != shape ||
        typeOf(op->getOperand(count + i)).getRank() != 0)
      return false;
  return true;
}

static bool loopOverReduction(stablehlo::ReduceOp op) {
  SmallVector<int64_t> dims;
  if (!areInputsAndInits(op) || !readList(op.getDimensions(), {}, dims))
    return false;
  auto shape = typeOf(op->getOperand(0)).getShape();
  if (!llvm::all_of(dims, [&](int64_t dim) {
        return dim >= 0 && dim < int64_t(shape.size()) &&
               llvm::count(dims, dim) == 1;
      }))
    return false;
  Windows windows;
  windows.strides = windows.base = windows.window =
      SmallVector<int64_t>(shape.size(), 1);
  windows.padding.assign(2 * shape.size(), 0);
  SmallVector<int64_t> left;
  for (auto [d, size] : llvm::enumerate(shape)) {
    bool isReduced = llvm::is_contained(dims, int64_t(d));
    windows.sizes.push_back(isReduced ? size : 1);
    windows.results.push_back(isReduced ? 1 : size);
    if (!isReduced)
      left.push_back(size);
  }
  for (Type type : op->getResultTypes())
    if (cast<RankedTensorType>(type).getShape() != ArrayRef(left))
      return false;
  SourceBuilder b(op.getLoc(), op);
  SmallVector<Value> results = reduceWindows(b, op, windows);
  for (auto [i, result] : llvm::enumerate(results))
    op->getResult(i).replaceAllUsesWith(b.reshape(result, left));
  return !results.empty();
}

static bool loopOverWindows(stablehlo::ReduceWindowOp op) {
  if (!areInputsAndInits(op))
    return false;
  int64_t rank = typeOf(op->getOperand(0)).getRank();
  SmallVector<int64_t> ones(rank, 1), zeros(2 * rank, 0);
  Windows windows;
  auto read = [&](Attribute attribute, ArrayRef<int64_t> absent,
                  SmallVector<int64_t> &values) {
    return readList(attribute, absent, values) &&
           values.size() == absent.size();
  };
  if (!read(op.getWindowDimensionsAttr(), ones, windows.sizes) ||
      !read(op.getWindowStridesAttr(), ones, windows.strides) ||
      !read(op.getBaseDilationsAttr(), ones, windows.base) ||
      !read(op.getWindowDilationsAttr(), ones, windows.window) ||
      !read(op.getPaddingAttr(), zeros, windows.padding))
    return false;
  llvm::append_range(windows.results, typeOf(op->getResult(0)).getShape());
  bool fits = int64_t(windows.results.size()) == rank &&
              llvm::all_of(op->getResults(), [&](Value result) {
                return typeOf(result).getShape() == ArrayRef(windows.results);
              });
  for (int64_t d = 0; fits && d < rank; ++d)
    fits = windows.isResult(d, typeOf(op->getOperand(0)).getDimSize(d));
  if (!fits)
    return false;
  SourceBuilder b(op.getLoc(), op);
  SmallVector<Value> results = reduceWindows(b, op, windows);
  if (results.empty())
    return false;
  op->replaceAllUsesWith(results);
  return true;
}

//===----------------------------------------------------------------------===//
// Sorts
//===----------------------------------------------------------------------===//

/// Neighbours that are in the wrong order change places, from the first to the
/// last, once for each element: equal ones keep their order.
static bool loopOverSort(stablehlo::SortOp op) {
  if (op->getNumOperands() == 0 ||
      op->getOperandTypes() != op->getResultTypes())
    return false;
  auto shape = typeOf(op->getOperand(0)).getShape();
  int64_t rank = shape.size(), dim = -1;
  if (auto number = dyn_cast_or_null<IntegerAttr>(op.getDimensionAttr()))
    dim = number.getInt();
  dim = dim < 0 ? dim + rank : dim;
  SmallVector<Type> arguments;
  for (Type element : elementsOf(op->getOperandTypes()))
    arguments.append(2, element);
  Region &comparator = op->getRegion(0);
  if (dim < 0 || dim >= rank ||
      !isFromTo(comparator, arguments, {IntegerType::get(op.getContext(), 1)}))
    return false;
  // Which slice, which round, which pair.
  SmallVector<int64_t> space(shape);
  space[dim] = std::max<int64_t>(shape[dim] - 1, 0);
  space.insert(space.begin() + dim, space[dim]);
  SourceBuilder b(op.getLoc(), op);
  auto results = b.loop(
      product(space), op->getOperands(), [&](Value number, ValueRange carried) {
        SmallVector<Value> left = b.indexOf(number, space);
        left.erase(left.begin() + dim);
        SmallVector<Value> right(left);
        right[dim] = b.add(left[dim], b.number(1));
        SmallVector<Value> terms;
        for (Value values : carried) {
          terms.push_back(b.elementAt(values, right));
          terms.push_back(b.elementAt(values, left));
        }
        Value isLess = b.apply(comparator, terms)[0];
        SmallVector<Value> results;
        for (auto [i, values] : llvm::enumerate(carried)) {
          Value first = terms[2 * i + 1], second = terms[2 * i];
          Value sorted =
              b.withElementAt(values, b.select(isLess, second, first), left);
          results.push_back(
              b.withElementAt(sorted, b.select(isLess, first, second), right));
        }
        return results;
      });
  op->replaceAllUsesWith(results);
  return true;
}

void reader::loopOverElements(Operation *op) {
  auto isTensor = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && SourceBuilder::hasZeros(tensor);
  };
  if (!llvm::all_of(op->getOperandTypes(), isTensor) ||
      !llvm::all_of(op->getResultTypes(), isTensor))
    return;
  bool isReplaced = TypeSwitch<Operation *, bool>(op)
                        .Case(loopOverMap)
                        .Case(loopOverReduction)
                        .Case(loopOverWindows)
                        .Case(loopOverSort)
                        .Case(loopOverUpdates)
                        .Case(loopOverSelections)
                        .Default([](Operation *) { return false; });
  if (isReplaced)
    op->erase();
}
