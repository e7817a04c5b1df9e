//===- NestBody.cpp - The body of a nest on lanes -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What does not depend on the lane stays scalar, and is broadcast where it
// meets a vector.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "passes/Codegen/Nests/NestEmitter.h"

using namespace mlir;
using namespace cleave::codegen;

//===----------------------------------------------------------------------===//
// Vectors
//===----------------------------------------------------------------------===//

VectorType NestEmitter::vectorType(Type element) {
  return VectorType::get({choice.lanes}, element);
}

Value NestEmitter::broadcast(Value value) {
  if (isVector(value))
    return value;
  return vector::BroadcastOp::create(b, vectorType(value.getType()), value);
}

/// start, start + step, ... as a vector of indices.
Value NestEmitter::lanesFrom(Value start, int64_t step) {
  SmallVector<int64_t> numbers;
  for (int64_t i = 0; i < choice.lanes; ++i)
    numbers.push_back(i * step);
  auto type = vectorType(b.getIndexType());
  Value offsets =
      arith::ConstantOp::create(b, DenseIntElementsAttr::get(type, numbers));
  return start ? arith::AddIOp::create(b, broadcast(start), offsets) : offsets;
}

Value NestEmitter::tailMask(int64_t count) {
  SmallVector<bool> bits;
  for (int64_t i = 0; i < choice.lanes; ++i)
    bits.push_back(i < count);
  return arith::ConstantOp::create(
      b, DenseElementsAttr::get(vectorType(b.getI1Type()), bits));
}

Value NestEmitter::tailMask(Value count) {
  return arith::CmpIOp::create(b, arith::CmpIPredicate::ult,
                               lanesFrom(Value(), 1), broadcast(count));
}

Value cleave::codegen::vectorConstant(ImplicitLocOpBuilder &b,
                                      TypedAttr element, int64_t lanes) {
  auto type = VectorType::get({lanes}, element.getType());
  return arith::ConstantOp::create(b, DenseElementsAttr::get(type, element));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Value NestEmitter::gather(NestBuffer *buffer, Value base, Value offsets,
                          Value mask) {
  VectorType type = vectorType(buffer->type.getElementType());
  if (!mask)
    mask = vectorConstant(b, b.getBoolAttr(true), choice.lanes);
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::GatherOp::create(b, type, buffer->flat, base, offsets, mask,
                                  none);
}

llvm::MaybeAlign NestEmitter::alignmentOf(VectorType type) {
  if (!isAligned)
    return std::nullopt;
  return llvm::Align(type.getNumElements() *
                     llvm::divideCeil(type.getElementTypeBitWidth(), 8));
}

Value NestEmitter::load(const NestAccess &access, Value mask) {
  int64_t step = choice.loop < 0 ? 0 : access.coefficients[choice.loop];
  Value index = flatIndex(access);
  if (step == 0)
    return memref::LoadOp::create(b, access.buffer->flat, index);
  if (step != 1)
    return gather(access.buffer, index, lanesFrom(Value(), step), mask);
  VectorType type = vectorType(access.buffer->type.getElementType());
  if (!mask)
    return vector::LoadOp::create(b, type, access.buffer->flat, index,
                                  /*nontemporal=*/false, alignmentOf(type));
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, type, access.buffer->flat, index, mask,
                                      none);
}

void NestEmitter::store(const NestAccess &access, Value value, Value mask) {
  Value index = flatIndex(access);
  if (choice.loop < 0) {
    memref::StoreOp::create(b, value, access.buffer->flat, index);
    return;
  }
  value = broadcast(value);
  // One lane is stored as a scalar. (LLVM 22 stores too many bytes for a masked
  // store of one truncated lane.)
  DenseElementsAttr lanes;
  if (mask && matchPattern(mask, m_Constant(&lanes)) &&
      llvm::count(lanes.getValues<bool>(), true) == 1) {
    Value first = vector::ExtractOp::create(b, value, ArrayRef<int64_t>{0});
    memref::StoreOp::create(b, first, access.buffer->flat, index);
    return;
  }
  if (mask)
    vector::MaskedStoreOp::create(b, access.buffer->flat, index, mask, value);
  else
    vector::StoreOp::create(b, value, access.buffer->flat, index,
                            /*nontemporal=*/false,
                            alignmentOf(cast<VectorType>(value.getType())));
}

