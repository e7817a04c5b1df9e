//===- KernelBuilder.cpp - What writers of kernels need -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Kernels/KernelBuilder.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;

namespace cleave::codegen {

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value KernelBuilder::load(const KernelBuffer &buffer, Value place) {
  if (buffer.splat)
    return scalarConstant(b, buffer.splat);
  Value stored = memref::LoadOp::create(b, buffer.memref, place);
  return fromStorage(b, stored, buffer.type.getElementType());
}

void KernelBuilder::store(const KernelBuffer &buffer, Value place,
                          Value value) {
  memref::StoreOp::create(b, toStorage(b, value, buffer.type.getElementType()),
                          buffer.memref, place);
}

void KernelBuilder::update(arith::AtomicRMWKind kind,
                           const KernelBuffer &buffer, Value place,
                           Value value) {
  memref::AtomicRMWOp::create(b, kind,
                              toStorage(b, value, buffer.type.getElementType()),
                              buffer.memref, place);
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}
Value KernelBuilder::add(Value x, Value y) {
  return arith::AddIOp::create(b, x, y);
}
Value KernelBuilder::subtract(Value x, Value y) {
  return arith::SubIOp::create(b, x, y);
}
Value KernelBuilder::scale(Value x, int64_t factor) {
  return factor == 1 ? x : arith::MulIOp::create(b, x, index(factor));
}
Value KernelBuilder::minimum(Value x, Value y) {
  return arith::MinSIOp::create(b, x, y);
}
Value KernelBuilder::maximum(Value x, Value y) {
  return arith::MaxSIOp::create(b, x, y);
}
Value KernelBuilder::isBelow(Value x, Value y) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, y);
}
Value KernelBuilder::both(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return arith::AndIOp::create(b, x, y);
}
Value KernelBuilder::divide(Value x, int64_t n) {
  return n == 1 ? x : arith::DivUIOp::create(b, x, index(n));
}
Value KernelBuilder::remainder(Value x, int64_t n) {
  return n == 1 ? index(0) : arith::RemUIOp::create(b, x, index(n));
}

SmallVector<Value> KernelBuilder::delinearize(Value place,
                                              ArrayRef<int64_t> shape) {
  SmallVector<Value> indices(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    indices[d] = d == 0 ? place : remainder(place, shape[d]);
    if (d > 0)
      place = divide(place, shape[d]);
  }
  return indices;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void KernelBuilder::loop(Value low, Value high, LoopBody body, int64_t step) {
  scf::ForOp::create(b, low, high, index(step), ValueRange(),
                     [&](OpBuilder &, Location, Value i, ValueRange) {
                       body(i);
                       scf::YieldOp::create(b);
                     });
}

void KernelBuilder::loops(ArrayRef<int64_t> shape,
                          llvm::function_ref<void(ValueRange)> body) {
  SmallVector<Value> indices;
  std::function<void(size_t)> nest = [&](size_t depth) {
    if (depth == shape.size())
      return body(indices);
    // A loop of one step only needs its index.
    if (shape[depth] == 1) {
      indices.push_back(index(0));
      nest(depth + 1);
      indices.pop_back();
      return;
    }
    loop(index(0), index(shape[depth]), [&](Value i) {
      indices.push_back(i);
      nest(depth + 1);
      indices.pop_back();
    });
  };
  nest(0);
}

KernelBuilder::Values
KernelBuilder::carry(Value low, Value high, int64_t step, ValueRange init,
                     llvm::function_ref<Values(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(
      b, low, high, index(step), init,
      [&](OpBuilder &, Location, Value i, ValueRange carried) {
        scf::YieldOp::create(b, body(i, carried));
      });
  return Values(loop.getResults());
}

void KernelBuilder::ifTrue(Value condition, llvm::function_ref<void()> body) {
  if (!condition)
    return body();
  scf::IfOp::create(b, condition, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(b);
  });
}

Value KernelBuilder::ifElse(Value condition, llvm::function_ref<Value()> body,
                            llvm::function_ref<Value()> otherwise) {
  if (!condition)
    return body();
  auto branch = scf::IfOp::create(
      b, condition,
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, body()); },
      [&](OpBuilder &, Location) { scf::YieldOp::create(b, otherwise()); });
  return branch.getResult(0);
}

} // namespace cleave::codegen
