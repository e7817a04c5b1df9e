//===- EvaluateWindows.cpp - Reference semantics of windowed ops ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/MatrixProduct.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace cleave::graph;
using cleave::ReductionKind;
using cleave::WindowDim;

static SmallVector<int64_t> tapShape(ArrayRef<WindowDim> windows) {
  return llvm::map_to_vector(
      windows, [](const WindowDim &window) { return window.window; });
}

/// The place of a tap in an operand with these strides along the windowed
/// dimensions; -1 in padding.
static int64_t placeOf(ArrayRef<WindowDim> windows, ArrayRef<int64_t> strides,
                       ArrayRef<int64_t> window, ArrayRef<int64_t> tap) {
  int64_t place = 0;
  for (size_t d = 0; d < windows.size(); ++d) {
    int64_t element = windows[d].element(window[d], tap[d]);
    if (element < 0)
      return -1;
    place += element * strides[d];
  }
  return place;
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

/// Calls `fn(from, to)` for each tap of each window, in row-major order; `from`
/// is -1 in padding.
template <typename Fn>
static LogicalResult forEachTap(ReduceWindowOp op, Fn fn) {
  SmallVector<WindowDim> windows = op.getWindows();
  auto input = cast<RankedTensorType>(op.getInputs()[0].getType());
  auto result = cast<RankedTensorType>(op.getResultTypes()[0]);
  if (result.getNumElements() == 0)
    return success();
  SmallVector<int64_t> strides = rowMajorStrides(input.getShape());
  SmallVector<int64_t> taps = tapShape(windows);
  SmallVector<int64_t> window(windows.size(), 0), tap(windows.size(), 0);
  int64_t to = 0;
  do {
    do {
      if (failed(fn(placeOf(windows, strides, window, tap), to)))
        return failure();
    } while (nextIndex(tap, taps));
    ++to;
  } while (nextIndex(window, result.getShape()));
  return success();
}

/// The dimension along which each window has all elements up to its own, or all
/// from it on, if the others have windows of one element.
static std::optional<unsigned> runningDim(ArrayRef<WindowDim> windows) {
  std::optional<unsigned> running;
  for (auto [d, window] : llvm::enumerate(windows)) {
    if (window.isPointwise())
      continue;
    if (running || (!window.isScan(false) && !window.isScan(true)))
      return std::nullopt;
    running = d;
  }
  return running;
}

/// Calls `fn(before, i)` for each element along the dimension, in the order of
/// the sums; `before` is the place of the sum without element i, -1 at the
/// first.
template <typename Fn>
static void forEachRunning(ReduceWindowOp op, unsigned dim, Fn fn) {
  auto type = cast<RankedTensorType>(op.getInputs()[0].getType());
  SmallVector<int64_t> strides = rowMajorStrides(type.getShape());
  int64_t size = type.getDimSize(dim), stride = strides[dim];
  bool isForward = op.getWindows()[dim].isScan(/*isReverse=*/false);
  for (int64_t line = 0; line < type.getNumElements(); ++line) {
    if (line / stride % size != 0)
      continue;
    int64_t before = -1;
    for (int64_t i = 0; i < size; ++i) {
      int64_t at = line + (isForward ? i : size - 1 - i) * stride;
      fn(before, at);
      before = at;
    }
  }
}

static Literal reduceSimple(Evaluator &evaluator, ReduceWindowOp op,
                            ReductionKind kind, const Literal &input,
                            const Literal &init, Literal result) {
  Type element = result.elementType();
  if (result.isFloat()) {
    ArrayRef<double> from = input.floats();
    MutableArrayRef<double> to = result.mutableFloats();
    double padding = init.floats().front();
    bool inFloat32 = evaluator.accumulationType(element).isF32();
    // Sums of one element more each, of which padding changes none.
    if (std::optional<unsigned> dim = runningDim(op.getWindows());
        dim && combineElements(kind, padding, padding) == padding) {
      forEachRunning(op, *dim, [&](int64_t before, int64_t i) {
        double value =
            combineElements(kind, to[before < 0 ? i : before], from[i]);
        to[i] = inFloat32 ? static_cast<float>(value) : value;
      });
      evaluator.round(result);
      return result;
    }
    (void)forEachTap(op, [&](int64_t i, int64_t j) {
      double value = combineElements(kind, to[j], i < 0 ? padding : from[i]);
      to[j] = inFloat32 ? static_cast<float>(value) : value;
      return success();
    });
    evaluator.round(result);
    return result;
  }
  IntegerSemantics semantics(element);
  ArrayRef<int64_t> from = input.ints();
  MutableArrayRef<int64_t> to = result.mutableInts();
  int64_t padding = init.ints().front();
  if (std::optional<unsigned> dim = runningDim(op.getWindows());
      dim && combineElements(kind, padding, padding, semantics) == padding) {
    forEachRunning(op, *dim, [&](int64_t before, int64_t i) {
      to[i] = wrapToType(combineElements(kind, to[before < 0 ? i : before],
                                         from[i], semantics),
                         element);
    });
    return result;
  }
  (void)forEachTap(op, [&](int64_t i, int64_t j) {
    int64_t value =
        combineElements(kind, to[j], i < 0 ? padding : from[i], semantics);
    to[j] = wrapToType(value, element);
    return success();
  });
  return result;
}

LogicalResult ReduceWindowOp::evaluate(Evaluator &evaluator,
                                       ArrayRef<Literal> operands,
                                       SmallVectorImpl<Literal> &results) {
  ArrayRef<Literal> inputs = operands.take_front(getInputs().size());
  ArrayRef<Literal> inits = operands.drop_front(inputs.size());
  for (auto [init, resultType] : llvm::zip_equal(inits, getResultTypes())) {
    auto type = cast<RankedTensorType>(resultType);
    SmallVector<int64_t> none(type.getRank(), 0);
    results.push_back(init.strided(type.getShape(), 0, none).withType(type));
  }
  if (std::optional<ReductionKind> kind = getSimpleKind()) {
    results[0] = reduceSimple(evaluator, *this, *kind, inputs[0], inits[0],
                              std::move(results[0]));
    return success();
  }
  SmallVector<Literal> args, values;
  return forEachTap(*this, [&](int64_t from, int64_t to) {
    args.clear();
    for (const Literal &result : results)
      args.push_back(result.element(to));
    for (auto [input, init] : llvm::zip_equal(inputs, inits))
      args.push_back(from < 0 ? init : input.element(from));
    if (failed(evaluator.evaluateRegion(getBody(), args, values)))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, values))
      result.setElement(to, value);
    return success();
  });
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

