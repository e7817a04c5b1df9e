//===- FrontendComputations.cpp - Manual ones kept as calls ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/FrontendComputations.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Import/Shardings/FrontendText.h"
#include "passes/Import/Shardings/ManualRegions.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;
using stablehlo::CustomCallOp;

static constexpr StringLiteral kBody = "xla.sdy.manual_computation_body";
static constexpr StringLiteral kEntry = "xla.sdy.GlobalToLocalShape";
static constexpr StringLiteral kExit = "xla.sdy.LocalToGlobalShape";

namespace {

/// A call and what is around it; null where it takes, or gives, nothing.
struct ManualCall {
  func::CallOp call;
  CustomCallOp entry, exit;

  LogicalResult find();
  template <typename T> FailureOr<T> read(StringRef name);
  LogicalResult replace(func::FuncOp body);
};

} // namespace

LogicalResult ManualCall::find() {
  if (call.getNumOperands() != 0) {
    entry = call.getOperand(0).getDefiningOp<CustomCallOp>();
    if (!entry || !isCallOf(entry, kEntry) ||
        !llvm::equal(call.getOperands(), entry->getResults()))
      return call.emitError("needs the results of one @") << kEntry;
  }
  if (call.getNumResults() != 0) {
    if (call.getResult(0).hasOneUse())
      exit = dyn_cast<CustomCallOp>(*call.getResult(0).getUsers().begin());
    if (!exit || !isCallOf(exit, kExit) ||
        !llvm::equal(call.getResults(), exit->getOperands()) ||
        !llvm::all_of(call.getResults(),
                      [](Value result) { return result.hasOneUse(); }))
      return call.emitError("must give its results to one @") << kExit;
  }
  if ((entry && entry->getNumOperands() != entry->getNumResults()) ||
      (exit && exit->getNumOperands() != exit->getNumResults()))
    return call.emitError("is between calls that give other values than they "
                          "take");
  return success();
}

/// What the text of an attribute says, of the call or one around it.
template <typename T> FailureOr<T> ManualCall::read(StringRef name) {
  for (Operation *op :
       {call.getOperation(), entry.getOperation(), exit.getOperation()})
    if (op)
      if (Attribute text = frontendEntry(op, name))
        return readTextAs<T>(op->getLoc(), name, text);
  return call.emitError("needs ") << name;
}

LogicalResult ManualCall::replace(func::FuncOp body) {
  auto in = read<sdy::ShardingPerValueAttr>("xla.sdy.in_shardings");
  if (failed(in))
    return failure();
  auto out = read<sdy::ShardingPerValueAttr>("xla.sdy.out_shardings");
  if (failed(out))
    return failure();
  auto axes = read<sdy::ManualAxesAttr>("xla.sdy.manual_axes");
  if (failed(axes))
    return failure();
  OpBuilder builder(call);
  auto manual = sdy::ManualComputationOp::create(
      builder, call.getLoc(),
      exit ? TypeRange(exit->getResultTypes()) : TypeRange(),
      entry ? ValueRange(entry->getOperands()) : ValueRange(), *in, *out,
      *axes);
  IRMapping mapping;
  body.getBody().cloneInto(&manual.getBody(), mapping);
  Operation *end = manual.getBody().front().getTerminator();
  builder.setInsertionPoint(end);
  sdy::ReturnOp::create(builder, end->getLoc(), end->getOperands());
  end->erase();
  if (exit) {
    exit->replaceAllUsesWith(manual.getResults());
    exit.erase();
  }
  call.erase();
  if (entry && entry->use_empty())
    entry.erase();
  return success();
}

/// Replaces the calls in a function, after those in what it calls.
static LogicalResult readCallsIn(func::FuncOp function, SymbolTable &symbols,
                                 llvm::DenseSet<Operation *> &done) {
  if (!done.insert(function).second)
    return success();
  SmallVector<func::CallOp> calls;
  function.walk([&](func::CallOp call) { calls.push_back(call); });
  for (func::CallOp call : calls) {
    auto callee = symbols.lookup<func::FuncOp>(call.getCallee());
    if (callee && failed(readCallsIn(callee, symbols, done)))
      return failure();
    if (!call.getCallee().starts_with(kBody))
      continue;
    if (!callee || !callee.getBody().hasOneBlock() || callee == function)
      return call.emitError("calls no computation: @") << call.getCallee();
    ManualCall manual{call, {}, {}};
    if (failed(manual.find()) || failed(manual.replace(callee)))
      return failure();
  }
  return success();
}

LogicalResult reader::readFrontendComputations(ModuleOp module) {
  SymbolTable symbols(module);
  llvm::DenseSet<Operation *> done;
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  for (func::FuncOp function : functions)
    if (failed(readCallsIn(function, symbols, done)))
      return failure();
  // One may be in another, which is gone after it.
  for (func::FuncOp function : functions)
    if (function.getSymName().starts_with(kBody) &&
        SymbolTable::symbolKnownUseEmpty(function, module))
      symbols.erase(function);
  return success();
}