/// A read at computed indices. Where only the last index walks the lanes, and
/// by one, it is a contiguous load.
Value NestEmitter::loadElement(memref::LoadOp op, IRMapping &values,
                               Value mask) {
  NestBuffer *buffer = kernel.bufferOf(op.getMemRef());
  ArrayRef<int64_t> shape = buffer->type.getShape();
  Value base = indexConstant(0), offsets;
  bool isContiguous = true;
  int64_t stride = 1;
  for (int64_t i = static_cast<int64_t>(shape.size()) - 1; i >= 0; --i) {
    Value original = op.getIndices()[i];
    Value index = values.lookupOrDefault(original);
    auto loopIndex = original.getDefiningOp<linalg::IndexOp>();
    if (!isVector(index)) {
      base = add(base, scale(index, stride));
    } else if (loopIndex) {
      base = add(base, scale(indices[choice.loop], stride));
      Value steps = lanesFrom(Value(), stride);
      offsets = offsets ? arith::AddIOp::create(b, offsets, steps) : steps;
      isContiguous &= stride == 1;
    } else {
      Value factor = vectorConstant(b, b.getIndexAttr(stride), choice.lanes);
      Value scaled = arith::MulIOp::create(b, index, factor);
      offsets = offsets ? arith::AddIOp::create(b, offsets, scaled) : scaled;
      isContiguous = false;
    }
    stride *= shape[i];
  }
  if (!offsets)
    return memref::LoadOp::create(b, buffer->flat, base);
  if (!isContiguous)
    return gather(buffer, base, offsets, mask);
  VectorType type = vectorType(buffer->type.getElementType());
  if (!mask)
    return vector::LoadOp::create(b, type, buffer->flat, base);
  Value none = arith::ConstantOp::create(b, b.getZeroAttr(type));
  return vector::MaskedLoadOp::create(b, type, buffer->flat, base, mask, none);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

Value NestEmitter::applyMap(AffineExpr expr, ValueRange dims) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto number = dyn_cast<AffineConstantExpr>(expr))
    return indexConstant(number.getValue());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Value x = applyMap(binary.getLHS(), dims);
  // Conversion to linalg writes remainders that are the index itself.
  if (expr.getKind() == AffineExprKind::Mod)
    return x;
  Value y = applyMap(binary.getRHS(), dims);
  if (isVector(x) || isVector(y)) {
    x = broadcast(x);
    y = broadcast(y);
  }
  if (expr.getKind() == AffineExprKind::Add)
    return arith::AddIOp::create(b, x, y);
  return arith::MulIOp::create(b, x, y);
}

/// Clones an elementwise op, on vectors if an operand is one.
Value NestEmitter::cloneOp(Operation &op, IRMapping &values) {
  SmallVector<Value> operands;
  bool onVectors = false;
  for (Value operand : op.getOperands()) {
    operands.push_back(values.lookupOrDefault(operand));
    onVectors |= isVector(operands.back());
  }
  Type type = op.getResult(0).getType();
  if (onVectors) {
    for (Value &operand : operands)
      operand = broadcast(operand);
    type = vectorType(type);
  }
  Operation *clone =
      Operation::create(op.getLoc(), op.getName(), type, operands,
                        op.getDiscardableAttrDictionary(),
                        op.getPropertiesStorage(), BlockRange(), 0);
  return b.insert(clone)->getResult(0);
}

