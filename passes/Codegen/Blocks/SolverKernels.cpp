//===- SolverKernels.cpp - Cholesky factors and triangular solves ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has a matrix at a time, in f64 for elements of f64 and else in f32.
// Column by column of the matrix (G. Golub and C. Van Loan, "Matrix
// Computations", 4th edition, 2013: the outer-product forms of algorithm 4.2.2
// and of substitution, section 3.1), its threads share what changes:
// all that is to the right of a column of the factor, or all right-hand sides
// below an unknown.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Blocks/BlockKernel.h"
#include "passes/Codegen/Blocks/ComplexNumbers.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include <limits>

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

static constexpr int64_t numThreads = 256;

namespace {

/// Matrices of a batch; the parts of a number are in one or two buffers.
class Matrices {
public:
  Matrices(KernelBuilder &k, ArrayRef<KernelBuffer> parts, Type compute)
      : k(k), parts(parts), compute(compute) {}

  Complex load(Value place) const {
    Complex number;
    number.real = loadPart(0, place);
    if (parts.size() == 2)
      number.imaginary = loadPart(1, place);
    return number;
  }
  void store(Value place, const Complex &number) const {
    storePart(0, place, number.real);
    if (parts.size() == 2)
      storePart(1, place, number.imaginary);
  }

private:
  Type elementOf(unsigned part) const {
    return parts[part].type.getElementType();
  }
  Value loadPart(unsigned part, Value place) const {
    return convertScalar(k.b, k.load(parts[part], place), elementOf(part),
                         compute);
  }
  void storePart(unsigned part, Value place, Value value) const {
    k.store(parts[part], place,
            convertScalar(k.b, value, compute, elementOf(part)));
  }

  KernelBuilder &k;
  SmallVector<KernelBuffer> parts;
  Type compute;
};

/// What both kernels have in common.
struct Buffers {
  SmallVector<KernelBuffer> results, work;
  Type compute;
  /// Whether the numbers are computed in other buffers than the results.
  bool hasWork;

  /// Work buffers, if any, are listed in the attribute `cleave.workspace`.
  Buffers(BlockKernel &k, unsigned numParts) {
    for (unsigned i = 0; i < numParts; ++i)
      results.push_back(k.result(i));
    hasWork = k.getNumWorkspaces() != 0;
    for (unsigned i = 0; i < numParts; ++i)
      work.push_back(hasWork ? k.workspace(i) : k.result(i));
    compute = work[0].type.getElementType();
  }
};

} // namespace

/// Elements per batch of a matrix type, and the number of matrices.
static std::pair<int64_t, int64_t> sizesOf(RankedTensorType type) {
  ArrayRef<int64_t> shape = type.getShape();
  int64_t matrices = 1;
  for (int64_t size : shape.drop_back(2))
    matrices *= size;
  return {shape[shape.size() - 2] * shape.back(), matrices};
}

static LogicalResult checkCompute(Operation *op, Type compute) {
  if (compute.isF32() || compute.isF64())
    return success();
  return op->emitOpError("of narrow floats in a kernel needs a workspace");
}

/// A kernel of which each block does one matrix after another.
template <typename Writer, typename Op>
static LogicalResult writeMatrices(GPUModuleBuilder &functions,
                                   func::FuncOp kernel, Op op) {
  FailureOr<BlockKernel> k =
      BlockKernel::start(functions, kernel, op, numThreads);
  if (failed(k))
    return failure();
  Writer writer(*k, op);
  if (failed(checkCompute(op, writer.compute())))
    return failure();
  int64_t matrices =
      sizesOf(cast<RankedTensorType>(op->getResult(0).getType())).second;
  k->loopOverBlocks(matrices,
                    [&](Value number) { writer.writeMatrix(number); });
  k->finish(usefulBlocks(matrices));
  return success();
}

//===----------------------------------------------------------------------===//
// Cholesky
//===----------------------------------------------------------------------===//

namespace {

class CholeskyWriter {
public:
  CholeskyWriter(BlockKernel &kernel, CholeskyOp op)
      : k(kernel), c(k.b), buffers(k, op.getNumResults()), op(op),
        n(k.result(0).type.getShape().back()),
        work(k, buffers.work, buffers.compute),
        result(k, buffers.results, buffers.compute) {}

