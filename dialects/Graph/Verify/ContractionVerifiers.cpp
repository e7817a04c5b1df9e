//===- ContractionVerifiers.cpp - Rules of dot_general and reduce ---------===//
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
