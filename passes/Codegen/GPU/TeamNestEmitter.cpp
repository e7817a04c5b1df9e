//===- TeamNestEmitter.cpp - A nest run by the threads of a block ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/TeamNestEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace cleave::codegen {

bool isOfFirstThread(const LoopNest &nest, NestSplit split) {
  return split.loop < 0 || nest.extents[split.loop] == split.lanes;
}

bool isOutputOfFirstThread(const LoopNest &nest, NestSplit split) {
  return isOfFirstThread(nest, split) || split.loop >= nest.numParallel;
}

bool usesScratch(const LoopNest &nest, NestSplit split, int64_t threads) {
  return split.loop >= nest.numParallel && threads > warpSize;
}

TeamNestEmitter::TeamNestEmitter(ImplicitLocOpBuilder &builder,
                                 const LoopKernel &kernel, const LoopNest &nest,
                                 NestSplit nestSplit,
                                 const RowPosition &position,
                                 IRMapping &scalars, const Team &team)
    : NestEmitter(builder, kernel, nest,
                  nestSplit.lanes > 1
                      ? VectorChoice{nestSplit.loop, nestSplit.lanes, 0}
                      : VectorChoice(),
                  position, scalars),
      nestSplit(nestSplit), team(team) {
  setSplit({nestSplit.loop, team.thread, team.threads});
  setAligned();
}

void TeamNestEmitter::emit() {
  if (nestSplit.loop < 0)
    inFirstThread([&] { NestEmitter::emit(); });
  else if (nestSplit.loop < nest.numParallel)
    NestEmitter::emit();
  else
    emitSharedReduction(firstLoop);
}

void TeamNestEmitter::inFirstThread(llvm::function_ref<void()> body) {
  Value isFirst = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                        team.thread, indexConstant(0));
  auto branch = scf::IfOp::create(b, isFirst);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  body();
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// All threads run the parallel loops side by side, so that they meet at each
/// reduction.
void TeamNestEmitter::emitSharedReduction(int64_t at) {
  if (at == nest.numParallel)
    return reduce();
  loop(indexConstant(0), extentOf(at), 1, {}, [&](Value index, ValueRange) {
    setIndex(at, index);
    emitSharedReduction(at + 1);
    // The next step overwrites what the first warp reads.
    if (usesScratch(nest, nestSplit, team.threads))
      gpu::BarrierOp::create(b);
    return Values();
  });
}

void TeamNestEmitter::reduce() {
  Value sum = combineBlock(combineWarp(combineLanes(accumulate())));
  inFirstThread([&] {
    const NestAccess &output = nest.outputs()[0];
    Value index = flatIndex(output);
    Value before = memref::LoadOp::create(b, output.buffer->flat, index);
    memref::StoreOp::create(b, combineWith(b, nest, before, sum),
                            output.buffer->flat, index);
  });
}

/// What a thread makes of its steps.
Value TeamNestEmitter::accumulate() {
  Type element = nest.outputs()[0].buffer->type.getElementType();
  TypedAttr neutral = neutralElement(nest, element);
  bool hasLanes = choice.loop >= 0;
  Value start = hasLanes ? vectorConstant(b, neutral, choice.lanes)
                         : arith::ConstantOp::create(b, neutral).getResult();
  return emitReductionLoops(
      nest.numParallel, start, /*chains=*/1, [&](ValueRange carried) {
        if (!hasLanes)
          return emitBody(carried, Value());
        return loop(scale(team.thread, choice.lanes), extentOf(choice.loop),
                    choice.lanes * team.threads, carried,
                    [&](Value index, ValueRange inner) {
                      setIndex(choice.loop, index);
                      return Values{broadcast(emitBody(inner, Value())[0])};
                    });
      })[0];
}

/// Pairwise.
Value TeamNestEmitter::combineLanes(Value value) {
  if (!isVector(value))
    return value;
  Values lanes;
  for (int64_t i = 0; i < choice.lanes; ++i)
    lanes.push_back(vector::ExtractOp::create(b, value, i));
  for (; lanes.size() > 1; lanes.truncate(lanes.size() / 2))
    for (size_t i = 0; i < lanes.size() / 2; ++i)
      lanes[i] = combineWith(b, nest, lanes[2 * i], lanes[2 * i + 1]);
  return lanes[0];
}

/// Shuffles move 32 or 64 bits.
static Value shuffle(ImplicitLocOpBuilder &b, Value value, int32_t offset) {
  Type type = value.getType();
  bool isNarrow = type.getIntOrFloatBitWidth() < 32;
  if (isNarrow)
    value = arith::ExtUIOp::create(b, b.getI32Type(), value);
  value =
      gpu::ShuffleOp::create(b, value, offset, warpSize, gpu::ShuffleMode::XOR)
          .getShuffleResult();
  return isNarrow ? arith::TruncIOp::create(b, type, value).getResult() : value;
}

/// Every thread of a warp gets the result of all.
Value TeamNestEmitter::combineWarp(Value value) {
  for (int32_t offset = warpSize / 2; offset > 0; offset /= 2)
    value = combineWith(b, nest, value, shuffle(b, value, offset));
  return value;
}

/// Thread 0 gets the result of all warps.
Value TeamNestEmitter::combineBlock(Value value) {
  if (!usesScratch(nest, nestSplit, team.threads))
    return value;
  int64_t numWarps = team.threads / warpSize;
  Value scratch = team.scratch(value.getType());
  Value lane = arith::RemUIOp::create(b, team.thread, indexConstant(warpSize));
  Value isLeader = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, lane,
                                         indexConstant(0));
  auto store = scf::IfOp::create(b, isLeader);
  {
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(store.thenBlock());
    Value warp =
        arith::DivUIOp::create(b, team.thread, indexConstant(warpSize));
    memref::StoreOp::create(b, value, scratch, warp);
  }
  gpu::BarrierOp::create(b);
  // The first warp combines; other threads have no use for the result.
  Value isFirstWarp = arith::CmpIOp::create(
      b, arith::CmpIPredicate::ult, team.thread, indexConstant(warpSize));
  auto combine = scf::IfOp::create(b, value.getType(), isFirstWarp,
                                   /*withElseRegion=*/true);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(combine.elseBlock());
  scf::YieldOp::create(b, value);
  b.setInsertionPointToStart(combine.thenBlock());
  Value neutral =
      arith::ConstantOp::create(b, neutralElement(nest, value.getType()));
  Value isWarp = arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                                       team.thread, indexConstant(numWarps));
  Value place =
      arith::SelectOp::create(b, isWarp, team.thread, indexConstant(0));
  Value loaded = memref::LoadOp::create(b, scratch, place);
  Value mine = arith::SelectOp::create(b, isWarp, loaded, neutral);
  scf::YieldOp::create(b, combineWarp(mine));
  return combine.getResult(0);
}

} // namespace cleave::codegen