  void writeMatrix(Value number);
  Type compute() const { return buffers.compute; }

private:
  Value placeOf(Value row, Value column) {
    if (!op.getLower())
      std::swap(row, column);
    return k.add(base, k.add(k.scale(row, n), column));
  }
  /// Elements of the lower factor; an upper one is its adjoint.
  Complex load(const Matrices &matrices, Value row, Value column) {
    return side(matrices.load(placeOf(row, column)));
  }
  void store(const Matrices &matrices, Value row, Value column,
             const Complex &number) {
    matrices.store(placeOf(row, column), side(number));
  }
  Complex side(const Complex &number) {
    return op.getLower() ? number : c.conjugate(number);
  }
  Complex constant(double value) {
    return c.constant(compute(), value, op.getA().size() == 2);
  }
  void overMatrix(llvm::function_ref<void(Value, Value)> body) {
    k.share(n * n, [&](Value place) {
      body(k.divide(place, n), k.remainder(place, n));
    });
  }
  void copyTriangle();
  void eliminate(Value column);
  void finish();

  BlockKernel &k;
  ComplexBuilder c;
  Buffers buffers;
  CholeskyOp op;
  int64_t n;
  Matrices work, result;
  Value base;
};

} // namespace

void CholeskyWriter::copyTriangle() {
  SmallVector<KernelBuffer> parts;
  for (unsigned i = 0; i < op.getA().size(); ++i)
    parts.push_back(k.operand(i));
  Matrices input(k, parts, compute());
  overMatrix([&](Value row, Value column) {
    Value isInside =
        arith::CmpIOp::create(k.b, arith::CmpIPredicate::sle, column, row);
    k.ifTrue(isInside,
             [&] { store(work, row, column, load(input, row, column)); });
    k.ifTrue(k.isBelow(row, column),
             [&] { store(result, row, column, constant(0)); });
  });
}

/// Divides a column by the root of its diagonal and takes its products from
/// what is to the right.
void CholeskyWriter::eliminate(Value column) {
  Value root = c.squareRoot(load(work, column, column).real);
  k.barrier();
  Value below = k.subtract(k.index(n - 1), column);
  k.share(k.add(below, k.index(1)), [&](Value i) {
    Value row = k.add(column, i);
    Value isDiagonal =
        arith::CmpIOp::create(k.b, arith::CmpIPredicate::eq, i, k.index(0));
    Complex diagonal = c.fromReal(root, op.getA().size() == 2);
    Complex divided = c.divide(load(work, row, column), root);
    store(work, row, column, c.select(isDiagonal, diagonal, divided));
  });
  k.barrier();
  k.share(arith::MulIOp::create(k.b, below, below), [&](Value pair) {
    Value next = k.add(column, k.index(1));
    Value row = k.add(next, arith::DivUIOp::create(k.b, pair, below));
    Value other = k.add(next, arith::RemUIOp::create(k.b, pair, below));
    Value isInside =
        arith::CmpIOp::create(k.b, arith::CmpIPredicate::sle, other, row);
    k.ifTrue(isInside, [&] {
      Complex product = c.multiply(load(work, row, column),
                                   c.conjugate(load(work, other, column)));
      store(work, row, other, c.subtract(load(work, row, other), product));
    });
  });
  k.barrier();
}

/// A matrix that is not positive definite has some diagonal element that is not
/// positive, or NaN.
void CholeskyWriter::finish() {
  Value zero = arith::ConstantOp::create(k.b, k.b.getZeroAttr(compute()));
  Value isTrue = arith::ConstantIntOp::create(k.b, 1, 1);
  Value isDefinite = k.carry(
      k.index(0), k.index(n), 1, isTrue, [&](Value i, ValueRange carried) {
        Value isPositive = arith::CmpFOp::create(k.b, arith::CmpFPredicate::OGT,
                                                 load(work, i, i).real, zero);
        return KernelBuilder::Values{
            arith::AndIOp::create(k.b, carried[0], isPositive)};
      })[0];
  // All have read the diagonal before NaN is written over it.
  if (!buffers.hasWork)
    k.barrier();
  Complex nan = constant(std::numeric_limits<double>::quiet_NaN());
  if (op.getA().size() == 2)
    nan.imaginary = nan.real;
  overMatrix([&](Value row, Value column) {
    if (buffers.hasWork)
      k.ifTrue(
          arith::CmpIOp::create(k.b, arith::CmpIPredicate::sle, column, row),
          [&] { store(result, row, column, load(work, row, column)); });
    Value isWrong = arith::XOrIOp::create(k.b, isDefinite, isTrue);
    k.ifTrue(isWrong, [&] { store(result, row, column, nan); });
  });
}

void CholeskyWriter::writeMatrix(Value number) {
  base = k.scale(number, n * n);
  copyTriangle();
  k.barrier();
  k.loop(k.index(0), k.index(n), [&](Value column) { eliminate(column); });
  finish();
}

LogicalResult cleave::codegen::writeCholesky(GPUModuleBuilder &functions,
                                             func::FuncOp kernel,
                                             CholeskyOp op) {
  return writeMatrices<CholeskyWriter>(functions, kernel, op);
}