namespace {

/// A convolution as one product per batch element of the result and group: the
/// elements that each window sees, as rows, times the kernel of the group.
class Convolver {
public:
  Convolver(ConvolutionOp op, Evaluator &evaluator);
  Literal run(const Literal &lhs, const Literal &rhs);

private:
  /// What the windows of one batch element and group see.
  template <typename T>
  std::vector<T> patches(ArrayRef<T> lhs, int64_t batch, int64_t group);
  Literal kernelOf(const Literal &rhs, int64_t group);
  Literal product(const Literal &lhs, const Literal &rhs, int64_t batch,
                  int64_t group);

  ConvolutionOp op;
  Evaluator &evaluator;
  RankedTensorType type;
  SmallVector<int64_t> lhsStrides, rhsStrides, resultStrides;
  SmallVector<int64_t> spatialShape, taps;
  int64_t features, groups, outputs;
  ProductShape shape;
  /// Place in one batch element and feature of lhs, per window and tap.
  std::vector<int64_t> places;
};

} // namespace

static SmallVector<int64_t> select(ArrayRef<int64_t> values,
                                   ArrayRef<int64_t> dims) {
  return llvm::map_to_vector(dims, [&](int64_t dim) { return values[dim]; });
}

Convolver::Convolver(ConvolutionOp op, Evaluator &evaluator)
    : op(op), evaluator(evaluator), type(op.getType()) {
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  lhsStrides = rowMajorStrides(lhs.getShape());
  rhsStrides = rowMajorStrides(rhs.getShape());
  resultStrides = rowMajorStrides(type.getShape());
  SmallVector<WindowDim> windows = op.getWindows();
  spatialShape = select(type.getShape(), op.getOutputSpatialDimensions());
  taps = tapShape(windows);
  features = rhs.getDimSize(op.getKernelInputFeatureDimension());
  groups = op.getFeatureGroupCount() * op.getBatchGroupCount();
  outputs = rhs.getDimSize(op.getKernelOutputFeatureDimension()) / groups;

  SmallVector<int64_t> strides =
      select(lhsStrides, op.getInputSpatialDimensions());
  auto isEmpty = [](ArrayRef<int64_t> sizes) {
    return llvm::is_contained(sizes, 0);
  };
  if (!isEmpty(spatialShape) && !isEmpty(taps)) {
    SmallVector<int64_t> window(windows.size(), 0), tap(windows.size(), 0);
    do
      do
        places.push_back(placeOf(windows, strides, window, tap));
      while (nextIndex(tap, taps));
    while (nextIndex(window, spatialShape));
  }
  int64_t numWindows = 1, numTaps = 1;
  for (int64_t size : spatialShape)
    numWindows *= size;
  for (int64_t size : taps)
    numTaps *= size;
  shape = {1, numWindows, numTaps * features, outputs};
}

