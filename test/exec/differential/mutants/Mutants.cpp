//===- Mutants.cpp - Faults that tests must find --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/exec/differential/mutants/Mutants.h"
#include "dialects/Exec/ExecDialect.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;
using namespace cleave::differential;

/// Whether a model says itself that it wants the op, for no reason that a test
/// could miss.
static bool isOfModel(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective && collective.getCauseAttr() &&
         collective.getCauseAttr().getValue() == "written in the model";
}

/// A random one of the ops that `fits`; null if there is none.
template <typename OpT>
static OpT choose(ModuleOp module, Random &random,
                  llvm::function_ref<bool(OpT)> fits) {
  SmallVector<OpT> fitting;
  module.walk([&](OpT op) {
    if (!isOfModel(op) && fits(op))
      fitting.push_back(op);
  });
  return fitting.empty() ? OpT() : random.pick<OpT>(fitting);
}

static int64_t groupSize(CollectiveOpInterface op) {
  Mesh mesh = toMesh(getOnlyMesh(op->getParentOfType<ModuleOp>()));
  return numShards(toAxisList(op.getCollectiveAxes(), mesh));
}

static bool isSum(AllReduceOp op) {
  return op.getReduction() == Reduction::Sum && groupSize(op) > 1;
}

static bool dropAllReduce(ModuleOp module, Random &random) {
  AllReduceOp op = choose<AllReduceOp>(module, random, isSum);
  if (!op)
    return false;
  op.replaceAllUsesWith(op.getOperand());
  op.erase();
  return true;
}

static bool doubleAllReduce(ModuleOp module, Random &random) {
  AllReduceOp op = choose<AllReduceOp>(module, random, isSum);
  if (!op)
    return false;
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  auto again = cast<AllReduceOp>(builder.clone(*op));
  op.getResult().replaceAllUsesWith(again.getResult());
  again.getOperandMutable().assign(op.getResult());
  return true;
}

/// all_reduce(x) + b becomes all_reduce(x + b): b counts once per rank.
static bool biasBeforeReduction(ModuleOp module, Random &random) {
  auto reduceOf = [](graph::AddOp add) {
    auto reduce = add.getLhs().getDefiningOp<AllReduceOp>();
    return reduce ? reduce : add.getRhs().getDefiningOp<AllReduceOp>();
  };
  auto add = choose<graph::AddOp>(module, random, [&](graph::AddOp op) {
    AllReduceOp reduce = reduceOf(op);
    return reduce && isSum(reduce) && op.getLhs() != op.getRhs();
  });
  if (!add)
    return false;
  AllReduceOp reduce = reduceOf(add);
  OpBuilder builder(add);
  builder.setInsertionPointAfter(add);
  auto moved = cast<AllReduceOp>(builder.clone(*reduce));
  add.getResult().replaceAllUsesWith(moved.getResult());
  for (OpOperand &operand : add->getOpOperands())
    if (operand.get() == reduce.getResult())
      operand.set(reduce.getOperand());
  moved.getOperandMutable().assign(add.getResult());
  return true;
}

/// Whether blocks of a dimension of `size` nest over the axes in a way that
/// equal blocks, of the same size, do not.
static bool nestsUnevenly(int64_t size, int64_t block, ArrayRef<AxisRef> axes) {
  return !blocksAreFlat(size, axes) &&
         llvm::divideCeil(size, numShards(axes)) == uint64_t(block);
}

/// Two all_gathers along one dimension, first over the minor axis, become one
/// over both: it puts the blocks next to each other as if they were equal.
static bool flatUnevenBlocks(ModuleOp module, Random &random) {
  Mesh mesh = toMesh(getOnlyMesh(module));
  auto axesOf = [&](AllGatherOp major, AllGatherOp minor) {
    AxisList axes = toAxisList(major.getCollectiveAxes(), mesh);
    AxisList rest = toAxisList(minor.getCollectiveAxes(), mesh);
    axes.append(rest.begin(), rest.end());
    return axes;
  };
  auto gather = choose<AllGatherOp>(module, random, [&](AllGatherOp op) {
    auto minor = op.getOperand().getDefiningOp<AllGatherOp>();
    if (!minor || minor.getDim() != op.getDim())
      return false;
    auto whole = cast<RankedTensorType>(op.getType());
    auto piece = cast<RankedTensorType>(minor.getOperand().getType());
    return nestsUnevenly(whole.getDimSize(op.getDim()),
                         piece.getDimSize(op.getDim()), axesOf(op, minor));
  });
  if (!gather)
    return false;
  auto minor = gather.getOperand().getDefiningOp<AllGatherOp>();
  gather.setGroupsAttr(
      toAttr(module.getContext(), axesOf(gather, minor), mesh));
  gather.getOperandMutable().assign(minor.getOperand());
  return true;
}

