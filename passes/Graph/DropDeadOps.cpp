//===- DropDeadOps.cpp - Remove what no result depends on -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters leave values behind that nothing uses. They would ask for shardings
// and collectives of their own, which are explained but never run, since the
// phases after fusion drop them.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "passes/Graph/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_DROPDEADOPS
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;

namespace {

struct DropDeadOps : cleave::impl::DropDeadOpsBase<DropDeadOps> {
  void runOnOperation() override {
    // Users come before what they use.
    getOperation()->walk<WalkOrder::PostOrder, ReverseIterator>(
        [&](Operation *op) {
          if (op == getOperation() || !isOpTriviallyDead(op))
            return;
          op->erase();
          ++numDropped;
        });
  }
};

} // namespace
