//===- ConvolutionKernel.cpp - Convolution as a matrix product ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An implicit GEMM: rows are windows of all images, columns the output features
// of a group, and the depth has all taps of all input features of the group.
// The left operand, which has an element of lhs (or zero) for each tap of each
// window, is never stored: threads compute where its elements are while they
// bring a tile into shared memory. All fields of the specification are numbers
// in that computation.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Codegen/Blocks/ProductTiles.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include <numeric>

using namespace mlir;
using namespace cleave;
using namespace cleave::codegen;
using namespace cleave::graph;

namespace {

using Values = SmallVector<Value>;
using Side = ProductTiles::Side;

/// Strides of an operand by what its dimensions are.
struct Strides {
  int64_t first, second;
  SmallVector<int64_t> spatial;

  Strides(RankedTensorType type, int64_t firstDim, int64_t secondDim,
          ArrayRef<int64_t> spatialDims) {
    SmallVector<int64_t> all = rowMajorStrides(type.getShape());
    first = all[firstDim];
    second = all[secondDim];
    for (int64_t dim : spatialDims)
      spatial.push_back(all[dim]);
  }
};

class ConvolutionWriter {
public:
  explicit ConvolutionWriter(ConvolutionOp op);

  bool usesTensorCores() { return !element().isF32(); }
  void write(BlockKernel &kernel, ProductTiles &tiles);

private:
  /// A window: the place of its image in lhs, and where it starts.
  struct Window {
    Value row, place, isInside;
    Values starts;
  };
  /// What a thread brings into shared memory in each step.
  struct Unit {
    Value line, at;
  };

  /// Of both operands.
  Type element() { return op.getLhs().getType().getElementType(); }
  /// Elements of 16 bytes.
  int64_t lanes() { return 128 / element().getIntOrFloatBitWidth(); }
  int64_t lanesAlongDepth(int64_t featureStride);
  SmallVector<Unit> unitsOf(int64_t lanes, bool depthIsInner);
  Window windowAt(Value row);
  Values decodeDepth(Value at);
  void loadLeft(const Unit &unit, const Window &window, Value step);
  void loadRight(const Unit &unit, Value step);
  void writeTile(Value item);
  void storeTile(ValueRange sums);

  ConvolutionOp op;
  SmallVector<WindowDim> windows;
  SmallVector<int64_t> counts, taps;
  Strides lhs, rhs, result;
  int64_t groups, images, channels, features, rows, depth = 1;
  /// Whether neighbours in depth are features, not taps.
  bool featuresAreInner;
  int64_t leftLanes, rightDepthLanes, rightFeatureLanes;

  BlockKernel *k = nullptr;
  ProductTiles *tiles = nullptr;
  Value group, firstRow, firstColumn;
};

} // namespace

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

ConvolutionWriter::ConvolutionWriter(ConvolutionOp op)
    : op(op), windows(op.getWindows()),
      lhs(op.getLhs().getType(), op.getInputBatchDimension(),
          op.getInputFeatureDimension(), op.getInputSpatialDimensions()),
      rhs(op.getRhs().getType(), op.getKernelOutputFeatureDimension(),
          op.getKernelInputFeatureDimension(), op.getKernelSpatialDimensions()),
      result(op.getType(), op.getOutputBatchDimension(),
             op.getOutputFeatureDimension(), op.getOutputSpatialDimensions()),
      groups(op.getNumGroups()),
      images(op.getType().getDimSize(op.getOutputBatchDimension())),
      channels(op.getRhs().getType().getDimSize(
          op.getKernelInputFeatureDimension())),
      features(op.getType().getDimSize(op.getOutputFeatureDimension()) /
               groups) {
  for (const WindowDim &window : windows) {
    counts.push_back(*window.count());
    taps.push_back(window.window);
  }
  rows = images * product(counts);
  depth = channels * product(taps);
  featuresAreInner = lhs.second == 1 || rhs.second == 1;
  leftLanes = lanesAlongDepth(lhs.second);
  rightDepthLanes = lanesAlongDepth(rhs.second);
  rightFeatureLanes = rhs.first == 1 ? std::gcd(lanes(), features) : 1;
}

