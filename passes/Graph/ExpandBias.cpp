//===- ExpandBias.cpp - Turn the bias of linear ops into an addition ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Decompose/ExpandBias.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_EXPANDBIAS
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

struct ExpandBias : cleave::impl::ExpandBiasBase<ExpandBias> {
  void runOnOperation() override {
    getOperation().walk([](graph::LinearOp op) {
      if (!op.getBias())
        return;
      OpBuilder builder(op);
      op.replaceAllUsesWith(graph::expandBias(builder, op));
      op.erase();
    });
  }
};

} // namespace
