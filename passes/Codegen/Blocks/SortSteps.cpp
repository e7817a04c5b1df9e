//===- SortSteps.cpp - The steps of a sort --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Blocks/SortSteps.h"
#include "dialects/Graph/SortAlgorithm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

SortSteps::Elements SortSteps::load(const SortRow &row, Value at) {
  Elements elements;
  Value flat = k.add(row.base, k.scale(at, row.stride));
  for (const KernelBuffer &buffer : row.buffers)
    elements.push_back(k.load(buffer, flat));
  return elements;
}

void SortSteps::store(const SortRow &row, Value at, ValueRange elements) {
  Value flat = k.add(row.base, k.scale(at, row.stride));
  for (auto [buffer, element] : llvm::zip_equal(row.buffers, elements))
    k.store(buffer, flat, element);
}

Value SortSteps::goesBefore(ValueRange left, ValueRange right) {
  SmallVector<Value> arguments;
  for (auto [l, r] : llvm::zip_equal(left, right))
    arguments.append({l, r});
  FailureOr<SmallVector<Value>> result =
      buildScalarBody(b, op.getBody().front(), arguments);
  if (succeeded(result))
    return result->front();
  status = failure();
  return arith::ConstantIntOp::create(b, 0, 1);
}

/// Moves element `at` of `from` left past those of its run in `to` that it goes
/// before.
void SortSteps::insert(const SortRow &from, const SortRow &to, Value runBegin,
                       Value at) {
  Elements moved = load(from, at);
  auto loop = scf::WhileOp::create(
      b, b.getIndexType(), at,
      [&](OpBuilder &, Location, ValueRange place) {
        Value hasLeft = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                              place[0], runBegin);
        auto goesLeft = scf::IfOp::create(
            b, hasLeft,
            [&](OpBuilder &, Location) {
              Value left = k.subtract(place[0], k.index(1));
              scf::YieldOp::create(b, goesBefore(moved, load(to, left)));
            },
            [&](OpBuilder &, Location) {
              scf::YieldOp::create(
                  b, Value(arith::ConstantIntOp::create(b, 0, 1)));
            });
        scf::ConditionOp::create(b, goesLeft.getResult(0), place);
      },
      [&](OpBuilder &, Location, ValueRange place) {
        Value left = k.subtract(place[0], k.index(1));
        store(to, place[0], load(to, left));
        scf::YieldOp::create(b, left);
      });
  store(to, loop.getResult(0), moved);
}

void SortSteps::sortRun(const SortRow &from, const SortRow &to,
                        Value runBegin) {
  // The first element, which every run has, moves past none.
  store(to, runBegin, load(from, runBegin));
  Value end = k.add(runBegin, k.index(insertionRun));
  if (size % insertionRun != 0)
    end = k.minimum(end, k.index(size));
  k.loop(k.add(runBegin, k.index(1)), end,
         [&](Value at) { insert(from, to, runBegin, at); });
}

/// Of a run that has ended, some other element is read, and not taken.
void SortSteps::mergePair(const SortRow &from, const SortRow &to,
                          Value leftBegin, Value width) {
  Value end = k.index(size);
  Value leftEnd = k.minimum(k.add(leftBegin, width), end);
  Value rightEnd = k.minimum(k.add(leftEnd, width), end);
  scf::ForOp::create(
      b, leftBegin, rightEnd, k.index(1), ValueRange{leftBegin, leftEnd},
      [&](OpBuilder &, Location, Value at, ValueRange heads) {
        auto isBelow = [&](Value x, Value limit) -> Value {
          return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, limit);
        };
        Value left = heads[0], right = heads[1];
        Value hasLeft = isBelow(left, leftEnd);
        Value hasRight = isBelow(right, rightEnd);
        Value readable = arith::SelectOp::create(b, hasRight, right, leftBegin);
        Elements leftElements = load(from, left);
        Elements rightElements = load(from, readable);
        Value before = goesBefore(rightElements, leftElements);
        Value mayTake = arith::SelectOp::create(
            b, hasLeft, before, arith::ConstantIntOp::create(b, 1, 1));
        Value takeRight = arith::AndIOp::create(b, hasRight, mayTake);
        Elements taken;
        for (auto [l, r] : llvm::zip_equal(leftElements, rightElements))
          taken.push_back(arith::SelectOp::create(b, takeRight, r, l));
        store(to, at, taken);
        Value step =
            arith::IndexCastUIOp::create(b, b.getIndexType(), takeRight);
        scf::YieldOp::create(
            b, ValueRange{k.add(left, k.subtract(k.index(1), step)),
                          k.add(right, step)});
      });
}

int64_t SortSteps::getNumMerges() const {
  int64_t count = 0;
  for (int64_t width = insertionRun; width < size; width *= 2)
    ++count;
  return count;
}

void SortSteps::doubleWidths(
    int64_t first, llvm::function_ref<void(Value width, bool isBack)> merge) {
  if (size <= first)
    return;
  scf::WhileOp::create(
      b, b.getIndexType(), k.index(first),
      [&](OpBuilder &, Location, ValueRange width) {
        Value goesOn = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                             width[0], k.index(size));
        scf::ConditionOp::create(b, goesOn, width);
      },
      [&](OpBuilder &, Location, ValueRange width) {
        Value twice = k.scale(width[0], 2);
        merge(width[0], /*isBack=*/false);
        merge(twice, /*isBack=*/true);
        scf::YieldOp::create(b, k.scale(twice, 2));
      });
}
