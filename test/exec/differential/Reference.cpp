//===- Reference.cpp - What a case should give ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Reference.h"
#include "Random.h"
#include "dialects/Graph/Evaluate/Comparison.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace cleave::graph;
using namespace cleave::differential;

using Literals = SmallVector<Literal>;

/// How often noise is drawn, and how much larger than what it shows an error
/// may be: the largest of a few draws is not the largest there is.
constexpr int numDraws = 3;
constexpr double margin = 4;

/// Moves each element of each inexact result up or down by its error.
static FailureOr<Literals> evaluateWithNoise(const Case &test, int draw) {
  Evaluator evaluator(Evaluator::Mode::Exact);
  Random random(test.seed * numDraws + draw);
  evaluator.setTap([&](Value value, Literal &literal) {
    auto result = cast<OpResult>(value);
    if (!literal.isFloat())
      return;
    Literals operands;
    for (Value operand : result.getOwner()->getOperands())
      operands.push_back(*evaluator.lookup(operand));
    std::vector<double> errors = errorOf(result.getOwner(), operands, literal);
    if (errors.empty())
      return;
    double epsilon = epsilonOfType(literal.elementType());
    // Integers may be exact, and compared with others; but not those of a norm,
    // whose bias is what is left of a row that hardly varies.
    bool mayBeExact = !isa<LayerNormOp>(result.getOwner());
    for (auto [element, error] : llvm::zip(literal.mutableFloats(), errors)) {
      if (mayBeExact && element == std::floor(element) &&
          std::fabs(element) < 1 / epsilon)
        continue;
      element += random.percent(50) ? error * epsilon : -error * epsilon;
    }
  });
  return evaluator.evaluate(test.getMain(), test.inputs);
}

FailureOr<Reference> cleave::differential::evaluate(const Case &test) {
  Reference reference;
  func::FuncOp func = test.getMain();
  FailureOr<Literals> exact =
      Evaluator(Evaluator::Mode::Exact).evaluate(func, test.inputs);
  if (failed(exact))
    return failure();
  FailureOr<Literals> rounded =
      Evaluator(Evaluator::Mode::Rounded).evaluate(func, test.inputs);
  if (failed(rounded))
    return failure();
  reference.exact = std::move(*exact);
  reference.rounded = std::move(*rounded);
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    reference.accumulation.push_back(longestAccumulation(func, i));
  if (llvm::is_contained(test.exact, false))
    for (int draw = 0; draw < numDraws; ++draw) {
      FailureOr<Literals> noisy = evaluateWithNoise(test, draw);
      if (failed(noisy))
        return failure();
      reference.noisy.push_back(std::move(*noisy));
    }
  return reference;
}

std::string cleave::differential::checkSame(const Literal &actual,
                                            const Literal &expected) {
  auto complain = [](size_t i, auto x, auto y) {
    return llvm::formatv("element {0} is {1} instead of {2}", i, x, y).str();
  };
  if (!actual.isFloat()) {
    for (auto [i, x, y] : llvm::enumerate(actual.ints(), expected.ints()))
      if (x != y)
        return complain(i, x, y);
    return "";
  }
  for (auto [i, x, y] : llvm::enumerate(actual.floats(), expected.floats()))
    if (x != y && !(std::isnan(x) && std::isnan(y)))
      return complain(i, x, y);
  return "";
}

std::string cleave::differential::checkOutput(const Reference &reference,
                                              unsigned index, bool isExact,
                                              const Literal &actual,
                                              Statistics &statistics) {
  const Literal &exact = reference.exact[index];
  const Literal &rounded = reference.rounded[index];
  if (isExact)
    return checkSame(actual, rounded);
  TensorError error =
      compare(actual, exact, rounded, reference.accumulation[index]);
  double bound = error.bound;
  for (const Literals &noisy : reference.noisy)
    bound = std::max(bound,
                     margin * compare(noisy[index], exact, rounded, 1).error);
  ++statistics[Statistics::InexactOutputs];
  statistics[Statistics::ByNoise] += !error.pass && error.error <= bound;
  if (error.pass || error.error <= bound)
    return "";
  return llvm::formatv("element {0} is {1} instead of {2}: error {3:E2}, "
                       "allowed are {4:E2} (evaluation with rounding {5:E2})",
                       error.index, error.actual, error.expected, error.error,
                       bound, error.roundedError)
      .str();
}
