//===- PullSlices.cpp - Cut values before they are communicated -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// From an all_slice or reduce_scatter upwards, through ops that do the same on
// every block, as long as nothing else needs the whole value. A slice costs
// nothing wherever it stands, so that it is moved if that saves bytes: where
// it meets an all_gather of the same pieces, there need be no gather; where it
// meets an all_reduce, a reduce_scatter does; collectives across other axes
// have less to move.
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankVariation.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Collectives/LocalCollectives.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_PULLSLICES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

/// Pulls one all_slice or reduce_scatter.
class SlicePuller {
public:
  SlicePuller(CollectiveOpInterface root, Mesh mesh, RankVariation *uniform)
      : root(root), mesh(std::move(mesh)), uniform(uniform),
        axes(toAxisList(root.getCollectiveAxes(), this->mesh)) {}

  /// Returns whether the root moved.
  FailureOr<bool> run() {
    Value operand = root.getCollectiveOperand();
    unsigned dim = *root.getCollectiveDim();
    bool sums = isa<ReduceScatterOp>(root.getOperation());
    Step &step = explore(operand, dim, sums, operand.hasOneUse());
    if (step.kind == Step::Take)
      return false;
    saved = step.saved;
    CreatedOps created;
    OpBuilder builder(root, &created);
    FailureOr<Value> piece = pull(builder, operand, dim, sums);
    if (failed(piece))
      return failure();
    root->getResult(0).replaceAllUsesWith(*piece);
    if (uniform)
      for (Operation *op : created.ops)
        if (op->getBlock() == root->getBlock())
          uniform->add(op);
    erase(root);
    for (Operation *op : replaced)
      if (op->use_empty())
        erase(op);
    return true;
  }

  int64_t savedBytes() const { return saved; }
  ArrayRef<Operation *> erasedOps() const { return erased; }

private:
  struct CreatedOps : OpBuilder::Listener {
    void notifyOperationInserted(Operation *op,
                                 OpBuilder::InsertPoint) override {
      ops.push_back(op);
    }
    std::vector<Operation *> ops;
  };

  void erase(Operation *op) {
    if (uniform)
      uniform->forget(op);
    erased.push_back(op);
    op->erase();
  }

  /// Where the piece of a value comes from.
  struct Step {
    enum Kind {
      /// It is taken from the value.
      Take,
      /// A gather made the value of pieces.
      Cancel,
      /// The op that makes the value makes it of pieces of its operands.
      Through,
    };
    Kind kind = Take;
    /// Bytes that this and all that is above save.
    int64_t saved = 0;
    FactorShardings cut;
    /// Per operand of the op: the dimension to cut, -1 for none, and whether
    /// the pieces are summed.
    SmallVector<int, 3> dims;
    SmallVector<bool, 3> sums;
  };

  //===--------------------------------------------------------------------===//
  // Exploring
  //===--------------------------------------------------------------------===//

  /// How to get the piece of a value along `dim`; if `sums`, of the sum of the
  /// ranks' values. `isOnlyUse`: nothing else uses the value.
  Step &explore(Value value, unsigned dim, bool sums, bool isOnlyUse) {
    auto [it, inserted] = steps.try_emplace(key(value, dim, sums));
    if (!inserted)
      return *it->second;
    // A step stays where it is while others are found.
    it->second = std::make_unique<Step>();
    Step &step = *it->second;
    step = find(value, dim, sums, isOnlyUse);
    return step;
  }

