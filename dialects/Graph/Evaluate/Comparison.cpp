//===- Comparison.cpp - Whether two results are equal ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Comparison.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/ScatterDimensions.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

static bool sameClass(double x, double y) {
  if (std::isnan(x) || std::isnan(y))
    return std::isnan(x) && std::isnan(y);
  return x == y;
}

static void compareIntegers(const Literal &actual, const Literal &exact,
                            TensorError &result) {
  bool isUnsigned = actual.elementType().isUnsignedInteger();
  auto print = [&](int64_t value) {
    return isUnsigned ? std::to_string(static_cast<uint64_t>(value))
                      : std::to_string(value);
  };
  for (auto [i, x, y] : llvm::enumerate(actual.ints(), exact.ints())) {
    if (x == y)
      continue;
    result.error = HUGE_VAL;
    result.index = i;
    result.actual = print(x);
    result.expected = print(y);
    return;
  }
  result.pass = true;
}

/// The largest finite magnitude, or 1 if all is zero.
static double scaleOf(ArrayRef<double> exact) {
  double scale = 0;
  for (double x : exact)
    if (std::isfinite(x))
      scale = std::max(scale, std::fabs(x));
  return scale == 0 ? 1 : scale;
}

/// The error of an evaluation with rounding, where both are finite.
static double errorOfRounding(ArrayRef<double> rounded, ArrayRef<double> exact,
                              double scale) {
  double error = 0;
  for (auto [x, y] : llvm::zip_equal(rounded, exact))
    if (std::isfinite(x) && std::isfinite(y))
      error = std::max(error, std::fabs(x - y) / scale);
  return error;
}

static void compareFloats(ArrayRef<double> actual, ArrayRef<double> exact,
                          ArrayRef<double> rounded, ArrayRef<Literal> samples,
                          TensorError &result) {
  double scale = scaleOf(exact);
  double worst = -1;
  for (size_t i = 0; i < exact.size(); ++i) {
    double difference;
    if (!std::isfinite(exact[i])) {
      difference = sameClass(actual[i], exact[i]) ? 0 : HUGE_VAL;
    } else if (!std::isfinite(rounded[i]) && sameClass(actual[i], rounded[i])) {
      difference = 0;
    } else {
      difference = std::fabs(actual[i] - exact[i]) / scale;
      if (std::isnan(difference))
        difference = HUGE_VAL;
    }
    if (difference > worst) {
      worst = difference;
      result.index = i;
    }
  }
  if (result.index < 0) {
    result.pass = true;
  } else {
    result.error = worst;
    result.actual = llvm::formatv("{0}", actual[result.index]).str();
    result.expected = llvm::formatv("{0}", exact[result.index]).str();
  }
  result.roundedError = errorOfRounding(rounded, exact, scale);
  for (const Literal &sample : samples)
    result.roundedError = std::max(
        result.roundedError, errorOfRounding(sample.floats(), exact, scale));
  result.evaluations = 1 + samples.size();
  result.bound =
      std::max(2 * result.roundedError,
               static_cast<double>(result.accumulation) * result.epsilon);
  result.pass = result.error <= result.bound;
}

TensorError cleave::graph::compare(const Literal &actual, const Literal &exact,
                                   const Literal &rounded, int64_t accumulation,
                                   ArrayRef<Literal> samples) {
  assert(actual.type == exact.type && exact.type == rounded.type);
  TensorError result;
  result.accumulation = accumulation;
  if (!actual.isFloat()) {
    compareIntegers(actual, exact, result);
    return result;
  }
  result.epsilon = epsilonOfType(actual.elementType());
  compareFloats(actual.floats(), exact.floats(), rounded.floats(), samples,
                result);
  result.isVacuous =
      !exact.floats().empty() &&
      llvm::none_of(exact.floats(), [](double x) { return std::isfinite(x); });
  return result;
}

//===----------------------------------------------------------------------===//
// The longest accumulation
//===----------------------------------------------------------------------===//

