//===- MarkInPlace.cpp - Which arguments results may overwrite ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Fusion/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace cleave {
#define GEN_PASS_DEF_MARKINPLACE
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::graph;

/// The number under which `value` is returned, if it is returned once and not
/// used otherwise.
static std::optional<unsigned> returnedAs(Value value) {
  if (!value.hasOneUse())
    return std::nullopt;
  OpOperand &use = *value.getUses().begin();
  if (!isa<func::ReturnOp>(use.getOwner()))
    return std::nullopt;
  return use.getOperandNumber();
}

/// The result that is `argument` with some elements changed: the kernel has one
/// op besides constants, which reads the argument as what it updates only.
static std::optional<unsigned> updatedBy(BlockArgument argument) {
  if (!argument.hasOneUse())
    return std::nullopt;
  OpOperand &use = *argument.getUses().begin();
  if (auto update = dyn_cast<DynamicUpdateSliceOp>(use.getOwner())) {
    for (Operation &other : update->getBlock()->without_terminator())
      if (!isa<ConstantOp>(other) && &other != update)
        return std::nullopt;
    if (use.getOperandNumber() == 0)
      return returnedAs(update.getResult());
  }
  if (auto scatter = dyn_cast<ScatterOp>(use.getOwner()))
    if (use.getOperandNumber() < scatter.getInputs().size())
      return returnedAs(scatter->getResult(use.getOperandNumber()));
  return std::nullopt;
}

/// The result that may be written over `argument` element by element: all that
/// is computed from the argument has its index, and leads to one result. That
/// is then complete at an index before it is written there, whichever
/// intermediate values are stored.
static std::optional<unsigned> overwrittenBy(BlockArgument argument) {
  auto shape = cast<RankedTensorType>(argument.getType()).getShape();
  llvm::SetVector<Value> computed;
  computed.insert(argument);
  std::optional<unsigned> result;
  for (size_t i = 0; i < computed.size(); ++i) {
    if (std::optional<unsigned> number = returnedAs(computed[i])) {
      if (result || computed[i].getType() != argument.getType())
        return std::nullopt;
      result = number;
      continue;
    }
    for (Operation *user : computed[i].getUsers()) {
      if ((!user->hasTrait<OpTrait::Elementwise>() &&
           !isa<SelectOp, ClampOp>(user)) ||
          cast<RankedTensorType>(user->getResult(0).getType()).getShape() !=
              shape)
        return std::nullopt;
      computed.insert(user->getResult(0));
    }
  }
  return result;
}

namespace {
struct MarkInPlace : public cleave::impl::MarkInPlaceBase<MarkInPlace> {
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!kernel->hasAttr(kKernelAttr) || kernel.isExternal())
        continue;
      for (BlockArgument argument : kernel.getArguments()) {
        Builder b(&getContext());
        auto mark = [&](StringRef name, unsigned result) {
          kernel.setArgAttr(argument.getArgNumber(), name,
                            b.getI64IntegerAttr(result));
        };
        if (std::optional<unsigned> result = updatedBy(argument))
          mark(kUpdatedByAttr, *result);
        else if (std::optional<unsigned> result = overwrittenBy(argument))
          mark(kOverwrittenByAttr, *result);
      }
    }
  }
};
} // namespace
