//===- VerifyUniformPredicates.cpp - Ranks agree on their way -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankVariation.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Partition/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_VERIFYUNIFORMPREDICATES
#include "passes/Partition/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// The collectives in the regions of an op that communicate.
static SmallVector<CollectiveOpInterface> getGuarded(Operation *op) {
  SmallVector<CollectiveOpInterface> guarded;
  for (Region &region : op->getRegions())
    region.walk([&](CollectiveOpInterface collective) {
      if (collective.getCollectiveKind() != CollectiveKind::AllSlice)
        guarded.push_back(collective);
    });
  return guarded;
}

/// Says where a difference between ranks comes from.
static void noteOrigin(InFlightDiagnostic &diag, Value origin) {
  if (auto argument = dyn_cast<BlockArgument>(origin)) {
    diag.attachNote(argument.getLoc())
        << "each of them has its own shard of this argument";
    return;
  }
  Operation *op = origin.getDefiningOp();
  Diagnostic &note = diag.attachNote(op->getLoc());
  if (isa<CollectivePermuteOp>(op))
    note << "each of them gets the value of another rank here";
  else if (isa<CollectiveOpInterface>(op))
    note << "each of them gets another piece here";
  else if (isa<AxisIndexOp>(op))
    note << "each of them has another position here";
  else if (isa<MaskPaddingOp>(op))
    note << "each of them has other padding here";
  else
    note << "each of them may have another value here";
}

namespace {

struct VerifyUniformPredicates
    : cleave::impl::VerifyUniformPredicatesBase<VerifyUniformPredicates> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isExternal() && failed(verify(func)))
        return signalPassFailure();
  }

  LogicalResult verify(func::FuncOp func) {
    SmallVector<Operation *> guards;
    func.walk([&](Operation *op) {
      if (op != func.getOperation() && !isa<ManualComputationOp>(op) &&
          !getGuarded(op).empty())
        guards.push_back(op);
    });
    // Most programs have none, and analysis is for those that do.
    if (guards.empty())
      return success();
    MeshOp meshOp = getOnlyMesh(getOperation());
    if (!meshOp)
      return failure();
    Mesh mesh = toMesh(meshOp);
    RankVariation variation(func, meshOp);
    LogicalResult result = success();
    for (Operation *guard : guards)
      if (failed(verifyGuard(guard, variation, mesh)))
        result = failure();
    return result;
  }

  LogicalResult verifyGuard(Operation *guard, RankVariation &variation,
                            const Mesh &mesh) {
    Variation predicate = variation.ofPredicate(guard);
    for (CollectiveOpInterface collective : getGuarded(guard))
      for (unsigned atom : variation.meetingAlong(collective)) {
        if (!predicate[atom])
          continue;
        InFlightDiagnostic diag =
            guard->emitError()
            << "the condition may differ between ranks along "
            << mesh.str(variation.getAtoms().getAtoms()[atom])
            << ", but a collective inside needs all of them; reduce or gather "
               "it over that axis first";
        diag.attachNote(collective.getLoc())
            << "the collective is "
            << stringifyCollective(collective.getCollectiveKind());
        noteOrigin(diag, predicate[atom]);
        return diag;
      }
    return success();
  }
};

} // namespace
