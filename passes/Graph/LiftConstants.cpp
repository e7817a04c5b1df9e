//===- LiftConstants.cpp - Turn constants into arguments ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"
#include "passes/Graph/Passes.h"
#include "llvm/ADT/StringSet.h"

namespace cleave {
#define GEN_PASS_DEF_LIFTCONSTANTS
#include "passes/Graph/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

/// The value of a constant tensor; null if the op is none.
static ElementsAttr getTensor(Operation *op) {
  ElementsAttr value;
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResult(0).getType()) ||
      !matchPattern(op, m_Constant(&value)))
    return {};
  return value;
}

/// What a function without arguments returns, if it only holds constants.
static std::optional<SmallVector<ElementsAttr>>
getReturnedConstants(func::FuncOp function) {
  if (!function || !function.isPrivate() || function.isExternal() ||
      function.getNumArguments() || !function.getBody().hasOneBlock())
    return std::nullopt;
  SmallVector<ElementsAttr> values;
  for (Operation &op : function.front().without_terminator())
    if (!getTensor(&op))
      return std::nullopt;
  for (Value value : function.front().getTerminator()->getOperands())
    values.push_back(getTensor(value.getDefiningOp()));
  return values;
}

namespace {

struct LiftConstants : cleave::impl::LiftConstantsBase<LiftConstants> {
  using LiftConstantsBase::LiftConstantsBase;

  void runOnOperation() override {
    entry = graph::getEntryFunction(getOperation());
    if (!entry)
      return signalPassFailure();
    names.clear();
    for (unsigned i = 0; i < entry.getNumArguments(); ++i)
      names.insert(graph::getArgumentName(entry, i));
    SymbolTable symbols(getOperation());
    for (Operation &op : llvm::make_early_inc_range(entry.front()))
      if (auto call = dyn_cast<func::CallOp>(op))
        liftCall(call, symbols.lookup<func::FuncOp>(call.getCallee()));
      else if (ElementsAttr value = getTensor(&op))
        liftConstant(&op, value);
  }

  void liftConstant(Operation *op, ElementsAttr value) {
    auto input = op->getAttrOfType<StringAttr>("cleave.input");
    if (!input && !isLarge(value))
      return;
    lift(op->getResult(0), value, input ? input.getValue() : "constant");
    op->erase();
  }

  bool isLarge(ElementsAttr value) {
    // A broadcast of one value costs a program nothing, and patterns see it.
    return !value.isSplat() && value.getNumElements() >= minElements;
  }

  void liftCall(func::CallOp call, func::FuncOp callee) {
    auto values = getReturnedConstants(callee);
    if (!values)
      return;
    for (auto [result, value] : llvm::zip_equal(call.getResults(), *values))
      if (!result.use_empty())
        lift(result, value, call.getCallee());
    call.erase();
    if (SymbolTable::symbolKnownUseEmpty(callee, getOperation()))
      callee.erase();
  }

  void lift(Value constant, ElementsAttr value, StringRef stem) {
    std::string name = stem.str();
    for (unsigned i = 1; !names.insert(name).second; ++i)
      name = (stem + "_" + Twine(i)).str();
    Builder builder(&getContext());
    unsigned index = entry.getNumArguments();
    (void)entry.insertArgument(
        index, constant.getType(),
        builder.getDictionaryAttr(
            {builder.getNamedAttr("cleave.name", builder.getStringAttr(name)),
             builder.getNamedAttr("cleave.value", value)}),
        constant.getLoc());
    constant.replaceAllUsesWith(entry.getArgument(index));
    ++numLifted;
  }

  func::FuncOp entry;
  llvm::StringSet<> names;
};

} // namespace
