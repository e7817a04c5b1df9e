//===- SinkCollectives.cpp - Communicate where the least is needed -*- C++ -*-//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An all_reduce or reduce_scatter may wait until after ops that are linear in
// what it sums, an all_gather until after ops that do the same on every piece.
// Which of them should wait, so that the fewest bytes are received, is planned
// for all collectives over the same axes at once (DeferralPlan.h): sums that
// meet in an addition become one, results that are smaller are communicated
// instead of operands. The sharding rules say what is linear and what can be
// done in pieces.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeferralPlan.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/ShardingRuleBuilder.h"
#include "dialects/Graph/SumOrder.h"
#include "dialects/Spmd/RankVariation.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/Pass.h"
#include "passes/Collectives/GroupTerms.h"
#include "passes/Collectives/LocalCollectives.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_SINKCOLLECTIVES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

/// Sinks collectives of one kind over the same axes in one block.
class CollectiveSink {
public:
  CollectiveSink(CollectiveOpInterface first, Mesh mesh,
                 const RankVariation &uniform)
      : mesh(std::move(mesh)), meshName(first.getMeshAttr()),
        axesAttr(AxesAttr::get(first.getContext(), first.getCollectiveAxes())),
        axes(toAxisList(first.getCollectiveAxes(), this->mesh)),
        uniform(uniform) {}
  virtual ~CollectiveSink() = default;

  /// Finds the collectives of `block` and the ops that may run before them.
  void collect(mlir::Block &block) {
    for (Operation &op : block) {
      if (isStart(&op))
        addValue(op.getResult(0));
      else if (llvm::any_of(op.getOperands(), [&](Value operand) {
                 return ids.contains(operand);
               }))
        addCandidate(&op);
    }
    findNeeded();
  }

  /// Whether a value is, or may become, incomplete, and no other use needs it.
  bool isTerm(Value value) const {
    return ids.contains(value) && value.hasOneUse();
  }

  /// Returns the bytes saved.
  FailureOr<int64_t> run() {
    DeferralPlan plan = planDeferral(graph);
    if (plan.savedBytes > 0 && failed(rewrite(plan)))
      return failure();
    return plan.savedBytes;
  }

protected:
  /// An op that may run on incomplete values.
  struct Candidate {
    Operation *op = nullptr;
    /// Operands that it then takes incomplete.
    SmallVector<unsigned, 2> taken;
    int64_t extraBytes = 0;
  };

  virtual bool isStart(Operation *op) = 0;
  virtual bool admit(Candidate &candidate) = 0;
  /// Whether `admit` wants all operands that are taken to be incomplete.
  virtual bool needsAll() = 0;
  virtual int64_t completeBytes(Value value) = 0;
  /// Bytes of what `user` makes of the complete value by another collective
  /// than `complete`; none if it needs the whole value.
  virtual std::optional<int64_t> pieceBytes(Value value, Operation *user) = 0;
  /// Whether what `user` makes of the complete value is the incomplete one.
  virtual bool takesPiece(Value value, Operation *user) { return false; }
  /// Builds an op on `operands`, those that it takes being incomplete.
  virtual FailureOr<Value> rebuild(OpBuilder &builder,
                                   const Candidate &candidate,
                                   ArrayRef<Value> operands) = 0;
  virtual Value complete(OpBuilder &builder, Value original, Value incomplete,
                         StringAttr cause) = 0;

  bool isInGraph(Value value) const { return ids.contains(value); }

  Mesh mesh;
  FlatSymbolRefAttr meshName;
  AxesAttr axesAttr;
  AxisList axes;
  const RankVariation &uniform;

private:
  unsigned addValue(Value value) {
    graph.values.push_back({completeBytes(value), 0, false});
    values.push_back(value);
    return ids[value] = graph.values.size() - 1;
  }

