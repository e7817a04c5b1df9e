//===- PartialReduction.cpp - Reductions whose parts can be combined ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/PartialReduction.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphBuilders.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <random>

using namespace mlir;

namespace cleave::graph {

namespace {

/// One scalar for each input.
using Elements = SmallVector<Literal>;

class MonoidTrial {
public:
  explicit MonoidTrial(ReduceOp op) : op(op) {}

  /// Whether all of some random triples behave.
  bool succeeds(const Elements &inits) {
    constexpr int numTriples = 32;
    // A part may have no elements at all.
    expectEqual(combine(inits, inits), inits);
    for (int i = 0; i < numTriples && isMonoid; ++i) {
      Elements a = randomElements(), b = randomElements(), c = randomElements();
      expectEqual(combine(combine(a, b), c), combine(a, combine(b, c)));
      // What has begun with the initial values may meet them again.
      Elements begun = combine(inits, a);
      expectEqual(combine(begun, inits), begun);
      expectEqual(combine(inits, begun), begun);
    }
    return isMonoid;
  }

private:
  Elements combine(const Elements &x, const Elements &y) {
    SmallVector<Literal> arguments(x);
    llvm::append_range(arguments, y);
    FailureOr<SmallVector<Literal>> result =
        evaluator.evaluateAlone(op.getBody(), arguments);
    if (succeeded(result))
      return *result;
    isMonoid = false;
    return x;
  }

  /// Small numbers, so that equal ones are frequent and no sum overflows.
  Elements randomElements() {
    Elements elements;
    for (Value input : op.getInputs()) {
      Literal element(withShape(typeOf(input), {}));
      int64_t number = std::uniform_int_distribution<int64_t>(-4, 4)(random);
      if (element.isFloat())
        element.mutableFloats()[0] = static_cast<double>(number) / 2;
      else
        element.mutableInts()[0] = wrapToType(number, element.elementType());
      elements.push_back(std::move(element));
    }
    return elements;
  }

  void expectEqual(const Elements &x, const Elements &y) {
    for (auto [a, b] : llvm::zip_equal(x, y)) {
      if (!a.isFloat()) {
        isMonoid &= a.ints() == b.ints();
        continue;
      }
      // Sums of exponentials, say, are associative up to rounding; NaN proves
      // nothing.
      double u = a.floats().front(), v = b.floats().front();
      double scale = std::max({1.0, std::fabs(u), std::fabs(v)});
      isMonoid &= u == v || std::fabs(u - v) <= 1e-9 * scale;
    }
  }

  ReduceOp op;
  Evaluator evaluator;
  std::mt19937 random;
  bool isMonoid = true;
};

} // namespace

bool reducesInParts(ReduceOp op) {
  Elements inits;
  for (Value init : op.getInits()) {
    DenseElementsAttr value;
    if (!matchPattern(init, m_Constant(&value)))
      return false;
    FailureOr<Literal> literal =
        Literal::fromAttr(value, [&] { return op.emitError(); });
    if (failed(literal))
      return false;
    inits.push_back(*literal);
  }
  return MonoidTrial(op).succeeds(inits);
}

} // namespace cleave::graph
