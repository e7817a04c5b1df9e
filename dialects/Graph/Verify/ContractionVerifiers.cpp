//===- ContractionVerifiers.cpp - Rules of gather, dot_general and reduce -===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
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
// Contractions
//===----------------------------------------------------------------------===//

LogicalResult DotGeneralOp::verify() {
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  if (failed(checkProductElements(*this, lhs, rhs, getType())))
    return failure();

  auto concat = [](ArrayRef<int64_t> a, ArrayRef<int64_t> b) {
    SmallVector<int64_t> both(a);
    llvm::append_range(both, b);
    return both;
  };
  SmallVector<int64_t> lhsDims =
      concat(getLhsBatchingDims(), getLhsContractingDims());
  SmallVector<int64_t> rhsDims =
      concat(getRhsBatchingDims(), getRhsContractingDims());
  if (failed(checkCount(*this, "rhs_batching_dims", getRhsBatchingDims().size(),
                        getLhsBatchingDims().size(),
                        "of `lhs_batching_dims`")) ||
      failed(checkCount(
          *this, "rhs_contracting_dims", getRhsContractingDims().size(),
          getLhsContractingDims().size(), "of `lhs_contracting_dims`")) ||
      failed(checkDims(*this, "lhs_batching_dims, lhs_contracting_dims",
                       lhsDims, lhs.getRank(), "lhs")) ||
      failed(checkDims(*this, "rhs_batching_dims, rhs_contracting_dims",
                       rhsDims, rhs.getRank(), "rhs")))
    return failure();
  for (auto [l, r] : llvm::zip_equal(lhsDims, rhsDims))
    if (failed(checkSize(*this, "rhs", rhs, r, lhs.getDimSize(l),
                         "like dimension " + Twine(l) + " of lhs")))
      return failure();

  SmallVector<int64_t> shape;
  for (int64_t dim : getLhsBatchingDims())
    shape.push_back(lhs.getDimSize(dim));
  for (int64_t i = 0; i < lhs.getRank(); ++i)
    if (!llvm::is_contained(lhsDims, i))
      shape.push_back(lhs.getDimSize(i));
  for (int64_t i = 0; i < rhs.getRank(); ++i)
    if (!llvm::is_contained(rhsDims, i))
      shape.push_back(rhs.getDimSize(i));
  return checkType(*this, "result", getType(), withShape(getType(), shape));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

LogicalResult ReduceOp::verify() {
  if (failed(checkReduction(*this, getInputs(), getInits(), getBody())))
    return failure();
  RankedTensorType first = typeOf(getInputs().front());
  if (failed(checkDims(*this, "dimensions", getDimensions(), first.getRank(),
                       "the input")))
    return failure();
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < first.getRank(); ++i)
    if (!llvm::is_contained(getDimensions(), i))
      shape.push_back(first.getDimSize(i));
  for (auto [i, input, result] : llvm::enumerate(getInputs(), getResults()))
    if (failed(checkType(*this, ("result #" + Twine(i)).str(), result.getType(),
                         withShape(typeOf(input), shape))))
      return failure();
  return success();
}

} // namespace cleave::graph