static int64_t product(ArrayRef<int64_t> shape, ArrayRef<int64_t> dims) {
  int64_t result = 1;
  for (int64_t dim : dims)
    result *= shape[dim];
  return result;
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

bool cleave::graph::isApproximated(Operation *op) {
  return isa<AcosOp, AcoshOp, AsinOp, AsinhOp, AtanOp, AtanhOp, Atan2Op,
             BesselI1eOp, CbrtOp, CosineOp, CoshOp, DigammaOp, ErfOp, ErfcOp,
             ErfInvOp, Exp2Op, ExpOp, Expm1Op, GeluOp, LgammaOp, LogOp, Log1pOp,
             Log2Op, LogisticOp, PolygammaOp, PowOp, RsqrtOp, SiluOp, SineOp,
             SinhOp, TanOp, TanhOp, ZetaOp>(op);
}

int64_t cleave::graph::accumulationOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, int64_t>(op)
      .Case([](DotGeneralOp dot) {
        return product(shapeOf(dot.getLhs()), dot.getLhsContractingDims());
      })
      .Case([](LinearOp linear) {
        int64_t result = 1;
        for (int64_t size :
             shapeOf(linear.getWeight()).take_front(linear.getContracting()))
          result *= size;
        return result;
      })
      .Case([](ReduceOp reduce) {
        return product(shapeOf(reduce.getInputs().front()),
                       reduce.getDimensions());
      })
      .Case([](ScatterOp scatter) {
        // All updates may go to one element.
        ScatterDimensions dims(scatter);
        return product(shapeOf(scatter.getUpdates().front()), dims.scatterDims);
      })
      .Case([](ReduceWindowOp window) {
        int64_t result = 1;
        for (int64_t size : window.getWindowDimensions())
          result *= size;
        return result;
      })
      .Case([](ConvolutionOp convolution) {
        return product(shapeOf(convolution.getRhs()),
                       convolution.getKernelSpatialDimensions()) *
               shapeOf(
                   convolution
                       .getRhs())[convolution.getKernelInputFeatureDimension()];
      })
      .Case([](FftOp fft) {
        int64_t result = 1;
        for (int64_t size : fft.getLength())
          result *= size;
        return result;
      })
      .Case([](CholeskyOp op) { return shapeOf(op.getA().front()).back(); })
      .Case([](TriangularSolveOp op) {
        return shapeOf(op.getA().front()).back();
      })
      .Case<LuOp, QrOp, PivotedQrOp, HessenbergOp, TridiagonalOp, EighOp, SvdOp,
            EigOp, SchurOp>([](auto op) {
        ArrayRef<int64_t> shape = shapeOf(op.getA().front());
        return std::max(shape.back(), shape[shape.size() - 2]);
      })
      .Case([](HouseholderProductOp op) {
        ArrayRef<int64_t> shape = shapeOf(op.getA().front());
        return shape[shape.size() - 2];
      })
      .Case([](TridiagonalSolveOp op) {
        return shapeOf(op.getD().front()).back();
      })
      .Case<LayerNormOp, RmsNormOp>(
          [](auto norm) { return shapeOf(norm.getInput()).back(); })
      .Case([](SoftmaxOp softmax) {
        return shapeOf(softmax.getInput())[softmax.getDim()];
      })
      .Case([](AttentionOp attention) {
        return std::max(shapeOf(attention.getQuery()).back(),
                        shapeOf(attention.getKey())[1]);
      })
      .Case(
          [](CrossEntropyOp loss) { return shapeOf(loss.getLogits()).back(); })
      .Default([](Operation *op) { return isApproximated(op) ? 2 : 1; });
}

static int64_t longestAccumulation(func::FuncOp func,
                                   SmallPtrSetImpl<Operation *> &seen) {
  int64_t result = 1;
  if (!seen.insert(func).second)
    return result;
  func.walk([&](Operation *op) {
    result = std::max(result, accumulationOf(op));
    if (auto call = dyn_cast<func::CallOp>(op))
      if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
              call, call.getCalleeAttr()))
        result = std::max(result, longestAccumulation(callee, seen));
  });
  return result;
}

/// Whether an op only moves elements, so that its results are exact.
static bool onlyMoves(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>())
    return true;
  auto ruled = dyn_cast<cleave::ShardingRuleOpInterface>(op);
  return ruled && ruled.getShardingRule().priority ==
                      cleave::ShardingRule::Priority::Movement;
}

int64_t cleave::graph::longestAccumulation(func::FuncOp func, unsigned result) {
  int64_t longest = 0, roundings = 0;
  llvm::SmallPtrSet<Operation *, 32> seen, seenCallees;
  SmallVector<Value> pending{func.front().getTerminator()->getOperand(result)};
  while (!pending.empty()) {
    Operation *op = pending.pop_back_val().getDefiningOp();
    if (!op || !seen.insert(op).second)
      continue;
    // The function of a sort only decides what moves where.
    if (onlyMoves(op)) {
      llvm::append_range(pending, op->getOperands());
      continue;
    }
    // An op with regions counts with all that is in them.
    op->walk([&](Operation *inner) {
      llvm::append_range(pending, inner->getOperands());
      if (onlyMoves(inner) || inner->hasTrait<OpTrait::IsTerminator>())
        return;
      ++roundings;
      longest = std::max(longest, accumulationOf(inner));
      if (auto call = dyn_cast<func::CallOp>(inner))
        if (auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                call, call.getCalleeAttr()))
          longest =
              std::max(longest, ::longestAccumulation(callee, seenCallees));
    });
  }
  auto type = cast<RankedTensorType>(func.getResultTypes()[result]);
  return type.getElementType().isF64() ? longest + roundings : longest;
}

int64_t cleave::graph::longestAccumulation(func::FuncOp func) {
  llvm::SmallPtrSet<Operation *, 8> seen;
  return ::longestAccumulation(func, seen);
}
