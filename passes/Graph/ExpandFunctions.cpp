//===- ExpandFunctions.cpp - Functions as their definitions say -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas are those of the StableHLO project's conversion of chlo
// functions, with the rounding that each step has there.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"
#include <cmath>

namespace cleave {
#define GEN_PASS_DEF_EXPANDFUNCTIONS
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

namespace {
/// Builds float ops of one type at one place.
struct Steps {
  OpBuilder &b;
  Location loc;
  RankedTensorType type;

  Value constant(double value) const { return splat(b, loc, type, value); }
  template <typename OpT, typename... Operands>
  Value make(Operands... operands) const {
    return OpT::create(b, loc, type, operands...);
  }
};
} // namespace

/// e^(x + log(1/2)) and e^(-x + log(1/2)): halving first, they overflow only
/// where their sum or difference does.
static std::pair<Value, Value> halfPowers(const Steps &steps, Value x) {
  Value half = steps.constant(std::log(0.5));
  Value minus = steps.make<NegOp>(x);
  return {steps.make<ExpOp>(steps.make<AddOp>(x, half)),
          steps.make<ExpOp>(steps.make<AddOp>(minus, half))};
}

static Value cosh(const Steps &steps, Value x) {
  auto [up, down] = halfPowers(steps, x);
  return steps.make<AddOp>(up, down);
}

/// Below 1 the difference would cancel: (m + m / (m + 1)) / 2 with m = e^x - 1.
static Value sinh(const Steps &steps, Value x) {
  auto [up, down] = halfPowers(steps, x);
  Value large = steps.make<SubtractOp>(up, down);
  Value m = steps.make<Expm1Op>(x), one = steps.constant(1);
  Value sum =
      steps.make<AddOp>(m, steps.make<DivOp>(m, steps.make<AddOp>(m, one)));
  Value small = steps.make<MulOp>(steps.constant(0.5), sum);
  Value isSmall = compare(steps.b, steps.loc, ComparisonDirection::LT,
                          steps.make<AbsOp>(x), one);
  return steps.make<SelectOp>(isSmall, small, large);
}

namespace {
struct ExpandFunctions : cleave::impl::ExpandFunctionsBase<ExpandFunctions> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      if (!isa<SinhOp, CoshOp>(op))
        return;
      OpBuilder builder(op);
      Steps steps{builder, op->getLoc(), typeOf(op->getResult(0))};
      Value x = op->getOperand(0);
      Value result = isa<SinhOp>(op) ? sinh(steps, x) : cosh(steps, x);
      result.getDefiningOp()->setDiscardableAttrs(
          op->getDiscardableAttrDictionary());
      op->getResult(0).replaceAllUsesWith(result);
      op->erase();
    });
  }
};
} // namespace
