//===- OutlineKernel.cpp - Kernels of one op ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Fusion/OutlineKernel.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace cleave::graph;

func::FuncOp
cleave::fusion::outlineKernel(Operation *op, SymbolTable &symbols,
                              const Twine &name,
                              llvm::function_ref<bool(OpOperand &)> isCopied) {
  OpBuilder b(op);
  Location loc = op->getLoc();
  SmallVector<OpOperand *> arguments, copied;
  for (OpOperand &operand : op->getOpOperands())
    (isCopied && isCopied(operand) ? copied : arguments).push_back(&operand);
  // Constants of its regions may have been moved out of them.
  for (Region &region : op->getRegions())
    visitUsedValuesDefinedAbove(region,
                                [&](OpOperand *use) { copied.push_back(use); });
  SmallVector<Value> values;
  for (OpOperand *operand : arguments)
    values.push_back(operand->get());
  auto kernel = func::FuncOp::create(
      loc, name.str(),
      b.getFunctionType(TypeRange(ValueRange(values)), op->getResultTypes()));
  kernel.setPrivate();
  kernel->setAttr(kKernelAttr, b.getUnitAttr());
  Block *body = kernel.addEntryBlock();
  symbols.insert(kernel);
  auto call = func::CallOp::create(b, loc, kernel, values);
  op->replaceAllUsesWith(call);
  b.setInsertionPointToStart(body);
  // Of what is outside, bodies use constants alone: see buildScalarBody.
  for (OpOperand *operand : copied)
    operand->set(b.clone(*operand->get().getDefiningOp())->getResult(0));
  op->remove();
  b.insert(op);
  for (auto [operand, argument] :
       llvm::zip_equal(arguments, body->getArguments()))
    operand->set(argument);
  func::ReturnOp::create(b, loc, op->getResults());
  return kernel;
}
