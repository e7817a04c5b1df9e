//===- ConvertDataMovement.cpp - Data movement as linalg operations -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Codegen/Kernels/KernelConversion.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

Value KernelConversion::startIndex(Value index, Type element, int64_t limit) {
  Type type = b.getIndexType();
  Value bound = arith::ConstantIndexOp::create(b, limit);
  if (element.isUnsignedInteger()) {
    Value wide = arith::IndexCastUIOp::create(b, type, index);
    return arith::MinUIOp::create(b, wide, bound);
  }
  Value wide = arith::IndexCastOp::create(b, type, index);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  return arith::MinSIOp::create(b, arith::MaxSIOp::create(b, wide, zero),
                                bound);
}

SmallVector<OpFoldResult>
KernelConversion::sliceOffsets(ValueRange starts, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> sizes) {
  SmallVector<OpFoldResult> offsets;
  for (auto [start, dim, size] : llvm::zip_equal(starts, shape, sizes)) {
    if (dim == size)
      offsets.push_back(b.getIndexAttr(0));
    else
      offsets.push_back(
          startIndex(scalarOf(start), getElementTypeOrSelf(start), dim - size));
  }
  return offsets;
}

static SmallVector<OpFoldResult> asAttributes(Builder &b,
                                              ArrayRef<int64_t> numbers) {
  return getAsIndexOpFoldResult(b.getContext(), numbers);
}

Value KernelConversion::insert(Value source, Value into,
                               ArrayRef<OpFoldResult> offsets,
                               ArrayRef<int64_t> strides) {
  auto type = cast<RankedTensorType>(source.getType());
  return tensor::InsertSliceOp::create(b, source, into, offsets,
                                       asAttributes(b, type.getShape()),
                                       asAttributes(b, strides));
}

Value KernelConversion::tensorOf(IotaOp op) {
  RankedTensorType type = storageTensor(op.getType());
  Type element = op.getOutput().getType().getElementType();
  return parallel(type, {}, [&](ValueRange) {
    Value index = linalg::IndexOp::create(b, op.getDim());
    Type i64 = b.getI64Type();
    Value number = convertScalar(b, arith::IndexCastOp::create(b, i64, index),
                                 i64, element);
    return toStorage(b, number, element);
  });
}

void KernelConversion::convertBroadcast(BroadcastInDimOp op) {
  if (TypedAttr splat = splats.lookup(op.getOperand())) {
    splats[op.getResult()] = splat;
    return;
  }
  RankedTensorType type = storageTensor(op.getType());
  SmallVector<AffineExpr> exprs;
  for (auto [size, dim] :
       llvm::zip_equal(op.getOperand().getType().getShape(), op.getDims()))
    exprs.push_back(size == 1 && type.getDimSize(dim) != 1
                        ? b.getAffineConstantExpr(0)
                        : b.getAffineDimExpr(dim));
  map(op.getResult(),
      copy(type, lookup(op.getOperand()), mapOf(type.getRank(), exprs)));
}

Value KernelConversion::tensorOf(TransposeOp op) {
  RankedTensorType type = storageTensor(op.getType());
  SmallVector<AffineExpr> exprs(type.getRank());
  for (auto [i, dim] : llvm::enumerate(op.getDims()))
    exprs[dim] = b.getAffineDimExpr(i);
  return copy(type, lookup(op.getOperand()), mapOf(type.getRank(), exprs));
}

Value KernelConversion::tensorOf(SliceOp op) {
  RankedTensorType type = storageTensor(op.getType());
  SmallVector<AffineExpr> exprs;
  for (auto [i, start, stride] :
       llvm::enumerate(op.getStart(), op.getStrides()))
    exprs.push_back(partOf(b.getAffineDimExpr(i) * stride + start,
                           op.getOperand().getType().getDimSize(i),
                           type.getDimSize(i)));
  return copy(type, lookup(op.getOperand()), mapOf(type.getRank(), exprs));
}

Value KernelConversion::tensorOf(ReverseOp op) {
  RankedTensorType type = storageTensor(op.getType());
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < type.getRank(); ++i)
    exprs.push_back(llvm::is_contained(op.getDims(), i)
                        ? type.getDimSize(i) - 1 - b.getAffineDimExpr(i)
                        : b.getAffineDimExpr(i));
  return copy(type, lookup(op.getOperand()), mapOf(type.getRank(), exprs));
}

