//===- ErrorModel.cpp - The error that one operation may make -------------===//
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
#include "dialects/Graph/Evaluate/Comparison.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/ScatterDimensions.h"
#include "dialects/Graph/SmallFloats.h"
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

/// Sums and products of `terms` elements; extrema are exact.
static std::vector<double>
errorOfReduction(Operation *op, std::optional<ReductionKind> kind, double terms,
                 ArrayRef<Literal> operands, const Literal &value) {
  if (kind == ReductionKind::Sum)
    return errorOfSum(op, operands, terms + 1);
  return kind == ReductionKind::Prod ? relative(value, 1 + terms)
                                     : std::vector<double>();
}

static double product(ArrayRef<int64_t> sizes) {
  double result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

/// Elements along some dimensions.
static double countAlong(const Literal &literal, ArrayRef<int64_t> dims) {
  double result = 1;
  for (int64_t dim : dims)
    result *= literal.shape()[dim];
  return result;
}

/// Of ops that add up elements; nothing for other ones.
static std::optional<std::vector<double>>
errorOfTerms(Operation *op, ArrayRef<Literal> operands, const Literal &value) {
  using Errors = std::vector<double>;
  return llvm::TypeSwitch<Operation *, std::optional<Errors>>(op)
      .Case([&](DotGeneralOp dot) {
        return errorOfSum(op, operands,
                          countAlong(operands[0], dot.getLhsContractingDims()));
      })
      .Case([&](LinearOp linear) {
        return errorOfSum(
            op, operands,
            product(operands[1].shape().take_front(linear.getContracting())) +
                1);
      })
      .Case([&](ConvolutionOp convolution) {
        double features =
            operands[1].shape()[convolution.getKernelInputFeatureDimension()];
        return errorOfSum(
            op, operands,
            features * countAlong(operands[1],
                                  convolution.getKernelSpatialDimensions()));
      })
      .Case([&](ReduceOp reduce) {
        return errorOfReduction(op, reduce.getSimpleKind(),
                                countAlong(operands[0], reduce.getDimensions()),
                                operands, value);
      })
      .Case([&](ReduceWindowOp window) {
        return errorOfReduction(op, window.getSimpleKind(),
                                product(window.getWindowDimensions()), operands,
                                value);
      })
      .Case([&](ScatterOp scatter) {
        ScatterDimensions dims(scatter);
        return errorOfReduction(op, scatter.getSimpleKind(),
                                countAlong(operands.back(), dims.scatterDims),
                                operands, value);
      })
      .Default([](Operation *) { return std::nullopt; });
}

std::vector<double> cleave::differential::errorOf(Operation *op,
                                                  ArrayRef<Literal> operands,
                                                  const Literal &value) {
  using Errors = std::vector<double>;
  if (std::optional<Errors> errors = errorOfTerms(op, operands, value))
    return *errors;
  return llvm::TypeSwitch<Operation *, Errors>(op)
      .Case<AddOp, SubtractOp, MulOp, DivOp>(
          [&](auto) { return relative(value, 1); })
      .Case([&](ConvertOp) {
        // Only where it narrows.
        if (!operands[0].isFloat() ||
            epsilonOfType(operands[0].elementType()) >=
                epsilonOfType(value.elementType()))
          return Errors();
        Errors errors = relative(value, 1);
        // Subnormal numbers of 8 bits are common.
        if (std::optional<SmallFloat> small =
                getSmallFloat(value.elementType()))
          for (double &error : errors)
            error = std::max(error, std::ldexp(1.0, small->minExponent()));
        return errors;
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
      // For large negative x the sum in it cancels.
      .Case([&](GeluOp) { return relative(operands[0], 2); })
      .Case([&](FftOp fft) {
        // A part of the result may be much smaller than all of it.
        double points = product(fft.getLength()), most = 0;
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
      .Case([&](SqrtOp) { return relative(value, 2); })
      // Of inexact operands the step may go the other way.
      .Case([&](NextAfterOp) { return relative(value, 4); })
      .Case<ZetaOp, PolygammaOp>([&](auto) { return relative(value, 8); })
      .Default([&](Operation *op) {
        // abs, select, floor and the like are exact.
        return isApproximated(op) ? relative(value, 2) : Errors();
      });
}
