//===- ErrorModel.cpp - The error that one operation may make -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A bound to first order, from the usual analysis: a sum of n terms errs by
// about sqrt(n) roundings of its largest partial sum, a function by an ulp or
// two of its result. Data movement, selection and integers are exact.
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/ScatterDimensions.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;
using namespace cleave::differential;

static double largest(const Literal &literal) {
  double result = 0;
  for (double x : literal.floats())
    if (std::isfinite(x))
      result = std::max(result, std::fabs(x));
  return result;
}

static Literal absolute(const Literal &literal) {
  Literal result = literal;
  if (!literal.isFloat())
    return result;
  for (double &x : result.mutableFloats())
    x = std::fabs(x);
  return result;
}

/// The sum of the magnitudes of the terms, times sqrt(terms) + 1.
static std::vector<double> errorOfSum(Operation *op, ArrayRef<Literal> operands,
                                      double terms) {
  SmallVector<Literal> magnitudes, results;
  for (const Literal &operand : operands)
    magnitudes.push_back(absolute(operand));
  Evaluator evaluator;
  if (failed(cast<EvaluableOpInterface>(op).evaluate(evaluator, magnitudes,
                                                     results)))
    return {};
  // Of several results the largest error.
  std::vector<double> errors(results[0].size(), 0);
  for (const Literal &result : results)
    for (auto [error, magnitude] : llvm::zip_equal(errors, result.floats()))
      error = std::max(error, magnitude * (std::sqrt(terms) + 1));
  return errors;
}

static std::vector<double> relative(const Literal &value, double factor) {
  std::vector<double> errors(value.floats());
  for (double &error : errors)
    error = factor * std::fabs(error);
  return errors;
}

/// Rows that hardly vary lose digits when their mean is subtracted.
static std::vector<double>
errorOfNorm(LayerNormOp op, ArrayRef<Literal> operands, const Literal &value) {
  ArrayRef<double> x = operands[0].floats();
  int64_t n = operands[0].shape().back();
  double epsilon = op.getEpsilon().convertToDouble();
  double scale = largest(operands[1]), bias = largest(operands[2]);
  std::vector<double> errors(x.size());
  for (size_t row = 0; n && row < x.size(); row += n) {
    double mean = 0, variance = 0, top = 0;
    for (int64_t i = 0; i < n; ++i)
      mean += x[row + i] / n;
    for (int64_t i = 0; i < n; ++i) {
      variance += (x[row + i] - mean) * (x[row + i] - mean) / n;
      top = std::max(top, std::fabs(x[row + i]));
    }
    double error =
        4 * (top / std::sqrt(variance + epsilon) * scale + bias + scale);
    for (int64_t i = 0; i < n; ++i)
      errors[row + i] = error;
  }
  return errors;
}

/// Scores err by their magnitude, which exp turns into a relative error.
static std::vector<double> errorOfAttention(AttentionOp op,
                                            ArrayRef<Literal> operands,
                                            const Literal &value) {
  double d = operands[0].shape()[3];
  double scale = op.getScale() ? op.getScale()->convertToDouble()
                               : 1 / std::sqrt(std::max(d, 1.0));
  double scores =
      largest(operands[0]) * largest(operands[1]) * d * std::fabs(scale);
  // What is hidden by far has no weight, and so no error.
  constexpr double faint = 100;
  if (op.getFill())
    scores += std::min(std::fabs(op.getHiddenScore()), faint);
  else if (op.getMask() && !op.hasSelectingMask())
    scores += largest(operands[3]);
  return std::vector<double>(value.size(),
                             (8 + 2 * scores) * largest(operands[2]));
}

