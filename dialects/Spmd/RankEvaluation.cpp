//===- RankEvaluation.cpp - Reference evaluation on all ranks -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankEvaluation.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;
using graph::Evaluator;
using graph::Literal;

RankEvaluation::RankEvaluation(const Evaluator &like, MeshOp meshOp)
    : mesh(toMesh(meshOp)) {
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank)
    evaluators.push_back(like.fresh());
}

LogicalResult RankEvaluation::evaluate(Region &region, ArrayRef<Literals> args,
                                       SmallVectorImpl<Literals> &results) {
  Ranks all;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    evaluators[rank].enter();
    all.push_back(rank);
  }
  return evaluateRegion(region, all, args, results);
}

LogicalResult
RankEvaluation::evaluateRegion(Region &region, ArrayRef<int64_t> ranks,
                               ArrayRef<Literals> args,
                               SmallVectorImpl<Literals> &results) {
  mlir::Block &block = region.front();
  for (auto [i, rank] : llvm::enumerate(ranks))
    for (BlockArgument arg : block.getArguments())
      evaluators[rank].bind(arg, args[i][arg.getArgNumber()]);
  for (Operation &op : block) {
    if (failed(op.hasTrait<OpTrait::IsTerminator>()
                   ? getOperands(&op, ranks, results)
                   : evaluateOp(&op, ranks)))
      return failure();
    for (int64_t rank : ranks)
      evaluators[rank].forgetAfter(&op);
  }
  return success();
}

LogicalResult RankEvaluation::evaluateOp(Operation *op,
                                         ArrayRef<int64_t> ranks) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](CollectivePermuteOp permute) {
        return evaluatePermute(permute, ranks);
      })
      .Case([&](CollectiveOpInterface collective) {
        return evaluateCollective(collective, ranks);
      })
      .Case([&](AxisIndexOp index) { return evaluateAxisIndex(index, ranks); })
      .Case([&](MaskPaddingOp mask) { return evaluateMask(mask, ranks); })
      .Case([&](graph::IfOp branch) { return evaluateIf(branch, ranks); })
      .Case([&](graph::WhileOp loop) { return evaluateWhile(loop, ranks); })
      .Case([&](func::CallOp call) { return evaluateCall(call, ranks); })
      .Case([&](ManualComputationOp manual) {
        return evaluateManual(manual, ranks);
      })
      .Default([&](Operation *) {
        for (int64_t rank : ranks)
          if (failed(evaluators[rank].evaluate(op)))
            return failure();
        return success();
      });
}

LogicalResult RankEvaluation::getOperands(Operation *op,
                                          ArrayRef<int64_t> ranks,
                                          SmallVectorImpl<Literals> &operands) {
  operands.clear();
  for (int64_t rank : ranks)
    if (failed(evaluators[rank].getOperands(op, operands.emplace_back())))
      return failure();
  return success();
}

void RankEvaluation::bindResults(Operation *op, int64_t rank,
                                 Literals &values) {
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values))
    evaluators[rank].bind(result, std::move(value));
}

LogicalResult RankEvaluation::checkMesh(Operation *op, FlatSymbolRefAttr name) {
  if (name.getValue() == mesh.name)
    return success();
  return op->emitError() << "is on mesh " << name
                         << ", but the computation runs on @" << mesh.name;
}

//===----------------------------------------------------------------------===//
// What depends on the rank
//===----------------------------------------------------------------------===//

FailureOr<bool> RankEvaluation::isPresent(Operation *op,
                                          ArrayRef<int64_t> group,
                                          ArrayRef<int64_t> ranks) {
  auto runs = [&](int64_t rank) { return llvm::binary_search(ranks, rank); };
  const auto *absent = llvm::find_if_not(group, runs);
  if (absent == group.end())
    return true;
  const auto *present = llvm::find_if(group, runs);
  if (present == group.end())
    return false;
  return op->emitError()
         << "rank " << *present << " executes it, but rank " << *absent
         << " of the same group does not: the condition of a loop or branch "
            "around it differs between them";
}

LogicalResult RankEvaluation::evaluateCollective(CollectiveOpInterface op,
                                                 ArrayRef<int64_t> ranks) {
  if (failed(checkMesh(op, op.getMeshAttr())))
    return failure();
  // Zero where no group has the rank.
  if (isa<GroupsAttr>(op.getGroups()))
    for (int64_t rank : ranks)
      evaluators[rank].bind(op->getResult(0), Literal(cast<RankedTensorType>(
                                                  op->getResult(0).getType())));
  for (const RankGroup &group : rankGroups(op, mesh)) {
    FailureOr<bool> present = isPresent(op, group, ranks);
    if (failed(present))
      return failure();
    if (!*present)
      continue;
    SmallVector<Literals> operands;
    if (failed(getOperands(op, group, operands)))
      return failure();
    Literals values;
    for (Literals &own : operands)
      values.push_back(std::move(own.front()));
    Literals results = evaluateOnGroup(op, mesh, evaluators.front(), values);
    for (auto [rank, result] : llvm::zip_equal(group, results))
      evaluators[rank].bind(op->getResult(0), std::move(result));
  }
  return success();
}

