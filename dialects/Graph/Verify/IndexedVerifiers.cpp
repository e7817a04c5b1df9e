//===- IndexedVerifiers.cpp - Rules of gather, scatter, sort, random bits -===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/SortAlgorithm.h"
#include "dialects/Graph/Verify/Verification.h"

using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// Gather
//===----------------------------------------------------------------------===//

/// Operand dimensions of which a slice holds one element and which the result
/// lacks.
static LogicalResult checkSingletons(GatherOp op, StringRef name,
                                     ArrayRef<int64_t> dims) {
  for (int64_t dim : dims)
    if (op.getSliceSizes()[dim] != 1)
      return op.emitOpError() << "`slice_sizes` has " << op.getSliceSizes()[dim]
                              << " for dimension " << dim << " of `" << name
                              << "`: should have 1";
  return success();
}

static LogicalResult checkDimensionNumbers(GatherOp op, int64_t indexRank) {
  RankedTensorType operand = op.getOperand().getType();
  int64_t rank = operand.getRank();
  ArrayRef<int64_t> collapsed = op.getCollapsedSliceDims(),
                    batching = op.getOperandBatchingDims(),
                    indexBatching = op.getStartIndicesBatchingDims(),
                    indexMap = op.getStartIndexMap();
  SmallVector<int64_t> removed(collapsed), addressed(indexMap);
  llvm::append_range(removed, batching);
  llvm::append_range(addressed, batching);
  if (failed(checkSorted(op, "collapsed_slice_dims", collapsed)) ||
      failed(checkSorted(op, "operand_batching_dims", batching)) ||
      failed(checkDims(op, "collapsed_slice_dims, operand_batching_dims",
                       removed, rank, "the operand")) ||
      failed(checkDims(op, "start_index_map, operand_batching_dims", addressed,
                       rank, "the operand")) ||
      failed(checkDims(op, "start_indices_batching_dims", indexBatching,
                       indexRank, "start_indices")) ||
      failed(checkCount(op, "start_indices_batching_dims", indexBatching.size(),
                        batching.size(), "of `operand_batching_dims`")))
    return failure();
  if (llvm::is_contained(indexBatching, op.getIndexVectorDim()))
    return op.emitOpError()
           << "`start_indices_batching_dims` has dimension "
           << op.getIndexVectorDim() << ": should not be `index_vector_dim`";
  for (auto [dim, indexDim] : llvm::zip_equal(batching, indexBatching))
    if (failed(checkSize(op, "start_indices", op.getStartIndices().getType(),
                         indexDim, operand.getDimSize(dim),
                         "like dimension " + Twine(dim) + " of the operand")))
      return failure();
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType operand = getOperand().getType(),
                   indices = getStartIndices().getType();
  int64_t vectorDim = getIndexVectorDim();
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return emitOpError() << "`index_vector_dim` is " << vectorDim
                         << ": should be in 0.." << indices.getRank();
  if (failed(checkDimensionNumbers(*this, indices.getRank())))
    return failure();
  bool implicit = vectorDim == indices.getRank();
  if (failed(checkCount(*this, "start_index_map", getStartIndexMap().size(),
                        implicit ? 1 : indices.getDimSize(vectorDim),
                        "component of an index")) ||
      failed(checkCount(*this, "slice_sizes", getSliceSizes().size(),
                        operand.getRank(), "dimension of the operand")))
    return failure();
  for (auto [i, size] : llvm::enumerate(getSliceSizes()))
    if (size < 0 || size > operand.getDimSize(i))
      return emitOpError() << "slice size " << size << " of dimension " << i
                           << ": should be in 0.." << operand.getDimSize(i);
  if (failed(checkSingletons(*this, "collapsed_slice_dims",
                             getCollapsedSliceDims())) ||
      failed(checkSingletons(*this, "operand_batching_dims",
                             getOperandBatchingDims())))
    return failure();

  SmallVector<int64_t> offsets;
  for (auto [i, size] : llvm::enumerate(getSliceSizes()))
    if (!llvm::is_contained(getCollapsedSliceDims(), i) &&
        !llvm::is_contained(getOperandBatchingDims(), i))
      offsets.push_back(size);
  SmallVector<int64_t> batches(indices.getShape());
  if (!implicit)
    batches.erase(batches.begin() + vectorDim);
  int64_t resultRank = offsets.size() + batches.size();
  if (failed(checkCount(*this, "offset_dims", getOffsetDims().size(),
                        offsets.size(), "dimension of a slice")) ||
      failed(checkSorted(*this, "offset_dims", getOffsetDims())) ||
      failed(checkDims(*this, "offset_dims", getOffsetDims(), resultRank,
                       "the result")))
    return failure();
  SmallVector<int64_t> shape;
  const int64_t *offset = offsets.begin(), *batch = batches.begin();
  for (int64_t i = 0; i < resultRank; ++i)
    shape.push_back(llvm::is_contained(getOffsetDims(), i) ? *offset++
                                                           : *batch++);
  return checkType(*this, "result", getType(), withShape(operand, shape));
}

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

