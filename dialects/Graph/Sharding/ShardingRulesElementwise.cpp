//===- ShardingRulesElementwise.cpp - Rules of elementwise ops ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

/// An elementwise op with the operand sets in which it is linear. Types whose
/// addition is not a sum have none.
static ShardingRule linearRule(Operation *op,
                               ArrayRef<SmallVector<unsigned, 2>> sets) {
  ShardingRule rule = elementwiseRule(op);
  if (hasSums(op->getResult(0).getType()))
    rule.linear.assign(sets.begin(), sets.end());
  return rule;
}

#define ELEMENTWISE(OP)                                                        \
  ShardingRule OP::getShardingRule() { return elementwiseRule(*this); }

ELEMENTWISE(AbsOp)
ELEMENTWISE(AcosOp)
ELEMENTWISE(AcoshOp)
ELEMENTWISE(AsinOp)
ELEMENTWISE(AsinhOp)
ELEMENTWISE(AtanOp)
ELEMENTWISE(AtanhOp)
ELEMENTWISE(BesselI1eOp)
ELEMENTWISE(CbrtOp)
ELEMENTWISE(CeilOp)
ELEMENTWISE(CoshOp)
ELEMENTWISE(CosineOp)
ELEMENTWISE(CountLeadingZerosOp)
ELEMENTWISE(DigammaOp)
ELEMENTWISE(ErfInvOp)
ELEMENTWISE(ErfOp)
ELEMENTWISE(ErfcOp)
ELEMENTWISE(Exp2Op)
ELEMENTWISE(ExpOp)
ELEMENTWISE(Expm1Op)
ELEMENTWISE(FloorOp)
ELEMENTWISE(LgammaOp)
ELEMENTWISE(Log1pOp)
ELEMENTWISE(Log2Op)
ELEMENTWISE(LogOp)
ELEMENTWISE(LogisticOp)
ELEMENTWISE(NotOp)
ELEMENTWISE(PopulationCountOp)
ELEMENTWISE(ReducePrecisionOp)
ELEMENTWISE(RoundNearestAfzOp)
ELEMENTWISE(RoundNearestEvenOp)
ELEMENTWISE(RsqrtOp)
ELEMENTWISE(SignOp)
ELEMENTWISE(SineOp)
ELEMENTWISE(SinhOp)
ELEMENTWISE(SqrtOp)
ELEMENTWISE(TanOp)
ELEMENTWISE(TanhOp)
ELEMENTWISE(IsFiniteOp)
ELEMENTWISE(AndOp)
ELEMENTWISE(Atan2Op)
ELEMENTWISE(MaxOp)
ELEMENTWISE(MinOp)
ELEMENTWISE(NextAfterOp)
ELEMENTWISE(OrOp)
ELEMENTWISE(PolygammaOp)
ELEMENTWISE(PowOp)
ELEMENTWISE(RemOp)
ELEMENTWISE(ShiftLeftOp)
ELEMENTWISE(ShiftRightArithmeticOp)
ELEMENTWISE(ShiftRightLogicalOp)
ELEMENTWISE(XorOp)
ELEMENTWISE(ZetaOp)
ELEMENTWISE(CompareOp)
ELEMENTWISE(ClampOp)
ELEMENTWISE(GeluOp)
ELEMENTWISE(SiluOp)
ELEMENTWISE(ReluOp)
#undef ELEMENTWISE

// Integer arithmetic is linear too: modulo 2^n.
ShardingRule NegOp::getShardingRule() { return linearRule(*this, {{0}}); }
ShardingRule AddOp::getShardingRule() { return linearRule(*this, {{0, 1}}); }
ShardingRule SubtractOp::getShardingRule() {
  return linearRule(*this, {{0, 1}});
}
ShardingRule MulOp::getShardingRule() { return linearRule(*this, {{0}, {1}}); }
ShardingRule SelectOp::getShardingRule() { return linearRule(*this, {{1, 2}}); }

ShardingRule DivOp::getShardingRule() {
  // Integers truncate.
  if (!isa<FloatType>(getElementTypeOrSelf(getType())))
    return elementwiseRule(*this);
  return linearRule(*this, {{0}});
}

ShardingRule ConvertOp::getShardingRule() {
  // Rounding to a narrower type before the sum loses accuracy. f16 and bf16
  // have the same width, but neither holds the other.
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(getOperand().getType()));
  auto to = dyn_cast<FloatType>(getElementTypeOrSelf(getType()));
  bool exact = from && to && (from == to || from.getWidth() < to.getWidth());
  if (!exact)
    return elementwiseRule(*this);
  return linearRule(*this, {{0}});
}

} // namespace cleave::graph
