//===- SortedScatterKernel.cpp - Scatter of updates that are sorted -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Updates of an element are neighbours along one dimension, in the order in
// which they are made. A part is one element of the updates; that of the first
// update of an element makes the others, which follow it.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Kernels/ScatterKernel.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

/// Makes all updates of an element, if that of this part is the first.
void ScatterWriter::applySorted() {
  ImplicitLocOpBuilder &b = k.b;
  const KernelBuffer &indices = k.operand(count);
  SmallVector<int64_t> indexStrides = rowMajorStrides(indices.type.getShape());
  // Of the updates, and of the indices.
  int64_t sortedDim = -1, sortedIndexDim = -1;
  for (auto [from, to] : llvm::zip_equal(dims.scatterDims, dims.indexDims))
    if (!dims.isBatch(from)) {
      sortedDim = from;
      sortedIndexDim = to;
    }
  Value first = updateIndex[sortedDim], one = k.index(1);
  ScatterTarget target = locate(updateIndex);
  // Whether the updates of this part and of number `other` go to one element.
  auto isTogether = [&](Value other) {
    Value vector = k.add(target.vector, k.scale(k.subtract(other, first),
                                                indexStrides[sortedIndexDim]));
    Value areEqual;
    for (int64_t i = 0; i < dims.numComponents; ++i) {
      Value offset =
          k.index(dims.vectorDim < 0 ? 0 : i * indexStrides[dims.vectorDim]);
      areEqual = k.both(
          areEqual,
          arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                k.load(indices, k.add(target.vector, offset)),
                                k.load(indices, k.add(vector, offset))));
    }
    return areEqual;
  };
  Value isFirst = k.ifElse(
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, first, k.index(0)),
      [&]() -> Value { return arith::ConstantIntOp::create(b, 1, 1); },
      [&]() -> Value {
        return arith::XOrIOp::create(b, isTogether(k.subtract(first, one)),
                                     arith::ConstantIntOp::create(b, 1, 1));
      });
  k.ifTrue(k.both(target.isInside, isFirst), [&] {
    SmallVector<Value> carried = {first};
    for (unsigned i = 0; i < count; ++i)
      carried.push_back(k.load(k.result(i), target.element));
    auto loop = scf::WhileOp::create(
        b, TypeRange(ValueRange(carried)), carried,
        [&](OpBuilder &, Location, ValueRange state) {
          Value isOne = k.ifElse(
              k.isBelow(state[0], k.index(updateShape[sortedDim])),
              [&] { return isTogether(state[0]); },
              [&]() -> Value { return arith::ConstantIntOp::create(b, 0, 1); });
          scf::ConditionOp::create(b, isOne, state);
        },
        [&](OpBuilder &, Location, ValueRange state) {
          Value update =
              k.add(target.update, k.scale(k.subtract(state[0], first),
                                           updateStrides[sortedDim]));
          SmallVector<Value> next = {k.add(state[0], one)};
          llvm::append_range(
              next, runBody(SmallVector<Value>(state.drop_front()), update));
          scf::YieldOp::create(b, next);
        });
    for (unsigned i = 0; i < count; ++i)
      k.store(k.result(i), target.element, loop.getResult(1 + i));
  });
}
