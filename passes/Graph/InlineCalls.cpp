//===- InlineCalls.cpp - Inline every called function ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_INLINECALLS
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

struct InlineCalls : cleave::impl::InlineCallsBase<InlineCalls> {
  void runOnOperation() override {
    func::FuncOp entry = graph::getEntryFunction(getOperation());
    if (!entry)
      return signalPassFailure();
    SmallVector<StringRef> active{entry.getSymName()};
    SymbolTable symbols(getOperation());
    if (failed(inlineIn(entry.getBody(), symbols, active)))
      return signalPassFailure();
    removeUncalled();
  }

  LogicalResult inlineIn(Region &region, SymbolTable &symbols,
                         SmallVector<StringRef> &active) {
    SmallVector<func::CallOp> calls;
    region.walk([&](func::CallOp call) { calls.push_back(call); });
    for (func::CallOp call : calls)
      if (failed(inlineCall(call, symbols, active)))
        return failure();
    return success();
  }

  LogicalResult inlineCall(func::CallOp call, SymbolTable &symbols,
                           SmallVector<StringRef> &active) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (!callee || callee.isExternal())
      return call.emitError()
             << "calls @" << call.getCallee() << ", which has no body";
    if (llvm::is_contained(active, call.getCallee()))
      return call.emitError() << "recursive call of @" << call.getCallee()
                              << "; a model graph must be finite";
    if (!callee.getBody().hasOneBlock())
      return callee.emitError("has several blocks; use cleave.if and "
                              "cleave.while for control flow");
    OpBuilder builder(call);
    IRMapping map;
    map.map(callee.getArguments(), call.getOperands());
    SmallVector<Operation *> clones;
    for (Operation &op : callee.front().without_terminator()) {
      Operation *clone = builder.clone(op, map);
      clone->walk([&](Operation *inner) {
        inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
      });
      clones.push_back(clone);
    }
    for (auto [result, value] : llvm::zip(
             call.getResults(), callee.front().getTerminator()->getOperands()))
      result.replaceAllUsesWith(map.lookupOrDefault(value));
    call.erase();
    ++numInlined;

    active.push_back(callee.getSymName());
    for (Operation *clone : clones) {
      if (auto inner = dyn_cast<func::CallOp>(clone)) {
        if (failed(inlineCall(inner, symbols, active)))
          return failure();
        continue;
      }
      for (Region &region : clone->getRegions())
        if (failed(inlineIn(region, symbols, active)))
          return failure();
    }
    active.pop_back();
    return success();
  }

  /// Erases private functions that neither the entry function nor another
  /// public one reaches any more.
  void removeUncalled() {
    SymbolTable symbols(getOperation());
    llvm::SmallPtrSet<Operation *, 16> reached;
    SmallVector<Operation *> pending;
    auto reach = [&](Operation *op) {
      if (reached.insert(op).second)
        pending.push_back(op);
    };
    for (Operation &op : getOperation().getOps()) {
      auto func = dyn_cast<func::FuncOp>(op);
      if (!func || !func.isPrivate())
        reach(&op);
    }
    while (!pending.empty()) {
      Operation *op = pending.pop_back_val();
      auto uses = SymbolTable::getSymbolUses(op);
      if (!uses)
        return;
      for (SymbolTable::SymbolUse use : *uses)
        if (Operation *used =
                symbols.lookup(use.getSymbolRef().getRootReference()))
          reach(used);
    }
    for (auto func :
         llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (!reached.contains(func))
        func.erase();
  }
};

} // namespace
