//===- DecomposeComposites.cpp - Rewrite composites as primitives ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_DECOMPOSECOMPOSITES
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

struct DecomposeComposites
    : cleave::impl::DecomposeCompositesBase<DecomposeComposites> {
  using DecomposeCompositesBase::DecomposeCompositesBase;

  void runOnOperation() override {
    // A decomposition may build composites (attention builds a softmax), so
    // repeat until none is left.
    SmallVector<DecomposableOpInterface> pending;
    auto isPending = [&](DecomposableOpInterface op) {
      auto function = op->getParentOfType<func::FuncOp>();
      return !(function && function->hasAttr(graph::kKernelAttr)) &&
             !llvm::is_contained(keep, op->getName().stripDialect().str());
    };
    do {
      for (DecomposableOpInterface op : pending) {
        OpBuilder builder(op);
        FailureOr<SmallVector<Value>> results = op.decompose(builder);
        if (failed(results)) {
          op->emitError("has no decomposition for these types");
          return signalPassFailure();
        }
        op->replaceAllUsesWith(*results);
        op->erase();
      }
      pending.clear();
      getOperation().walk([&](DecomposableOpInterface op) {
        if (isPending(op))
          pending.push_back(op);
      });
    } while (!pending.empty());
  }
};

} // namespace
