//===- LinearAlgebra.cpp - Verifiers, rules and calls of solvers ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Leading dimensions are batches. The numbers of a library call are described
// at the runtime's functions, include/cleave-rt/library.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/LinearAlgebra/MatrixChecks.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Graph/Verify/Verification.h"

using namespace mlir;

namespace cleave::graph {

LogicalResult checkParts(Operation *op, StringRef name, ValueRange values,
                         RankedTensorType type, unsigned count) {
  if (values.size() != count)
    return op->emitOpError()
           << "has " << values.size() << " " << name << ": should have "
           << count
           << (count == 1 ? ", the real part" : ", real and imaginary part");
  for (Value value : values)
    if (failed(checkType(op, name, value.getType(), type)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

LogicalResult FftOp::verify() {
  ArrayRef<int64_t> length = getLength();
  bool fromReal = getType() == FftType::RFFT;
  bool toReal = getType() == FftType::IRFFT;
  if (length.empty() || length.size() > 3)
    return emitOpError() << "`length` has " << length.size()
                         << " sizes: should have 1 to 3";
  if (getInputs().empty())
    return emitOpError("has no inputs: should have a real part");
  auto type = typeOf(getInputs().front());
  if (failed(checkParts(*this, "inputs", getInputs(), type, fromReal ? 1 : 2)))
    return failure();
  int64_t batch = type.getRank() - static_cast<int64_t>(length.size());
  if (batch < 0)
    return emitOpError() << "`length` has " << length.size()
                         << " sizes: should have at most " << type.getRank()
                         << ", the rank of the input";
  SmallVector<int64_t> real(type.getShape().take_front(batch));
  real.append(length.begin(), length.end());
  SmallVector<int64_t> complex(real);
  if ((fromReal || toReal) && complex.back() != 0)
    complex.back() = complex.back() / 2 + 1;
  if (failed(checkShape(*this, "input", type, fromReal ? real : complex)))
    return failure();
  auto result = withShape(type, toReal ? real : complex);
  return checkParts(*this, "results", getResults(), result, toReal ? 1 : 2);
}

ShardingRule FftOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  unsigned rank = builder.operandRank(0);
  unsigned batch = rank - getLength().size();
  for (unsigned d = 0; d < rank; ++d) {
    // The last dimension of a transform between real and complex differs.
    bool isShared = builder.operandSize(0, d) == builder.resultSize(0, d);
    FactorKind kind =
        d < batch ? FactorKind::PassThrough : FactorKind::NeedReplication;
    unsigned from = builder.factor(builder.operandSize(0, d), kind);
    unsigned to =
        isShared ? from : builder.factor(builder.resultSize(0, d), kind);
    for (unsigned i = 0; i < getInputs().size(); ++i)
      builder.operand(i, d, from);
    for (unsigned i = 0; i < getNumResults(); ++i)
      builder.result(i, d, to);
  }
  return builder.take();
}

LibraryCall FftOp::getLibraryCall() {
  ArrayRef<int64_t> shape = typeOf(getInputs().front()).getShape();
  LibraryCall call;
  call.function = "fft";
  call.extent = productOf(shape.drop_back(getLength().size()));
  call.numbers.push_back(static_cast<int64_t>(getType()));
  call.numbers.push_back(getLength().size());
  call.numbers.append(getLength().begin(), getLength().end());
  return call;
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

LogicalResult checkMatrices(Operation *op, StringRef name,
                            RankedTensorType type) {
  if (type.getRank() < 2)
    return op->emitOpError() << name << " has type " << type
                             << ": should have at least 2 dimensions";
  return success();
}

LogicalResult checkSquare(Operation *op, StringRef name,
                          RankedTensorType type) {
  if (failed(checkMatrices(op, name, type)))
    return failure();
  int64_t last = type.getRank() - 1;
  return checkSize(op, name, type, last, type.getDimSize(last - 1),
                   "like dimension " + Twine(last - 1));
}

LogicalResult CholeskyOp::verify() {
  if (getA().empty())
    return emitOpError("has no matrix");
  auto type = typeOf(getA().front());
  unsigned parts = partsOf(getA());
  if (failed(checkParts(*this, "matrices", getA(), type, parts)) ||
      failed(checkSquare(*this, "matrix", type)))
    return failure();
  return checkParts(*this, "results", getResults(), type, parts);
}

ShardingRule CholeskyOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  unsigned rank = builder.operandRank(0);
  for (unsigned d = 0; d < rank; ++d) {
    unsigned f = builder.factor(builder.operandSize(0, d),
                                d + 2 < rank ? FactorKind::PassThrough
                                             : FactorKind::NeedReplication);
    for (unsigned i = 0; i < getA().size(); ++i)
      builder.operand(i, d, f).result(i, d, f);
  }
  return builder.take();
}

LibraryCall CholeskyOp::getLibraryCall() {
  ArrayRef<int64_t> shape = typeOf(getA().front()).getShape();
  LibraryCall call;
  call.function = "cholesky";
  call.extent = productOf(shape.drop_back(2));
  call.numbers = {partsOf(getA()), shape.back(), getLower()};
  return call;
}

LogicalResult TriangularSolveOp::verify() {
  if (getA().empty())
    return emitOpError("has no matrix");
  auto a = typeOf(getA().front()), b = typeOf(getB().front());
  unsigned parts = partsOf(getA());
  if (failed(checkParts(*this, "matrices a", getA(), a, parts)) ||
      failed(checkParts(*this, "matrices b", getB(), b, parts)) ||
      failed(checkSquare(*this, "matrix a", a)) ||
      failed(checkElement(*this, "matrix b", b, a.getElementType())) ||
      failed(checkRank(*this, "matrix b", b, a.getRank())))
    return failure();
  int64_t batch = a.getRank() - 2;
  for (int64_t d = 0; d < batch; ++d)
    if (failed(checkSize(*this, "matrix b", b, d, a.getDimSize(d),
                         "like dimension " + Twine(d) + " of a")))
      return failure();
  if (failed(checkSize(*this, "matrix b", b, getLeftSide() ? batch : batch + 1,
                       a.getDimSize(batch), "the size of a")))
    return failure();
  return checkParts(*this, "results", getResults(), b, parts);
}

/// Each column of b, or row if a is on the right, is solved for by itself.
ShardingRule TriangularSolveOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  unsigned rank = builder.operandRank(0), parts = getA().size();
  unsigned free = getLeftSide() ? rank - 1 : rank - 2;
  for (unsigned d = 0; d < rank; ++d) {
    bool isBatch = d + 2 < rank;
    unsigned f =
        builder.factor(builder.operandSize(parts, d),
                       isBatch || d == free ? FactorKind::PassThrough
                                            : FactorKind::NeedReplication);
    unsigned ofA = isBatch ? f
                           : builder.factor(builder.operandSize(0, d),
                                            FactorKind::NeedReplication);
    for (unsigned i = 0; i < parts; ++i)
      builder.operand(i, d, ofA).operand(parts + i, d, f).result(i, d, f);
  }
  return builder.take();
}

LibraryCall TriangularSolveOp::getLibraryCall() {
  ArrayRef<int64_t> shape = typeOf(getB().front()).getShape();
  LibraryCall call;
  call.function = "triangular_solve";
  call.extent = productOf(shape.drop_back(2));
  call.numbers = {partsOf(getA()),
                  shape[shape.size() - 2],
                  shape.back(),
                  getLeftSide(),
                  getLower(),
                  getUnitDiagonal(),
                  static_cast<int64_t>(getTransposeA())};
  return call;
}

} // namespace cleave::graph
