//===- ProgramInPlace.cpp - Values that take over buffers -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A result takes over the buffer of an operand if
//  - its op can write it there (`replacementOf`),
//  - the operand was made in the same block, so that no other iteration and no
//    other branch sees it, and is no constant or input that is not donated,
//  - nothing reads the operand afterwards (`endsAt`), and
//  - no value that is to be written to that buffer later is made before the
//    last use of the result.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "passes/Schedule/ProgramLowering.h"
#include "passes/Schedule/StorageOf.h"

using namespace mlir;
using namespace cleave;

/// The mark of the kernel's argument that `operand` of a call is.
static IntegerAttr markOf(OpOperand &operand, StringRef name,
                          SymbolTable &symbols) {
  auto call = dyn_cast<func::CallOp>(operand.getOwner());
  auto kernel =
      call ? symbols.lookup<func::FuncOp>(call.getCallee()) : func::FuncOp();
  if (!kernel || !kernel->hasAttr(graph::kKernelAttr))
    return {};
  return kernel.getArgAttrOfType<IntegerAttr>(operand.getOperandNumber(), name);
}

OpResult ProgramLowering::replacementOf(OpOperand &operand) {
  Operation *op = operand.getOwner();
  if (isa<graph::WhileOp>(op))
    return op->getResult(operand.getOperandNumber());
  for (StringRef name : {graph::kUpdatedByAttr, graph::kOverwrittenByAttr})
    if (IntegerAttr result = markOf(operand, name, symbols))
      return op->getResult(result.getInt());
  return {};
}

bool ProgramLowering::isUpdate(OpOperand &operand) {
  return isa<graph::WhileOp>(operand.getOwner()) ||
         markOf(operand, graph::kUpdatedByAttr, symbols);
}

bool ProgramLowering::endsAt(Value value, OpResult result) {
  Operation *op = result.getOwner();
  bool isReplaced = false;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    for (OpOperand &use : worklist.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (auto reshape = dyn_cast<graph::ReshapeOp>(user)) {
        worklist.push_back(reshape.getResult());
      } else if (user == op) {
        // A second operand would be read while the first is overwritten.
        if (isReplaced || replacementOf(use) != result)
          return false;
        isReplaced = true;
      } else {
        Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
        if (!ancestor || !ancestor->isBeforeInBlock(op))
          return false;
      }
    }
  }
  return true;
}

/// Whether `value` is made anew each time its block runs. (The condition of a
/// loop leaves its variables to the body.)
static bool isMadeIn(Value value, Block *block) {
  if (value.getParentBlock() != block)
    return false;
  Operation *parent = block->getParentOp();
  auto loop = dyn_cast<graph::WhileOp>(parent);
  return value.getDefiningOp() || isa<func::FuncOp>(parent) ||
         (loop && block->getParent() == &loop.getBody());
}

bool ProgramLowering::canTakeOver(OpOperand &operand, OpResult result) {
  Block *block = result.getOwner()->getBlock();
  Value before = throughReshapes(operand.get());
  Value storage = storageOf(lookup(operand.get()));
  if (replacementOf(operand) != result || !isMadeIn(before, block) ||
      storage.getDefiningOp<exec::ConstantOp>() || readOnly.contains(storage) ||
      !endsAt(before, result))
    return false;
  // Values of blocks around this one are made after all of it.
  return llvm::all_of(targets, [&](auto &entry) {
    auto [other, target] = entry;
    return other == result || storageOf(target) != storage ||
           buffers.contains(other) || other.getParentBlock() != block ||
           endsAt(result, cast<OpResult>(other));
  });
}

OpOperand *ProgramLowering::findReplaced(func::CallOp call, OpResult result) {
  Value target = targets.lookup(result);
  for (OpOperand &operand : call->getOpOperands()) {
    bool isWanted = target
                        ? storageOf(target) == storageOf(lookup(operand.get()))
                        : isUpdate(operand);
    if (isWanted && canTakeOver(operand, result))
      return &operand;
  }
  return nullptr;
}

/// Copies what `result` is an update of to the buffer of `result`.
OpOperand *ProgramLowering::copyUpdated(func::CallOp call, OpResult result) {
  for (OpOperand &operand : call->getOpOperands()) {
    if (replacementOf(operand) != result || !isUpdate(operand))
      continue;
    copy(call.getLoc(), lookup(operand.get()),
         makeResultBuffer(result, lookup(call.getOperands())));
    return &operand;
  }
  return nullptr;
}

FlatSymbolRefAttr ProgramLowering::inPlaceForm(func::FuncOp kernel,
                                               ArrayRef<int64_t> replaced) {
  std::string name = kernel.getSymName().str() + "_in_place";
  for (int64_t argument : replaced)
    name += argument < 0 ? "_none" : "_" + std::to_string(argument);
  auto attribute = builder.getDenseI64ArrayAttr(replaced);
  auto form = symbols.lookup<func::FuncOp>(name);
  if (!form || form->getAttr(graph::kInPlaceAttr) != attribute) {
    form = kernel.clone();
    form.setSymName(name);
    form->setAttr(graph::kInPlaceAttr, attribute);
    symbols.insert(form, std::next(kernel->getIterator()));
  }
  return FlatSymbolRefAttr::get(form);
}

LogicalResult ProgramLowering::lowerLaunch(func::CallOp call,
                                           func::FuncOp kernel) {
  SmallVector<Value> operands = lookup(call.getOperands()), outputs;
  SmallVector<int64_t> replaced, updated;
  for (OpResult result : call->getResults()) {
    OpOperand *operand = findReplaced(call, result);
    if (operand) {
      buffers[result] = operands[operand->getOperandNumber()];
      ++numInPlace;
    } else if (kernel->hasAttr(graph::kUpdatesInPlaceAttr)) {
      operand = copyUpdated(call, result);
    }
    replaced.push_back(operand ? int64_t(operand->getOperandNumber()) : -1);
    if (operand)
      updated.push_back(outputs.size());
    else
      makeResultBuffer(result, operands);
    outputs.push_back(lookup(result));
  }
  // Written as well, and dead after the launch.
  if (auto types = kernel->getAttrOfType<ArrayAttr>(graph::kWorkspaceAttr))
    for (Type type : types.getAsValueRange<TypeAttr>())
      outputs.push_back(makeBuffer(call.getLoc(), bufferType(type)));

  FlatSymbolRefAttr callee = call.getCalleeAttr();
  DenseI64ArrayAttr updatedAttr;
  SmallVector<Value> inputs;
  for (auto [index, operand] : llvm::enumerate(operands))
    if (!llvm::is_contained(replaced, static_cast<int64_t>(index)))
      inputs.push_back(operand);
  if (!updated.empty()) {
    callee = inPlaceForm(kernel, replaced);
    updatedAttr = builder.getDenseI64ArrayAttr(updated);
  }
  exec::LaunchOp::create(builder, call.getLoc(), callee, inputs, outputs,
                         updatedAttr);
  return success();
}
