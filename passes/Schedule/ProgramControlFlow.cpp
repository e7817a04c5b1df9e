//===- ProgramControlFlow.cpp - Loops and branches on buffers -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/ProgramLowering.h"
#include "passes/Schedule/StorageOf.h"

using namespace mlir;
using namespace cleave;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

LogicalResult ProgramLowering::lowerWhile(graph::WhileOp op) {
  SmallVector<Value> variables;
  for (unsigned i = 0; i < op->getNumResults(); ++i)
    variables.push_back(makeLoopVariable(op, i));
  for (Region *region : {&op.getCond(), &op.getBody()})
    for (auto [argument, variable] :
         llvm::zip_equal(region->getArguments(), variables))
      buffers[argument] = variable;

  Value condition =
      makeBuffer(op.getLoc(), MemRefType::get({}, builder.getI1Type()));
  auto loop = exec::WhileOp::create(builder, op.getLoc(), condition);
  OpBuilder::InsertionGuard guard(builder);
  builder.createBlock(&loop.getCond());
  if (failed(lowerLoopCondition(op, condition)))
    return failure();
  builder.createBlock(&loop.getBody());
  return lowerLoopBody(op, variables);
}

Value ProgramLowering::makeLoopVariable(graph::WhileOp op, unsigned index) {
  OpOperand &init = op->getOpOperand(index);
  OpResult result = op->getResult(index);
  // The variable lives on in the buffer of its initial value if nothing else
  // reads that, and it is not wanted elsewhere.
  Value before = lookup(init.get());
  Value target = targets.lookup(result);
  if ((!target || storageOf(target) == storageOf(before)) &&
      canTakeOver(init, result)) {
    buffers[result] = before;
    return before;
  }
  Value variable = makeResultBuffer(result, before);
  copy(op.getLoc(), before, variable);
  return variable;
}

LogicalResult ProgramLowering::lowerLoopCondition(graph::WhileOp op,
                                                  Value condition) {
  Block &block = op.getCond().front();
  Value yielded = block.getTerminator()->getOperand(0);
  requestTarget(yielded, condition, &block);
  if (failed(lowerBlock(block)))
    return failure();
  settle(block.getTerminator()->getLoc(), yielded, condition);
  return success();
}

LogicalResult ProgramLowering::lowerLoopBody(graph::WhileOp op,
                                             ValueRange variables) {
  Block &block = op.getBody().front();
  Operation *terminator = block.getTerminator();
  // A new value may be written over the old one where it is made, once nothing
  // reads the old one any more.
  for (auto [yielded, argument, variable] : llvm::zip_equal(
           terminator->getOperands(), block.getArguments(), variables))
    requestTarget(yielded, variable, &block, argument);
  if (failed(lowerBlock(block)))
    return failure();

  assign(terminator, variables);
  return success();
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

LogicalResult ProgramLowering::lowerIf(graph::IfOp op) {
  SmallVector<Value> results = makeResultBuffers(op);
  Value condition = viewAs(op.getLoc(), lookup(op.getPred()),
                           MemRefType::get({}, builder.getI1Type()));
  auto branch = exec::IfOp::create(builder, op.getLoc(), condition);
  for (auto [from, to] :
       {std::pair(&op.getTrueBranch(), &branch.getThenRegion()),
        std::pair(&op.getFalseBranch(), &branch.getElseRegion())}) {
    OpBuilder::InsertionGuard guard(builder);
    builder.createBlock(to);
    Block &block = from->front();
    Operation *terminator = block.getTerminator();
    for (auto [yielded, result] :
         llvm::zip_equal(terminator->getOperands(), results))
      requestTarget(yielded, result, &block);
    if (failed(lowerBlock(block)))
      return failure();
    for (auto [yielded, result] :
         llvm::zip_equal(terminator->getOperands(), results))
      settle(terminator->getLoc(), yielded, result);
  }
  return success();
}