  Step find(Value value, unsigned dim, bool sums, bool isOnlyUse) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getBlock() != root->getBlock())
      return {};
    if (!sums)
      if (auto step = findSource(op, dim, isOnlyUse))
        return *step;
    if (!isOnlyUse)
      return {};
    Step step;
    if (actsAcross(op, axes, mesh))
      step = throughCollective(op, dim, sums);
    else if (ShardingRuleOpInterface ruled = getRuled(op))
      if (op->getNumResults() == 1)
        step = throughOp(ruled, dim, sums);
    return step.saved > 0 ? step : Step();
  }

  /// A collective over the same axes that made the value.
  std::optional<Step> findSource(Operation *op, unsigned dim, bool isOnlyUse) {
    Step step;
    auto collective = dyn_cast<CollectiveOpInterface>(op);
    if (!collective || collective.getMeshAttr() != root.getMeshAttr())
      return std::nullopt;
    auto whole = cast<RankedTensorType>(op->getResult(0).getType());
    RankedTensorType piece = pieceType(whole, dim, axes);
    if (auto gather = dyn_cast<AllGatherOp>(op)) {
      if (gather.getDim() != dim || gather.getOperand().getType() != piece ||
          gather.getGroups() != root.getGroups())
        return std::nullopt;
      step.kind = Step::Cancel;
      step.saved = isOnlyUse ? bytesOf(gather, mesh) : 0;
      return step;
    }
    if (!isOnlyUse)
      return std::nullopt;
    // What cleave-form-reduce-scatters makes of the sum and the slice, after
    // those slices of it that are there already.
    SmallVector<AxisAttr> taken(root.getCollectiveAxes());
    while (isa<AllSliceOp>(op) && isOverAxes(op) &&
           op->getOperand(0).hasOneUse()) {
      llvm::append_range(taken,
                         cast<CollectiveOpInterface>(op).getCollectiveAxes());
      op = op->getOperand(0).getDefiningOp();
      if (!op || op->getBlock() != root->getBlock())
        return std::nullopt;
    }
    auto reduce = dyn_cast<AllReduceOp>(op);
    if (!reduce || !isOverAxes(reduce) ||
        reduce.getMeshAttr() != root.getMeshAttr())
      return std::nullopt;
    SmallVector<AxisAttr> rest(reduce.getCollectiveAxes());
    for (AxisAttr axis : taken) {
      auto *at = llvm::find(rest, axis);
      if (at == rest.end())
        return std::nullopt;
      rest.erase(at);
    }
    AxisList after = toAxisList(rest, mesh), before = after;
    llvm::append_range(before, axes);
    step.saved = bytesOf(CollectiveKind::AllReduce, whole, whole, before) -
                 bytesOf(CollectiveKind::ReduceScatter, whole, piece, axes) -
                 bytesOf(CollectiveKind::AllReduce, piece, piece, after);
    return step;
  }

  Step throughCollective(Operation *op, unsigned dim, bool sums) {
    auto collective = cast<CollectiveOpInterface>(op);
    std::optional<ReductionKind> kind = collective.getCollectiveReduction();
    if (collective.getCollectiveDim() == dim ||
        collective.getCollectiveSplitDim() == dim ||
        (sums && kind && kind != ReductionKind::Sum))
      return {};
    Value operand = collective.getCollectiveOperand();
    auto result = cast<RankedTensorType>(op->getResult(0).getType());
    auto from = cast<RankedTensorType>(operand.getType());
    Step step;
    step.kind = Step::Through;
    step.dims = {static_cast<int>(dim)};
    step.sums = {sums};
    step.saved =
        bytesOf(collective, mesh) -
        bytesOf(collective.getCollectiveKind(), pieceType(from, dim, axes),
                pieceType(result, dim, axes),
                toAxisList(collective.getCollectiveAxes(), mesh)) +
        takeBytes(result, dim, sums) - takeBytes(from, dim, sums) +
        explore(operand, dim, sums, operand.hasOneUse()).saved;
    return step;
  }

  /// What taking the piece of a value of this type receives.
  int64_t takeBytes(Type type, unsigned dim, bool sums) {
    auto whole = cast<RankedTensorType>(type);
    return sums ? bytesOf(CollectiveKind::ReduceScatter, whole,
                          pieceType(whole, dim, axes), axes)
                : 0;
  }

  Step throughOp(ShardingRuleOpInterface op, unsigned dim, bool sums) {
    ShardingRule rule = op.getShardingRule();
    std::optional<FactorShardings> cut =
        cutAlong(rule, rule.results[0], dim, axes);
    if (!cut ||
        cutDim(rule, rule.results[0], *cut, axes) != static_cast<int>(dim))
      return {};
    SmallVector<int, 3> dims;
    for (const TensorFactors &factors : rule.operands) {
      std::optional<int> operandDim = cutDim(rule, factors, *cut, axes);
      if (!operandDim)
        return {};
      dims.push_back(*operandDim);
    }
    Step best;
    if (!sums)
      best = throughOperands(op, dims, {});
    for (ArrayRef<unsigned> set : rule.linear) {
      if (!sums || set.empty() || !sumsTermwise(op, set, dims))
        continue;
      Step step = throughOperands(op, dims, set);
      step.saved += takeBytes(op->getResult(0).getType(), dim, sums);
      if (step.saved > best.saved)
        best = std::move(step);
    }
    best.cut = std::move(*cut);
    return best;
  }

  /// Whether the ranks' values of the operands in `set` may be summed instead
  /// of those of the result: the others are the same on every rank.
  bool sumsTermwise(Operation *op, ArrayRef<unsigned> set, ArrayRef<int> dims) {
    for (auto [i, operand] : llvm::enumerate(op->getOperands()))
      if (llvm::is_contained(set, i) ? dims[i] < 0
                                     : !uniform->isUniform(operand, axes))
        return false;
    return true;
  }

  /// Cuts the operands of `op`, summing those in `summed`.
  Step throughOperands(Operation *op, ArrayRef<int> dims,
                       ArrayRef<unsigned> summed) {
    Step step;
    step.kind = Step::Through;
    step.dims.assign(dims.begin(), dims.end());
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      step.sums.push_back(llvm::is_contained(summed, i));
    for (OpOperand &operand : op->getOpOperands()) {
      unsigned i = operand.getOperandNumber();
      if (dims[i] < 0 || isRepetition(operand, step))
        continue;
      Value value = operand.get();
      step.saved -= takeBytes(value.getType(), dims[i], step.sums[i]);
      step.saved +=
          explore(value, dims[i], step.sums[i], wantsTheSame(operand, step))
              .saved;
    }
    return step;
  }

  static bool isSamePiece(unsigned i, unsigned j, const Step &step) {
    return step.dims[i] == step.dims[j] && step.sums[i] == step.sums[j];
  }
  /// Whether an operand before this one is the same piece.
  static bool isRepetition(OpOperand &operand, const Step &step) {
    for (unsigned i = 0; i < operand.getOperandNumber(); ++i)
      if (operand.getOwner()->getOperand(i) == operand.get() &&
          isSamePiece(i, operand.getOperandNumber(), step))
        return true;
    return false;
  }
  /// Whether all uses of the operand's value are by this op, as this piece.
  static bool wantsTheSame(OpOperand &operand, const Step &step) {
    return llvm::all_of(operand.get().getUses(), [&](OpOperand &use) {
      return use.getOwner() == operand.getOwner() &&
             isSamePiece(use.getOperandNumber(), operand.getOperandNumber(),
                         step);
    });
  }

  //===--------------------------------------------------------------------===//
  // Rewriting
  //===--------------------------------------------------------------------===//

  FailureOr<Value> pull(OpBuilder &builder, Value value, unsigned dim,
                        bool sums) {
    Value &known = pieces[key(value, dim, sums)];
    if (known)
      return known;
    auto it = steps.find(key(value, dim, sums));
    assert(it != steps.end() && "every piece that is pulled was explored");
    const Step &step = *it->second;
    FailureOr<Value> piece;
    switch (step.kind) {
    case Step::Take:
      piece = take(builder, value, dim, sums);
      break;
    case Step::Cancel:
      replaced.push_back(value.getDefiningOp());
      piece = cast<AllGatherOp>(value.getDefiningOp()).getOperand();
      break;
    case Step::Through:
      piece = pullThrough(builder, value.getDefiningOp(), step, dim);
      break;
    }
    if (succeeded(piece))
      pieces[key(value, dim, sums)] = *piece;
    return piece;
  }

  FailureOr<Value> pullThrough(OpBuilder &builder, Operation *op,
                               const Step &step, unsigned dim) {
    replaced.push_back(op);
    SmallVector<Value> operands(op->getOperands());
    for (auto [i, operand] : llvm::enumerate(operands)) {
      if (step.dims[i] < 0)
        continue;
      FailureOr<Value> piece =
          pull(builder, operand, step.dims[i], step.sums[i]);
      if (failed(piece))
        return failure();
      operand = *piece;
    }
    if (isa<CollectiveOpInterface>(op)) {
      Operation *clone = builder.clone(*op);
      clone->setOperands(operands);
      clone->getResult(0).setType(
          pieceType(op->getResult(0).getType(), dim, axes));
      return clone->getResult(0);
    }
    auto ruled = cast<ShardingRuleOpInterface>(op);
    auto results = buildOnBlock(builder, ruled, operands,
                                ruled.getShardingRule(), step.cut, mesh);
    if (failed(results))
      return failure();
    return results->front();
  }

  Value take(OpBuilder &builder, Value value, unsigned dim, bool sums) {
    auto dimAttr = builder.getI64IntegerAttr(dim);
    Type type = pieceType(value.getType(), dim, axes);
    auto axesAttr =
        AxesAttr::get(builder.getContext(), root.getCollectiveAxes());
    if (!sums)
      return AllSliceOp::create(builder, root.getLoc(), type, value, dimAttr,
                                root.getMeshAttr(), axesAttr,
                                root.getCauseAttr());
    auto scatter = cast<ReduceScatterOp>(root.getOperation());
    return ReduceScatterOp::create(
        builder, root.getLoc(), type, scatter.getReductionAttr(), value,
        dimAttr, root.getMeshAttr(), axesAttr, root.getCauseAttr());
  }

  /// A value, and twice the dimension, plus one for a sum.
  using Piece = std::pair<Value, unsigned>;
  static Piece key(Value value, unsigned dim, bool sums) {
    return {value, 2 * dim + sums};
  }

  CollectiveOpInterface root;
  Mesh mesh;
  /// For a reduce_scatter.
  RankVariation *uniform;
  AxisList axes;
  llvm::DenseMap<Piece, std::unique_ptr<Step>> steps;
  llvm::DenseMap<Piece, Value> pieces;
  /// Users before what they use.
  SmallVector<Operation *> replaced;
  SmallVector<Operation *> erased;
  int64_t saved = 0;
};

