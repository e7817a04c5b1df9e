//===- DuplicateBroadcasts.cpp - One broadcast for each user --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Fusion/IndexAlignment.h"
#include "passes/Fusion/KernelClusters.h"
#include "passes/Fusion/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_DUPLICATEBROADCASTS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

/// Whether the result is made from less than has to be read to share it.
static bool repeatsElements(Operation *op) {
  if (auto broadcast = dyn_cast<BroadcastInDimOp>(op))
    return typeOf(broadcast.getOperand()).getNumElements() <
           broadcast.getType().getNumElements();
  return isa<IotaOp>(op);
}

/// Whether the user computes what it reads of the operand where it reads it.
static bool canCompute(OpOperand &use) {
  Operation *user = use.getOwner();
  return fusion::isKernelOp(user) && !fusion::needsWhole(use) &&
         !isa<OwnKernelOpInterface, LibraryKernelOpInterface>(user);
}

namespace {
struct DuplicateBroadcasts
    : public cleave::impl::DuplicateBroadcastsBase<DuplicateBroadcasts> {
  using DuplicateBroadcastsBase::DuplicateBroadcastsBase;

  void runOnOperation() override {
    SmallVector<Operation *> sources;
    getOperation().walk([&](Operation *op) {
      if (repeatsElements(op))
        sources.push_back(op);
    });
    // Users first: what a copy reads may be a broadcast, too.
    for (Operation *source : llvm::reverse(sources))
      copyForUsers(source);
  }

private:
  void copyForUsers(Operation *source) {
    Value shared = source->getResult(0);
    for (OpOperand &use : llvm::make_early_inc_range(shared.getUses())) {
      if (shared.hasOneUse() || !canCompute(use))
        continue;
      OpBuilder builder(use.getOwner());
      use.set(builder.clone(*source)->getResult(0));
      ++numCopies;
    }
  }
};
} // namespace
