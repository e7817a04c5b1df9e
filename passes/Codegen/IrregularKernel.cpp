//===- IrregularKernel.cpp - A kernel of one op as scalar loops -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/IrregularKernel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::graph;

namespace cleave::codegen {

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

IrregularKernel::IrregularKernel(func::FuncOp function)
    : b(function.getLoc(), function.getContext()), function(function),
      block(new Block()) {
  function.getBody().push_back(block);
  b.setInsertionPointToStart(block);
}

KernelBuffer IrregularKernel::addBuffer(RankedTensorType type) {
  auto memref = MemRefType::get({type.getNumElements()},
                                storageType(type.getElementType()));
  return {type, block->addArgument(memref, function.getLoc()), {}};
}

FailureOr<IrregularKernel> IrregularKernel::start(func::FuncOp function,
                                                  Operation *op) {
  Block &old = function.getBody().front();
  if (old.getTerminator()->getOperands() != op->getResults())
    return function.emitError("returns other values than the results of its "
                              "only operation, in order");
  IrregularKernel kernel(function);
  DenseMap<Value, KernelBuffer> buffers;
  ArrayRef<int64_t> replaced = inPlaceArguments(function);
  for (BlockArgument argument : old.getArguments())
    if (!llvm::is_contained(replaced, argument.getArgNumber()))
      buffers[argument] =
          kernel.addBuffer(cast<RankedTensorType>(argument.getType()));
  for (auto constant : old.getOps<ConstantOp>()) {
    auto elements = cast<DenseElementsAttr>(constant.getValue());
    RankedTensorType type = constant.getOutput().getType();
    if (!elements.isSplat() && !elements.empty())
      return constant.emitOpError("in a kernel must have equal elements");
    auto element = elements.isSplat()
                       ? cast<TypedAttr>(elements.getSplatValue<Attribute>())
                       : kernel.b.getZeroAttr(type.getElementType());
    buffers[constant.getOutput()] = {type, {}, element};
  }
  for (Type type : op->getResultTypes())
    kernel.results.push_back(kernel.addBuffer(cast<RankedTensorType>(type)));
  for (auto [index, argument] : llvm::enumerate(replaced))
    if (argument >= 0)
      buffers[old.getArgument(argument)] = kernel.results[index];
  for (Value operand : op->getOperands())
    kernel.operands.push_back(buffers.lookup(operand));
  if (auto types = function->getAttrOfType<ArrayAttr>("cleave.workspace"))
    for (Type type : types.getAsValueRange<TypeAttr>())
      kernel.workspaces.push_back(
          kernel.addBuffer(cast<RankedTensorType>(type)));
  Type index = kernel.b.getIndexType();
  kernel.begin = kernel.block->addArgument(index, function.getLoc());
  kernel.end = kernel.block->addArgument(index, function.getLoc());
  kernel.b.setLoc(op->getLoc());
  return kernel;
}

void IrregularKernel::finish(int64_t parts) {
  b.setInsertionPointToEnd(block);
  func::ReturnOp::create(b);
  Block &old = function.getBody().front();
  old.dropAllDefinedValueUses();
  old.erase();
  function.setType(b.getFunctionType(block->getArgumentTypes(), {}));
  function->removeAttr("cleave.workspace");
  function->removeAttr("cleave.in_place");
  function->setAttr("cleave.extent", b.getI64IntegerAttr(parts));
  function->setAttr("cleave.scalar_loops", b.getUnitAttr());
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value IrregularKernel::load(const KernelBuffer &buffer, Value place) {
  if (buffer.splat)
    return scalarConstant(b, buffer.splat);
  Value stored = memref::LoadOp::create(b, buffer.memref, place);
  return fromStorage(b, stored, buffer.type.getElementType());
}

void IrregularKernel::store(const KernelBuffer &buffer, Value place,
                            Value value) {
  memref::StoreOp::create(b, toStorage(b, value, buffer.type.getElementType()),
                          buffer.memref, place);
}

//===----------------------------------------------------------------------===//
// Index arithmetic
//===----------------------------------------------------------------------===//

Value IrregularKernel::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, value);
}
Value IrregularKernel::add(Value x, Value y) {
  return arith::AddIOp::create(b, x, y);
}
Value IrregularKernel::subtract(Value x, Value y) {
  return arith::SubIOp::create(b, x, y);
}
Value IrregularKernel::scale(Value x, int64_t factor) {
  return factor == 1 ? x : arith::MulIOp::create(b, x, index(factor));
}
Value IrregularKernel::minimum(Value x, Value y) {
  return arith::MinSIOp::create(b, x, y);
}
Value IrregularKernel::divide(Value x, int64_t n) {
  return n == 1 ? x : arith::DivUIOp::create(b, x, index(n));
}
Value IrregularKernel::remainder(Value x, int64_t n) {
  return n == 1 ? index(0) : arith::RemUIOp::create(b, x, index(n));
}

SmallVector<Value> IrregularKernel::delinearize(Value place,
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

void IrregularKernel::loop(Value low, Value high, LoopBody body, int64_t step) {
  scf::ForOp::create(b, low, high, index(step), ValueRange(),
                     [&](OpBuilder &, Location, Value i, ValueRange) {
                       body(i);
                       scf::YieldOp::create(b);
                     });
}

void IrregularKernel::loops(ArrayRef<int64_t> shape,
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

void IrregularKernel::ifTrue(Value condition, llvm::function_ref<void()> body) {
  scf::IfOp::create(b, condition, [&](OpBuilder &, Location) {
    body();
    scf::YieldOp::create(b);
  });
}

} // namespace cleave::codegen
