//===- FormReduceScatters.cpp - all_reduce + all_slice --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Pass/Pass.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_FORMREDUCESCATTERS
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct FormReduceScatters
    : cleave::impl::FormReduceScattersBase<FormReduceScatters> {
  void runOnOperation() override {
    SmallVector<AllSliceOp> slices;
    getOperation().walk([&](AllSliceOp op) { slices.push_back(op); });
    for (AllSliceOp slice : slices)
      form(slice);
  }

  void form(AllSliceOp slice) {
    auto reduce = slice.getOperand().getDefiningOp<AllReduceOp>();
    // Another user needs the whole sum, so scattering would save nothing; in a
    // loop below, the sum would be repeated.
    if (!reduce || !reduce->hasOneUse() ||
        reduce->getBlock() != slice->getBlock() ||
        reduce.getMeshAttr() != slice.getMeshAttr() ||
        !isa<AxesAttr>(reduce.getGroups()) || !isa<AxesAttr>(slice.getGroups()))
      return;
    SmallVector<AxisAttr> rest(reduce.getCollectiveAxes());
    for (AxisAttr axis : slice.getCollectiveAxes()) {
      auto *it = llvm::find(rest, axis);
      if (it == rest.end())
        return;
      rest.erase(it);
    }
    OpBuilder builder(slice);
    StringAttr cause = reduce.getCauseAttr();
    Value result = ReduceScatterOp::create(
        builder, reduce.getLoc(), slice.getType(), reduce.getReductionAttr(),
        reduce.getOperand(), slice.getDimAttr(), slice.getMeshAttr(),
        slice.getGroups(), cause);
    if (!rest.empty())
      result = AllReduceOp::create(builder, reduce.getLoc(), result.getType(),
                                   reduce.getReductionAttr(), result,
                                   reduce.getMeshAttr(),
                                   AxesAttr::get(&getContext(), rest), cause);
    slice.replaceAllUsesWith(result);
    slice.erase();
    reduce.erase();
    ++numFormed;
  }
};

} // namespace
