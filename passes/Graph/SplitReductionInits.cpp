//===- SplitReductionInits.cpp - Take initial values out of reductions ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_SPLITREDUCTIONINITS
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

/// The kind of a reduction that would count its initial value on each rank; the
/// others are idempotent or have a neutral one.
static std::optional<ReductionKind> countsInit(graph::ReduceOp op) {
  std::optional<ReductionKind> kind = op.getSimpleKind();
  Value init = op.getInits().front();
  if (kind == ReductionKind::Sum && !isConstant(init, 0))
    return kind;
  if (kind == ReductionKind::Prod && !isConstant(init, 1))
    return kind;
  return std::nullopt;
}

/// The number that adds nothing to a sum or product.
static int64_t neutralOf(ReductionKind kind) {
  return kind == ReductionKind::Sum ? 0 : 1;
}

/// Whether an initial value adds nothing, though a constraint on its sharding,
/// a conversion or a copy of the scalar hides the constant.
static bool isHiddenNeutral(Value init, ReductionKind kind) {
  while (Operation *op = init.getDefiningOp()) {
    if (!isa<spmd::ShardingConstraintOp, graph::ConvertOp,
             graph::BroadcastInDimOp, graph::ReshapeOp>(op))
      break;
    init = op->getOperand(0);
  }
  return isConstant(init, neutralOf(kind));
}

/// Windows are a scan if their initial value adds nothing. That must be known
/// before they are cut: a scan adds in an order of its own, which is then that
/// on any mesh.
static void revealNeutral(graph::ReduceWindowOp op) {
  std::optional<ReductionKind> kind = op.getSimpleKind();
  if (kind != ReductionKind::Sum && kind != ReductionKind::Prod)
    return;
  Value init = op.getInits().front();
  if (isConstant(init, neutralOf(*kind)) || !isHiddenNeutral(init, *kind))
    return;
  OpBuilder builder(op);
  Type element = graph::typeOf(init).getElementType();
  op.getInitsMutable()[0].assign(
      graph::neutralScalar(builder, op.getLoc(), element, *kind));
}

namespace {

struct SplitReductionInits
    : cleave::impl::SplitReductionInitsBase<SplitReductionInits> {
  void runOnOperation() override {
    getOperation().walk(revealNeutral);
    SmallVector<graph::ReduceOp> ops;
    getOperation().walk([&](graph::ReduceOp op) {
      if (countsInit(op))
        ops.push_back(op);
    });
    for (graph::ReduceOp op : ops)
      split(op, *countsInit(op));
  }

  /// reduce(x, init) becomes reduce(x, neutral) + init.
  void split(graph::ReduceOp op, ReductionKind kind) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value reduced = graph::reduce(builder, loc, op.getInputs().front(),
                                  op.getDimensions(), kind);
    Value whole = reduced;
    if (!isHiddenNeutral(op.getInits().front(), kind)) {
      Value init = graph::broadcastTo(
          builder, loc, op.getInits().front(),
          cast<RankedTensorType>(reduced.getType()).getShape(), {});
      whole = graph::combine(builder, loc, kind, reduced, init);
    }
    whole.getDefiningOp()->setDiscardableAttrs(
        op->getDiscardableAttrDictionary());
    op.replaceAllUsesWith(ValueRange(whole));
    op.erase();
  }
};

} // namespace