template <typename T>
std::vector<T> Convolver::patches(ArrayRef<T> lhs, int64_t batch,
                                  int64_t group) {
  int64_t numBatch = type.getDimSize(op.getOutputBatchDimension());
  int64_t feature = op.getFeatureGroupCount() > 1 ? group * features : 0;
  if (op.getBatchGroupCount() > 1)
    batch += group * numBatch;
  int64_t featureStride = lhsStrides[op.getInputFeatureDimension()];
  int64_t base =
      batch * lhsStrides[op.getInputBatchDimension()] + feature * featureStride;
  std::vector<T> values;
  values.reserve(shape.m * shape.k);
  for (int64_t place : places)
    for (int64_t i = 0; i < features; ++i)
      values.push_back(place < 0 ? T(0)
                                 : lhs[base + place + i * featureStride]);
  return values;
}

/// The kernel of a group as [taps, features, outputs].
Literal Convolver::kernelOf(const Literal &rhs, int64_t group) {
  SmallVector<int64_t> sizes(taps);
  SmallVector<int64_t> strides =
      select(rhsStrides, op.getKernelSpatialDimensions());
  int64_t outputStride = rhsStrides[op.getKernelOutputFeatureDimension()];
  sizes.append({features, outputs});
  strides.append(
      {rhsStrides[op.getKernelInputFeatureDimension()], outputStride});
  return rhs.strided(sizes, group * outputs * outputStride, strides);
}

Literal Convolver::product(const Literal &lhs, const Literal &rhs,
                           int64_t batch, int64_t group) {
  SmallVector<int64_t> sizes(spatialShape);
  sizes.push_back(outputs);
  auto partType = RankedTensorType::get(sizes, type.getElementType());
  Literal kernel = kernelOf(rhs, group);
  if (lhs.isFloat()) {
    bool inFloat32 = evaluator.accumulationType(type.getElementType()).isF32();
    return Literal(partType,
                   multiplyMatrices(shape, patches(lhs.floats(), batch, group),
                                    kernel.floats(), inFloat32,
                                    evaluator.getNumThreads()));
  }
  std::vector<int64_t> values =
      multiplyIntegers(shape, patches(lhs.ints(), batch, group), kernel.ints());
  for (int64_t &value : values)
    value = wrapToType(value, type.getElementType());
  return Literal(partType, std::move(values));
}

Literal Convolver::run(const Literal &lhs, const Literal &rhs) {
  Literal result(type);
  if (result.size() == 0)
    return result;
  SmallVector<int64_t> strides =
      select(resultStrides, op.getOutputSpatialDimensions());
  int64_t featureStride = resultStrides[op.getOutputFeatureDimension()];
  int64_t batchStride = resultStrides[op.getOutputBatchDimension()];
  strides.push_back(featureStride);
  int64_t numBatch = type.getDimSize(op.getOutputBatchDimension());
  for (int64_t batch = 0; batch < numBatch; ++batch)
    for (int64_t group = 0; group < groups; ++group)
      result.insertStrided(
          product(lhs, rhs, batch, group),
          batch * batchStride + group * outputs * featureStride, strides);
  evaluator.round(result);
  return result;
}

LogicalResult ConvolutionOp::evaluate(Evaluator &evaluator,
                                      ArrayRef<Literal> operands,
                                      SmallVectorImpl<Literal> &results) {
  results.push_back(Convolver(*this, evaluator).run(operands[0], operands[1]));
  return success();
}
