//===- FuseKernelOps.cpp - Inline elementwise producers -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's elementwise fusion does each step; what to fuse is decided here,
// consumer by consumer in program order. A value with several consumers is
// computed once and read from the temporary, unless it is cheap. When its
// consumers have themselves become one op, it has a single consumer again.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Passes.h"
#include "llvm/ADT/SetVector.h"

namespace cleave {
#define GEN_PASS_DEF_FUSEKERNELOPS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::graph;
using linalg::GenericOp;

/// Costs count quarters of a simple vector operation. Recomputing up to this
/// much costs less than a temporary.
static constexpr int64_t cheapCost = 16;

/// Rough cost of one element.
static int64_t elementCost(GenericOp op) {
  int64_t cost = 0;
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (isa<arith::ConstantOp, linalg::IndexOp, affine::AffineApplyOp>(inner))
      continue;
    if (isa<math::AbsFOp, math::CopySignOp, math::FloorOp, math::CeilOp,
            math::FmaOp>(inner))
      cost += 4;
    else if (isa<math::SqrtOp, arith::DivFOp, tensor::ExtractOp>(inner))
      cost += 20;
    else if (isa<math::MathDialect>(inner.getDialect()) ||
             isa<arith::RemFOp, arith::DivSIOp, arith::DivUIOp, arith::RemSIOp,
                 arith::RemUIOp>(inner))
      cost += 80;
    else if (isa<FloatType>(inner.getResult(0).getType()) &&
             !isa<arith::BitcastOp, arith::ExtFOp, arith::TruncFOp>(inner))
      cost += 4;
    else // Integers, and conversions, which consist of many of them.
      cost += 1;
  }
  return cost;
}

static int64_t iterations(GenericOp op) {
  int64_t count = 1;
  for (int64_t range : op.getStaticLoopRanges())
    count *= range;
  return count;
}

static bool shouldFuse(GenericOp producer, OpOperand &operand) {
  auto consumer = cast<GenericOp>(operand.getOwner());
  Value value = operand.get();
  bool isReturned = false;
  llvm::SmallPtrSet<Operation *, 4> users;
  for (Operation *user : value.getUsers()) {
    users.insert(user);
    isReturned |= isa<func::ReturnOp>(user);
  }
  // What is stored anyway is read back, as long as it is the same row.
  if (isReturned && consumer.getMatchingIndexingMap(&operand).isIdentity())
    return false;
  if (elementCost(producer) <= cheapCost)
    return true;
  return users.size() == 1 && iterations(consumer) <= iterations(producer);
}

/// Reads equal operands once.
static GenericOp mergeEqualInputs(RewriterBase &rewriter, GenericOp op) {
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<unsigned> position;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    unsigned at = 0;
    while (at < inputs.size() &&
           (inputs[at] != operand->get() || maps[at] != map))
      ++at;
    if (at == inputs.size()) {
      inputs.push_back(operand->get());
      maps.push_back(map);
    }
    position.push_back(at);
  }
  if (inputs.size() == position.size())
    return op;
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
    maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(i)));
  rewriter.setInsertionPoint(op);
  auto merged =
      GenericOp::create(rewriter, op.getLoc(), op.getResultTypes(), inputs,
                        op.getOutputs(), maps, op.getIteratorTypesArray());
  Block *from = op.getBody();
  SmallVector<Type> types(inputs.size());
  SmallVector<Location> locs;
  for (auto [i, at] : llvm::enumerate(position))
    types[at] = from->getArgument(i).getType();
  for (Value output : op.getOutputs())
    types.push_back(getElementTypeOrSelf(output));
  locs.assign(types.size(), op.getLoc());
  Block *to = rewriter.createBlock(&merged.getRegion(), {}, types, locs);
  SmallVector<Value> arguments;
  for (unsigned at : position)
    arguments.push_back(to->getArgument(at));
  for (unsigned i = inputs.size(); i < types.size(); ++i)
    arguments.push_back(to->getArgument(i));
  rewriter.mergeBlocks(from, to, arguments);
  rewriter.replaceOp(op, merged);
  return merged;
}

/// Fuses into `consumer` until nothing more should be.
static void fuseProducers(IRRewriter &rewriter, GenericOp consumer) {
  for (bool changed = true; changed;) {
    changed = false;
    consumer = mergeEqualInputs(rewriter, consumer);
    for (OpOperand *operand : consumer.getDpsInputOperands()) {
      auto producer = operand->get().getDefiningOp<GenericOp>();
      if (!producer || producer.getNumResults() != 1 ||
          !linalg::areElementwiseOpsFusable(operand) ||
          !shouldFuse(producer, *operand))
        continue;
      // With other users, a copy is fused: one result per op.
      if (!producer->hasOneUse()) {
        rewriter.setInsertionPoint(producer);
        Operation *copy = rewriter.clone(*producer);
        rewriter.modifyOpInPlace(consumer,
                                 [&] { operand->set(copy->getResult(0)); });
        producer = cast<GenericOp>(copy);
      }
      rewriter.setInsertionPoint(consumer);
      auto fused = linalg::fuseElementwiseOps(rewriter, operand);
      if (failed(fused))
        continue;
      for (auto [from, to] : fused->replacements)
        rewriter.replaceUsesWithIf(from, to, [&](OpOperand &use) {
          return use.getOwner() != producer;
        });
      rewriter.eraseOp(consumer);
      if (producer->use_empty())
        rewriter.eraseOp(producer);
      consumer = cast<GenericOp>(fused->fusedOp);
      changed = true;
      break;
    }
  }
}

static void fuseKernel(IRRewriter &rewriter, func::FuncOp kernel) {
  for (Operation &op :
       llvm::make_early_inc_range(kernel.getBody().front().getOperations()))
    // The steps of a scan depend on each other in ways that fusion does not
    // know.
    if (auto consumer = dyn_cast<GenericOp>(op);
        consumer && !consumer->hasAttr(kScanAttr))
      fuseProducers(rewriter, consumer);
  // Producers that were copied into all their consumers.
  for (Operation &op : llvm::make_early_inc_range(
           llvm::reverse(kernel.getBody().front().getOperations())))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  DominanceInfo dominance(kernel);
  for (auto generic : kernel.getOps<GenericOp>())
    eliminateCommonSubExpressions(rewriter, dominance, generic);
}

namespace {
struct FuseKernelOps : public cleave::impl::FuseKernelOpsBase<FuseKernelOps> {
  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (cleave::codegen::isTensorKernel(kernel))
        fuseKernel(rewriter, kernel);
  }
};
} // namespace
