//===- ConvertWindows.cpp - Windowed ops as linalg operations -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Padding and dilation of operands have become operations of their own
// (cleave-pad-windows), so that the positions that windows read are linear in
// the loops: windows, then taps.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Kernels/KernelConversion.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::codegen;
using namespace cleave::graph;

/// Whether windows read their operand as it is.
static bool isPlain(const WindowDim &window) {
  return window.low == 0 && window.high == 0 && window.baseDilation == 1;
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

LogicalResult KernelConversion::convertReduceWindow(ReduceWindowOp op) {
  if (std::optional<ScanDim> scan = op.getScan()) {
    convertScan(op, *scan);
    return success();
  }
  SmallVector<WindowDim> windows = op.getWindows();
  if (!llvm::all_of(windows, isPlain))
    return op.emitOpError("in a kernel must not pad or dilate its operand; "
                          "run cleave-pad-windows first");
  auto type = cast<RankedTensorType>(op.getResultTypes()[0]);
  ReductionLoops loops;
  loops.extents = llvm::to_vector(type.getShape());
  loops.numParallel = type.getRank();
  SmallVector<AffineExpr> inputs, outputs;
  for (auto [d, window] : llvm::enumerate(windows)) {
    AffineExpr loop = b.getAffineDimExpr(d);
    outputs.push_back(loop);
    AffineExpr position = loop * window.stride;
    if (window.window != 1) {
      position = position + b.getAffineDimExpr(loops.extents.size()) *
                                window.windowDilation;
      loops.extents.push_back(window.window);
    }
    inputs.push_back(partOf(position, window.size, type.getDimSize(d)));
  }
  // Each element is combined with the initial value, also where it is the only
  // one of its window.
  if (loops.numParallel == static_cast<int64_t>(loops.extents.size()))
    loops.extents.push_back(1);
  loops.input = mapOf(loops.extents.size(), inputs);
  loops.output = mapOf(loops.extents.size(), outputs);
  return reduceElements(op, op.getInputs(), op.getInits(), op.getBody().front(),
                        op.getSimpleKind().has_value(), loops);
}

/// A generic op with the attribute `cleave.scan`: the last loop, a reduction,
/// runs along the dimension, from the second operand, a scalar, on; what the
/// body yields is stored in each step and is the accumulator of the next.
void KernelConversion::convertScan(ReduceWindowOp op, ScanDim scan) {
  Value input = op.getInputs()[0];
  Type element = getElementTypeOrSelf(input);
  Type accumulator = accumulatorOf(element);
  ArrayRef<int64_t> shape = cast<RankedTensorType>(input.getType()).getShape();
  int64_t rank = shape.size();
  ReductionLoops loops;
  loops.numParallel = rank - 1;
  SmallVector<AffineExpr> exprs(rank);
  for (int64_t d = 0; d < rank; ++d)
    if (d != scan.dim) {
      exprs[d] = b.getAffineDimExpr(loops.extents.size());
      loops.extents.push_back(shape[d]);
    }
  AffineExpr step = b.getAffineDimExpr(rank - 1);
  int64_t size = shape[scan.dim];
  exprs[scan.dim] = scan.isReverse ? size - 1 - step : step;
  loops.extents.push_back(size);
  loops.input = loops.output = mapOf(rank, exprs);

  Value init = fromStorage(b, scalarOf(op.getInits()[0]), element);
  init =
      toStorage(b, convertScalar(b, init, element, accumulator), accumulator);
  SmallVector<Value> inputs = {lookup(input), init};
  SmallVector<AffineMap> maps = {loops.input, mapOf(rank, {})};
  addExtents(loops, inputs, maps);
  maps.push_back(loops.output);
  auto type = RankedTensorType::get(shape, init.getType());
  auto generic = linalg::GenericOp::create(
      b, type, inputs, emptyTensor(type), maps, loops.iterators(),
      [&](OpBuilder &, Location, ValueRange arguments) {
        Value value = arguments[0];
        if (accumulator != element)
          value = toStorage(b,
                            convertScalar(b, fromStorage(b, value, element),
                                          element, accumulator),
                            accumulator);
        linalg::YieldOp::create(b, combineStored(op.getBody().front().front(),
                                                 arguments[3], value,
                                                 accumulator));
      });
  generic->setAttr(kScanAttr, b.getUnitAttr());
  b.setInsertionPointAfter(generic);
  mapRounded(op.getResult(0), generic.getResult(0), accumulator);
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

/// Loops: those of the result, with a loop over groups outside of the features;
/// then the taps, then the features of the operand.
KernelConversion::ConvolutionLoops
KernelConversion::loopsOf(ConvolutionOp op, ArrayRef<WindowDim> windows) {
  RankedTensorType result = op.getType();
  int64_t rank = result.getRank(), groups = op.getNumGroups();
  int64_t outputFeature = op.getOutputFeatureDimension();
  int64_t perGroup = result.getDimSize(outputFeature) / groups;
  ConvolutionLoops loops;
  auto addLoop = [&](int64_t extent) {
    loops.extents.push_back(extent);
    return b.getAffineDimExpr(loops.extents.size() - 1);
  };
  SmallVector<AffineExpr> lhsExprs(rank), rhsExprs(rank), resultExprs(rank);
  AffineExpr group = b.getAffineConstantExpr(0);
  for (int64_t d = 0; d < rank; ++d) {
    if (d == outputFeature && groups > 1)
      group = addLoop(groups);
    AffineExpr loop =
        addLoop(d == outputFeature ? perGroup : result.getDimSize(d));
    resultExprs[d] = d == outputFeature ? group * perGroup + loop : loop;
  }
  loops.numParallel = loops.extents.size();
  rhsExprs[op.getKernelOutputFeatureDimension()] = resultExprs[outputFeature];
  int64_t batch = result.getDimSize(op.getOutputBatchDimension());
  AffineExpr batchLoop = resultExprs[op.getOutputBatchDimension()];
  lhsExprs[op.getInputBatchDimension()] =
      op.getBatchGroupCount() > 1 ? group * batch + batchLoop : batchLoop;
  for (auto [i, window] : llvm::enumerate(windows)) {
    AffineExpr tap = addLoop(window.window);
    AffineExpr at = window.isReversed ? window.window - 1 - tap : tap;
    rhsExprs[op.getKernelSpatialDimensions()[i]] = tap;
    lhsExprs[op.getInputSpatialDimensions()[i]] =
        resultExprs[op.getOutputSpatialDimensions()[i]] * window.stride +
        at * window.windowDilation;
  }
  int64_t features =
      op.getRhs().getType().getDimSize(op.getKernelInputFeatureDimension());
  AffineExpr feature = addLoop(features);
  rhsExprs[op.getKernelInputFeatureDimension()] = feature;
  lhsExprs[op.getInputFeatureDimension()] =
      op.getFeatureGroupCount() > 1 ? group * features + feature : feature;
  int64_t numLoops = loops.extents.size();
  loops.input = mapOf(numLoops, lhsExprs);
  loops.kernel = mapOf(numLoops, rhsExprs);
  loops.output = mapOf(numLoops, resultExprs);
  return loops;
}

/// sum + x * y of stored elements, where the sum is an accumulator.
static Value addProduct(ImplicitLocOpBuilder &b, Value x, Value y, Value sum,
                        Type element, Type accumulator) {
  auto widen = [&](Value value) {
    return toStorage(
        b,
        convertScalar(b, fromStorage(b, value, element), element, accumulator),
        accumulator);
  };
  if (element != accumulator) {
    x = widen(x);
    y = widen(y);
  }
  if (isa<FloatType>(sum.getType()))
    return arith::AddFOp::create(b, sum, arith::MulFOp::create(b, x, y));
  if (accumulator.isInteger(1))
    return arith::OrIOp::create(b, sum, arith::AndIOp::create(b, x, y));
  return arith::AddIOp::create(b, sum, arith::MulIOp::create(b, x, y));
}

LogicalResult KernelConversion::convertConvolution(ConvolutionOp op) {
  SmallVector<WindowDim> windows = op.getWindows();
  if (!llvm::all_of(windows, isPlain))
    return op.emitOpError("in a kernel must not pad or dilate its operand; "
                          "run cleave-pad-windows first");
  ConvolutionLoops loops = loopsOf(op, windows);
  RankedTensorType result = op.getType();
  if (llvm::is_contained(loops.extents, 0)) {
    // Sums of nothing.
    auto empty = result.clone(storageType(result.getElementType()));
    map(op.getResult(),
        fill(empty, arith::ConstantOp::create(
                        b, b.getZeroAttr(empty.getElementType()))));
    return success();
  }

  Type element = op.getLhs().getType().getElementType();
  Type accumulator = accumulatorOf(result.getElementType());
  Type stored = storageType(accumulator);
  auto type = result.clone(stored);
  SmallVector<Value> inputs = {lookup(op.getLhs()), lookup(op.getRhs())};
  SmallVector<AffineMap> maps = {loops.input, loops.kernel};
  addExtents(loops, inputs, maps);
  maps.push_back(loops.output);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(stored));
  auto generic = linalg::GenericOp::create(
      b, type, inputs, fill(type, zero), maps, loops.iterators(),
      [&](OpBuilder &, Location, ValueRange arguments) {
        linalg::YieldOp::create(b,
                                addProduct(b, arguments[0], arguments[1],
                                           arguments[3], element, accumulator));
      });
  b.setInsertionPointAfter(generic);
  mapRounded(op.getResult(), generic.getResult(0), accumulator);
  return success();
}
