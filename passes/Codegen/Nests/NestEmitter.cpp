//===- NestEmitter.cpp - Loops of vector operations -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Nests/NestEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include <numeric>

using namespace mlir;
using namespace cleave::codegen;

/// Vectors that a strip holds in registers while a reduction runs.
static constexpr int64_t stripUnroll = 4;

NestEmitter::NestEmitter(ImplicitLocOpBuilder &builder,
                         const LoopKernel &kernel, const LoopNest &nest,
                         VectorChoice choice, const RowPosition &position,
                         IRMapping &scalars)
    : b(builder), kernel(kernel), nest(nest), choice(choice),
      position(position), scalars(scalars), indices(position.indices) {
  firstLoop = indices.size() - (position.isBlock ? 1 : 0);
  indices.resize(nest.extents.size());
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value NestEmitter::indexConstant(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}

Value NestEmitter::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(x, y);
}

Value NestEmitter::scale(Value x, int64_t factor) {
  return b.createOrFold<arith::MulIOp>(x, indexConstant(factor));
}

/// Position of an access at the current indices, in the flat buffer.
Value NestEmitter::flatIndex(const NestAccess &access) {
  bool isRow = access.buffer->isOfRow();
  int64_t numRowLoops = position.indices.size();
  Value result = indexConstant(access.constant);
  for (auto [loop, coefficient] : llvm::enumerate(access.coefficients)) {
    if (coefficient == 0 || nest.extents[loop] == 1)
      continue;
    Value index = indices[loop];
    // A temporary holds one row, or one block of rows.
    if (isRow && static_cast<int64_t>(loop) < numRowLoops) {
      if (!position.isBlock || static_cast<int64_t>(loop) + 1 < numRowLoops)
        continue;
      index = blockIndex;
    }
    result = add(result, scale(index, coefficient));
  }
  for (auto [value, factor] : access.dynamic)
    result = add(result, scale(scalars.lookup(value), factor));
  return result;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

NestEmitter::Values NestEmitter::loop(Value low, Value high, int64_t step,
                                      ValueRange inits, LoopBody body) {
  std::optional<int64_t> first = getConstantIntValue(low);
  std::optional<int64_t> last = getConstantIntValue(high);
  if (first && last && *first >= *last)
    return Values(inits);
  if (first && last && *first + step >= *last)
    return body(low, inits);
  auto loop = scf::ForOp::create(
      b, low, high, indexConstant(step), inits,
      [&](OpBuilder &, Location, Value index, ValueRange carried) {
        scf::YieldOp::create(b, body(index, carried));
      });
  b.setInsertionPointAfter(loop);
  return Values(loop.getResults());
}

void NestEmitter::emit() {
  if (choice.tileLoop >= 0)
    emitAroundTiles(firstLoop);
  else
    emitParallel(firstLoop);
}

/// The loop over a block counts from its start.
void NestEmitter::setIndex(int64_t loop, Value value) {
  if (!isBlockLoop(loop)) {
    indices[loop] = value;
    return;
  }
  blockIndex = value;
  indices[loop] = add(position.indices.back(), value);
}

Value NestEmitter::extentOf(int64_t loop) {
  if (!isBlockLoop(loop))
    return indexConstant(nest.extents[loop]);
  return position.dynamicSize ? position.dynamicSize
                              : indexConstant(position.blockSize);
}

Value NestEmitter::startOf(int64_t loop) {
  return loop == split.loop ? split.first : indexConstant(0);
}

/// The parallel loops except the vectorised one, which is innermost.
void NestEmitter::emitParallel(int64_t at) {
  if (at == choice.loop)
    return emitParallel(at + 1);
  if (at < nest.numParallel) {
    loop(startOf(at), extentOf(at), stepOf(at), {},
         [&](Value index, ValueRange) {
           setIndex(at, index);
           emitParallel(at + 1);
           return Values();
         });
    return;
  }
  if (choice.loop < 0)
    return emitStrip({});
  if (choice.loop < nest.numParallel)
    return emitVectorStrips();
  emitLaneReduction();
}

/// Strips of several vectors, then of one, then a masked one. A loop that is
/// split consists of whole vectors.
void NestEmitter::emitVectorStrips() {
  int64_t lanes = choice.lanes;
  Value extent = extentOf(choice.loop);
  if (choice.loop == split.loop) {
    loop(scale(split.first, lanes), extent, lanes * split.count, {},
         [&](Value index, ValueRange) {
           setIndex(choice.loop, index);
           emitStrip({});
           return Values();
         });
    return;
  }
  Value start = indexConstant(0);
  auto fullUntil = [&](int64_t step) {
    if (auto number = getConstantIntValue(extent))
      return indexConstant(*number / step * step);
    Value size = indexConstant(step);
    return arith::MulIOp::create(b, arith::DivUIOp::create(b, extent, size),
                                 size)
        .getResult();
  };
  auto strips = [&](Value until, int64_t unroll) {
    loop(start, until, lanes * unroll, {}, [&](Value index, ValueRange) {
      setIndex(choice.loop, index);
      emitStrip({unroll, Value()});
      return Values();
    });
    start = until;
  };
  if (nest.isReduction())
    strips(fullUntil(lanes * stripUnroll), stripUnroll);
  strips(fullUntil(lanes), 1);

  if (auto number = getConstantIntValue(extent)) {
    if (int64_t rest = *number % lanes) {
      setIndex(choice.loop, start);
      emitStrip({1, tailMask(rest)});
    }
    return;
  }
  Value rest = arith::SubIOp::create(b, extent, start);
  Value isNeeded = arith::CmpIOp::create(b, arith::CmpIPredicate::ne, rest,
                                         indexConstant(0));
  auto tail = scf::IfOp::create(b, isNeeded);
  b.setInsertionPointToStart(tail.thenBlock());
  setIndex(choice.loop, start);
  emitStrip({1, tailMask(rest)});
  b.setInsertionPointAfter(tail);
}

Value NestEmitter::scanStart() {
  return scalars.lookupOrDefault(nest.op->getOperand(1));
}

int64_t NestEmitter::numChains() {
  bool isSum = choice.loop >= 0 && nest.isReduction() && !nest.isScan &&
               isa_and_nonnull<arith::AddFOp>(combiningOp(nest));
  if (!isSum || nest.extents.back() < 2 * choice.sumChains)
    return 1;
  return choice.sumChains;
}

/// One element per lane, of `unroll` neighbouring vectors.
void NestEmitter::emitStrip(const Strip &strip) {
  Value base = choice.loop < 0            ? Value()
               : isBlockLoop(choice.loop) ? blockIndex
                                          : indices[choice.loop];
  auto moveTo = [&](int64_t vector) {
    if (base)
      setIndex(choice.loop, add(base, indexConstant(vector * choice.lanes)));
  };
  size_t count = nest.outputs().size();
  Values accumulators;
  bool readsOutput = nest.isReduction();
  if (readsOutput)
    for (int64_t i = 0; i < strip.unroll; ++i) {
      moveTo(i);
      for (const NestAccess &output : nest.outputs()) {
        Value value = nest.isScan ? scanStart() : load(output, strip.mask);
        accumulators.push_back(choice.loop < 0 ? value : broadcast(value));
      }
    }
  int64_t chains = numChains(), width = accumulators.size();
  for (int64_t i = width; i < chains * width; ++i) {
    Type element = getElementTypeOrSelf(accumulators[i - width].getType());
    accumulators.push_back(
        vectorConstant(b, neutralElement(nest, element), choice.lanes));
  }
  Values results = emitReductionLoops(
      nest.numParallel, accumulators, chains, [&](ValueRange carried) {
        Values next;
        for (int64_t i = 0; i < strip.unroll; ++i) {
          moveTo(i);
          ValueRange mine =
              readsOutput ? carried.slice(i * count, count) : ValueRange();
          for (Value value : emitBody(mine, strip.mask))
            next.push_back(readsOutput && choice.loop >= 0 ? broadcast(value)
                                                           : value);
          if (nest.isScan)
            store(nest.outputs()[0], next.back(), strip.mask);
        }
        return next;
      });
  for (; chains > 1; chains /= 2)
    for (int64_t i = 0; i < chains / 2 * width; ++i)
      results[i] =
          combineWith(b, nest, results[i], results[chains / 2 * width + i]);
  for (int64_t i = 0; i < strip.unroll && !nest.isScan; ++i) {
    moveTo(i);
    for (auto [k, output] : llvm::enumerate(nest.outputs()))
      store(output, results[i * count + k], strip.mask);
  }
}

NestEmitter::Values
NestEmitter::emitReductionLoops(int64_t at, ValueRange accumulators,
                                int64_t chains,
                                llvm::function_ref<Values(ValueRange)> body) {
  auto numLoops = static_cast<int64_t>(nest.extents.size());
  if (at == numLoops)
    return body(accumulators);
  if (at == choice.loop)
    return emitReductionLoops(at + 1, accumulators, chains, body);
  if (at + 1 == numLoops && chains > 1) {
    int64_t extent = nest.extents[at], whole = extent / chains * chains;
    size_t width = accumulators.size() / chains;
    auto step = [&](Value index, ValueRange carried) {
      Values next;
      for (int64_t i = 0, e = carried.size() / width; i < e; ++i) {
        setIndex(at, add(index, indexConstant(i)));
        llvm::append_range(next, body(carried.slice(i * width, width)));
      }
      return next;
    };
    Values sums = loop(indexConstant(0), indexConstant(whole), chains,
                       accumulators, step);
    Values first = loop(indexConstant(whole), indexConstant(extent), 1,
                        ValueRange(sums).take_front(width), step);
    llvm::copy(first, sums.begin());
    return sums;
  }
  return loop(startOf(at), extentOf(at), stepOf(at), accumulators,
              [&](Value index, ValueRange carried) {
                setIndex(at, index);
                return emitReductionLoops(at + 1, carried, chains, body);
              });
}

/// Accumulators per lane, several vectors of them so that additions overlap.
void NestEmitter::emitLaneReduction() {
  const NestAccess &output = nest.outputs()[0];
  int64_t lanes = choice.lanes, extent = nest.extents[choice.loop];
  int64_t unroll = extent >= lanes * stripUnroll ? stripUnroll : 1;
  Type element = output.buffer->type.getElementType();
  Value start = vectorConstant(b, neutralElement(nest, element), lanes);
  Values accumulators(unroll, start);
  Values sums = emitReductionLoops(
      nest.numParallel, accumulators, 1, [&](ValueRange carried) {
        int64_t unrolled = extent / (lanes * unroll) * (lanes * unroll);
        Values now = loop(
            indexConstant(0), indexConstant(unrolled), lanes * unroll, carried,
            [&](Value index, ValueRange inner) {
              Values next;
              for (int64_t i = 0; i < unroll; ++i) {
                setIndex(choice.loop, add(index, indexConstant(i * lanes)));
                next.push_back(broadcast(emitBody(inner[i], Value())[0]));
              }
              return next;
            });
        int64_t whole = extent / lanes * lanes;
        now[0] =
            loop(indexConstant(unrolled), indexConstant(whole), lanes, now[0],
                 [&](Value index, ValueRange inner) {
                   setIndex(choice.loop, index);
                   return Values{broadcast(emitBody(inner[0], Value())[0])};
                 })[0];
        if (whole != extent) {
          setIndex(choice.loop, indexConstant(whole));
          Value mask = tailMask(extent - whole);
          Value next = broadcast(emitBody(now[0], mask)[0]);
          now[0] = arith::SelectOp::create(b, mask, next, now[0]);
        }
        return now;
      });
  // Pairwise, between vectors, then between the halves of one. Sums of f32 in
  // f64: lanes are many, and their roundings would be as many.
  bool isWide = element.isF32() && isa<arith::AddFOp>(combiningOp(nest));
  if (isWide)
    for (Value &sum : sums)
      sum = arith::ExtFOp::create(b, VectorType::get({lanes}, b.getF64Type()),
                                  sum);
  while (sums.size() > 1) {
    Values halved;
    for (size_t i = 0; i < sums.size(); i += 2)
      halved.push_back(combineWith(b, nest, sums[i], sums[i + 1]));
    sums = halved;
  }
  Value sum = sums[0];
  for (int64_t half = lanes / 2; half >= 1; half /= 2) {
    SmallVector<int64_t> low(half), high(half);
    std::iota(low.begin(), low.end(), 0);
    std::iota(high.begin(), high.end(), half);
    sum = combineWith(b, nest, vector::ShuffleOp::create(b, sum, sum, low),
                      vector::ShuffleOp::create(b, sum, sum, high));
  }
  Value scalar = vector::ExtractOp::create(b, sum, ArrayRef<int64_t>{0});
  Value index = flatIndex(output);
  Value before = memref::LoadOp::create(b, output.buffer->flat, index);
  if (isWide)
    before = arith::ExtFOp::create(b, b.getF64Type(), before);
  Value after = combineWith(b, nest, before, scalar);
  if (isWide)
    after = arith::TruncFOp::create(b, element, after);
  memref::StoreOp::create(b, after, output.buffer->flat, index);
}
