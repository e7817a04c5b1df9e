//===- CollectiveSink.cpp - Collectives that wait in a block --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Collectives/CollectiveSink.h"
#include "passes/Collectives/LocalCollectives.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

void CollectiveSink::collect(mlir::Block &block) {
  for (Operation &op : block) {
    if (isStart(&op))
      addValue(op.getResult(0));
    else if (llvm::any_of(op.getOperands(),
                          [&](Value operand) { return ids.contains(operand); }))
      addCandidate(&op);
  }
  findNeeded();
}

FailureOr<int64_t> CollectiveSink::run() {
  DeferralPlan plan = planDeferral(graph);
  if (plan.savedBytes > 0 && failed(rewrite(plan)))
    return failure();
  return plan.savedBytes;
}

unsigned CollectiveSink::addValue(Value value) {
  graph.values.push_back({completeBytes(value), 0, false});
  values.push_back(value);
  return ids[value] = graph.values.size() - 1;
}

void CollectiveSink::addCandidate(Operation *op) {
  Candidate candidate;
  candidate.op = op;
  if (op->getNumResults() != 1 || !admit(candidate))
    return;
  DeferralGraph::Op node;
  for (unsigned i : candidate.taken)
    node.operands.push_back(ids.lookup(op->getOperand(i)));
  node.results.push_back(addValue(op->getResult(0)));
  node.needsAll = needsAll();
  node.extraBytes = candidate.extraBytes;
  graph.ops.push_back(std::move(node));
  candidateOf[op] = candidates.size();
  candidates.push_back(std::move(candidate));
}

bool CollectiveSink::isTaken(OpOperand &use) {
  auto it = candidateOf.find(use.getOwner());
  return it != candidateOf.end() &&
         llvm::is_contained(candidates[it->second].taken,
                            use.getOperandNumber());
}

void CollectiveSink::findNeeded() {
  for (auto [value, node] : llvm::zip_equal(values, graph.values))
    for (OpOperand &use : value.getUses()) {
      if (isTaken(use))
        continue;
      if (auto bytes = pieceBytes(value, use.getOwner()))
        node.dueBytes = std::min(node.dueBytes + *bytes, node.bytes);
      else
        node.isNeeded = true;
    }
}

LogicalResult CollectiveSink::rewrite(const DeferralPlan &plan) {
  llvm::DenseMap<Value, Value> incomplete;
  llvm::DenseMap<Value, SmallVector<StringAttr>> causes;
  SmallVector<Operation *> old;
  for (Value value : values)
    if (!candidateOf.contains(value.getDefiningOp())) {
      auto start = cast<CollectiveOpInterface>(value.getDefiningOp());
      causes[value].push_back(start.getCauseAttr());
      old.push_back(start);
    }
  // What a start communicates may itself be replaced, so that it is asked late.
  auto incompleteOf = [&](Value whole) -> Value {
    if (!ids.contains(whole) || candidateOf.contains(whole.getDefiningOp()))
      return incomplete.lookup(whole);
    auto start = cast<CollectiveOpInterface>(whole.getDefiningOp());
    return start.getCollectiveOperand();
  };
  auto isDeferred = [&](OpOperand &use) {
    return isTaken(use) && plan.isDeferred[candidateOf[use.getOwner()]];
  };
  for (auto [i, candidate] : llvm::enumerate(candidates)) {
    if (!plan.isDeferred[i])
      continue;
    OpBuilder builder(candidate.op);
    Value result = candidate.op->getResult(0);
    SmallVector<Value> operands(candidate.op->getOperands());
    SmallVector<StringAttr> &cause = causes[result];
    for (unsigned taken : candidate.taken) {
      Value whole = operands[taken];
      // A complete value serves as well where not all need be incomplete.
      operands[taken] = incompleteOf(whole);
      llvm::append_range(cause, causes.lookup(whole));
    }
    FailureOr<Value> rebuilt = rebuild(builder, candidate, operands);
    if (failed(rebuilt))
      return failure();
    incomplete[result] = *rebuilt;
    old.push_back(candidate.op);
    for (Operation *user : llvm::make_early_inc_range(result.getUsers()))
      if (takesPiece(result, user)) {
        user->getResult(0).replaceAllUsesWith(*rebuilt);
        user->erase();
      }
    if (llvm::all_of(result.getUses(), isDeferred))
      continue;
    Value completed = complete(builder, result, *rebuilt, joinCauses(cause));
    result.replaceUsesWithIf(completed,
                             [&](OpOperand &use) { return !isDeferred(use); });
  }
  for (Operation *op : llvm::reverse(old))
    if (op->use_empty())
      op->erase();
  return success();
}
