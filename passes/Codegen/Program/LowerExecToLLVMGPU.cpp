//===- LowerExecToLLVMGPU.cpp - Programs whose buffers are on a GPU -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "passes/Codegen/Program/LowerExecToLLVM.h"
#include "passes/Codegen/Program/Manifest.h"

using namespace mlir;
using namespace cleave;

/// Where the operation that is being lowered comes from.
Value StepLowering::locationText() {
  return LLVM::AddressOfOp::create(
      b, gpu->getText(cleave::locationText(b.getLoc())));
}

LogicalResult StepLowering::launchOnGPU(exec::LaunchOp op) {
  auto declaration = symbols.lookup<func::FuncOp>(op.getKernel());
  if (!declaration || !declaration->hasAttr(graph::kGPUKernelAttr))
    return op.emitError("launches ")
           << op.getKernel()
           << ", which is no function of a GPU; run cleave-map-kernels-to-gpu "
              "first";
  if (declaration.getNumArguments() != op->getNumOperands())
    return op.emitError("launches ")
           << op.getKernel() << " with " << op->getNumOperands()
           << " buffers; it takes " << declaration.getNumArguments();
  LLVM::GlobalOp kernel = gpu->getKernel(declaration);
  if (!kernel || mlir::failed(storePointers(op->getOperands())))
    return failure();
  checkedCall(
      "cleave_rt_gpu_launch",
      {rank, LLVM::AddressOfOp::create(b, kernel), pointers, locationText()});
  return success();
}

Value StepLowering::constantOnGPU(LLVM::GlobalOp data, int64_t bytes) {
  checkedCall("cleave_rt_gpu_constant",
              {rank, LLVM::AddressOfOp::create(b, data), constant(i64, bytes),
               address});
  return LLVM::LoadOp::create(b, ptr, address);
}
