//===- ControlFlow.cpp - While and if -------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/Syntax/PrimitiveFormats.h"
#include "dialects/Graph/Verify/Verification.h"

using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// While
//===----------------------------------------------------------------------===//

LogicalResult WhileOp::verify() {
  TypeRange types = getOperandTypes();
  if (getResultTypes() != types)
    return emitOpError() << "has results of types " << getResultTypes()
                         << ": should be " << types << " like the operands";
  for (auto [name, region] :
       {std::pair("cond", &getCond()), {"body", &getBody()}})
    if (TypeRange(region->getArgumentTypes()) != types)
      return emitOpError() << name << " has arguments of types "
                           << region->getArgumentTypes() << ": should be "
                           << types << " like the operands";
  Type predicate = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  if (failed(checkYield(*this, "cond", getCond(), predicate)))
    return failure();
  return checkYield(*this, "body", getBody(), types);
}

void WhileOp::getAsmBlockArgumentNames(Region &region,
                                       OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, "iterArg");
}

ParseResult WhileOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseWhile(parser, result);
}

void WhileOp::print(OpAsmPrinter &printer) { printWhile(printer, *this); }

SmallVector<ShardingTie> WhileOp::getShardingTies() {
  SmallVector<ShardingTie> ties;
  Operation *yield = getBody().front().getTerminator();
  for (unsigned i = 0; i < getNumResults(); ++i) {
    ShardingTie &tie = ties.emplace_back();
    tie.values = {getResult(i), getCond().getArgument(i),
                  getBody().getArgument(i)};
    tie.sources = {&(*this)->getOpOperand(i), &yield->getOpOperand(i)};
  }
  return ties;
}

//===----------------------------------------------------------------------===//
// If
//===----------------------------------------------------------------------===//

LogicalResult IfOp::verify() {
  if (failed(checkRank(*this, "pred", getPred().getType(), 0)))
    return failure();
  for (auto [name, region] : {std::pair("true_branch", &getTrueBranch()),
                              {"false_branch", &getFalseBranch()}}) {
    if (region->getNumArguments())
      return emitOpError() << name << " has " << region->getNumArguments()
                           << " arguments: should have none";
    if (failed(checkYield(*this, name, *region, getResultTypes())))
      return failure();
  }
  return success();
}

SmallVector<ShardingTie> IfOp::getShardingTies() {
  SmallVector<ShardingTie> ties;
  Operation *yes = getTrueBranch().front().getTerminator();
  Operation *no = getFalseBranch().front().getTerminator();
  for (unsigned i = 0; i < getNumResults(); ++i) {
    ShardingTie &tie = ties.emplace_back();
    tie.values = {getResult(i)};
    tie.sources = {&yes->getOpOperand(i), &no->getOpOperand(i)};
  }
  return ties;
}

} // namespace cleave::graph
