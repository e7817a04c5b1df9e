//===- BucketCollectives.cpp - Combine small all_reduces ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Collectives/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_BUCKETCOLLECTIVES
#include "passes/Collectives/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct BucketCollectives
    : cleave::impl::BucketCollectivesBase<BucketCollectives> {
  using BucketCollectivesBase::BucketCollectivesBase;

  void runOnOperation() override {
    SmallVector<mlir::Block *> blocks;
    getOperation().walk([&](mlir::Block *block) { blocks.push_back(block); });
    for (mlir::Block *block : blocks)
      bucketIn(*block);
  }

  using Bucket = SmallVector<AllReduceOp>;

  /// Collects all_reduces until something uses the result of one of them; then
  /// those collected so far are independent, and are done as one.
  void bucketIn(mlir::Block &block) {
    SmallVector<Bucket> open;
    SmallVector<Bucket> closed;
    for (Operation &op : block) {
      for (Bucket &bucket : open)
        if (usesAny(&op, bucket))
          closed.push_back(std::exchange(bucket, {}));
      llvm::erase_if(open, [](const Bucket &bucket) { return bucket.empty(); });
      auto reduce = dyn_cast<AllReduceOp>(op);
      if (!reduce || bytes(reduce) >= threshold)
        continue;
      auto *fit = llvm::find_if(open, [&](const Bucket &bucket) {
        return fits(bucket.front(), reduce);
      });
      if (fit == open.end())
        open.push_back({reduce});
      else
        fit->push_back(reduce);
    }
    for (Bucket &bucket : llvm::concat<Bucket>(closed, open))
      if (bucket.size() > 1)
        combine(bucket);
  }

  static bool usesAny(Operation *op, const Bucket &bucket) {
    return op
        ->walk([&](Operation *inner) {
          for (Value operand : inner->getOperands())
            if (llvm::is_contained(bucket, operand.getDefiningOp()))
              return WalkResult::interrupt();
          return WalkResult::advance();
        })
        .wasInterrupted();
  }

  static int64_t bytes(AllReduceOp op) {
    return cast<RankedTensorType>(op.getType()).getNumElements() *
           elementBytes(op.getType());
  }

  static bool fits(AllReduceOp a, AllReduceOp b) {
    return a.getGroups() == b.getGroups() &&
           a.getMeshAttr() == b.getMeshAttr() &&
           a.getReduction() == b.getReduction() &&
           getElementTypeOrSelf(a.getType()) ==
               getElementTypeOrSelf(b.getType());
  }

  /// Flattens and concatenates the operands, reduces once, cuts apart again.
  void combine(Bucket &bucket) {
    AllReduceOp last = bucket.back();
    OpBuilder builder(last);
    Location loc = last.getLoc();
    Type element = getElementTypeOrSelf(last.getType());
    auto flat = [&](int64_t n) { return RankedTensorType::get({n}, element); };
    SmallVector<Value> parts;
    int64_t total = 0;
    std::string cause;
    for (AllReduceOp op : bucket) {
      int64_t n = cast<RankedTensorType>(op.getType()).getNumElements();
      parts.push_back(graph::ReshapeOp::create(builder, op.getLoc(), flat(n),
                                               op.getOperand()));
      total += n;
      if (op.getCause())
        cause += (cause.empty() ? "" : "; ") + op.getCause()->str();
    }
    Value all = graph::ConcatenateOp::create(builder, loc, flat(total), parts,
                                             builder.getI64IntegerAttr(0));
    Value sum = AllReduceOp::create(
        builder, loc, all.getType(), last.getReductionAttr(), all,
        last.getMeshAttr(), last.getGroups(),
        cause.empty() ? StringAttr() : builder.getStringAttr(cause));
    int64_t start = 0;
    for (AllReduceOp op : bucket) {
      int64_t n = cast<RankedTensorType>(op.getType()).getNumElements();
      Value part =
          graph::SliceOp::create(builder, op.getLoc(), flat(n), sum,
                                 builder.getDenseI64ArrayAttr({start}),
                                 builder.getDenseI64ArrayAttr({start + n}),
                                 builder.getDenseI64ArrayAttr({1}));
      op.replaceAllUsesWith(Value(
          graph::ReshapeOp::create(builder, op.getLoc(), op.getType(), part)));
      start += n;
    }
    for (AllReduceOp op : bucket)
      op.erase();
    numCombined += bucket.size();
  }
};

} // namespace