/// Between widths: the parts of an element are its last dimension on the
/// narrower side, the lowest bits first.
Value KernelConversion::tensorOf(BitcastConvertOp op) {
  RankedTensorType type = storageTensor(op.getType());
  Type from = op.getOperand().getType().getElementType();
  Type to = op.getType().getElementType();
  unsigned fromBits = from.getIntOrFloatBitWidth();
  unsigned toBits = to.getIntOrFloatBitWidth();
  Type narrow = b.getIntegerType(std::min(fromBits, toBits));
  Type wide = b.getIntegerType(std::max(fromBits, toBits));
  int64_t rank = type.getRank();
  Value operand = lookup(op.getOperand());
  auto bitsOf = [&](Value stored, Type type) {
    return bitcastScalar(b, stored, type);
  };
  auto constant = [&](Type type, int64_t value) -> Value {
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, value));
  };
  if (fromBits > toBits) {
    Input input = {operand,
                   AffineMap::getMultiDimIdentityMap(rank, b.getContext())
                       .dropResult(rank - 1)};
    return parallel(type, {input}, [&](ValueRange arguments) {
      Value part = linalg::IndexOp::create(b, rank - 1);
      Value shift = arith::MulIOp::create(
          b, arith::IndexCastOp::create(b, wide, part), constant(wide, toBits));
      Value shifted =
          arith::ShRUIOp::create(b, bitsOf(arguments[0], wide), shift);
      return bitsOf(arith::TruncIOp::create(b, narrow, shifted),
                    type.getElementType());
    });
  }
  SmallVector<Input> inputs;
  for (unsigned part = 0; part < toBits / fromBits; ++part) {
    SmallVector<AffineExpr> exprs;
    for (int64_t i = 0; i < rank; ++i)
      exprs.push_back(b.getAffineDimExpr(i));
    exprs.push_back(b.getAffineConstantExpr(part));
    inputs.push_back({operand, mapOf(rank, exprs)});
  }
  return parallel(type, inputs, [&](ValueRange arguments) {
    Value bits = constant(wide, 0);
    for (auto [part, stored] : llvm::enumerate(arguments)) {
      Value piece = arith::ExtUIOp::create(b, wide, bitsOf(stored, narrow));
      Value placed =
          arith::ShLIOp::create(b, piece, constant(wide, part * fromBits));
      bits = arith::OrIOp::create(b, bits, placed);
    }
    return bitsOf(bits, type.getElementType());
  });
}

Value KernelConversion::tensorOf(ConcatenateOp op) {
  RankedTensorType type = storageTensor(op.getType());
  Value result = emptyTensor(type);
  SmallVector<int64_t> offsets(type.getRank()), ones(type.getRank(), 1);
  for (Value input : op.getInputs()) {
    auto inputType = cast<RankedTensorType>(input.getType());
    if (inputType.getNumElements() != 0)
      result = insert(lookup(input), result, asAttributes(b, offsets), ones);
    offsets[op.getDim()] += inputType.getDimSize(op.getDim());
  }
  return result;
}

/// Element i goes to low + i * (interior + 1); what falls outside the result,
/// because low or high is negative, is cut off.
Value KernelConversion::tensorOf(PadOp op) {
  RankedTensorType type = storageTensor(op.getType());
  auto operandType = cast<RankedTensorType>(op.getOperand().getType());
  int64_t rank = type.getRank();
  SmallVector<int64_t> shape, offsets, strides;
  SmallVector<AffineExpr> exprs;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t low = op.getLow()[i], step = op.getInterior()[i] + 1;
    int64_t first = low < 0 ? llvm::divideCeilSigned(-low, step) : 0;
    // One past the last element at a position below the result's size.
    int64_t end =
        std::min(operandType.getDimSize(i),
                 llvm::divideCeilSigned(type.getDimSize(i) - low, step));
    shape.push_back(std::max<int64_t>(end - first, 0));
    offsets.push_back(low + first * step);
    strides.push_back(step);
    exprs.push_back(partOf(b.getAffineDimExpr(i) + first,
                           operandType.getDimSize(i), shape.back()));
  }
  Value padding = scalarOf(op.getPaddingValue());
  Value result = fill(type, padding);
  auto keptType = type.clone(shape);
  if (keptType.getNumElements() != 0) {
    Value kept = lookup(op.getOperand());
    if (kept.getType() != keptType)
      kept = copy(keptType, kept, mapOf(rank, exprs));
    if (keptType == type)
      result = kept;
    else
      result = insert(kept, result, asAttributes(b, offsets), strides);
  }
  return result;
}

