//===- Factorizations.cpp - Verifiers, rules and calls of factorizations --===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kind of sharding rule does for all: batches are independent, and a matrix
// is factored where it is whole. The numbers of a library call are described at
// the runtime's functions, include/cleave-rt/library.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/LinearAlgebra/MatrixChecks.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Graph/Verify/Verification.h"

using namespace mlir;

namespace cleave::graph {

/// The leading `batch` dimensions of all operands and results are the same;
/// others must be whole.
static ShardingRule batchRule(Operation *op, int64_t batch) {
  ShardingRuleBuilder builder(op);
  SmallVector<unsigned> shared;
  for (int64_t d = 0; d < batch; ++d)
    shared.push_back(builder.factor(builder.operandSize(0, d)));
  auto factorOf = [&](int64_t d, int64_t size) {
    return d < batch ? shared[d]
                     : builder.factor(size, FactorKind::NeedReplication);
  };
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    for (unsigned d = 0; d < builder.operandRank(i); ++d)
      builder.operand(i, d, factorOf(d, builder.operandSize(i, d)));
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    for (unsigned d = 0; d < builder.resultRank(i); ++d)
      builder.result(i, d, factorOf(d, builder.resultSize(i, d)));
  return builder.take();
}

static ShardingRule matrixRule(Operation *op) {
  return batchRule(op, typeOf(op->getOperand(0)).getRank() - 2);
}

namespace {
/// The matrices of an op's first operand.
struct Matrices {
  RankedTensorType type;
  ArrayRef<int64_t> batch;
  int64_t rows, columns;
  unsigned parts;

  explicit Matrices(ValueRange a)
      : type(typeOf(a.front())), batch(type.getShape().drop_back(2)),
        rows(type.getDimSize(batch.size())),
        columns(type.getDimSize(batch.size() + 1)), parts(partsOf(a)) {}
  int64_t smaller() const { return std::min(rows, columns); }
  /// A tensor with one thing of these sizes for each matrix.
  RankedTensorType each(ArrayRef<int64_t> sizes) const {
    SmallVector<int64_t> shape(batch);
    llvm::append_range(shape, sizes);
    return withShape(type, shape);
  }
  LibraryCall call(StringRef function, ArrayRef<int64_t> numbers) const {
    LibraryCall call;
    call.function = function;
    call.extent = productOf(batch);
    call.numbers.push_back(parts);
    call.numbers.append(numbers.begin(), numbers.end());
    return call;
  }
};
} // namespace

/// The operand `a` is matrices, real or complex; square ones if `square`.
static LogicalResult checkInput(Operation *op, ValueRange a, bool square) {
  if (a.empty())
    return op->emitOpError("has no matrix");
  auto type = typeOf(a.front());
  if (failed(checkParts(op, "matrices", a, type, partsOf(a))))
    return failure();
  return square ? checkSquare(op, "matrix", type)
                : checkMatrices(op, "matrix", type);
}

static LogicalResult checkNumResults(Operation *op, unsigned expected) {
  if (op->getNumResults() == expected)
    return success();
  return op->emitOpError() << "has " << op->getNumResults()
                           << " results: should have " << expected;
}

/// The same with the element type of whole numbers.
static RankedTensorType ofIntegers(RankedTensorType type) {
  return withElement(type, IntegerType::get(type.getContext(), 32));
}

//===----------------------------------------------------------------------===//
// LU
//===----------------------------------------------------------------------===//

LogicalResult LuOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/false)))
    return failure();
  Matrices a(getA());
  if (failed(checkNumResults(*this, a.parts + 1)) ||
      failed(checkParts(*this, "factors", getFactors(), a.type, a.parts)))
    return failure();
  return checkType(*this, "pivots", getPivots().getType(),
                   ofIntegers(a.each(a.smaller())));
}

ShardingRule LuOp::getShardingRule() { return matrixRule(*this); }

LibraryCall LuOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("lu", {a.rows, a.columns});
}

LogicalResult PivotsToPermutationOp::verify() {
  auto from = getPivots().getType(), to = getPermutation().getType();
  if (from.getRank() == 0)
    return emitOpError() << "pivots has type " << from
                         << ": should have at least 1 dimension";
  SmallVector<int64_t> shape(from.getShape().drop_back());
  shape.push_back(std::max<int64_t>(from.getShape().back(),
                                    to.getRank() ? to.getShape().back() : 0));
  return checkShape(*this, "permutation", to, shape);
}