//===----------------------------------------------------------------------===//
// Triangular solves
//===----------------------------------------------------------------------===//

namespace {

/// Solves M y = c: y is x, or its transpose if a is on the right.
class SolveWriter {
public:
  SolveWriter(BlockKernel &kernel, TriangularSolveOp op)
      : k(kernel), c(k.b), op(op), parts(op.getA().size()), buffers(k, parts),
        work(k, buffers.work, buffers.compute),
        result(k, buffers.results, buffers.compute) {
    ArrayRef<int64_t> shape =
        cast<RankedTensorType>(op->getResult(0).getType()).getShape();
    rows = shape[shape.size() - 2];
    columns = shape.back();
    isTransposed =
        (op.getTransposeA() != Transpose::NoTranspose) != !op.getLeftSide();
    isForward = op.getLower() != isTransposed;
  }

  void writeMatrix(Value number);
  Type compute() const { return buffers.compute; }

private:
  int64_t size() { return op.getLeftSide() ? rows : columns; }
  int64_t numSides() { return op.getLeftSide() ? columns : rows; }
  /// Element of M.
  Complex coefficient(Value row, Value column) {
    if (isTransposed)
      std::swap(row, column);
    Complex number =
        matrix->load(k.add(matrixBase, k.add(k.scale(row, size()), column)));
    return op.getTransposeA() == Transpose::Adjoint ? c.conjugate(number)
                                                    : number;
  }
  Value placeOf(Value unknown, Value side) {
    return k.add(base, op.getLeftSide()
                           ? k.add(k.scale(unknown, columns), side)
                           : k.add(k.scale(side, columns), unknown));
  }
  /// The place of the right-hand side `i % numSides()` of an unknown: number
  /// `i / numSides()` in the order in which they are computed, from `first` on.
  struct Element {
    Value unknown, side;
  };
  Element elementAt(Value i, Value first) {
    Value number = k.add(first, k.divide(i, numSides()));
    return {isForward ? number : k.subtract(k.index(size() - 1), number),
            k.remainder(i, numSides())};
  }
  void copy(const Matrices &from, const Matrices &to);
  void substitute(Value step);

  BlockKernel &k;
  ComplexBuilder c;
  TriangularSolveOp op;
  unsigned parts;
  Buffers buffers;
  Matrices work, result;
  std::optional<Matrices> matrix;
  int64_t rows, columns;
  bool isTransposed, isForward;
  Value base, matrixBase;
};

} // namespace

void SolveWriter::copy(const Matrices &from, const Matrices &to) {
  k.share(rows * columns, [&](Value i) {
    Element element = elementAt(i, k.index(0));
    Value place = placeOf(element.unknown, element.side);
    to.store(place, from.load(place));
  });
}

/// The thread that divides an unknown has also computed it, in the step before
/// or while copying: threads share each step in the same order.
void SolveWriter::substitute(Value step) {
  if (!op.getUnitDiagonal())
    k.share(numSides(), [&](Value i) {
      Element element = elementAt(i, step);
      Value place = placeOf(element.unknown, element.side);
      work.store(place,
                 c.divide(work.load(place),
                          coefficient(element.unknown, element.unknown)));
    });
  k.barrier();
  Value next = k.add(step, k.index(1));
  Value count = k.scale(k.subtract(k.index(size()), next), numSides());
  k.share(count, [&](Value i) {
    Element element = elementAt(i, next);
    Value known = elementAt(k.index(0), step).unknown;
    Value place = placeOf(element.unknown, element.side);
    Complex product = c.multiply(coefficient(element.unknown, known),
                                 work.load(placeOf(known, element.side)));
    work.store(place, c.subtract(work.load(place), product));
  });
}

void SolveWriter::writeMatrix(Value number) {
  base = k.scale(number, rows * columns);
  matrixBase = k.scale(number, size() * size());
  SmallVector<KernelBuffer> a, right;
  for (unsigned i = 0; i < parts; ++i) {
    a.push_back(k.operand(i));
    right.push_back(k.operand(parts + i));
  }
  matrix.emplace(k, a, compute());
  copy(Matrices(k, right, compute()), work);
  k.loop(k.index(0), k.index(size()), [&](Value step) { substitute(step); });
  if (buffers.hasWork) {
    k.barrier();
    copy(work, result);
  }
}

LogicalResult cleave::codegen::writeTriangularSolve(GPUModuleBuilder &functions,
                                                    func::FuncOp kernel,
                                                    TriangularSolveOp op) {
  return writeMatrices<SolveWriter>(functions, kernel, op);
}
