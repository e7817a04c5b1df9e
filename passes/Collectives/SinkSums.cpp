//===- SinkSums.cpp - Sums over ranks that wait ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Graph/SumOrder.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Collectives/CollectiveSink.h"
#include "passes/Collectives/LocalCollectives.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// Whether a sum over ranks may come after other sums.
static bool mayWait(CollectiveOpInterface sum) {
  Type type = sum->getResult(0).getType();
  return hasSums(type) && !(isa<FloatType>(getElementTypeOrSelf(type)) &&
                            graph::hasOrderedSums(sum));
}

namespace {

class ReductionSink : public CollectiveSink {
public:
  using CollectiveSink::CollectiveSink;

private:
  bool isStart(Operation *op) override {
    auto reduce = dyn_cast<AllReduceOp>(op);
    return reduce && reduce.getReduction() == Reduction::Sum &&
           reduce.getMeshAttr() == meshName && reduce.getGroups() == axesAttr &&
           mayWait(reduce);
  }

  /// An op that is linear in what is summed, if the rest is the same on all
  /// ranks that are summed over.
  bool admit(Candidate &candidate) override {
    Operation *op = candidate.op;
    if (actsAcross(op, axes, mesh)) {
      auto collective = cast<CollectiveOpInterface>(op);
      std::optional<ReductionKind> kind = collective.getCollectiveReduction();
      candidate.taken = {0};
      return !kind || kind == ReductionKind::Sum;
    }
    ShardingRuleOpInterface ruled = getRuled(op);
    if (!ruled || isa<ShardingTieOpInterface>(op))
      return false;
    for (ArrayRef<unsigned> set : ruled.getShardingRule().linear)
      if (admitLinear(candidate, set))
        return true;
    return false;
  }

  bool admitLinear(Candidate &candidate, ArrayRef<unsigned> set) {
    candidate.taken.clear();
    for (auto [i, operand] : llvm::enumerate(candidate.op->getOperands())) {
      if (!llvm::is_contained(set, i)) {
        if (!uniform.isUniform(operand, axes))
          return false;
        continue;
      }
      if (isInGraph(operand))
        candidate.taken.push_back(i);
      else if (!isZero(operand))
        return false;
    }
    return !candidate.taken.empty();
  }

  /// Zero is the sum of zeros: what masks put in place of padding.
  static bool isZero(Value value) {
    while (auto broadcast = value.getDefiningOp<graph::BroadcastInDimOp>())
      value = broadcast.getOperand();
    return isConstant(value, 0);
  }
  bool needsAll() override { return true; }

  int64_t completeBytes(Value value) override {
    auto type = cast<RankedTensorType>(value.getType());
    return bytesOf(CollectiveKind::AllReduce, type, type, axes);
  }
  /// A piece of a sum takes a reduce_scatter.
  std::optional<int64_t> pieceBytes(Value value, Operation *user) override {
    auto slice = dyn_cast<AllSliceOp>(user);
    if (!slice || slice.getMeshAttr() != meshName ||
        slice.getGroups() != axesAttr)
      return std::nullopt;
    return bytesOf(CollectiveKind::ReduceScatter,
                   cast<RankedTensorType>(value.getType()),
                   cast<RankedTensorType>(slice.getType()), axes);
  }

  FailureOr<Value> rebuild(OpBuilder &builder, const Candidate &candidate,
                           ArrayRef<Value> operands) override {
    Operation *clone = builder.clone(*candidate.op);
    clone->setOperands(operands);
    return clone->getResult(0);
  }
  Value complete(OpBuilder &builder, Value original, Value incomplete,
                 StringAttr cause) override {
    return AllReduceOp::create(
        builder, original.getLoc(), original.getType(),
        ReductionAttr::get(builder.getContext(), Reduction::Sum), incomplete,
        meshName, axesAttr, cause);
  }
};

/// Terms of which each rank gets its piece of the sum: what waits runs on the
/// whole terms, so that nothing but terms may take part.
class ScatterSink : public CollectiveSink {
public:
  ScatterSink(CollectiveOpInterface first, Mesh mesh,
              const RankVariation &uniform)
      : CollectiveSink(first, std::move(mesh), uniform),
        dim(*first.getCollectiveDim()) {}

private:
  bool isStart(Operation *op) override {
    auto scatter = dyn_cast<ReduceScatterOp>(op);
    if (!scatter || scatter.getReduction() != Reduction::Sum ||
        scatter.getMeshAttr() != meshName || scatter.getGroups() != axesAttr ||
        scatter.getDim() != dim || !mayWait(scatter))
      return false;
    extentOf[scatter] =
        cast<RankedTensorType>(scatter.getOperand().getType()).getDimSize(dim);
    return true;
  }

  /// An op that is linear in all of its operands and does the same to every
  /// element.
  bool admit(Candidate &candidate) override {
    Operation *op = candidate.op;
    ShardingRuleOpInterface ruled = getRuled(op);
    if (!ruled || isa<ShardingTieOpInterface>(op))
      return false;
    ShardingRule rule = ruled.getShardingRule();
    if (rule.priority != ShardingRule::Priority::Elementwise)
      return false;
    auto all = llvm::to_vector<2>(llvm::seq<unsigned>(op->getNumOperands()));
    if (!llvm::is_contained(rule.linear, all))
      return false;
    for (auto [operand, factors] :
         llvm::zip_equal(op->getOperands(), rule.operands))
      if (!isInGraph(operand) || factors.dims != rule.results[0].dims ||
          extentOf.lookup(operand) != extentOf.lookup(op->getOperand(0)))
        return false;
    candidate.taken.assign(all.begin(), all.end());
    extentOf[op->getResult(0)] = extentOf.lookup(op->getOperand(0));
    return true;
  }
  bool needsAll() override { return true; }

  RankedTensorType wholeType(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] = extentOf.lookup(value);
    return RankedTensorType::get(shape, type.getElementType());
  }
  int64_t completeBytes(Value value) override {
    return bytesOf(CollectiveKind::ReduceScatter, wholeType(value),
                   cast<RankedTensorType>(value.getType()), axes);
  }
  std::optional<int64_t> pieceBytes(Value, Operation *) override {
    return std::nullopt;
  }

  FailureOr<Value> rebuild(OpBuilder &builder, const Candidate &candidate,
                           ArrayRef<Value> operands) override {
    Operation *clone = builder.clone(*candidate.op);
    clone->setOperands(operands);
    clone->getResult(0).setType(wholeType(candidate.op->getResult(0)));
    return clone->getResult(0);
  }
  Value complete(OpBuilder &builder, Value original, Value incomplete,
                 StringAttr cause) override {
    return ReduceScatterOp::create(
        builder, original.getLoc(), original.getType(),
        ReductionAttr::get(builder.getContext(), Reduction::Sum), incomplete,
        builder.getI64IntegerAttr(dim), meshName, axesAttr, cause);
  }

  unsigned dim;
  /// How long the terms of a value are along `dim`.
  llvm::DenseMap<Value, int64_t> extentOf;
};

} // namespace

std::unique_ptr<CollectiveSink> cleave::sinkSums(CollectiveOpInterface first,
                                                 Mesh mesh,
                                                 const RankVariation &uniform) {
  return std::make_unique<ReductionSink>(first, std::move(mesh), uniform);
}

std::unique_ptr<CollectiveSink>
cleave::sinkScatteredSums(CollectiveOpInterface first, Mesh mesh,
                          const RankVariation &uniform) {
  return std::make_unique<ScatterSink>(first, std::move(mesh), uniform);
}
