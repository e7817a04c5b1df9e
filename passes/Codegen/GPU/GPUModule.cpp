//===- GPUModule.cpp - Where the functions of a GPU are -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/GPUModule.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace cleave::codegen {

GPUModuleBuilder::GPUModuleBuilder(ModuleOp module)
    : b(module.getLoc(), module.getContext()), module(module),
      gpuModule(module.lookupSymbol<gpu::GPUModuleOp>("cleave_kernels")) {}

gpu::GPUFuncOp GPUModuleBuilder::makeFunction(func::FuncOp kernel,
                                              ArrayRef<Type> types,
                                              int64_t threads) {
  if (!gpuModule) {
    b.setInsertionPointToEnd(module.getBody());
    gpuModule = gpu::GPUModuleOp::create(b, "cleave_kernels");
    module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                    b.getUnitAttr());
  }
  b.setLoc(kernel.getLoc());
  b.setInsertionPointToEnd(gpuModule.getBody());
  auto function = gpu::GPUFuncOp::create(b, kernel.getSymName(),
                                         b.getFunctionType(types, {}));
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  int32_t size = threads;
  // It becomes the limit by which ptxas chooses the number of registers.
  function.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({size, 1, 1}));
  // Buffers do not overlap.
  for (unsigned i = 0; i < types.size(); ++i)
    function.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                        b.getUnitAttr());
  return function;
}

void GPUModuleBuilder::declare(func::FuncOp kernel, gpu::GPUFuncOp function,
                               int64_t blocks) {
  kernel.eraseBody();
  kernel.setType(function.getFunctionType());
  kernel.setPrivate();
  for (ArrayRef<StringLiteral> names :
       {ArrayRef(graph::kBodyAttrs), ArrayRef(graph::kLoopAttrs)})
    for (StringRef name : names)
      kernel->removeAttr(name);
  kernel->setAttr(graph::kGPUKernelAttr,
                  SymbolRefAttr::get(gpuModule.getSymNameAttr(),
                                     {FlatSymbolRefAttr::get(function)}));
  kernel->setAttr(graph::kBlocksAttr, b.getI64IntegerAttr(blocks));
  kernel->setAttr(graph::kThreadsAttr,
                  b.getI64IntegerAttr((*function.getKnownBlockSize())[0]));
}

int64_t usefulBlocks(int64_t items) {
  constexpr int64_t maxBlocks = 4096;
  return std::clamp<int64_t>(items, 1, maxBlocks);
}

Value addSharedArray(gpu::GPUFuncOp function, int64_t elements, Type element) {
  MLIRContext *context = function.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  Value array = function.addWorkgroupAttribution(
      MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space),
      function.getLoc());
  function.setWorkgroupAttributionAttr(
      function.getNumWorkgroupAttributions() - 1,
      LLVM::LLVMDialect::getAlignAttrName(),
      IntegerAttr::get(IntegerType::get(context, 64), 16));
  return array;
}

} // namespace cleave::codegen
