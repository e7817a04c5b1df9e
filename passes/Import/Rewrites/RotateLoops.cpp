//===- RotateLoops.cpp - Loops that carry their condition -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Rewrites/RotateLoops.h"
#include "passes/Import/Rewrites/SourceBuilder.h"

using namespace mlir;
using namespace cleave;
using reader::SourceBuilder;

bool reader::hasSimpleRegions(Operation *op, unsigned variables) {
  return llvm::all_of(op->getRegions(), [&](Region &region) {
    return region.hasOneBlock() && region.getNumArguments() == variables &&
           isa<stablehlo::ReturnOp>(region.front().getTerminator());
  });
}

bool reader::isSimpleLoop(Operation *op) {
  auto returns = [&](unsigned region) {
    return op->getRegion(region).front().getTerminator()->getOperandTypes();
  };
  return isa<stablehlo::WhileOp>(op) &&
         hasSimpleRegions(op, op->getNumOperands()) && returns(0).size() == 1 &&
         returns(1) == op->getOperandTypes();
}

void reader::rotateLoop(stablehlo::WhileOp op) {
  SourceBuilder b(op.getLoc(), op);
  Region &cond = op->getRegion(0), &body = op->getRegion(1);
  Value first = b.apply(cond, op->getOperands())[0];
  SmallVector<Value> operands{first};
  llvm::append_range(operands, op->getOperands());
  TypeRange types{ValueRange(operands)};
  SmallVector<Location> locations(operands.size(), op.getLoc());
  OperationState state(op.getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  auto fill = [&](function_ref<SmallVector<Value>(ValueRange)> results) {
    OpBuilder::InsertionGuard guard(b);
    mlir::Block *block = b.createBlock(state.addRegion(), {}, types, locations);
    OperationState end(op.getLoc(), stablehlo::ReturnOp::getOperationName());
    end.addOperands(results(ValueRange(block->getArguments())));
    b.OpBuilder::create(end);
  };
  fill([](ValueRange variables) -> SmallVector<Value> {
    return {variables[0]};
  });
  fill([&](ValueRange variables) {
    SmallVector<Value> next = b.apply(body, variables.drop_front());
    next.insert(next.begin(), b.apply(cond, next)[0]);
    return next;
  });
  Operation *rotated = b.OpBuilder::create(state);
  op->replaceAllUsesWith(rotated->getResults().drop_front());
  op.erase();
}