/// What the attributes say of the inputs and the indices.
static LogicalResult checkDimensionNumbers(ScatterOp op, RankedTensorType input,
                                           RankedTensorType indices) {
  ArrayRef<int64_t> inserted = op.getInsertedWindowDims(),
                    batching = op.getInputBatchingDims(),
                    indexBatching = op.getScatterIndicesBatchingDims(),
                    toOperand = op.getScatterDimsToOperandDims();
  auto vectorDim = static_cast<int64_t>(op.getIndexVectorDim());
  if (vectorDim < 0 || vectorDim > indices.getRank())
    return op.emitOpError() << "`index_vector_dim` is " << vectorDim
                            << ": should be in 0.." << indices.getRank();
  SmallVector<int64_t> removed(inserted), addressed(toOperand);
  llvm::append_range(removed, batching);
  llvm::append_range(addressed, batching);
  bool isImplicit = vectorDim == indices.getRank();
  if (failed(checkSorted(op, "inserted_window_dims", inserted)) ||
      failed(checkSorted(op, "input_batching_dims", batching)) ||
      failed(checkDims(op, "inserted_window_dims, input_batching_dims", removed,
                       input.getRank(), "the input")) ||
      failed(checkDims(op, "scatter_dims_to_operand_dims, input_batching_dims",
                       addressed, input.getRank(), "the input")) ||
      failed(checkDims(op, "scatter_indices_batching_dims", indexBatching,
                       indices.getRank(), "scatter_indices")) ||
      failed(checkCount(op, "scatter_indices_batching_dims",
                        indexBatching.size(), batching.size(),
                        "of `input_batching_dims`")) ||
      failed(checkCount(op, "scatter_dims_to_operand_dims", toOperand.size(),
                        isImplicit ? 1 : indices.getDimSize(vectorDim),
                        "component of an index")) ||
      failed(checkCount(
          op, "update_window_dims", op.getUpdateWindowDims().size(),
          input.getRank() - removed.size(), "dimension of a window")))
    return failure();
  if (llvm::is_contained(indexBatching, vectorDim))
    return op.emitOpError()
           << "`scatter_indices_batching_dims` has dimension " << vectorDim
           << ": should not be `index_vector_dim`";
  for (auto [dim, indexDim] : llvm::zip_equal(batching, indexBatching))
    if (failed(checkSize(op, "scatter_indices", indices, indexDim,
                         input.getDimSize(dim),
                         "like dimension " + Twine(dim) + " of the input")))
      return failure();
  return success();
}

/// Updates have the dimensions of the indices, and windows that fit the input.
static LogicalResult checkUpdates(ScatterOp op, RankedTensorType input,
                                  RankedTensorType indices) {
  RankedTensorType updates = typeOf(op.getUpdates().front());
  ArrayRef<int64_t> windowDims = op.getUpdateWindowDims();
  SmallVector<int64_t> batches(indices.getShape()), limits;
  if (static_cast<int64_t>(op.getIndexVectorDim()) < indices.getRank())
    batches.erase(batches.begin() + op.getIndexVectorDim());
  if (failed(checkRank(op, "update #0", updates,
                       batches.size() + windowDims.size())) ||
      failed(checkSorted(op, "update_window_dims", windowDims)) ||
      failed(checkDims(op, "update_window_dims", windowDims, updates.getRank(),
                       "update #0")))
    return failure();
  SmallVector<int64_t> inputDims;
  for (int64_t d = 0; d < input.getRank(); ++d)
    if (!llvm::is_contained(op.getInsertedWindowDims(), d) &&
        !llvm::is_contained(op.getInputBatchingDims(), d))
      inputDims.push_back(d);
  const int64_t *batch = batches.begin(), *window = inputDims.begin();
  for (int64_t d = 0; d < updates.getRank(); ++d) {
    if (!llvm::is_contained(windowDims, d)) {
      if (failed(checkSize(op, "update #0", updates, d, *batch++,
                           "like scatter_indices")))
        return failure();
      continue;
    }
    int64_t limit = input.getDimSize(*window++);
    if (updates.getDimSize(d) > limit)
      return op.emitOpError()
             << "dimension " << d << " of update #0 has "
             << updates.getDimSize(d) << " elements: should have at most "
             << limit << ", like dimension " << *(window - 1)
             << " of the input";
  }
  for (auto [i, update, element] :
       llvm::enumerate(op.getUpdates(), op.getInputs()))
    if (failed(
            checkType(op, ("update #" + Twine(i)).str(), update.getType(),
                      withElement(updates, typeOf(element).getElementType()))))
      return failure();
  return success();
}

