//===- ExecConvolution.cpp - What a convolution reads and writes ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Exec/ExecDialect.h"
#include "dialects/Exec/ExecVerification.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;

namespace cleave::exec {

/// Whether every index a strided operand is accessed at lies in its buffer.
static LogicalResult verifyLayout(ConvolutionOp op, StringRef name,
                                  Value buffer, ArrayRef<int64_t> strides,
                                  ArrayRef<int64_t> sizes) {
  if (strides.size() != sizes.size())
    return op.emitOpError() << name << " needs " << sizes.size()
                            << " strides, got " << strides.size();
  if (llvm::is_contained(sizes, 0))
    return success();
  std::optional<int64_t> last = 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (stride < 0)
      return op.emitOpError() << name << " has a negative stride";
    last = last ? llvm::checkedMulAdd(size - 1, stride, *last) : last;
  }
  if (!last || *last >= cast<MemRefType>(buffer.getType()).getNumElements())
    return op.emitOpError() << name << " is read or written beyond its end";
  return success();
}

static SmallVector<int64_t> concat(ArrayRef<int64_t> first,
                                   ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> sizes(first);
  llvm::append_range(sizes, spatial);
  return sizes;
}

LogicalResult ConvolutionOp::verify() {
  size_t rank = getSizes().size();
  for (ArrayRef<int64_t> values :
       {getCounts(), getTaps(), getStrides(), getLow(), getBaseDilations(),
        getWindowDilations()})
    if (values.size() != rank)
      return emitOpError("needs as many entries in each list as spatial "
                         "dimensions, ")
             << rank;
  if (getReversed().size() != rank)
    return emitOpError("needs to say of each of ")
           << rank << " spatial dimensions whether it is reversed";
  auto isNegative = [](int64_t size) { return size < 0; };
  if (isNegative(getBatch()) || isNegative(getGroups()) ||
      isNegative(getFeatures()) || isNegative(getOutputs()) ||
      llvm::any_of(getSizes(), isNegative) ||
      llvm::any_of(getCounts(), isNegative) ||
      llvm::any_of(getTaps(), isNegative))
    return emitOpError("has a negative size");
  for (ArrayRef<int64_t> steps :
       {getStrides(), getBaseDilations(), getWindowDilations()})
    if (llvm::any_of(steps, [](int64_t step) { return step < 1; }))
      return emitOpError("strides and dilations must be at least 1");
  auto elementOf = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getElementType();
  };
  if (elementOf(getOut()).isInteger(1))
    return emitOpError("of i1 is not defined; count in i32 instead");
  for (Value operand : getOperands())
    if (elementOf(operand) != elementOf(getOut()))
      return emitOpError("operands must have one element type");
  if (failed(verifyLayout(*this, "lhs", getLhs(), getLhsStrides(),
                          concat({int64_t(getBatch()), int64_t(getGroups()),
                                  int64_t(getFeatures())},
                                 getSizes()))) ||
      failed(verifyLayout(*this, "kernel", getKernel(), getKernelStrides(),
                          concat({int64_t(getGroups()), int64_t(getOutputs()),
                                  int64_t(getFeatures())},
                                 getTaps()))) ||
      failed(verifyLayout(*this, "out", getOut(), getOutStrides(),
                          concat({int64_t(getBatch()), int64_t(getGroups()),
                                  int64_t(getOutputs())},
                                 getCounts()))))
    return failure();
  auto numElements = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getNumElements();
  };
  if (getBias() &&
      numElements(getBias()) != int64_t(getGroups()) * int64_t(getOutputs()))
    return emitOpError("bias must have one element per output feature");
  if (getResidual() && numElements(getResidual()) != numElements(getOut()))
    return emitOpError("residual must have as many elements as out");
  if (failed(verifyNotConstant(*this, getOut())))
    return failure();
  return verifyNoAlias(*this, getOut(), getOperands().drop_back());
}

} // namespace cleave::exec
