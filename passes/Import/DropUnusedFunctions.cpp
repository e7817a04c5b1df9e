//===- DropUnusedFunctions.cpp - Keep what the program runs ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Test files and exporters leave functions behind that the entry function never
// reaches. What is not run need not be supported.
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Import/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace cleave {
#define GEN_PASS_DEF_DROPUNUSEDFUNCTIONS
#include "passes/Import/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

struct DropUnusedFunctions
    : cleave::impl::DropUnusedFunctionsBase<DropUnusedFunctions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    auto main = symbols.lookup<func::FuncOp>("main");
    if (!main || main.isExternal() || main.isPrivate())
      return;
    llvm::SetVector<func::FuncOp> reached;
    reached.insert(main);
    for (size_t i = 0; i < reached.size(); ++i) {
      func::FuncOp function = reached[i];
      auto reach = [&](StringAttr name) {
        if (auto callee = symbols.lookup<func::FuncOp>(name))
          reached.insert(callee);
      };
      function.walk([&](Operation *op) {
        op->getAttrDictionary().walk(
            [&](SymbolRefAttr symbol) { reach(symbol.getRootReference()); });
        // Older programs name what a grid of processes runs by strings.
        if (isa<interpreter::RunParallelOp>(op))
          op->getAttrDictionary().walk([&](StringAttr name) { reach(name); });
      });
    }
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (!reached.contains(function)) {
        function.erase();
        ++numDropped;
      }
  }
};

} // namespace