ShardingRule PivotsToPermutationOp::getShardingRule() {
  return batchRule(*this, getPivots().getType().getRank() - 1);
}

LibraryCall PivotsToPermutationOp::getLibraryCall() {
  ArrayRef<int64_t> shape = getPivots().getType().getShape();
  LibraryCall call;
  call.function = "pivots_to_permutation";
  call.extent = productOf(shape.drop_back());
  call.numbers = {shape.back(), getPermutation().getType().getShape().back()};
  return call;
}

//===----------------------------------------------------------------------===//
// Reflections
//===----------------------------------------------------------------------===//

/// One tensor of matrices like `a`, and one of `numTaus` numbers for each.
static LogicalResult checkPacked(Operation *op, const Matrices &a,
                                 ValueRange packed, ValueRange taus,
                                 int64_t numTaus) {
  if (failed(checkParts(op, "packed", packed, a.type, a.parts)))
    return failure();
  return checkParts(op, "taus", taus, a.each(numTaus), a.parts);
}

LogicalResult QrOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/false)))
    return failure();
  Matrices a(getA());
  if (failed(checkNumResults(*this, 2 * a.parts)))
    return failure();
  return checkPacked(*this, a, getPacked(), getTaus(), a.smaller());
}

ShardingRule QrOp::getShardingRule() { return matrixRule(*this); }

LibraryCall QrOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("qr", {a.rows, a.columns});
}

LogicalResult PivotedQrOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/false)))
    return failure();
  Matrices a(getA());
  auto numbers = ofIntegers(a.each(a.columns));
  if (failed(checkNumResults(*this, 2 * a.parts + 1)) ||
      failed(checkType(*this, "front", getFront().getType(), numbers)) ||
      failed(checkType(*this, "order", getOrder().getType(), numbers)))
    return failure();
  return checkPacked(*this, a, getPacked(), getTaus(), a.smaller());
}

ShardingRule PivotedQrOp::getShardingRule() { return matrixRule(*this); }

LibraryCall PivotedQrOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("pivoted_qr", {a.rows, a.columns});
}

LogicalResult HouseholderProductOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/false)))
    return failure();
  Matrices a(getA());
  auto taus = typeOf(getTaus().front());
  int64_t rank = a.batch.size();
  if (failed(checkRank(*this, "taus", taus, rank + 1)))
    return failure();
  int64_t numTaus = taus.getDimSize(rank);
  if (failed(checkParts(*this, "taus", getTaus(), a.each(numTaus), a.parts)))
    return failure();
  if (a.rows < a.columns || a.columns < numTaus)
    return emitOpError() << "has " << numTaus << " reflections for matrices of "
                         << a.rows << " x " << a.columns
                         << ": should have at most as many as columns, and "
                            "these at most as many as rows";
  return checkParts(*this, "results", getResults(), a.type, a.parts);
}

ShardingRule HouseholderProductOp::getShardingRule() {
  return matrixRule(*this);
}

LibraryCall HouseholderProductOp::getLibraryCall() {
  Matrices a(getA());
  return a.call(
      "householder_product",
      {a.rows, a.columns, typeOf(getTaus().front()).getShape().back()});
}

LogicalResult HessenbergOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/true)))
    return failure();
  Matrices a(getA());
  if (failed(checkNumResults(*this, 2 * a.parts)))
    return failure();
  return checkPacked(*this, a, getPacked(), getTaus(),
                     std::max<int64_t>(a.rows - 1, 0));
}

ShardingRule HessenbergOp::getShardingRule() { return matrixRule(*this); }

LibraryCall HessenbergOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("hessenberg", {a.rows});
}

LogicalResult TridiagonalOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/true)))
    return failure();
  Matrices a(getA());
  if (failed(checkNumResults(*this, 2 * a.parts + 2)))
    return failure();
  int64_t others = std::max<int64_t>(a.rows - 1, 0);
  ValueRange results = getResults();
  if (failed(checkPacked(*this, a, results.take_front(a.parts),
                         results.take_back(a.parts), others)) ||
      failed(checkType(*this, "diagonal", results[a.parts].getType(),
                       a.each(a.rows))))
    return failure();
  return checkType(*this, "off-diagonal", results[a.parts + 1].getType(),
                   a.each(others));
}

ShardingRule TridiagonalOp::getShardingRule() { return matrixRule(*this); }

LibraryCall TridiagonalOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("tridiagonal", {a.rows, getLower()});
}

//===----------------------------------------------------------------------===//
// Eigenvalues and singular values
//===----------------------------------------------------------------------===//