std::vector<double> cleave::differential::errorOf(Operation *op,
                                                  ArrayRef<Literal> operands,
                                                  const Literal &value) {
  using Errors = std::vector<double>;
  return llvm::TypeSwitch<Operation *, Errors>(op)
      .Case([&](DotGeneralOp dot) {
        double terms = 1;
        for (int64_t dim : dot.getLhsContractingDims())
          terms *= operands[0].shape()[dim];
        return errorOfSum(op, operands, terms);
      })
      .Case([&](LinearOp linear) {
        double terms = 1;
        for (int64_t size :
             operands[1].shape().take_front(linear.getContracting()))
          terms *= size;
        return errorOfSum(op, operands, terms + 1);
      })
      .Case([&](ReduceOp reduce) {
        auto kind = reduce.getSimpleKind();
        double terms = 1;
        for (int64_t dim : reduce.getDimensions())
          terms *= operands[0].shape()[dim];
        if (kind == ReductionKind::Sum)
          return errorOfSum(op, operands, terms + 1);
        return kind == ReductionKind::Prod ? relative(value, 1 + terms)
                                           : Errors();
      })
      .Case([&](ReduceWindowOp window) {
        auto kind = window.getSimpleKind();
        double terms = 1;
        for (int64_t size : window.getWindowDimensions())
          terms *= size;
        if (kind == ReductionKind::Sum)
          return errorOfSum(op, operands, terms + 1);
        return kind == ReductionKind::Prod ? relative(value, 1 + terms)
                                           : Errors();
      })
      .Case([&](ScatterOp scatter) {
        auto kind = scatter.getSimpleKind();
        ScatterDimensions dims(scatter);
        double terms = 1;
        for (int64_t dim : dims.scatterDims)
          terms *= operands.back().shape()[dim];
        if (kind == ReductionKind::Sum)
          return errorOfSum(op, operands, terms + 1);
        return kind == ReductionKind::Prod ? relative(value, 1 + terms)
                                           : Errors();
      })
      .Case([&](ConvolutionOp convolution) {
        double terms =
            operands[1].shape()[convolution.getKernelInputFeatureDimension()];
        for (int64_t dim : convolution.getKernelSpatialDimensions())
          terms *= operands[1].shape()[dim];
        return errorOfSum(op, operands, terms);
      })
      .Case<AddOp, SubtractOp, MulOp, DivOp>(
          [&](auto) { return relative(value, 1); })
      .Case<AbsOp, NegOp, MaxOp, MinOp, SelectOp, ClampOp, ReluOp, SignOp,
            CeilOp, FloorOp, RoundNearestAfzOp, RoundNearestEvenOp, RemOp,
            ReducePrecisionOp>([](auto) { return Errors(); })
      .Case([&](ConvertOp) {
        // Only where it narrows.
        if (operands[0].isFloat() && epsilonOfType(operands[0].elementType()) <
                                         epsilonOfType(value.elementType()))
          return relative(value, 1);
        return Errors();
      })
      .Case(
          [&](LayerNormOp norm) { return errorOfNorm(norm, operands, value); })
      .Case([&](RmsNormOp) { return Errors(value.size(), 4 * largest(value)); })
      .Case([&](SoftmaxOp) {
        return Errors(value.size(), 4 + 2 * largest(operands[0]));
      })
      .Case([&](AttentionOp attention) {
        return errorOfAttention(attention, operands, value);
      })
      .Case([&](RotaryEmbeddingOp) {
        double most = 0;
        for (int64_t position : operands[1].ints())
          most = std::max(most, std::fabs(double(position)));
        return Errors(value.size(), (4 + most) * largest(operands[0]));
      })
      .Case([&](CrossEntropyOp) {
        return Errors(value.size(), 4 * (1 + largest(operands[0])));
      })
      .Case<GeluOp>([&](auto) {
        // For large negative x the sum in it cancels.
        Errors errors(operands[0].floats());
        for (double &error : errors)
          error = 2 * std::fabs(error);
        return errors;
      })
      .Case([&](FftOp fft) {
        // A part of the result may be much smaller than all of it.
        double points = 1, most = 0;
        for (int64_t size : fft.getLength())
          points *= size;
        for (const Literal &operand : operands)
          most = std::max(most, largest(operand));
        if (fft.getType() == FftType::IFFT || fft.getType() == FftType::IRFFT)
          most /= points;
        return Errors(value.size(), 4 * std::sqrt(points) * most);
      })
      // Their matrices are well-conditioned.
      .Case([&](CholeskyOp op) {
        return Errors(value.size(),
                      (4 + operands[0].shape().back()) * largest(value));
      })
      .Case([&](TriangularSolveOp op) {
        return Errors(value.size(),
                      (4 + operands[0].shape().back()) * largest(value));
      })
      // So are these, with values that differ by half or more.
      .Case<LuOp, QrOp, PivotedQrOp, HouseholderProductOp, HessenbergOp,
            TridiagonalOp, EighOp, SvdOp, EigOp, SchurOp>([&](auto op) {
        ArrayRef<int64_t> shape = operands[0].shape();
        double size = std::max(shape.back(), shape[shape.size() - 2]);
        return Errors(value.size(), (4 + size) * largest(value));
      })
      .Case([&](TridiagonalSolveOp op) {
        return Errors(value.size(), 8 * largest(value));
      })
      .Case<SiluOp, AcosOp, AcoshOp, AsinOp, AsinhOp, AtanOp, AtanhOp,
            BesselI1eOp, CbrtOp, CosineOp, CoshOp, DigammaOp, ErfOp, ErfcOp,
            ErfInvOp, ExpOp, Expm1Op, LgammaOp, LogOp, Log1pOp, LogisticOp,
            RsqrtOp, SineOp, SinhOp, SqrtOp, TanOp, TanhOp, PowOp, Atan2Op>(
          [&](auto) { return relative(value, 2); })
      // Of inexact operands the step may go the other way.
      .Case([&](NextAfterOp) { return relative(value, 4); })
      .Case<ZetaOp, PolygammaOp>([&](auto) { return relative(value, 8); })
      .Default([](Operation *) { return Errors(); });
}
