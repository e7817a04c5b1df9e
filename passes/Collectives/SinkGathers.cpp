//===- SinkGathers.cpp - Gathers that wait --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "passes/Collectives/CollectiveSink.h"
#include "passes/Collectives/LocalCollectives.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

class GatherSink : public CollectiveSink {
public:
  using CollectiveSink::CollectiveSink;

private:
  bool isStart(Operation *op) override {
    auto gather = dyn_cast<AllGatherOp>(op);
    if (!gather || gather.getMeshAttr() != meshName ||
        gather.getGroups() != axesAttr)
      return false;
    dimOf[gather] = gather.getDim();
    return true;
  }

  /// An op that does the same on every piece, if the rest is the same on all
  /// ranks that have one.
  bool admit(Candidate &candidate) override {
    Operation *op = candidate.op;
    if (actsAcross(op, axes, mesh))
      return admitCollective(candidate);
    ShardingRuleOpInterface ruled = getRuled(op);
    if (!ruled || isa<ShardingTieOpInterface>(op))
      return false;
    ShardingRule rule = ruled.getShardingRule();
    for (auto [operand, factors] :
         llvm::zip_equal(op->getOperands(), rule.operands)) {
      if (!isInGraph(operand))
        continue;
      auto cut = cutAlong(rule, factors, dimOf.lookup(operand), axes);
      if (cut && admitCut(candidate, rule, *cut)) {
        cutOf[op] = {std::move(rule), std::move(*cut)};
        return true;
      }
    }
    return false;
  }

  bool admitCollective(Candidate &candidate) {
    auto op = cast<CollectiveOpInterface>(candidate.op);
    Value operand = op.getCollectiveOperand();
    unsigned dim = dimOf.lookup(operand);
    if (op.getCollectiveDim() == dim || op.getCollectiveSplitDim() == dim)
      return false;
    RankedTensorType from = pieceType(operand.getType(), dim, axes);
    RankedTensorType to = pieceType(op->getResult(0).getType(), dim, axes);
    candidate.taken = {0};
    candidate.extraBytes = bytesOf(op.getCollectiveKind(), from, to,
                                   toAxisList(op.getCollectiveAxes(), mesh)) -
                           bytesOf(op, mesh);
    dimOf[op->getResult(0)] = dim;
    return true;
  }

  bool admitCut(Candidate &candidate, const ShardingRule &rule,
                const FactorShardings &cut) {
    Operation *op = candidate.op;
    std::optional<int> resultDim = cutDim(rule, rule.results[0], cut, axes);
    if (!resultDim || *resultDim < 0)
      return false;
    SmallVector<unsigned, 2> taken;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      std::optional<int> dim = cutDim(rule, rule.operands[i], cut, axes);
      if (!dim)
        return false;
      if (*dim >= 0 && isInGraph(operand) &&
          dimOf.lookup(operand) == static_cast<unsigned>(*dim))
        taken.push_back(i);
      else if (!uniform.isUniform(operand, axes))
        return false;
    }
    candidate.taken = std::move(taken);
    dimOf[op->getResult(0)] = *resultDim;
    return true;
  }
  bool needsAll() override { return false; }

  int64_t completeBytes(Value value) override {
    auto type = cast<RankedTensorType>(value.getType());
    return bytesOf(CollectiveKind::AllGather,
                   pieceType(type, dimOf.lookup(value), axes), type, axes);
  }
  /// The pieces themselves cost nothing.
  std::optional<int64_t> pieceBytes(Value value, Operation *user) override {
    return takesPiece(value, user) ? std::optional<int64_t>(0) : std::nullopt;
  }
  bool takesPiece(Value value, Operation *user) override {
    auto slice = dyn_cast<AllSliceOp>(user);
    return slice && slice.getMeshAttr() == meshName &&
           slice.getGroups() == axesAttr &&
           slice.getDim() == dimOf.lookup(value);
  }

  /// What is whole, though it could have been incomplete, is cut before its
  /// use.
  Value slice(OpBuilder &builder, Operation *user, Value whole, unsigned dim) {
    return AllSliceOp::create(
        builder, user->getLoc(), pieceType(whole.getType(), dim, axes), whole,
        builder.getI64IntegerAttr(dim), meshName, axesAttr, StringAttr());
  }

  FailureOr<Value> rebuild(OpBuilder &builder, const Candidate &candidate,
                           ArrayRef<Value> operands) override {
    Operation *op = candidate.op;
    if (isa<CollectiveOpInterface>(op)) {
      Value whole = op->getOperand(0), result = op->getResult(0);
      Value piece = operands[0]
                        ? operands[0]
                        : slice(builder, op, whole, dimOf.lookup(whole));
      Operation *clone = builder.clone(*op);
      clone->setOperands(piece);
      clone->getResult(0).setType(
          pieceType(result.getType(), dimOf.lookup(result), axes));
      return clone->getResult(0);
    }
    const auto &[rule, cut] = cutOf.find(op)->second;
    SmallVector<Value> pieces(operands);
    for (auto [i, piece] : llvm::enumerate(pieces)) {
      int dim = *cutDim(rule, rule.operands[i], cut, axes);
      if (!piece)
        piece = op->getOperand(i);
      if (dim >= 0 && piece == op->getOperand(i))
        piece = slice(builder, op, piece, dim);
    }
    auto results = buildOnBlock(builder, cast<ShardingRuleOpInterface>(op),
                                pieces, rule, cut, mesh);
    if (failed(results))
      return failure();
    return results->front();
  }
  Value complete(OpBuilder &builder, Value original, Value incomplete,
                 StringAttr cause) override {
    return AllGatherOp::create(
        builder, original.getLoc(), original.getType(), incomplete,
        builder.getI64IntegerAttr(dimOf.lookup(original)), meshName, axesAttr,
        cause);
  }

  /// The dimension that the pieces of a value cut.
  llvm::DenseMap<Value, unsigned> dimOf;
  llvm::DenseMap<Operation *, std::pair<ShardingRule, FactorShardings>> cutOf;
};

} // namespace

std::unique_ptr<CollectiveSink>
cleave::sinkGathers(CollectiveOpInterface first, Mesh mesh,
                    const RankVariation &uniform) {
  return std::make_unique<GatherSink>(first, std::move(mesh), uniform);
}