LogicalResult RankEvaluation::evaluatePermute(CollectivePermuteOp op,
                                              ArrayRef<int64_t> ranks) {
  SmallVector<Literals> operands;
  if (failed(checkMesh(op, op.getMeshAttr())) ||
      failed(getOperands(op, ranks, operands)))
    return failure();
  // Zero where no pair has the rank as its target.
  SmallVector<Literal> results(ranks.size(),
                               Literal(cast<RankedTensorType>(op.getType())));
  ArrayRef<int64_t> pairs = op.getPairs();
  for (size_t i = 0; i < pairs.size(); i += 2) {
    FailureOr<bool> present = isPresent(op, pairs.slice(i, 2), ranks);
    if (failed(present))
      return failure();
    if (*present)
      results[llvm::lower_bound(ranks, pairs[i + 1]) - ranks.begin()] =
          operands[llvm::lower_bound(ranks, pairs[i]) - ranks.begin()].front();
  }
  for (auto [rank, result] : llvm::zip_equal(ranks, results))
    evaluators[rank].bind(op.getResult(), std::move(result));
  return success();
}

LogicalResult RankEvaluation::evaluateAxisIndex(AxisIndexOp op,
                                                ArrayRef<int64_t> ranks) {
  if (failed(checkMesh(op, op.getMeshAttr())))
    return failure();
  AxisList axes = toAxisList(op.getAxes().getAxes(), mesh);
  for (int64_t rank : ranks)
    evaluators[rank].bind(
        op.getResult(),
        Literal(cast<RankedTensorType>(op.getType()),
                std::vector<int64_t>{mesh.position(rank, axes)}));
  return success();
}

LogicalResult RankEvaluation::evaluateMask(MaskPaddingOp op,
                                           ArrayRef<int64_t> ranks) {
  SmallVector<Literals> operands;
  if (failed(checkMesh(op, op.getMeshAttr())) ||
      failed(getOperands(op, ranks, operands)))
    return failure();
  auto type = cast<RankedTensorType>(op.getType());
  AxisList axes = toAxisList(op.getAxes().getAxes(), mesh);
  Literal fill = neutralLiteral(type, toKind(op.getReduction()));
  SmallVector<int64_t> zeros(type.getRank(), 0);
  for (auto [rank, own] : llvm::zip_equal(ranks, operands)) {
    Literal result = fill;
    SmallVector<int64_t> sizes(type.getShape());
    sizes[op.getDim()] = blockOf(mesh, rank, op.getSize(), axes).valid;
    result.insert(own.front().slice(zeros, sizes), zeros);
    evaluators[rank].bind(op.getResult(), std::move(result));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

LogicalResult RankEvaluation::evaluateIf(graph::IfOp op,
                                         ArrayRef<int64_t> ranks) {
  SmallVector<Literals> operands;
  if (failed(getOperands(op, ranks, operands)))
    return failure();
  for (bool taken : {true, false}) {
    Ranks subset;
    for (auto [rank, own] : llvm::zip_equal(ranks, operands))
      if (bool(own.front().ints().front()) == taken)
        subset.push_back(rank);
    if (subset.empty())
      continue;
    SmallVector<Literals> results;
    if (failed(evaluateRegion(taken ? op.getTrueBranch() : op.getFalseBranch(),
                              subset, SmallVector<Literals>(subset.size()),
                              results)))
      return failure();
    for (auto [rank, values] : llvm::zip_equal(subset, results))
      bindResults(op, rank, values);
  }
  return success();
}

LogicalResult RankEvaluation::evaluateWhile(graph::WhileOp op,
                                            ArrayRef<int64_t> ranks) {
  Ranks running(ranks);
  SmallVector<Literals> variables;
  if (failed(getOperands(op, ranks, variables)))
    return failure();
  for (int64_t iteration = 0;; ++iteration) {
    SmallVector<Literals> conditions;
    if (failed(evaluateRegion(op.getCond(), running, variables, conditions)))
      return failure();
    Ranks next;
    SmallVector<Literals> carried;
    for (auto [rank, condition, own] :
         llvm::zip_equal(running, conditions, variables)) {
      if (!condition.front().ints().front()) {
        bindResults(op, rank, own);
        continue;
      }
      next.push_back(rank);
      carried.push_back(std::move(own));
    }
    if (next.empty())
      return success();
    if (iteration == evaluators.front().getIterationLimit())
      return op.emitError("loop has not ended after ")
             << iteration << " iterations, the limit of reference evaluation";
    running = next;
    if (failed(evaluateRegion(op.getBody(), running, carried, variables)))
      return failure();
  }
}

LogicalResult RankEvaluation::evaluateCall(func::CallOp op,
                                           ArrayRef<int64_t> ranks) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  if (!callee || !callee.getBody().hasOneBlock())
    return op.emitError("no function of one block named '")
           << op.getCallee() << "'";
  if (evaluators.front().getDepth() >= Evaluator::maxCallDepth)
    return op.emitError("calls nest more than ")
           << Evaluator::maxCallDepth << " deep; recursion cannot be evaluated";
  SmallVector<Literals> operands, results;
  if (failed(getOperands(op, ranks, operands)))
    return failure();
  for (Evaluator &evaluator : evaluators)
    evaluator.enter();
  LogicalResult result =
      evaluateRegion(callee.getBody(), ranks, operands, results);
  for (Evaluator &evaluator : evaluators)
    evaluator.leave();
  if (failed(result))
    return failure();
  for (auto [rank, values] : llvm::zip_equal(ranks, results))
    bindResults(op, rank, values);
  return success();
}
