//===- PropagateShardings.cpp - Give every value one sharding -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/EntryOnMesh.h"
#include "dialects/Spmd/ManualRules.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/Pass.h"
#include "passes/Sharding/PartialConstraints.h"
#include "passes/Sharding/Passes.h"
#include "passes/Sharding/ShardingGraph.h"

namespace cleave {
#define GEN_PASS_DEF_PROPAGATESHARDINGS
#include "passes/Sharding/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// Whether an op makes its tensor from nothing but scalars.
static bool isSource(Operation *op) {
  return op && getRuled(op) && isMemoryEffectFree(op) &&
         llvm::none_of(op->getOperandTypes(), llvm::IsaPred<ShapedType>);
}

/// A source, or an op that only overwrites one (linalg.fill).
static bool isCheapToRepeat(Operation *op) {
  if (isSource(op))
    return true;
  auto fill = dyn_cast<DestinationStyleOpInterface>(op);
  return fill && getRuled(op) && isMemoryEffectFree(op) &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           return !isa<ShapedType>(operand.get().getType()) ||
                  (fill.isDpsInit(&operand) &&
                   isSource(operand.get().getDefiningOp()));
         });
}

/// Each use of a constant may want another sharding, so each gets its own.
static void repeatPerUse(func::FuncOp func) {
  SmallVector<Operation *> cheap;
  func.walk([&](Operation *op) {
    if (isOnGlobal(op) && op->getNumResults() == 1 && !op->use_empty() &&
        isCheapToRepeat(op))
      cheap.push_back(op);
  });
  // Users first, so that each repeated fill gets its own source.
  for (Operation *op : llvm::reverse(cheap))
    for (OpOperand &use : llvm::make_early_inc_range(
             llvm::drop_begin(op->getResult(0).getUses()))) {
      OpBuilder builder(op);
      use.set(builder.clone(*op)->getResult(0));
    }
}

/// Whether an op of a manual computation moves data along an axis, or tells
/// positions along it apart.
static bool actsAlong(Operation *op, StringAttr axis, const Mesh &mesh) {
  if (auto collective = dyn_cast<CollectiveOpInterface>(op))
    return !isSameAlong(collective, *mesh.find(axis.getValue()), mesh);
  AxesAttr axes;
  if (auto index = dyn_cast<AxisIndexOp>(op))
    axes = index.getAxes();
  if (auto mask = dyn_cast<MaskPaddingOp>(op))
    axes = mask.getAxes();
  return axes && llvm::any_of(axes.getAxes(), [&](AxisAttr own) {
           return own.getName() == axis;
         });
}

/// What the author of a manual computation wrote is along manual axes only:
/// along the others values are whole. (JAX has no name for these in the body;
/// XLA would act on whatever shards the partitioner happened to choose.)
static LogicalResult verifyOverManualAxes(Operation *op) {
  if (!isa<CollectiveOpInterface, AxisIndexOp, MaskPaddingOp>(op))
    return success();
  auto manual = op->getParentOfType<ManualComputationOp>();
  if (!manual || !manual.hasFreeAxes() || !manual.getMeshOp())
    return success();
  Mesh mesh = toMesh(manual.getMeshOp());
  for (auto name : manual.getFreeAxes()->getAsRange<StringAttr>())
    if (actsAlong(op, name, mesh)) {
      InFlightDiagnostic diag =
          op->emitError()
          << "acts along axis " << name
          << ", which is free in the manual computation around it";
      diag.attachNote(manual.getLoc()) << "that is here";
      return diag;
    }
  return success();
}