/// Features of one tap that one access of 16 bytes at most has.
int64_t ConvolutionWriter::lanesAlongDepth(int64_t featureStride) {
  return featuresAreInner && featureStride == 1 ? std::gcd(lanes(), channels)
                                                : 1;
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Shares a tile among the threads: one of its sides, and the place in depth,
/// of the first of `lanes` elements. The other dimension is the same for all
/// units of a thread, as far as there are enough threads.
SmallVector<ConvolutionWriter::Unit>
ConvolutionWriter::unitsOf(int64_t lanes, bool depthIsInner) {
  constexpr int64_t size = ProductTiles::size;
  int64_t perLine = tiles->getDepth() / lanes, threads = k->getNumThreads();
  SmallVector<Unit> units;
  for (int64_t done = 0; done < size * perLine; done += threads) {
    Value number = k->add(k->thread, k->index(done));
    if (depthIsInner)
      units.push_back({k->divide(number, perLine),
                       k->scale(k->remainder(number, perLine), lanes)});
    else
      units.push_back({k->remainder(number, size),
                       k->scale(k->divide(number, size), lanes)});
  }
  return units;
}

ConvolutionWriter::Window ConvolutionWriter::windowAt(Value row) {
  Window window;
  window.row = row;
  Value number = k->add(firstRow, row);
  if (rows % ProductTiles::size != 0)
    window.isInside = k->isBelow(number, k->index(rows));
  SmallVector<int64_t> shape = {images};
  llvm::append_range(shape, counts);
  Values indices = k->delinearize(number, shape);
  Value image = indices[0];
  window.place = k->index(0);
  if (op.getBatchGroupCount() > 1)
    image = k->add(k->scale(group, images), image);
  else
    window.place = k->scale(group, channels * lhs.second);
  window.place = k->add(window.place, k->scale(image, lhs.first));
  for (auto [i, dim] : llvm::enumerate(windows))
    window.starts.push_back(
        k->subtract(k->scale(indices[i + 1], dim.stride), k->index(dim.low)));
  return window;
}

/// The feature and taps at a place in depth.
Values ConvolutionWriter::decodeDepth(Value at) {
  SmallVector<int64_t> shape(taps);
  shape.insert(featuresAreInner ? shape.end() : shape.begin(), channels);
  Values indices = k->delinearize(at, shape);
  if (featuresAreInner)
    std::rotate(indices.begin(), indices.end() - 1, indices.end());
  return indices;
}

void ConvolutionWriter::loadLeft(const Unit &unit, const Window &window,
                                 Value step) {
  ImplicitLocOpBuilder &b = k->b;
  Value at = k->add(step, unit.at);
  Value isInside = window.isInside;
  if (depth % tiles->getDepth() != 0)
    isInside = k->both(isInside, k->isBelow(at, k->index(depth)));
  Values indices = decodeDepth(at);
  Value place = k->add(window.place, k->scale(indices[0], lhs.second));
  for (auto [i, dim] : llvm::enumerate(windows)) {
    Value tap = indices[i + 1];
    if (dim.isReversed)
      tap = k->subtract(k->index(dim.window - 1), tap);
    Value position =
        k->add(window.starts[i], k->scale(tap, dim.windowDilation));
    int64_t first = -dim.low;
    int64_t last = (counts[i] - 1) * dim.stride - dim.low +
                   (dim.window - 1) * dim.windowDilation;
    // As numbers without a sign, those before the start are large.
    if (first < 0 || last >= dim.dilatedSize())
      isInside =
          k->both(isInside,
                  arith::CmpIOp::create(b, arith::CmpIPredicate::ult, position,
                                        k->index(dim.dilatedSize())));
    if (dim.baseDilation > 1) {
      isInside = k->both(isInside, arith::CmpIOp::create(
                                       b, arith::CmpIPredicate::eq,
                                       k->remainder(position, dim.baseDilation),
                                       k->index(0)));
      position = k->divide(position, dim.baseDilation);
    }
    place = k->add(place, k->scale(position, lhs.spatial[i]));
  }
  Value elements = k->loadVector(k->operand(0), place, leftLanes, isInside);
  tiles->put(Side::Left, window.row, unit.at, elements, /*alongDepth=*/true);
}

void ConvolutionWriter::loadRight(const Unit &unit, Value step) {
  bool alongDepth = rightFeatureLanes == 1;
  Value at = k->add(step, unit.at);
  Value feature = k->add(firstColumn, unit.line);
  Value isInside;
  if (depth % tiles->getDepth() != 0)
    isInside = k->isBelow(at, k->index(depth));
  if (features % ProductTiles::size != 0)
    isInside = k->both(isInside, k->isBelow(feature, k->index(features)));
  Values indices = decodeDepth(at);
  Value place = k->scale(k->add(k->scale(group, features), feature), rhs.first);
  place = k->add(place, k->scale(indices[0], rhs.second));
  for (size_t i = 0; i < taps.size(); ++i)
    place = k->add(place, k->scale(indices[i + 1], rhs.spatial[i]));
  Value elements =
      k->loadVector(k->operand(1), place,
                    alongDepth ? rightDepthLanes : rightFeatureLanes, isInside);
  tiles->put(Side::Right, unit.line, unit.at, elements, alongDepth);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

void ConvolutionWriter::storeTile(ValueRange sums) {
  ImplicitLocOpBuilder &b = k->b;
  Type element = op.getType().getElementType();
  int64_t next = 0;
  SmallVector<int64_t> shape = {images};
  llvm::append_range(shape, counts);
  for (Value row : tiles->rows()) {
    Value number = k->add(firstRow, row);
    Value isRow = rows % ProductTiles::size == 0
                      ? Value()
                      : k->isBelow(number, k->index(rows));
    Values indices = k->delinearize(number, shape);
    Value place =
        k->scale(k->add(k->scale(group, features), firstColumn), result.second);
    place = k->add(place, k->scale(indices[0], result.first));
    for (size_t i = 0; i < counts.size(); ++i)
      place = k->add(place, k->scale(indices[i + 1], result.spatial[i]));
    for (const ProductTiles::Columns &part : tiles->columns()) {
      int64_t lanes = part.count;
      while (features % lanes != 0 || (lanes > 1 && result.second != 1))
        lanes /= 2;
      for (int64_t first = 0; first < part.count; first += lanes) {
        Value column = k->add(part.first, k->index(first));
        Value isColumn =
            features % ProductTiles::size == 0
                ? Value()
                : k->isBelow(k->add(firstColumn, column), k->index(features));
        k->ifTrue(k->both(isRow, isColumn), [&] {
          Value at = k->add(place, k->scale(column, result.second));
          if (lanes > 1)
            return k->storeVector(k->result(0), at, sums.slice(next, lanes));
          k->store(k->result(0), at,
                   convertScalar(b, sums[next], b.getF32Type(), element));
        });
        next += lanes;
      }
    }
  }
}

void ConvolutionWriter::writeTile(Value item) {
  constexpr int64_t size = ProductTiles::size;
  int64_t rowTiles = llvm::divideCeil(rows, size);
  int64_t columnTiles = llvm::divideCeil(features, size);
  Values indices = k->delinearize(item, {groups, rowTiles, columnTiles});
  group = indices[0];
  firstRow = k->scale(indices[1], size);
  firstColumn = k->scale(indices[2], size);

  // Neighbouring threads read what is contiguous.
  bool leftDepthIsInner = lhs.second == 1 && featuresAreInner;
  SmallVector<Unit> left = unitsOf(leftLanes, leftDepthIsInner);
  SmallVector<Window> windowsOfUnits;
  for (const Unit &unit : left)
    windowsOfUnits.push_back(windowAt(unit.line));
  SmallVector<Unit> right;
  if (rightFeatureLanes > 1) {
    // As if columns and depth were exchanged.
    int64_t perRow = size / rightFeatureLanes;
    for (int64_t done = 0; done < perRow * tiles->getDepth();
         done += k->getNumThreads()) {
      Value number = k->add(k->thread, k->index(done));
      right.push_back(
          {k->scale(k->remainder(number, perRow), rightFeatureLanes),
           k->divide(number, perRow)});
    }
  } else {
    right = unitsOf(rightDepthLanes, rhs.first != 1);
  }

  int64_t numColumns = 0;
  for (const ProductTiles::Columns &part : tiles->columns())
    numColumns += part.count;
  Value zero = arith::ConstantOp::create(k->b, k->b.getF32FloatAttr(0));
  Values start(tiles->rows().size() * numColumns, zero);
  Values sums = k->carry(k->index(0), k->index(depth), tiles->getDepth(), start,
                         [&](Value step, ValueRange carried) {
                           for (auto [unit, window] :
                                llvm::zip_equal(left, windowsOfUnits))
                             loadLeft(unit, window, step);
                           for (const Unit &unit : right)
                             loadRight(unit, step);
                           k->barrier();
                           Values next = tiles->multiply(carried);
                           k->barrier();
                           return next;
                         });
  storeTile(sums);
}

void ConvolutionWriter::write(BlockKernel &kernel, ProductTiles &product) {
  k = &kernel;
  tiles = &product;
  int64_t items = groups * llvm::divideCeil(rows, ProductTiles::size) *
                  llvm::divideCeil(features, ProductTiles::size);
  k->loopOverBlocks(items, [&](Value item) { writeTile(item); });
  k->finish(usefulBlocks(items));
}

LogicalResult cleave::codegen::writeConvolution(GPUModuleBuilder &functions,
                                                func::FuncOp kernel,
                                                ConvolutionOp op) {
  auto elementOf = [](Type type) { return getElementTypeOrSelf(type); };
  for (Type element :
       {elementOf(op.getLhs().getType()), elementOf(op.getType())})
    if ((!element.isF32() && !element.isF16() && !element.isBF16()) ||
        elementOf(op.getRhs().getType()) != elementOf(op.getLhs().getType()))
      return op.emitOpError("in a kernel of blocks must be of f32, f16 or "
                            "bf16, with operands of one type");
  ConvolutionWriter writer(op);
  bool usesTensorCores = writer.usesTensorCores();
  FailureOr<BlockKernel> k = BlockKernel::start(
      functions, kernel, op,
      usesTensorCores ? matrixProductThreads : fmaProductThreads);
  if (failed(k))
    return failure();
  std::unique_ptr<ProductTiles> tiles =
      usesTensorCores
          ? makeMatrixProduct(*k, op.getLhs().getType().getElementType())
          : makeFmaProduct(*k);
  writer.write(*k, *tiles);
  return success();
}
