//===- ImportLinearAlgebra.cpp - Transforms, solvers, random bits ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// LAPACK and the transforms work on f32 and f64; other floats are converted.
static SmallVector<Value> widen(ImportedOp &op, ValueRange parts) {
  SmallVector<Value> wide;
  for (Value part : parts)
    wide.push_back(graph::convertElement(
        op.builder, op.loc, part,
        graph::accumulationType(graph::typeOf(part).getElementType())));
  return wide;
}

static SmallVector<Type> typesOf(ArrayRef<Value> values) {
  return llvm::to_vector(ValueRange(values).getTypes());
}

/// The results in the element types that they should have.
static void takeNarrowed(ImportedOp &op, Operation *built) {
  for (auto [result, type] :
       llvm::zip_equal(built->getResults(), op.resultTypes[0]))
    op.results[0].push_back(
        graph::convertElement(op.builder, op.loc, result,
                              cast<RankedTensorType>(type).getElementType()));
}

static LogicalResult importFft(ImportedOp &op) {
  StringRef name;
  ImportedOp::Integers length;
  if (failed(op.read("fft_type", name)) ||
      failed(op.read("fft_length", length)))
    return failure();
  std::optional<graph::FftType> type = graph::symbolizeFftType(name);
  if (!type)
    return op.error() << "'" << name << "' is no fft_type";
  bool fromReal = type == graph::FftType::RFFT;
  bool toReal = type == graph::FftType::IRFFT;
  if (isComplex(op.operandElement(0)) == fromReal ||
      isComplex(op.resultElement()) == toReal)
    return op.error() << name << " of " << op.op->getOperand(0).getType()
                      << " to " << op.op->getResult(0).getType();
  op.takeResults(graph::FftOp::create(op.builder, op.loc, op.flatTypes(), *type,
                                      op.operands[0], length));
  return success();
}

static LogicalResult importCholesky(ImportedOp &op) {
  bool isLower;
  if (failed(op.read("lower", isLower, false)))
    return failure();
  SmallVector<Value> a = widen(op, op.operands[0]);
  takeNarrowed(op, graph::CholeskyOp::create(op.builder, op.loc, typesOf(a), a,
                                             isLower));
  return success();
}

static LogicalResult importTriangularSolve(ImportedOp &op) {
  bool isLeft, isLower, isUnit;
  StringRef name;
  if (failed(op.read("left_side", isLeft)) ||
      failed(op.read("lower", isLower)) ||
      failed(op.read("unit_diagonal", isUnit)) ||
      failed(op.read("transpose_a", name)))
    return failure();
  auto transpose = llvm::StringSwitch<std::optional<graph::Transpose>>(name)
                       .Case("NO_TRANSPOSE", graph::Transpose::NoTranspose)
                       .Case("TRANSPOSE", graph::Transpose::Transpose)
                       .Case("ADJOINT", graph::Transpose::Adjoint)
                       .Default(std::nullopt);
  if (!transpose)
    return op.error() << "'" << name << "' is no way to transpose";
  SmallVector<Value> a = widen(op, op.operands[0]),
                     b = widen(op, op.operands[1]);
  takeNarrowed(op, graph::TriangularSolveOp::create(
                       op.builder, op.loc, typesOf(b), a, b, isLeft, isLower,
                       isUnit, *transpose));
  return success();
}

static LogicalResult importRngBitGenerator(ImportedOp &op) {
  StringRef name;
  if (failed(op.read("rng_algorithm", name)))
    return failure();
  auto algorithm = llvm::StringSwitch<std::optional<graph::RngAlgorithm>>(name)
                       .Case("THREE_FRY", graph::RngAlgorithm::ThreeFry)
                       .Case("PHILOX", graph::RngAlgorithm::Philox)
                       // As XLA does on processors.
                       .Case("DEFAULT", graph::RngAlgorithm::Philox)
                       .Default(std::nullopt);
  Type element = op.resultElement(1);
  if (!algorithm || isNarrowInteger(element) || isNarrowFloat(element) ||
      graph::isSmallFloat(element))
    return op.unsupported() << "'" << op.name() << "' by " << name << " of "
                            << element << " is not supported";
  op.takeResults(graph::RngBitGeneratorOp::create(
      op.builder, op.loc, op.flatTypes(), *algorithm, op.operand(0)));
  return success();
}

void reader::addLinearAlgebraImports(ImportTable &table) {
  table["stablehlo.cholesky"] = arithmetic(importCholesky);
  table["stablehlo.fft"] = importFft;
  table["stablehlo.rng_bit_generator"] = importRngBitGenerator;
  table["stablehlo.triangular_solve"] = arithmetic(importTriangularSolve);
}
