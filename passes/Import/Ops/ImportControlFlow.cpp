//===- ImportControlFlow.cpp - Import of loops, branches and tuples -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

static LogicalResult importWhile(ImportedOp &op) {
  auto loop = graph::WhileOp::create(op.builder, op.loc, op.flatTypes(),
                                     op.flatOperands());
  if (failed(op.importer.importClosedRegion(op.op->getRegion(0), loop.getCond(),
                                            /*isIsolated=*/false, op.loc)) ||
      failed(op.importer.importClosedRegion(op.op->getRegion(1), loop.getBody(),
                                            /*isIsolated=*/false, op.loc)))
    return failure();
  op.takeResults(loop);
  return success();
}

static LogicalResult importIf(ImportedOp &op) {
  auto branch =
      graph::IfOp::create(op.builder, op.loc, op.flatTypes(), op.operand(0));
  for (unsigned i = 0; i < 2; ++i)
    if (failed(op.importer.importClosedRegion(op.op->getRegion(i),
                                              branch->getRegion(i),
                                              /*isIsolated=*/false, op.loc)))
      return failure();
  op.takeResults(branch);
  return success();
}

/// if (index == 0) ... else if (index == 1) ... else the last branch, which is
/// also that of every index out of range.
static FailureOr<Operation *> buildBranches(ImportedOp &op, unsigned first) {
  Value number = graph::splatInt(op.builder, op.loc, op.operandType(0), first);
  Value isFirst =
      graph::compare(op.builder, op.loc, graph::ComparisonDirection::EQ,
                     op.operand(0), number);
  auto branch =
      graph::IfOp::create(op.builder, op.loc, op.flatTypes(), isFirst);
  if (failed(op.importer.importClosedRegion(op.op->getRegion(first),
                                            branch.getTrueBranch(),
                                            /*isIsolated=*/false, op.loc)))
    return failure();
  if (first + 2 == op.op->getNumRegions()) {
    if (failed(op.importer.importClosedRegion(op.op->getRegion(first + 1),
                                              branch.getFalseBranch(),
                                              /*isIsolated=*/false, op.loc)))
      return failure();
    return branch.getOperation();
  }
  OpBuilder::InsertionGuard guard(op.builder);
  op.builder.setInsertionPointToEnd(&branch.getFalseBranch().emplaceBlock());
  FailureOr<Operation *> rest = buildBranches(op, first + 1);
  if (failed(rest))
    return failure();
  graph::ReturnOp::create(op.builder, op.loc, (*rest)->getResults());
  return branch.getOperation();
}

static LogicalResult importCase(ImportedOp &op) {
  unsigned count = op.op->getNumRegions();
  if (count == 0)
    return op.error() << "'" << op.name() << "' has no branches";
  if (count == 1) {
    SmallVector<Parts> results;
    if (failed(op.importer.importRegion(op.op->getRegion(0),
                                        *op.builder.getInsertionBlock(), {},
                                        /*isIsolated=*/false, results)))
      return failure();
    if (results.size() != op.results.size())
      return op.error() << "a branch of '" << op.name() << "' has "
                        << results.size() << " results; expected "
                        << op.results.size();
    op.results = std::move(results);
    return success();
  }
  FailureOr<Operation *> branch = buildBranches(op, 0);
  if (failed(branch))
    return failure();
  op.takeResults(*branch);
  return success();
}

static LogicalResult importBarrier(ImportedOp &op) {
  if (op.operands.size() != op.results.size())
    return op.error() << "'" << op.name() << "' has " << op.results.size()
                      << " results; expected one for each operand";
  op.results = op.operands;
  return success();
}

static LogicalResult importTuple(ImportedOp &op) {
  for (const Parts &parts : op.operands)
    llvm::append_range(op.results[0], parts);
  return success();
}

static LogicalResult importGetTupleElement(ImportedOp &op) {
  int64_t index;
  if (failed(op.read("index", index)))
    return failure();
  auto tuple = dyn_cast<TupleType>(op.op->getOperand(0).getType());
  if (!tuple || index < 0 || index >= static_cast<int64_t>(tuple.size()))
    return op.error() << "no member " << index << " in "
                      << op.op->getOperand(0).getType();
  // Skip the parts of the members before.
  SmallVector<Type> before;
  for (Type member : tuple.getTypes().take_front(index))
    if (failed(op.importer.convertType(member, op.loc, before)))
      return failure();
  ArrayRef<Value> parts = op.operands[0];
  parts = parts.drop_front(before.size()).take_front(op.resultTypes[0].size());
  op.results[0].assign(parts.begin(), parts.end());
  return success();
}

/// Order follows from data alone.
static LogicalResult importToken(ImportedOp &) { return success(); }

void reader::addControlFlowImports(ImportTable &table) {
  table["stablehlo.after_all"] = importToken;
  table["stablehlo.case"] = importCase;
  table["stablehlo.create_token"] = importToken;
  table["stablehlo.get_tuple_element"] = importGetTupleElement;
  table["stablehlo.if"] = importIf;
  table["stablehlo.optimization_barrier"] = importBarrier;
  table["stablehlo.tuple"] = importTuple;
  table["stablehlo.while"] = importWhile;
}
