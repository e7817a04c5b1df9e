//===- MoveCollectives.cpp - Move and cancel collectives -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_MOVECOLLECTIVES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

/// all_slice(all_gather(x)) along the same dimension and axes is x.
struct CancelSliceOfGather : OpRewritePattern<AllSliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(AllSliceOp slice,
                                PatternRewriter &rewriter) const override {
    auto gather = slice.getOperand().getDefiningOp<AllGatherOp>();
    if (!gather || gather.getDim() != slice.getDim() ||
        gather.getAxes() != slice.getAxes() ||
        gather.getMeshAttr() != slice.getMeshAttr() ||
        gather.getOperand().getType() != slice.getType())
      return failure();
    rewriter.replaceOp(slice, gather.getOperand());
    return success();
  }
};

/// all_reduce(a) + all_reduce(b) is all_reduce(a + b): half the bytes.
struct AddBeforeReduce : OpRewritePattern<graph::AddOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(graph::AddOp add,
                                PatternRewriter &rewriter) const override {
    auto a = add.getLhs().getDefiningOp<AllReduceOp>();
    auto b = add.getRhs().getDefiningOp<AllReduceOp>();
    if (!a || !b || a == b || !a->hasOneUse() || !b->hasOneUse() ||
        a->getBlock() != add->getBlock() || b->getBlock() != add->getBlock() ||
        a.getAxes() != b.getAxes() || a.getMeshAttr() != b.getMeshAttr() ||
        a.getReduction() != Reduction::Sum ||
        b.getReduction() != Reduction::Sum ||
        getElementTypeOrSelf(add.getType()).isInteger(1))
      return failure();
    Value sum = graph::AddOp::create(rewriter, add.getLoc(), a.getOperand(),
                                     b.getOperand());
    rewriter.replaceOpWithNewOp<AllReduceOp>(
        add, add.getType(), a.getReductionAttr(), sum, a.getMeshAttr(),
        a.getAxes(), a.getCauseAttr());
    return success();
  }
};

/// convert(all_gather(x)) to a narrower type converts first: fewer bytes.
struct ConvertBeforeGather : OpRewritePattern<graph::ConvertOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(graph::ConvertOp convert,
                                PatternRewriter &rewriter) const override {
    auto gather = convert.getOperand().getDefiningOp<AllGatherOp>();
    if (!gather || !gather->hasOneUse() ||
        gather->getBlock() != convert->getBlock() ||
        elementBytes(convert.getType()) >= elementBytes(gather.getType()))
      return failure();
    auto small = cast<RankedTensorType>(gather.getOperand().getType());
    Value narrow = graph::ConvertOp::create(
        rewriter, convert.getLoc(),
        RankedTensorType::get(small.getShape(),
                              getElementTypeOrSelf(convert.getType())),
        gather.getOperand());
    rewriter.replaceOpWithNewOp<AllGatherOp>(
        convert, convert.getType(), narrow, gather.getDimAttr(),
        gather.getMeshAttr(), gather.getAxes(), gather.getCauseAttr());
    return success();
  }
};

struct MoveCollectives : cleave::impl::MoveCollectivesBase<MoveCollectives> {
  void runOnOperation() override {
    unsigned before = count();
    RewritePatternSet patterns(&getContext());
    patterns.add<CancelSliceOfGather, AddBeforeReduce, ConvertBeforeGather>(
        &getContext());
    // Nothing but these patterns: constants stay where they are.
    GreedyRewriteConfig config;
    config.enableFolding(false).enableConstantCSE(false);
    if (failed(
            applyPatternsGreedily(getOperation(), std::move(patterns), config)))
      return signalPassFailure();
    numCancelled += before - count();
  }

  unsigned count() {
    unsigned number = 0;
    getOperation().walk([&](CollectiveOpInterface) { ++number; });
    return number;
  }
};

} // namespace