LogicalResult EighOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/true)))
    return failure();
  Matrices a(getA());
  if (failed(checkNumResults(*this, a.parts + 1)) ||
      failed(checkParts(*this, "vectors", getVectors(), a.type, a.parts)))
    return failure();
  return checkType(*this, "values", getValues().getType(), a.each(a.rows));
}

ShardingRule EighOp::getShardingRule() { return matrixRule(*this); }

LibraryCall EighOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("eigh", {a.rows, getLower()});
}

LogicalResult SvdOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/false)))
    return failure();
  if (getFull() && getValues())
    return emitOpError("is `full` and only `values`: should be one of them");
  Matrices a(getA());
  int64_t k = a.smaller();
  unsigned parts = getValues() ? 0 : a.parts;
  if (failed(checkNumResults(*this, 2 * parts + 1)) ||
      failed(checkType(*this, "s", getS().getType(), a.each(k))) ||
      failed(checkParts(*this, "u", getU(),
                        a.each({a.rows, getFull() ? a.rows : k}), parts)))
    return failure();
  return checkParts(*this, "vh", getVh(),
                    a.each({getFull() ? a.columns : k, a.columns}), parts);
}

ShardingRule SvdOp::getShardingRule() { return matrixRule(*this); }

LibraryCall SvdOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("svd", {a.rows, a.columns, getFull(), getValues()});
}

LogicalResult EigOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/true)))
    return failure();
  Matrices a(getA());
  if (failed(checkNumResults(*this, 2 + 2 * (getLeft() + getRight()))))
    return failure();
  ValueRange results = getResults();
  if (failed(checkParts(*this, "values", results.take_front(2), a.each(a.rows),
                        2)))
    return failure();
  for (Value vectors : results.drop_front(2))
    if (failed(checkType(*this, "vectors", vectors.getType(), a.type)))
      return failure();
  return success();
}

ShardingRule EigOp::getShardingRule() { return matrixRule(*this); }

LibraryCall EigOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("eig", {a.rows, getLeft(), getRight()});
}

LogicalResult SchurOp::verify() {
  if (failed(checkInput(*this, getA(), /*square=*/true)))
    return failure();
  Matrices a(getA());
  if (failed(checkNumResults(*this, 2 * a.parts)) ||
      failed(checkParts(*this, "t", getT(), a.type, a.parts)))
    return failure();
  return checkParts(*this, "q", getQ(), a.type, a.parts);
}

ShardingRule SchurOp::getShardingRule() { return matrixRule(*this); }

LibraryCall SchurOp::getLibraryCall() {
  Matrices a(getA());
  return a.call("schur", {a.rows});
}

//===----------------------------------------------------------------------===//
// Tridiagonal systems
//===----------------------------------------------------------------------===//

LogicalResult TridiagonalSolveOp::verify() {
  if (failed(checkInput(*this, getB(), /*square=*/false)))
    return failure();
  Matrices b(getB());
  for (auto [name, values] : {std::pair<StringRef, ValueRange>{"dl", getDl()},
                              {"d", getD()},
                              {"du", getDu()}})
    if (failed(checkParts(*this, name, values, b.each(b.rows), b.parts)))
      return failure();
  return checkParts(*this, "results", getResults(), b.type, b.parts);
}

/// Each column of b is solved for by itself.
ShardingRule TridiagonalSolveOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  unsigned parts = getB().size(), batch = builder.operandRank(0) - 1;
  for (unsigned d = 0; d < batch; ++d) {
    unsigned f = builder.factor(builder.operandSize(0, d));
    for (unsigned i = 0; i < getNumOperands(); ++i)
      builder.operand(i, d, f);
    for (unsigned i = 0; i < parts; ++i)
      builder.result(i, d, f);
  }
  unsigned rows = builder.factor(builder.operandSize(0, batch),
                                 FactorKind::NeedReplication);
  unsigned columns = builder.factor(builder.resultSize(0, batch + 1));
  for (unsigned i = 0; i < getNumOperands(); ++i)
    builder.operand(i, batch, rows);
  for (unsigned i = 0; i < parts; ++i) {
    builder.operand(3 * parts + i, batch + 1, columns);
    builder.result(i, batch, rows).result(i, batch + 1, columns);
  }
  return builder.take();
}

LibraryCall TridiagonalSolveOp::getLibraryCall() {
  Matrices b(getB());
  return b.call("tridiagonal_solve", {b.rows, b.columns});
}

} // namespace cleave::graph
