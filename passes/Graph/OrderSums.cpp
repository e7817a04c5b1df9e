//===- OrderSums.cpp - Sums in the order of the index ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/SumOrder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_ORDERSUMS
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {
struct OrderSums : cleave::impl::OrderSumsBase<OrderSums> {
  void runOnOperation() override {
    getOperation()->setAttr(graph::kOrderedSums, UnitAttr::get(&getContext()));
  }
};
} // namespace
