//===- WidenArithmetic.cpp - Compute wider, round once per op -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before partitioning, so that partial sums are communicated as wide as they
// are computed, and each op's result is rounded where the model has it: no
// later pass may remove a conversion to a narrower type.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_WIDENARITHMETIC
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

/// Ops whose results are exact.
static bool isExact(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      op->hasTrait<OpTrait::IsTerminator>())
    return true;
  if (isa<AbsOp, CeilOp, ClampOp, CompareOp, ConvertOp, FloorOp, IsFiniteOp,
          MaxOp, MinOp, NegOp, ReluOp, RemOp, RoundNearestAfzOp,
          RoundNearestEvenOp, SelectOp, SignOp>(op))
    return true;
  auto ruled = dyn_cast<ShardingRuleOpInterface>(op);
  return ruled &&
         ruled.getShardingRule().priority == ShardingRule::Priority::Movement;
}

/// Ops whose kernels round the exact result, in every type: f32 and f64 by
/// IEEE 754; f16 and bf16 in f32, whose 24 bits are enough for a second
/// rounding to do no harm.
static bool isRoundedOnce(Operation *op) {
  return isa<AddOp, DivOp, MulOp, SqrtOp, SubtractOp>(op);
}

/// Ops that are about the type itself, or whose choice among several right
/// results, such as the sign of an eigenvector, depends on it.
static bool isBoundToType(Operation *op) {
  return isa<BitcastConvertOp, NextAfterOp, ReducePrecisionOp, EighOp, SvdOp,
             EigOp, SchurOp>(op);
}

/// Whether the regions of an op are functions of single elements.
static bool hasElementFunctions(Operation *op) {
  return isa<CleaveDialect>(op->getDialect()) && op->getNumRegions() != 0 &&
         !isa<WhileOp, IfOp>(op);
}

namespace {
/// Makes ops compute in one type.
class Widener {
public:
  explicit Widener(FloatType element)
      : element(element), bits(element.getWidth()) {}

  bool shouldWiden(Operation *op) const;
  void widenOp(Operation *op) const;

private:
  RankedTensorType widerType(Type type) const;
  bool roundsInside(Operation *op) const;
  Value widen(OpBuilder &builder, Value value) const;
  void widenFunction(Region &region) const;

  FloatType element;
  unsigned bits;
};
} // namespace

/// The wider type of a tensor of narrower floats; null for other types.
RankedTensorType Widener::widerType(Type type) const {
  auto tensor = dyn_cast<RankedTensorType>(type);
  auto own =
      tensor ? dyn_cast<FloatType>(tensor.getElementType()) : FloatType();
  return own && own.getWidth() < bits ? tensor.clone(element)
                                      : RankedTensorType();
}

/// Whether the functions of an op round in between, and can do so in the
/// wider type.
bool Widener::roundsInside(Operation *op) const {
  bool rounds = false, isBound = false;
  op->walk([&](Operation *inner) {
    if (inner == op)
      return;
    isBound |= isBoundToType(inner);
    rounds |= !isExact(inner) && inner->getNumResults() != 0 &&
              widerType(inner->getResult(0).getType());
  });
  return rounds && !isBound;
}

bool Widener::shouldWiden(Operation *op) const {
  if (auto collective = dyn_cast<spmd::CollectiveOpInterface>(op)) {
    auto kind = collective.getCollectiveReduction();
    return kind == ReductionKind::Sum || kind == ReductionKind::Prod;
  }
  bool hasNarrow = llvm::any_of(op->getResultTypes(), [&](Type type) {
    return static_cast<bool>(widerType(type));
  });
  if (!isa<CleaveDialect>(op->getDialect()) || isa<WhileOp, IfOp>(op) ||
      !hasNarrow)
    return false;
  // An update is added to the element that is there, in its type.
  if (element.isF32() && isa<ScatterOp>(op))
    return false;
  if (hasElementFunctions(op))
    return roundsInside(op);
  return !isExact(op) && !isRoundedOnce(op) && !isBoundToType(op);
}

Value Widener::widen(OpBuilder &builder, Value value) const {
  RankedTensorType type = widerType(value.getType());
  if (!type)
    return value;
  // A constant becomes one: initial values are asked whether they are neutral.
  return builder.createOrFold<ConvertOp>(value.getLoc(), type, value);
}

/// Element functions work on the wider type throughout, also where they
/// converted between narrower types.
void Widener::widenFunction(Region &region) const {
  for (BlockArgument argument : region.getArguments())
    if (RankedTensorType type = widerType(argument.getType()))
      argument.setType(type);
  for (Operation &op : llvm::make_early_inc_range(region.front())) {
    OpBuilder builder(&op);
    if (op.hasTrait<OpTrait::ConstantLike>()) {
      builder.setInsertionPointAfter(&op);
      Value narrow = op.getResult(0), wide = widen(builder, narrow);
      if (wide != narrow)
        narrow.replaceAllUsesExcept(wide, wide.getDefiningOp());
      continue;
    }
    for (OpResult result : op.getResults())
      if (RankedTensorType type = widerType(result.getType()))
        result.setType(type);
    auto convert = dyn_cast<ConvertOp>(op);
    if (convert && convert.getType() == convert.getOperand().getType()) {
      convert.replaceAllUsesWith(convert.getOperand());
      convert.erase();
    }
  }
}

/// Widens operands, results and functions of the op itself, and converts its
/// results back.
void Widener::widenOp(Operation *op) const {
  OpBuilder builder(op);
  for (OpOperand &operand : op->getOpOperands())
    operand.set(widen(builder, operand.get()));
  for (Region &region : op->getRegions())
    widenFunction(region);
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    auto narrow = cast<RankedTensorType>(result.getType());
    RankedTensorType wide = widerType(narrow);
    if (!wide)
      continue;
    result.setType(wide);
    auto rounded = ConvertOp::create(builder, op->getLoc(), narrow, result);
    result.replaceAllUsesExcept(rounded, rounded);
    // What was said of the result holds for the rounded one as well; its name
    // is that of the rounded one only.
    if (op->getNumResults() == 1) {
      rounded->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      op->removeDiscardableAttr("cleave.name");
    }
  }
}

namespace {
struct WidenArithmetic : cleave::impl::WidenArithmeticBase<WidenArithmetic> {
  using WidenArithmeticBase::WidenArithmeticBase;

  void runOnOperation() override {
    Builder builder(&getContext());
    Widener widener(toF32 ? FloatType(builder.getF32Type())
                          : FloatType(builder.getF64Type()));
    SmallVector<Operation *> ops;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != getOperation() && widener.shouldWiden(op))
        ops.push_back(op);
      return hasElementFunctions(op) ? WalkResult::skip()
                                     : WalkResult::advance();
    });
    for (Operation *op : ops)
      widener.widenOp(op);
    numWidened += ops.size();
  }
};
} // namespace
