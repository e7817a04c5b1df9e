//===- Computations.cpp - Regions that compute scalars --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Rewrites/Computations.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Import/Rewrites/LoopsOverElements.h"
#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace cleave;

bool reader::hasComputations(Operation *op) {
  return isa<stablehlo::MapOp, stablehlo::ReduceOp, stablehlo::ReduceWindowOp,
             stablehlo::ScatterOp, stablehlo::SelectAndScatterOp,
             stablehlo::SortOp, stablehlo::AllReduceOp,
             stablehlo::ReduceScatterOp, stablehlo::CollectiveReduceOp>(op);
}

static bool isTensorOfRank(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.getRank() > 0;
}

namespace {

/// What is elementwise, functions that are called included.
class Scalars {
public:
  explicit Scalars(ModuleOp module) : symbols(module) {}

  bool isScalar(Region &region) {
    return region.empty() || llvm::all_of(region.getOps(), [&](Operation &op) {
             return isScalar(&op);
           });
  }

private:
  bool isScalar(Operation *op) {
    if (llvm::any_of(op->getOperandTypes(), isTensorOfRank) ||
        llvm::any_of(op->getResultTypes(), isTensorOfRank))
      return false;
    // Products, slices and random numbers of scalars have no form as a
    // computation.
    if (isa<stablehlo::DotOp, stablehlo::DotGeneralOp, stablehlo::EinsumOp,
            stablehlo::UnaryEinsumOp, stablehlo::SliceOp, stablehlo::PadOp,
            stablehlo::DynamicSliceOp, stablehlo::DynamicUpdateSliceOp,
            stablehlo::ReverseOp, stablehlo::GatherOp,
            stablehlo::RngBitGeneratorOp>(op))
      return false;
    if (isa<stablehlo::MapOp>(op))
      return isScalar(op->getRegion(0));
    if (op->getNumRegions() > 0)
      return false;
    StringRef callee = getCallee(op);
    auto function = symbols.lookup<func::FuncOp>(callee);
    // A recursion is an error of the import.
    if (callee.empty() || !function || !active.insert(callee).second)
      return true;
    bool result = isScalar(function.getBody());
    active.erase(callee);
    return result;
  }

  static StringRef getCallee(Operation *op) {
    if (auto call = dyn_cast<func::CallOp>(op))
      return call.getCallee();
    if (isa<stablehlo::CompositeOp>(op))
      if (auto callee = op->getAttrOfType<FlatSymbolRefAttr>("decomposition"))
        return callee.getValue();
    return StringRef();
  }

  SymbolTable symbols;
  llvm::SmallSet<StringRef, 4> active;
};

} // namespace

void reader::expandComputations(ModuleOp module) {
  Scalars scalars(module);
  // Inner ones first: an op with a loop in its computation becomes one, too.
  module.walk<WalkOrder::PostOrder>([&](Operation *op) {
    bool isScalar = !hasComputations(op) ||
                    llvm::all_of(op->getRegions(), [&](Region &region) {
                      return scalars.isScalar(region);
                    });
    if (!isScalar)
      loopOverElements(op);
  });
}
