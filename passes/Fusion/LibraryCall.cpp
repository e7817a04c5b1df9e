//===- LibraryCall.cpp - An op and its epilogue as a library call ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Fusion/LibraryCall.h"
#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cleave::fusion;
using namespace cleave::graph;

Value LibraryCall::result() const { return ops.back()->getResult(0); }

Operation *LibraryCall::next() const {
  if (!result().hasOneUse())
    return nullptr;
  Operation *user = *result().user_begin();
  return user->getBlock() == ops.back()->getBlock() ? user : nullptr;
}

Value LibraryCall::nextAddend() const {
  auto add = dyn_cast_or_null<AddOp>(next());
  if (!add)
    return Value();
  return add.getLhs() == result() ? add.getRhs() : add.getLhs();
}

void LibraryCall::takeBias(
    llvm::function_ref<StringRef(Value, ArrayRef<int64_t>)> kindOf) {
  Value addend = nextAddend();
  auto broadcast =
      addend ? addend.getDefiningOp<BroadcastInDimOp>() : BroadcastInDimOp();
  if (!broadcast || broadcast.getOperand().getDefiningOp<ConstantOp>())
    return;
  StringRef kind = kindOf(broadcast.getOperand(), broadcast.getDims());
  if (kind.empty())
    return;
  bias = kind;
  operands.push_back(broadcast.getOperand());
  Operation *add = next();
  ops.push_back(broadcast);
  ops.push_back(add);
}

/// The name of an activation, or nothing.
static StringRef nameActivation(Operation *op) {
  if (auto gelu = dyn_cast_or_null<GeluOp>(op))
    return gelu.getForm() == GeluForm::Erf ? "gelu_erf" : "gelu_tanh";
  if (isa_and_nonnull<SiluOp>(op))
    return "silu";
  return isa_and_nonnull<ReluOp>(op) ? "relu" : "";
}

bool LibraryCall::takeActivation(ArrayRef<StringRef> known) {
  Operation *user = next();
  StringRef name = nameActivation(user);
  if (name.empty() || (!known.empty() && !llvm::is_contained(known, name)))
    return false;
  activation = name;
  ops.push_back(user);
  return true;
}

void LibraryCall::takeResidual() {
  Value addend = nextAddend();
  if (!addend || addend == result() || addend.getDefiningOp<ConstantOp>() ||
      addend.getDefiningOp<BroadcastInDimOp>())
    return;
  operands.push_back(addend);
  hasResidual = true;
  ops.push_back(next());
}

void LibraryCall::outline(SymbolTable &symbols, StringRef name, unsigned number,
                          StringRef attribute) {
  Operation *last = ops.back();
  Location loc = ops.front()->getLoc();
  OpBuilder b(last);
  SmallVector<Type> types = llvm::to_vector(ValueRange(operands).getTypes());
  auto function =
      func::FuncOp::create(loc, (name + "_" + Twine(number)).str(),
                           b.getFunctionType(types, result().getType()));
  function.setPrivate();
  function->setAttr(
      attribute, b.getDictionaryAttr(
                     {b.getNamedAttr("bias", b.getStringAttr(bias)),
                      b.getNamedAttr("activation", b.getStringAttr(activation)),
                      b.getNamedAttr("residual", b.getBoolAttr(hasResidual))}));
  Block *body = function.addEntryBlock();
  symbols.insert(function);

  // An operand that appears twice is two arguments, but one value inside
  // stands for it only where it belongs.
  auto call = func::CallOp::create(b, loc, function, operands);
  b.setInsertionPointToStart(body);
  IRMapping mapping;
  for (auto [i, op] : llvm::enumerate(ops)) {
    Operation *clone = b.clone(*op, mapping);
    if (i == 0) {
      clone->setOperand(0, body->getArgument(0));
      clone->setOperand(1, body->getArgument(1));
      continue;
    }
    for (OpOperand &operand : clone->getOpOperands()) {
      if (operand.get().getParentBlock() == body &&
          operand.get().getDefiningOp())
        continue;
      bool isBias = isa<BroadcastInDimOp>(clone);
      operand.set(body->getArgument(isBias ? 2 : body->getNumArguments() - 1));
    }
  }
  func::ReturnOp::create(b, loc, mapping.lookup(result()));
  result().replaceAllUsesWith(call.getResult(0));
  for (Operation *op : llvm::reverse(ops))
    if (op->use_empty())
      op->erase();
}
