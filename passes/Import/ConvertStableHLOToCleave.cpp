//===- ConvertStableHLOToCleave.cpp - Rebuild functions of StableHLO ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "passes/Import/Importer.h"
#include "passes/Import/Passes.h"
#include "passes/Import/Rewrites/CarryProbes.h"
#include "passes/Import/Rewrites/CloseRegions.h"
#include "passes/Import/Rewrites/Computations.h"
#include "passes/Import/Rewrites/FlattenBranches.h"
#include "passes/Import/Shardings/ProcessGroups.h"

namespace cleave {
#define GEN_PASS_DEF_CONVERTSTABLEHLOTOCLEAVE
#include "passes/Import/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

static bool isSource(Operation *op) {
  StringRef dialect = op->getName().getDialectNamespace();
  return dialect == "stablehlo" || dialect == "chlo" || dialect == "check" ||
         dialect == "interpreter";
}

/// Whether a function has expectations.
static bool checksValues(func::FuncOp function) {
  return function
      .walk([](Operation *op) {
        return isa_and_nonnull<check::CheckDialect>(op->getDialect())
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Functions may pass on complex numbers, tuples and tokens without an op.
static bool hasForeignType(func::FuncOp function) {
  auto isForeign = [](Type type) {
    if (isa<TupleType, stablehlo::TokenType>(type))
      return true;
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && isa<ComplexType>(tensor.getElementType());
  };
  return llvm::any_of(function.getArgumentTypes(), isForeign) ||
         llvm::any_of(function.getResultTypes(), isForeign);
}

namespace {

struct ConvertStableHLOToCleave
    : cleave::impl::ConvertStableHLOToCleaveBase<ConvertStableHLOToCleave> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool isNeeded = false;
    WalkResult walk = module.walk([&](Operation *op) {
      if (auto function = dyn_cast<func::FuncOp>(op))
        isNeeded |= hasForeignType(function);
      if (!isSource(op))
        return WalkResult::advance();
      isNeeded = true;
      if (op->isRegistered() &&
          isa<stablehlo::StableHLODialect, chlo::ChloDialect,
              check::CheckDialect, interpreter::InterpreterDialect>(
              op->getDialect()))
        return WalkResult::advance();
      op->emitError() << "'" << op->getName()
                      << "' was not read by Cleave's dialects; load them "
                         "instead of others of these names";
      return WalkResult::interrupt();
    });
    if (walk.wasInterrupted())
      return signalPassFailure();
    if (!isNeeded)
      return;
    hidePrograms();
    hideCalledFunctions();
    joinChecks();
    func::FuncOp entry = graph::getEntryFunction(module);
    if (!entry || failed(reader::carryProbesOutOfRegions(entry)))
      return signalPassFailure();
    // Where the entry function calls them they check as a part of it.
    for (auto function : module.getOps<func::FuncOp>())
      if (function != entry && checksValues(function))
        function.setPrivate();
    reader::flattenBranches(module);
    reader::expandComputations(module);
    reader::closeRegions(module);
    reader::Importer importer(module);
    for (auto function : module.getOps<func::FuncOp>())
      if ((function == entry || !function.isPrivate()) &&
          failed(importer.importFunction(function, function == entry)))
        return signalPassFailure();
    importer.replaceFunctions();
    removeUncalled(entry);
    // Collectives name ranks now.
    module.walk(
        [](spmd::ManualComputationOp op) { op->removeAttr(reader::kDevices); });
  }

  /// What a grid of processes or a custom call runs is no entry of its own.
  void hidePrograms() {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    module.walk([&](stablehlo::CustomCallOp op) {
      if (Attribute names = op->getAttr("called_computations"))
        names.walk([&](FlatSymbolRefAttr name) {
          if (auto function = symbols.lookup<func::FuncOp>(name.getAttr()))
            function.setPrivate();
        });
    });
    module.walk([&](interpreter::RunParallelOp op) {
      // Names are symbols, or strings in older programs.
      for (StringRef list : {"programs", "infeed"})
        if (Attribute names = op->getAttr(list))
          names.walk([&](StringAttr name) {
            if (auto function = symbols.lookup<func::FuncOp>(name))
              function.setPrivate();
          });
    });
  }

  /// Where no function is called main, those that others call are no
  /// candidates for the entry function.
  void hideCalledFunctions() {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> open;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isPrivate() && !function.isExternal())
        open.push_back(function);
    if (open.size() < 2 || llvm::any_of(open, [](func::FuncOp function) {
          return function.getSymName() == "main";
        }))
      return;
    SmallVector<func::FuncOp> called;
    for (func::FuncOp function : open)
      if (auto uses = SymbolTable::getSymbolUses(function, module);
          uses && !uses->empty())
        called.push_back(function);
    if (called.size() == open.size())
      return;
    for (func::FuncOp function : called)
      function.setPrivate();
  }

  /// Several functions that only check something become one that calls them.
  void joinChecks() {
    ModuleOp module = getOperation();
    SmallVector<func::FuncOp> open;
    for (auto function : module.getOps<func::FuncOp>())
      if (!function.isPrivate() && !function.isExternal())
        open.push_back(function);
    auto onlyChecks = [](func::FuncOp function) {
      return checksValues(function) && function.getNumArguments() == 0 &&
             function.getNumResults() == 0 && function.getSymName() != "main";
    };
    if (open.size() < 2 || !llvm::all_of(open, onlyChecks))
      return;
    OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
    auto entry = func::FuncOp::create(builder, module.getLoc(), "main",
                                      builder.getFunctionType({}, {}));
    builder.setInsertionPointToStart(entry.addEntryBlock());
    for (func::FuncOp function : open) {
      func::CallOp::create(builder, function.getLoc(), function);
      function.setPrivate();
    }
    func::ReturnOp::create(builder, module.getLoc());
  }

  /// Calls have been replaced by what they call.
  void removeUncalled(func::FuncOp entry) {
    ModuleOp module = getOperation();
    for (bool isDone = false; !isDone;) {
      isDone = true;
      for (auto function :
           llvm::make_early_inc_range(module.getOps<func::FuncOp>())) {
        if (function == entry || !function.isPrivate() ||
            !SymbolTable::symbolKnownUseEmpty(function, module))
          continue;
        function.erase();
        isDone = false;
      }
    }
  }
};

} // namespace