/// Local shapes are computed from global ones, so these must be known.
static LogicalResult verifyShardable(func::FuncOp func) {
  for (auto [index, type] : llvm::enumerate(func.getArgumentTypes()))
    if (!isa<RankedTensorType>(type))
      return func.emitError() << "argument " << index << " has type " << type
                              << "; what is sharded takes ranked tensors";
  for (auto [index, type] : llvm::enumerate(func.getResultTypes()))
    if (!isa<RankedTensorType>(type))
      return func.emitError() << "result " << index << " has type " << type
                              << "; what is sharded returns ranked tensors";
  auto isDynamic = [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && !tensor.hasStaticShape();
  };
  WalkResult walk = func.walk([&](Operation *op) {
    if (isa<ShardingConstraintOp, ReshardOp>(op) && !isOnGlobal(op)) {
      op->emitError("acts on global tensors, but is in a region without them");
      return WalkResult::interrupt();
    }
    if (isa<CollectiveOpInterface>(op) &&
        !op->getParentOfType<ManualComputationOp>()) {
      op->emitError("acts on the shards of each rank; expected it in an "
                    "spmd.manual_computation");
      return WalkResult::interrupt();
    }
    if (failed(verifyOverManualAxes(op)))
      return WalkResult::interrupt();
    if (!llvm::any_of(op->getOperandTypes(), isDynamic) &&
        !llvm::any_of(op->getResultTypes(), isDynamic))
      return WalkResult::advance();
    op->emitError("has a tensor of dynamic shape, which cannot be sharded");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

/// `"model" on dim 1 from argument 'w1' via cleave.linear`, for all axes.
static std::string describeOrigins(const ShardingGraph &graph,
                                   const PropagationValue &value,
                                   const Mesh &mesh) {
  std::string text;
  for (const AxisOrigin &origin : value.origins) {
    if (!text.empty())
      text += "; ";
    text += mesh.str(origin.axis) + " on dim " + std::to_string(origin.dim);
    if (origin.annotation < graph.annotations.size())
      text += " from " + graph.annotations[origin.annotation];
    if (origin.via)
      text += " via " + graph.ops[*origin.via]->getName().getStringRef().str();
  }
  return text;
}

namespace {

struct PropagateShardings
    : cleave::impl::PropagateShardingsBase<PropagateShardings> {
  void runOnOperation() override {
    FailureOr<EntryOnMesh> entry = getEntryOnMesh(getOperation());
    if (failed(entry) || failed(verifyShardable(entry->func)))
      return signalPassFailure();
    auto &[func, mesh] = *entry;
    repeatPerUse(func);
    ShardingGraph graph(func, mesh);
    if (mesh.numRanks() > 1)
      for (Operation *op : graph.unknown)
        op->emitWarning("op has no sharding rule; it will run replicated on "
                        "gathered operands");
    PropagationStatistics statistics = propagate(graph.graph);
    numOpVisits += statistics.opVisits;
    numConflicts += statistics.conflicts;
    if (failed(keepPartial(func, graph, mesh)))
      return signalPassFailure();
    writeBack(func, graph, mesh);
  }

  void writeBack(func::FuncOp func, ShardingGraph &graph, const Mesh &mesh) {
    std::vector<ShardingAttr> attrs;
    std::vector<StringAttr> origins;
    for (const PropagationValue &value : graph.graph.values) {
      attrs.push_back(toAttr(&getContext(), *value.sharding, mesh));
      origins.push_back(
          StringAttr::get(&getContext(), describeOrigins(graph, value, mesh)));
    }
    writeSignature(func, graph, attrs, origins);
    writeManual(func, graph, attrs);
    func.walk([&](Operation *op) {
      if (llvm::none_of(op->getResultTypes(),
                        llvm::IsaPred<RankedTensorType>) ||
          !graph.ids.count(op->getResult(0)))
        return;
      SmallVector<Attribute> shardings, texts;
      for (Value result : op->getResults()) {
        unsigned id = graph.ids.lookup(result);
        bool isTensor = isa<RankedTensorType>(result.getType());
        shardings.push_back(isTensor ? Attribute(attrs[id])
                                     : UnitAttr::get(&getContext()));
        texts.push_back(origins[id]);
      }
      op->setDiscardableAttr(SpmdDialect::kShardings,
                             ArrayAttr::get(&getContext(), shardings));
      op->setDiscardableAttr(SpmdDialect::kOrigins,
                             ArrayAttr::get(&getContext(), texts));
    });
  }

  /// A manual computation with free axes says how its inputs and results are
  /// cut over these, too.
  void writeManual(func::FuncOp func, ShardingGraph &graph,
                   ArrayRef<ShardingAttr> attrs) {
    func.walk([&](ManualComputationOp op) {
      if (!op.hasFreeAxes())
        return;
      SmallVector<Attribute> in, out;
      for (unsigned id : graph.manualInputs.lookup(op))
        in.push_back(attrs[id]);
      for (Value result : op.getResults())
        out.push_back(attrs[graph.ids.lookup(result)]);
      op.setInShardingsAttr(ArrayAttr::get(&getContext(), in));
      op.setOutShardingsAttr(ArrayAttr::get(&getContext(), out));
    });
  }

  /// All argument attributes at once: setting one rebuilds the whole list.
  void writeSignature(func::FuncOp func, ShardingGraph &graph,
                      ArrayRef<ShardingAttr> attrs,
                      ArrayRef<StringAttr> origins) {
    SmallVector<DictionaryAttr> arguments, results;
    for (BlockArgument argument : func.getArguments()) {
      NamedAttrList list(func.getArgAttrDict(argument.getArgNumber()));
      if (auto it = graph.ids.find(argument); it != graph.ids.end()) {
        list.set(SpmdDialect::kSharding, attrs[it->second]);
        list.set(SpmdDialect::kOrigins, origins[it->second]);
      }
      arguments.push_back(list.getDictionary(&getContext()));
    }
    for (auto [index, id] : llvm::enumerate(graph.results)) {
      NamedAttrList list(func.getResultAttrDict(index));
      // What is not annotated as partial is returned whole.
      ShardingAttr sharding = attrs[id];
      if (!list.get(SpmdDialect::kSharding))
        sharding = ShardingAttr::get(&getContext(), sharding.getMesh(),
                                     sharding.getDims(), {});
      list.set(SpmdDialect::kSharding, sharding);
      results.push_back(list.getDictionary(&getContext()));
    }
    func.setAllArgAttrs(arguments);
    func.setAllResultAttrs(results);
  }
};

} // namespace
