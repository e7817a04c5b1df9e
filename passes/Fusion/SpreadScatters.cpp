//===- SpreadScatters.cpp - Scatters by many threads of a GPU -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/KernelAttributes.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "passes/Fusion/KernelClusters.h"
#include "passes/Fusion/OutlineKernel.h"
#include "passes/Fusion/Passes.h"
#include "passes/Fusion/SortUpdates.h"

namespace cleave {
#define GEN_PASS_DEF_SPREADSCATTERS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::fusion;
using namespace cleave::graph;

/// Whether a scatter can be of atomic operations: its result does not depend on
/// the order of updates; or does in the last bits only, if sums are `free`.
static bool isAtomic(ScatterOp op, bool free) {
  std::optional<ReductionKind> kind = op.getSimpleKind();
  return kind && llvm::all_of(op->getResultTypes(), [&](Type type) {
           Type element = cast<RankedTensorType>(type).getElementType();
           return hasAtomicUpdate(*kind, element) &&
                  (free || !isa<FloatType>(element));
         });
}

/// Whether the attribute or the shape says that no element is updated twice:
/// elements of one window are different ones.
static bool isUnique(ScatterOp op, const ScatterParts &parts) {
  int64_t numWindows = 1;
  for (int64_t d : parts.dims.scatterDims)
    if (!parts.dims.isBatch(d))
      numWindows *= typeOf(op.getUpdates().front()).getDimSize(d);
  return op.getUniqueIndices() || numWindows == 1;
}

/// Ranks that have the same data must have the same bits of what they compute
/// from it, since no collective makes them equal again.
static bool hasSeveralRanks(ModuleOp module) {
  for (auto mesh : module.getOps<spmd::MeshOp>())
    for (int64_t size : mesh.getShape().getSizes())
      if (size > 1)
        return true;
  return false;
}

namespace {
struct SpreadScatters
    : public cleave::impl::SpreadScattersBase<SpreadScatters> {
  using SpreadScattersBase::SpreadScattersBase;

  void runOnOperation() override {
    isFree = freeSums && !hasSeveralRanks(getOperation());
    SymbolTable symbols(getOperation());
    SmallVector<ScatterOp> scatters;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function->hasAttr(kKernelAttr))
        function.walk([&](ScatterOp op) { scatters.push_back(op); });
    unsigned number = 0;
    for (ScatterOp op : scatters)
      if (typeOf(op.getInputs().front()).getNumElements() != 0 &&
          typeOf(op.getUpdates().front()).getNumElements() != 0)
        spread(op, symbols, "scatter_" + Twine(number++));
  }

private:
  void spread(ScatterOp op, SymbolTable &symbols, const Twine &name) {
    ScatterParts parts(op);
    StringRef form;
    if (isUnique(op, parts)) {
      form = "unique";
      ++numUnique;
    } else if (isAtomic(op, isFree)) {
      form = "atomic";
      ++numAtomic;
    } else if (parts.numUpdates > minUpdates && parts.numPlaces > 1 &&
               canSortUpdates(parts)) {
      op = sortUpdates(op, parts);
      form = "sorted";
      ++numSorted;
    }
    // Each scatter fills zeros of its own, which it then updates in place.
    OpBuilder b(op);
    for (OpOperand &input : op.getInputsMutable())
      if (isSplatConstant(input.get()) && !input.get().hasOneUse())
        input.set(b.clone(*input.get().getDefiningOp())->getResult(0));
    unsigned count = op.getInputs().size();
    func::FuncOp kernel =
        outlineKernel(op, symbols, name, [&](OpOperand &operand) {
          return operand.getOperandNumber() >= count &&
                 isSplatConstant(operand.get());
        });
    kernel->setAttr(kUpdatesInPlaceAttr, b.getUnitAttr());
    if (!form.empty())
      kernel->setAttr(kScatterAttr, b.getStringAttr(form));
  }

  bool isFree = false;
};
} // namespace