/// Inputs have one shape, and results their types.
static LogicalResult checkInputsAndResults(Operation *op, ValueRange inputs) {
  if (failed(checkResultPerInput(op, inputs)))
    return failure();
  for (auto [i, input, result] : llvm::enumerate(inputs, op->getResults())) {
    std::string number = (" #" + Twine(i)).str();
    if (failed(checkShape(op, "input" + number, typeOf(input),
                          typeOf(inputs.front()).getShape())) ||
        failed(checkType(op, "result" + number, result.getType(),
                         input.getType())))
      return failure();
  }
  return success();
}

LogicalResult ScatterOp::verify() {
  if (failed(checkInputsAndResults(*this, getInputs())))
    return failure();
  RankedTensorType input = typeOf(getInputs().front()),
                   indices = getScatterIndices().getType();
  if (failed(checkDimensionNumbers(*this, input, indices)) ||
      failed(checkUpdates(*this, input, indices)))
    return failure();
  SmallVector<Type> scalars = scalarTypes(getInputs()), arguments(scalars);
  llvm::append_range(arguments, scalars);
  return checkScalarBody(*this, "body", getBody(), arguments,
                         "elements, then updates", scalars);
}

std::optional<ReductionKind> ScatterOp::getSimpleKind() {
  return combiningKind(getBody());
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

LogicalResult SortOp::verify() {
  if (failed(checkInputsAndResults(*this, getInputs())) ||
      failed(checkDim(*this, "dimension", getDimension(),
                      typeOf(getInputs().front()).getRank(), "the input")))
    return failure();
  SmallVector<Type> arguments;
  for (Type scalar : scalarTypes(getInputs()))
    arguments.append(2, scalar);
  Type predicate = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  return checkScalarBody(*this, "comparator", getBody(), arguments,
                         "the left and the right element of each input",
                         predicate);
}

SmallVector<RankedTensorType> SortOp::getWorkspaceTypes() {
  SmallVector<RankedTensorType> types;
  // Shorter rows are sorted where they are.
  if (typeOf(getInputs().front()).getDimSize(getDimension()) > insertionRun)
    for (Value input : getInputs())
      types.push_back(typeOf(input));
  return types;
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

LogicalResult RngBitGeneratorOp::verify() {
  RankedTensorType state = getInitialState().getType();
  bool isThreeFry = getAlgorithm() == RngAlgorithm::ThreeFry;
  int64_t words = state.getRank() == 1 ? state.getDimSize(0) : 0;
  if (state.getRank() != 1 || !state.getElementType().isUnsignedInteger(64) ||
      words < 2 || words > (isThreeFry ? 2 : 3))
    return emitOpError() << "initial_state has type " << state
                         << ": should be tensor<2xui64>"
                         << (isThreeFry ? "" : " or tensor<3xui64>");
  if (failed(
          checkType(*this, "output_state", getOutputState().getType(), state)))
    return failure();

  if (getOffsets().empty() != !getFullShape())
    return emitOpError("has only one of `offsets` and `full_shape`: should "
                       "have both or none");
  if (!getFullShape())
    return success();
  int64_t rank = getOutput().getType().getRank();
  if (failed(checkCount(*this, "full_shape", getFullShape()->size(), rank,
                        "dimension of the output")) ||
      failed(checkCount(*this, "offsets", getOffsets().size(), rank,
                        "dimension of the output")))
    return failure();
  for (auto [i, offset] : llvm::enumerate(getOffsets()))
    if (failed(checkType(
            *this, ("offset #" + Twine(i)).str(), offset.getType(),
            RankedTensorType::get({}, IntegerType::get(getContext(), 32)))))
      return failure();
  ArrayRef<int64_t> fullShape = *getFullShape();
  for (int64_t size : fullShape)
    if (size < 0)
      return emitOpError() << "`full_shape` has a dimension of " << size
                           << " elements: should not be negative";
  return success();
}

} // namespace cleave::graph
