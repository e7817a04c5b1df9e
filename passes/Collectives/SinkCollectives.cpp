//===- SinkCollectives.cpp - Communicate where it is least ----------------===//
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

#include "dialects/Graph/GraphDialect.h"
#include "mlir/Pass/Pass.h"
#include "passes/Collectives/CollectiveSink.h"
#include "passes/Collectives/GroupTerms.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_SINKCOLLECTIVES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct SinkCollectives : cleave::impl::SinkCollectivesBase<SinkCollectives> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      SmallVector<mlir::Block *> blocks;
      func.walk([&](mlir::Block *block) { blocks.push_back(block); });
      for (mlir::Block *block : blocks)
        if (failed(sinkIn<AllReduceOp>(func, *block, sinkSums)) ||
            failed(sinkIn<ReduceScatterOp>(func, *block, sinkScatteredSums)) ||
            failed(sinkIn<AllGatherOp>(func, *block, sinkGathers)))
          return signalPassFailure();
    }
  }

  template <typename OpT>
  LogicalResult sinkIn(func::FuncOp func, mlir::Block &block,
                       decltype(sinkSums) makeSink) {
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
        if constexpr (std::is_same_v<OpT, ReduceScatterOp>)
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
      auto sink = makeSink(first, toMesh(meshOp), analyse(func, meshOp));
      sink->collect(block);
      // Sums of terms that are complete and others meet only if the latter are
      // added to each other first.
      if (!std::is_same_v<OpT, AllGatherOp> &&
          groupTerms(block, [&](Value value) { return sink->isTerm(value); })) {
        variation.reset();
        sink = makeSink(first, toMesh(meshOp), analyse(func, meshOp));
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