  void addCandidate(Operation *op) {
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

  /// Whether a use may be of the incomplete value.
  bool isTaken(OpOperand &use) {
    auto it = candidateOf.find(use.getOwner());
    return it != candidateOf.end() &&
           llvm::is_contained(candidates[it->second].taken,
                              use.getOperandNumber());
  }

  void findNeeded() {
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

  LogicalResult rewrite(const DeferralPlan &plan) {
    llvm::DenseMap<Value, Value> incomplete;
    llvm::DenseMap<Value, SmallVector<StringAttr>> causes;
    SmallVector<Operation *> old;
    for (Value value : values)
      if (!candidateOf.contains(value.getDefiningOp())) {
        auto start = cast<CollectiveOpInterface>(value.getDefiningOp());
        incomplete[value] = start.getCollectiveOperand();
        causes[value].push_back(start.getCauseAttr());
        old.push_back(start);
      }
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
        operands[taken] = incomplete.lookup(whole);
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
      result.replaceUsesWithIf(
          completed, [&](OpOperand &use) { return !isDeferred(use); });
    }
    for (Operation *op : llvm::reverse(old))
      if (op->use_empty())
        op->erase();
    return success();
  }

  DeferralGraph graph;
  /// By number of the graph's values and ops.
  SmallVector<Value> values;
  std::vector<Candidate> candidates;
  llvm::DenseMap<Value, unsigned> ids;
  llvm::DenseMap<Operation *, unsigned> candidateOf;
};

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Whether a sum over ranks may come after other sums.
static bool mayWait(CollectiveOpInterface sum) {
  Type type = sum->getResult(0).getType();
  return hasSums(type) && !(isa<FloatType>(getElementTypeOrSelf(type)) &&
                            graph::hasOrderedSums(sum));
}

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

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

struct SinkCollectives : cleave::impl::SinkCollectivesBase<SinkCollectives> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      SmallVector<mlir::Block *> blocks;
      func.walk([&](mlir::Block *block) { blocks.push_back(block); });
      for (mlir::Block *block : blocks)
        if (failed(sinkIn<AllReduceOp, ReductionSink>(func, *block)) ||
            failed(sinkIn<ReduceScatterOp, ScatterSink>(func, *block)) ||
            failed(sinkIn<AllGatherOp, GatherSink>(func, *block)))
          return signalPassFailure();
    }
  }

  template <typename OpT, typename SinkT>
  LogicalResult sinkIn(func::FuncOp func, mlir::Block &block) {
    using Key = std::tuple<Attribute, Attribute, int64_t>;
    // The first of each kind; sinking one kind leaves the others where they
    // are.
    llvm::MapVector<Key, CollectiveOpInterface> firsts;
    auto find = [&] {
      firsts.clear();
      for (auto op : block.getOps<OpT>()) {
        // Analyses are of axes.
        if (!isa<AxesAttr>(op.getGroups()))
          continue;
        int64_t dim = -1;
        if constexpr (std::is_same_v<SinkT, ScatterSink>)
          dim = op.getDim();
        firsts.try_emplace({op.getMeshAttr(), op.getGroups(), dim}, op);
      }
    };
    find();
    SmallVector<Key> keys(llvm::make_first_range(firsts));
    for (auto key : keys) {
      find();
      CollectiveOpInterface first = firsts.lookup(key);
      if (!first)
        continue;
      auto meshOp = SymbolTable::lookupNearestSymbolFrom<MeshOp>(
          first, first.getMeshAttr());
      auto sink =
          std::make_unique<SinkT>(first, toMesh(meshOp), analyse(func, meshOp));
      sink->collect(block);
      // Sums of terms that are complete and others meet only if the latter are
      // added to each other first.
      if (!std::is_same_v<SinkT, GatherSink> &&
          groupTerms(block, [&](Value value) { return sink->isTerm(value); })) {
        variation.reset();
        sink = std::make_unique<SinkT>(first, toMesh(meshOp),
                                       analyse(func, meshOp));
        sink->collect(block);
      }
      FailureOr<int64_t> saved = sink->run();
      if (failed(saved))
        return failure();
      if (*saved == 0)
        continue;
      variation.reset();
      ++numSunk;
      numBytesSaved += *saved;
    }
    return success();
  }

  /// Which values differ between ranks, until something moves.
  const RankVariation &analyse(func::FuncOp func, MeshOp meshOp) {
    if (!variation || analysed != std::pair(func, meshOp)) {
      variation.emplace(func, meshOp);
      analysed = {func, meshOp};
    }
    return *variation;
  }

  std::optional<RankVariation> variation;
  std::pair<func::FuncOp, MeshOp> analysed;
};

} // namespace
