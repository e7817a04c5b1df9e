//===- EvaluateContraction.cpp - Reference semantics of dot_general -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/MatrixProduct.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace cleave::graph;

static int64_t product(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= shape[dim];
  return result;
}

/// The dimensions of a tensor of `rank` that are in neither list.
static SmallVector<int64_t> otherDims(int64_t rank, ArrayRef<int64_t> batching,
                                      ArrayRef<int64_t> contracting) {
  SmallVector<int64_t> result;
  for (int64_t d = 0; d < rank; ++d)
    if (!llvm::is_contained(batching, d) && !llvm::is_contained(contracting, d))
      result.push_back(d);
  return result;
}

static Literal transposedTo(const Literal &literal, ArrayRef<int64_t> first,
                            ArrayRef<int64_t> second, ArrayRef<int64_t> third) {
  SmallVector<int64_t> dims(first);
  dims.append(second.begin(), second.end());
  dims.append(third.begin(), third.end());
  if (llvm::is_sorted(dims))
    return literal;
  return literal.transposed(dims);
}

LogicalResult DotGeneralOp::evaluate(Evaluator &evaluator,
                                     ArrayRef<Literal> operands,
                                     SmallVectorImpl<Literal> &results) {
  ArrayRef<int64_t> lhsBatching = getLhsBatchingDims();
  ArrayRef<int64_t> rhsBatching = getRhsBatchingDims();
  ArrayRef<int64_t> lhsContracting = getLhsContractingDims();
  ArrayRef<int64_t> rhsContracting = getRhsContractingDims();
  const Literal &lhs = operands[0], &rhs = operands[1];
  SmallVector<int64_t> lhsFree =
      otherDims(lhs.shape().size(), lhsBatching, lhsContracting);
  SmallVector<int64_t> rhsFree =
      otherDims(rhs.shape().size(), rhsBatching, rhsContracting);

  ProductShape shape;
  shape.batch = product(lhs.shape(), lhsBatching);
  shape.m = product(lhs.shape(), lhsFree);
  shape.k = product(lhs.shape(), lhsContracting);
  shape.n = product(rhs.shape(), rhsFree);
  Literal left = transposedTo(lhs, lhsBatching, lhsFree, lhsContracting);
  Literal right = transposedTo(rhs, rhsBatching, rhsContracting, rhsFree);

  auto type = cast<RankedTensorType>(getResult().getType());
  if (!left.isFloat()) {
    std::vector<int64_t> values =
        multiplyIntegers(shape, left.ints(), right.ints());
    // A product or sum of i1 is not zero exactly when the "and" or "or" is
    // true: k is far below 2^64.
    for (int64_t &value : values)
      value = wrapToType(value, type.getElementType());
    results.emplace_back(type, std::move(values));
    return success();
  }
  bool inFloat32 = evaluator.accumulationType(type.getElementType()).isF32();
  results.emplace_back(type,
                       multiplyMatrices(shape, left.floats(), right.floats(),
                                        inFloat32, evaluator.getNumThreads()));
  evaluator.round(results.back());
  return success();
}
