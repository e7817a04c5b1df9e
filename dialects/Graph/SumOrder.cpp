//===- SumOrder.cpp - Sums in the order of the index ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SumOrder.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

bool cleave::graph::hasOrderedSums(Operation *op) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  return function && function->hasAttr(kOrderedSums);
}

static bool isFloat(Value value) {
  return isa<FloatType>(getElementTypeOrSelf(value.getType()));
}

/// Whether the function of a reduction makes floats that it rounds.
static bool roundsInside(ReduceOp op) {
  return op.getBody()
      .walk([](Operation *inner) {
        bool isExact =
            inner->hasTrait<OpTrait::ConstantLike>() ||
            inner->hasTrait<OpTrait::IsTerminator>() ||
            isa<AbsOp, ClampOp, CompareOp, MaxOp, MinOp, NegOp, SelectOp>(
                inner);
        return !isExact && llvm::any_of(inner->getResults(), isFloat)
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether an op that communicates itself combines what ranks have rounded,
/// instead of moving elements.
static bool combinesRounded(Operation *op, const ShardingRule &rule) {
  if (auto windows = dyn_cast<ReduceWindowOp>(op)) {
    std::optional<ReductionKind> kind = windows.getSimpleKind();
    return windows.getScan() &&
           (kind == ReductionKind::Sum || kind == ReductionKind::Prod);
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return roundsInside(reduce);
  return rule.priority == ShardingRule::Priority::Elementwise;
}

void cleave::graph::keepSumsWhole(Operation *op, ShardingRule &rule) {
  if (llvm::none_of(op->getResults(), isFloat))
    return;
  for (Factor &factor : rule.factors) {
    bool combines = factor.kind == FactorKind::Reduction
                        ? factor.reduction == ReductionKind::Sum ||
                              factor.reduction == ReductionKind::Prod
                        : factor.kind == FactorKind::Collective &&
                              combinesRounded(op, rule);
    if (combines)
      factor.kind = FactorKind::NeedReplication;
  }
}
