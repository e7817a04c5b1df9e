//===- FlattenBranches.cpp - Branches in computations ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Rewrites/FlattenBranches.h"
#include "passes/Import/Rewrites/Computations.h"
#include "passes/Import/Rewrites/SourceBuilder.h"

using namespace mlir;
using namespace cleave;

/// Whether the ops of a branch may be computed where it is not taken. A loop
/// may not end then; calls may have one.
static bool isSpeculatable(Region &branch) {
  if (!branch.hasOneBlock() || branch.getNumArguments() != 0)
    return false;
  WalkResult walk = branch.walk([](Operation *op) {
    bool isReduction =
        isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp, stablehlo::MapOp,
            stablehlo::SortOp, stablehlo::ScatterOp,
            stablehlo::SelectAndScatterOp, stablehlo::IfOp, stablehlo::CaseOp>(
            op);
    return isReduction || isPure(op) ? WalkResult::advance()
                                     : WalkResult::interrupt();
  });
  return !walk.wasInterrupted();
}

static bool isFlattenable(Operation *op) {
  bool isBranch = isa<stablehlo::IfOp, stablehlo::CaseOp>(op);
  if (!isBranch || op->getNumOperands() != 1 || op->getNumRegions() == 0)
    return false;
  auto pred = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  bool takesScalar =
      pred && pred.getRank() == 0 &&
      pred.getElementType().isInteger(isa<stablehlo::IfOp>(op) ? 1 : 32);
  return takesScalar &&
         llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>) &&
         llvm::all_of(op->getRegions(), [&](Region &branch) {
           return isSpeculatable(branch) &&
                  branch.front().getTerminator()->getOperandTypes() ==
                      op->getResultTypes();
         });
}

static void flatten(Operation *op) {
  reader::SourceBuilder b(op->getLoc(), op);
  SmallVector<SmallVector<Value>> branches;
  for (Region &branch : op->getRegions()) {
    mlir::Block &block = branch.front();
    branches.emplace_back(block.getTerminator()->getOperands());
    for (Operation &inner :
         llvm::make_early_inc_range(block.without_terminator()))
      inner.moveBefore(op);
  }
  // The last branch of a case is that of every other index.
  SmallVector<Value> results = branches.pop_back_val();
  for (size_t i = branches.size(); i-- > 0;) {
    Value isTaken = op->getOperand(0);
    if (isa<stablehlo::CaseOp>(op)) {
      Value index = b.convert(b.number(i), b.getI32Type());
      isTaken = b.compare("EQ", isTaken, index);
    }
    for (auto [result, value] : llvm::zip_equal(results, branches[i]))
      result = b.select(isTaken, value, result);
  }
  op->replaceAllUsesWith(results);
  op->erase();
}

void reader::flattenBranches(ModuleOp module) {
  SmallVector<Operation *> branches;
  module.walk([&](Operation *op) {
    if (hasComputations(op))
      for (Region &region : op->getRegions())
        region.walk([&](Operation *inner) {
          if (isa<stablehlo::IfOp, stablehlo::CaseOp>(inner) &&
              !llvm::is_contained(branches, inner))
            branches.push_back(inner);
        });
  });
  // Inner ones come first.
  for (Operation *op : branches)
    if (isFlattenable(op))
      flatten(op);
}