static bool dependsOnRank(Value value) {
  Operation *op = value.getDefiningOp();
  return op && (isa<AxisIndexOp>(op) ||
                llvm::any_of(op->getOperands(), dependsOnRank));
}

/// Masks of arguments: their padding holds NaN for certain.
static bool removeMask(ModuleOp module, Random &random) {
  auto select =
      choose<graph::SelectOp>(module, random, [&](graph::SelectOp op) {
        return dependsOnRank(op.getPred()) &&
               isa<BlockArgument>(op.getOnTrue());
      });
  if (!select)
    return false;
  select.replaceAllUsesWith(select.getOnTrue());
  select.erase();
  return true;
}

/// Another axis than the one over which shards or partial results differ. Few
/// elements could be equal by chance, so they must be many.
static bool wrongGroup(ModuleOp module, Random &random) {
  Mesh mesh = toMesh(getOnlyMesh(module));
  if (mesh.axes.size() < 2 || mesh.axes[0].size != mesh.axes[1].size)
    return false;
  auto isWhole = [&](Operation *op) {
    auto collective = dyn_cast<CollectiveOpInterface>(op);
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    return collective && collective.getCollectiveAxes().size() == 1 &&
           collective.getCollectiveAxes()[0].isWhole() &&
           type.getNumElements() >= 8;
  };
  auto swap = [&](CollectiveOpInterface op) {
    StringRef name = op.getCollectiveAxes()[0].getName();
    unsigned other = mesh.axes[0].name == name ? 1 : 0;
    return toAttr(module.getContext(), AxisList{mesh.whole(other)}, mesh);
  };
  AllReduceOp reduce = choose<AllReduceOp>(
      module, random, [&](AllReduceOp op) { return isSum(op) && isWhole(op); });
  AllGatherOp gather = choose<AllGatherOp>(
      module, random, [&](AllGatherOp op) { return isWhole(op); });
  if (reduce && (!gather || random.percent(50)))
    reduce.setGroupsAttr(swap(reduce));
  else if (gather)
    gather.setGroupsAttr(swap(gather));
  else
    return false;
  return true;
}

/// A kernel runs over more rows than its buffers have, by more than a page.
static bool launchTooFar(ModuleOp module, Random &random) {
  auto getExtent = [](LLVM::CallOp call) {
    return call.getArgOperands().back().getDefiningOp<LLVM::ConstantOp>();
  };
  LLVM::CallOp launch =
      choose<LLVM::CallOp>(module, random, [&](LLVM::CallOp call) {
        return call.getCallee() == "cleave_rt_launch" &&
               cast<IntegerAttr>(getExtent(call).getValue()).getInt() > 1;
      });
  if (!launch)
    return false;
  LLVM::ConstantOp extent = getExtent(launch);
  OpBuilder builder(launch);
  Value more = LLVM::ConstantOp::create(
      builder, launch.getLoc(), extent.getType(),
      builder.getI64IntegerAttr(cast<IntegerAttr>(extent.getValue()).getInt() +
                                8192));
  launch.getArgOperandsMutable().slice(3, 1).assign(more);
  return true;
}

/// An event of what always runs. The streams may still happen to run in order,
/// but nothing says so any more.
static bool dropEvent(ModuleOp module, Random &random) {
  auto usersOf = [&](exec::RecordOp record) {
    SmallVector<exec::WaitOp> waits;
    module.walk([&](exec::WaitOp wait) {
      if (wait.getEvent() == record.getEvent())
        waits.push_back(wait);
    });
    return waits;
  };
  auto isOfProgram = [](Operation *op) {
    return isa<exec::ProgramOp>(op->getParentOp());
  };
  auto dropped =
      choose<exec::RecordOp>(module, random, [&](exec::RecordOp record) {
        return isOfProgram(record) &&
               llvm::any_of(usersOf(record), isOfProgram);
      });
  if (!dropped)
    return false;
  for (exec::WaitOp wait : usersOf(dropped))
    wait.erase();
  dropped.erase();
  return true;
}

ArrayRef<Mutant> cleave::differential::getMutants() {
  static const Mutant mutants[] = {
      {"drop-all-reduce", "partition", dropAllReduce},
      {"double-all-reduce", "collectives", doubleAllReduce},
      {"bias-before-reduction", "partition", biasBeforeReduction},
      {"flat-uneven-blocks", "partition", flatUnevenBlocks},
      {"remove-mask", "partition", removeMask},
      {"wrong-group", "collectives", wrongGroup},
      {"launch-too-far", "codegen", launchTooFar, /*isForGuards=*/true},
      {"drop-event", "schedule", dropEvent},
  };
  return mutants;
}