/// One element, or one per lane; returns what is yielded.
NestEmitter::Values NestEmitter::emitBody(ValueRange accumulators, Value mask) {
  IRMapping values(scalars);
  Block *body = nest.body();
  for (auto [i, argument] : llvm::enumerate(body->getArguments())) {
    if (i >= nest.numInputs()) {
      if (!accumulators.empty())
        values.map(argument, accumulators[i - nest.numInputs()]);
    } else if (!isa<MemRefType>(nest.op->getOperand(i).getType())) {
      values.map(argument, scalars.lookupOrDefault(nest.op->getOperand(i)));
    } else if (Value element = elements.lookup(i)) {
      values.map(argument, element);
    } else if (!rowsOfTile.empty() && !rowsOfTile[i].empty()) {
      values.map(argument, rowsOfTile[i][tileRow]);
    } else if (nest.accesses[i].buffer) {
      values.map(argument, load(nest.accesses[i], mask));
    }
  }
  for (Operation &op : body->without_terminator()) {
    Value result;
    if (auto index = dyn_cast<linalg::IndexOp>(op)) {
      int64_t loop = nest.loopOf[index.getDim()];
      if (loop < 0)
        result = indexConstant(0);
      else
        result =
            loop == choice.loop ? lanesFrom(indices[loop], 1) : indices[loop];
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      result = loadElement(load, values, mask);
    } else if (auto apply = dyn_cast<affine::AffineApplyOp>(op)) {
      SmallVector<Value> dims;
      for (Value operand : apply.getMapOperands())
        dims.push_back(values.lookupOrDefault(operand));
      AffineMap map = apply.getAffineMap();
      SmallVector<AffineExpr> symbols;
      for (unsigned i = 0; i < map.getNumSymbols(); ++i)
        symbols.push_back(b.getAffineDimExpr(map.getNumDims() + i));
      result = applyMap(map.getResult(0).replaceSymbols(symbols), dims);
    } else {
      result = cloneOp(op, values);
    }
    values.map(op.getResult(0), result);
  }
  Values results;
  for (Value value : body->getTerminator()->getOperands())
    results.push_back(values.lookupOrDefault(value));
  return results;
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

Operation *cleave::codegen::combiningOp(const LoopNest &nest) {
  if (nest.outputs().size() != 1)
    return nullptr;
  Block *body = nest.body();
  BlockArgument accumulator = body->getArguments().back();
  Operation *op = body->getTerminator()->getOperand(0).getDefiningOp();
  if (!op || op->getBlock() != body || !accumulator.hasOneUse() ||
      *accumulator.getUsers().begin() != op || !op->hasOneUse())
    return nullptr;
  if (isa<arith::AddFOp, arith::MulFOp, arith::MaximumFOp, arith::MinimumFOp,
          arith::AddIOp, arith::MulIOp, arith::MaxSIOp, arith::MinSIOp,
          arith::MaxUIOp, arith::MinUIOp, arith::AndIOp, arith::OrIOp,
          arith::XOrIOp>(op))
    return op;
  return nullptr;
}

TypedAttr cleave::codegen::neutralElement(const LoopNest &nest, Type element) {
  Operation *op = combiningOp(nest);
  // Adding -0 changes nothing, not even -0; +0 would.
  if (isa<arith::AddFOp>(op))
    return FloatAttr::get(element, -0.0);
  if (isa<arith::MulFOp>(op))
    return FloatAttr::get(element, 1.0);
  if (isa<arith::MulIOp>(op))
    return IntegerAttr::get(element, 1);
  if (isa<arith::MaximumFOp, arith::MinimumFOp>(op))
    return FloatAttr::get(
        element, APFloat::getInf(cast<FloatType>(element).getFloatSemantics(),
                                 isa<arith::MaximumFOp>(op)));
  unsigned width = element.getIntOrFloatBitWidth();
  APInt value = isa<arith::MaxSIOp>(op)   ? APInt::getSignedMinValue(width)
                : isa<arith::MinSIOp>(op) ? APInt::getSignedMaxValue(width)
                : isa<arith::MinUIOp, arith::AndIOp>(op)
                    ? APInt::getMaxValue(width)
                    : APInt::getZero(width);
  return IntegerAttr::get(element, value);
}

Value cleave::codegen::combineWith(ImplicitLocOpBuilder &b,
                                   const LoopNest &nest, Value x, Value y) {
  Operation *op = combiningOp(nest);
  Operation *clone =
      Operation::create(op->getLoc(), op->getName(), x.getType(), {x, y},
                        op->getDiscardableAttrDictionary(),
                        op->getPropertiesStorage(), BlockRange(), 0);
  return b.insert(clone)->getResult(0);
}