Value KernelConversion::tensorOf(DynamicSliceOp op) {
  RankedTensorType type = storageTensor(op.getType());
  auto operandType = cast<RankedTensorType>(op.getOperand().getType());
  SmallVector<OpFoldResult> offsets =
      sliceOffsets(op.getStartIndices(), operandType.getShape(), op.getSizes());
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value slice = tensor::ExtractSliceOp::create(
      b, type, lookup(op.getOperand()), offsets,
      asAttributes(b, type.getShape()), asAttributes(b, ones));
  return copy(type, slice, identity(type.getRank()));
}

Value KernelConversion::tensorOf(DynamicUpdateSliceOp op) {
  RankedTensorType type = storageTensor(op.getType());
  auto updateType = cast<RankedTensorType>(op.getUpdate().getType());
  Value result = lookup(op.getOperand());
  if (updateType.getNumElements() != 0) {
    SmallVector<OpFoldResult> offsets = sliceOffsets(
        op.getStartIndices(), type.getShape(), updateType.getShape());
    SmallVector<int64_t> ones(type.getRank(), 1);
    // In place, the operand's buffer becomes that of the result.
    if (!options.isInPlace)
      result = copy(type, result, identity(type.getRank()));
    result = insert(lookup(op.getUpdate()), result, offsets, ones);
  }
  return result;
}

/// The result is indexed by batch dimensions, which select a start index, and
/// by offset dimensions, which walk the slice.
Value KernelConversion::tensorOf(GatherOp op) {
  RankedTensorType type = storageTensor(op.getType());
  auto operandType = cast<RankedTensorType>(op.getOperand().getType());
  auto indicesType = cast<RankedTensorType>(op.getStartIndices().getType());
  int64_t rank = type.getRank();
  ArrayRef<int64_t> offsetDims = op.getOffsetDims();
  SmallVector<int64_t> batchDims;
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(offsetDims, i))
      batchDims.push_back(i);

  // One input per component of the start index.
  int64_t vectorDim = op.getIndexVectorDim();
  SmallVector<Input> inputs;
  for (size_t k = 0; k < op.getStartIndexMap().size(); ++k) {
    SmallVector<AffineExpr> exprs;
    auto batch = batchDims.begin();
    for (int64_t i = 0; i < indicesType.getRank(); ++i)
      exprs.push_back(i == vectorDim ? b.getAffineConstantExpr(k)
                                     : b.getAffineDimExpr(*batch++));
    inputs.push_back({lookup(op.getStartIndices()), mapOf(rank, exprs)});
  }
  Value operand = lookup(op.getOperand());
  Type indexElement = indicesType.getElementType();

  return parallel(type, inputs, [&](ValueRange arguments) {
    SmallVector<Value> indices;
    auto offset = offsetDims.begin();
    for (int64_t dim = 0; dim < operandType.getRank(); ++dim) {
      int64_t size = op.getSliceSizes()[dim];
      Value index;
      auto add = [&](Value term) {
        index = index ? arith::AddIOp::create(b, index, term) : term;
      };
      // A whole slice starts at 0, wherever it is told to.
      auto start = llvm::find(op.getStartIndexMap(), dim);
      if (start != op.getStartIndexMap().end() &&
          operandType.getDimSize(dim) != size)
        add(startIndex(arguments[start - op.getStartIndexMap().begin()],
                       indexElement, operandType.getDimSize(dim) - size));
      auto batching = llvm::find(op.getOperandBatchingDims(), dim);
      if (batching != op.getOperandBatchingDims().end()) {
        int64_t indicesDim =
            op.getStartIndicesBatchingDims()
                [batching - op.getOperandBatchingDims().begin()];
        int64_t batch = indicesDim > vectorDim ? indicesDim - 1 : indicesDim;
        add(linalg::IndexOp::create(b, batchDims[batch]));
      } else if (!llvm::is_contained(op.getCollapsedSliceDims(), dim)) {
        int64_t loop = *offset++;
        if (size != 1)
          add(linalg::IndexOp::create(b, loop));
      }
      if (!index)
        index = arith::ConstantIndexOp::create(b, 0);
      indices.push_back(index);
    }
    return Value(tensor::ExtractOp::create(b, operand, indices));
  });
}
