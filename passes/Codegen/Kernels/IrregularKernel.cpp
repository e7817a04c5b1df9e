//===- IrregularKernel.cpp - A kernel of one op as scalar loops -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::graph;

namespace cleave::codegen {

//===----------------------------------------------------------------------===//
// Frame
//===----------------------------------------------------------------------===//

IrregularKernel::IrregularKernel(func::FuncOp function)
    : KernelBuilder(function.getLoc()), function(function), block(new Block()) {
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
  ArrayRef<int64_t> replaced = inPlaceArguments(function);
  if (function->hasAttr(kUpdatesInPlaceAttr) &&
      (replaced.empty() || llvm::is_contained(replaced, -1)))
    return function.emitError("updates its arguments in place, but "
                              "`cleave.in_place` does not say which; run "
                              "cleave-lower-to-exec first");
  IrregularKernel kernel(function);
  DenseMap<Value, KernelBuffer> buffers;
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
  if (auto types = function->getAttrOfType<ArrayAttr>(kWorkspaceAttr))
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
  for (StringRef name : kBodyAttrs)
    function->removeAttr(name);
  function->setAttr(kExtentAttr, b.getI64IntegerAttr(parts));
  function->setAttr(kScalarLoopsAttr, b.getUnitAttr());
}

} // namespace cleave::codegen