struct PullSlices : cleave::impl::PullSlicesBase<PullSlices> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (failed(runOn(func)))
        return signalPassFailure();
  }

  /// Until nothing moves: what was moved past is new, and may move itself.
  LogicalResult runOn(func::FuncOp func) {
    for (bool changed = true; changed;) {
      changed = false;
      llvm::SmallPtrSet<Operation *, 8> erased;
      std::optional<RankVariation> uniform;
      for (CollectiveOpInterface root : collectRoots(func)) {
        if (erased.contains(root))
          continue;
        auto meshOp = SymbolTable::lookupNearestSymbolFrom<MeshOp>(
            root, root.getMeshAttr());
        if (isa<ReduceScatterOp>(root) && !uniform)
          uniform.emplace(func, meshOp);
        SlicePuller puller(root, toMesh(meshOp), uniform ? &*uniform : nullptr);
        FailureOr<bool> moved = puller.run();
        if (failed(moved))
          return failure();
        if (!*moved)
          continue;
        changed = true;
        ++numPulled;
        numBytesSaved += puller.savedBytes();
        erased.insert_range(puller.erasedOps());
      }
    }
    return success();
  }

  static SmallVector<CollectiveOpInterface> collectRoots(func::FuncOp func) {
    SmallVector<CollectiveOpInterface> roots;
    func.walk([&](CollectiveOpInterface op) {
      auto scatter = dyn_cast<ReduceScatterOp>(op.getOperation());
      if (!isOverAxes(op))
        return;
      if (isa<AllSliceOp>(op) ||
          (scatter && scatter.getReduction() == Reduction::Sum))
        roots.push_back(op);
    });
    return roots;
  }
};

} // namespace
