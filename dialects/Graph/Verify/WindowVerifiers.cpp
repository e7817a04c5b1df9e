//===- WindowVerifiers.cpp - Rules of reduce_window and convolution -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The constraints of the StableHLO specification. What `getWindows` reads may
// be used once the counts of all attributes are checked.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/Verify/Verification.h"

using namespace mlir;

namespace cleave::graph {

/// The name and value of an attribute.
using Entries = std::pair<StringRef, ArrayRef<int64_t>>;

/// One positive entry per dimension in each attribute.
static LogicalResult checkPerDimension(Operation *op,
                                       ArrayRef<Entries> attributes,
                                       int64_t count, const Twine &what) {
  for (auto [name, values] : attributes) {
    if (failed(checkCount(op, name, values.size(), count, what)))
      return failure();
    for (auto [i, value] : llvm::enumerate(values))
      if (value < 1)
        return op->emitOpError()
               << "`" << name << "` has " << value << " as entry " << i
               << ": should be at least 1";
  }
  return success();
}

static LogicalResult checkPadding(Operation *op, ArrayRef<int64_t> padding,
                                  int64_t count, const Twine &what) {
  if (static_cast<int64_t>(padding.size()) == 2 * count)
    return success();
  return op->emitOpError() << "`padding` has " << padding.size()
                           << " entries: should have " << 2 * count
                           << ", a low and a high one for each " << what;
}

/// The numbers of windows. Diagnoses what overflows.
static FailureOr<SmallVector<int64_t>> countWindows(Operation *op,
                                                    ArrayRef<WindowDim> windows,
                                                    ArrayRef<int64_t> dims) {
  SmallVector<int64_t> counts;
  for (auto [window, dim] : llvm::zip_equal(windows, dims)) {
    std::optional<int64_t> count = window.count();
    if (!count)
      return op->emitOpError()
             << "dimension " << dim << " with " << window.size
             << " elements: padding and dilation should not overflow";
    counts.push_back(*count);
  }
  return counts;
}

/// The result has the expected type; otherwise notes say why its windowed
/// dimensions (`dims` of the result) should have that size.
static LogicalResult checkResult(Operation *op, StringRef name,
                                 RankedTensorType actual,
                                 RankedTensorType expected,
                                 ArrayRef<WindowDim> windows,
                                 ArrayRef<int64_t> dims) {
  if (actual == expected)
    return success();
  InFlightDiagnostic diag = op->emitOpError() << name << " has type " << actual
                                              << ": should be " << expected;
  if (actual.getRank() == expected.getRank())
    for (auto [window, dim] : llvm::zip_equal(windows, dims))
      if (actual.getDimSize(dim) != expected.getDimSize(dim))
        diag.attachNote() << "dimension " << dim << ": " << window.describe()
                          << ", give " << expected.getDimSize(dim);
  return diag;
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

LogicalResult ReduceWindowOp::verify() {
  if (failed(checkReduction(*this, getInputs(), getInits(), getBody())))
    return failure();
  int64_t rank = typeOf(getInputs().front()).getRank();
  StringRef what = "dimension of the inputs";
  if (failed(checkPerDimension(*this,
                               {{"window_dimensions", getWindowDimensions()},
                                {"window_strides", getWindowStrides()},
                                {"base_dilations", getBaseDilations()},
                                {"window_dilations", getWindowDilations()}},
                               rank, what)) ||
      failed(checkPadding(*this, getPadding(), rank, what)))
    return failure();
  SmallVector<WindowDim> windows = getWindows();
  SmallVector<int64_t> dims = dimRange(rank);
  FailureOr<SmallVector<int64_t>> shape = countWindows(*this, windows, dims);
  if (failed(shape))
    return failure();
  for (auto [i, input, result] : llvm::enumerate(getInputs(), getResults()))
    if (failed(checkResult(*this, ("result #" + Twine(i)).str(), typeOf(result),
                           withShape(typeOf(input), *shape), windows, dims)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

/// The dimensions of one tensor: two named ones and the spatial ones.
static LogicalResult checkDimensionNumbers(Operation *op, StringRef prefix,
                                           StringRef first, int64_t firstDim,
                                           StringRef second, int64_t secondDim,
                                           ArrayRef<int64_t> spatial,
                                           int64_t rank, StringRef what) {
  std::string spatialName = (prefix + "_spatial_dimensions").str();
  if (failed(checkCount(op, spatialName, spatial.size(), rank - 2,
                        "spatial dimension of " + what)))
    return failure();
  SmallVector<int64_t> dims = {firstDim, secondDim};
  llvm::append_range(dims, spatial);
  std::string names =
      (prefix + "_" + first + ", " + prefix + "_" + second + ", " + spatialName)
          .str();
  return checkDims(op, names, dims, rank, what);
}

static LogicalResult checkDivides(Operation *op, StringRef groups,
                                  int64_t count, StringRef what, int64_t dim,
                                  int64_t size) {
  if (size % count == 0)
    return success();
  return op->emitOpError() << "`" << groups << "` is " << count
                           << ": should divide the " << size
                           << " elements of dimension " << dim << " of "
                           << what;
}

static LogicalResult checkGroups(ConvolutionOp op) {
  int64_t features = op.getFeatureGroupCount(), batch = op.getBatchGroupCount();
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType();
  for (auto [name, count] : {std::pair("feature_group_count", features),
                             {"batch_group_count", batch}})
    if (count < 1)
      return op.emitOpError()
             << "`" << name << "` is " << count << ": should be at least 1";
  if (features > 1 && batch > 1)
    return op.emitOpError() << "`feature_group_count` is " << features
                            << " and `batch_group_count` " << batch
                            << ": one of them should be 1";
  int64_t lhsFeature = op.getInputFeatureDimension(),
          lhsBatch = op.getInputBatchDimension(),
          rhsOutput = op.getKernelOutputFeatureDimension(),
          rhsInput = op.getKernelInputFeatureDimension();
  if (failed(checkDivides(op, "feature_group_count", features, "lhs",
                          lhsFeature, lhs.getDimSize(lhsFeature))) ||
      failed(checkDivides(op, "feature_group_count", features, "rhs", rhsOutput,
                          rhs.getDimSize(rhsOutput))) ||
      failed(checkDivides(op, "batch_group_count", batch, "lhs", lhsBatch,
                          lhs.getDimSize(lhsBatch))) ||
      failed(checkDivides(op, "batch_group_count", batch, "rhs", rhsOutput,
                          rhs.getDimSize(rhsOutput))))
    return failure();
  return checkSize(op, "rhs", rhs, rhsInput,
                   lhs.getDimSize(lhsFeature) / features,
                   "the features of a group of lhs");
}

LogicalResult ConvolutionOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  int64_t rank = lhs.getRank();
  if (rank < 2)
    return emitOpError() << "lhs has type " << lhs
                         << ": should have a batch and a feature dimension";
  if (failed(checkRank(*this, "rhs", rhs, rank)) ||
      failed(checkRank(*this, "result", getType(), rank)) ||
      failed(checkProductElements(*this, lhs, rhs, getType())))
    return failure();
  StringRef what = "spatial dimension";
  if (failed(checkPerDimension(*this,
                               {{"window_strides", getWindowStrides()},
                                {"lhs_dilation", getLhsDilation()},
                                {"rhs_dilation", getRhsDilation()}},
                               rank - 2, what)) ||
      failed(checkPadding(*this, getPadding(), rank - 2, what)) ||
      failed(checkCount(*this, "window_reversal", getWindowReversal().size(),
                        rank - 2, what)) ||
      failed(checkDimensionNumbers(
          *this, "input", "batch_dimension", getInputBatchDimension(),
          "feature_dimension", getInputFeatureDimension(),
          getInputSpatialDimensions(), rank, "lhs")) ||
      failed(checkDimensionNumbers(
          *this, "kernel", "input_feature_dimension",
          getKernelInputFeatureDimension(), "output_feature_dimension",
          getKernelOutputFeatureDimension(), getKernelSpatialDimensions(), rank,
          "rhs")) ||
      failed(checkDimensionNumbers(
          *this, "output", "batch_dimension", getOutputBatchDimension(),
          "feature_dimension", getOutputFeatureDimension(),
          getOutputSpatialDimensions(), rank, "the result")) ||
      failed(checkGroups(*this)))
    return failure();
  SmallVector<WindowDim> windows = getWindows();
  FailureOr<SmallVector<int64_t>> counts =
      countWindows(*this, windows, getInputSpatialDimensions());
  if (failed(counts))
    return failure();
  SmallVector<int64_t> shape(rank);
  shape[getOutputBatchDimension()] =
      lhs.getDimSize(getInputBatchDimension()) / getBatchGroupCount();
  shape[getOutputFeatureDimension()] =
      rhs.getDimSize(getKernelOutputFeatureDimension());
  for (auto [dim, count] :
       llvm::zip_equal(getOutputSpatialDimensions(), *counts))
    shape[dim] = count;
  return checkResult(*this, "result", getType(), withShape(getType(), shape),
                     windows, getOutputSpatialDimensions());
}

} // namespace cleave::graph
