//===- CompiledKernels.cpp - Kernels as functions of this process ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/tests/CompiledKernels.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Program/EmitObject.h"
#include "passes/Fusion/Passes.h"

using namespace mlir;
using namespace cleave;
using cleave::test::CompiledKernels;

static llvm::Error failed(const char *what) {
  return llvm::createStringError(what);
}

llvm::Expected<std::unique_ptr<CompiledKernels>>
CompiledKernels::compile(ModuleOp module, int64_t vectorBits) {
  auto result = std::make_unique<CompiledKernels>();
  result->formed = OwningOpRef<ModuleOp>(cast<ModuleOp>(module->clone()));
  PassManager form(module.getContext());
  form.addPass(createPadWindows());
  form.addPass(createFormKernels());
  form.addPass(createDeduplicateKernels());
  if (mlir::failed(form.run(*result->formed)))
    return ::failed("kernels cannot be formed");

  OwningOpRef<ModuleOp> code(cast<ModuleOp>(result->formed.get()->clone()));
  for (auto function : llvm::make_early_inc_range(code->getOps<func::FuncOp>()))
    if (!function->hasAttr(graph::kKernelAttr))
      function.erase();
  PassManager lower(module.getContext());
  lower.addPass(createLowerLibraryKernels());
  lower.addPass(createLowerIrregularKernels());
  lower.addPass(createConvertKernelsToLinalg());
  lower.addPass(createFuseKernelOps());
  lower.addPass(createBufferizeKernels());
  VectorizeHostKernelsOptions vectorize;
  vectorize.vectorBits = vectorBits;
  lower.addPass(createVectorizeHostKernels(vectorize));
  lower.addPass(createLowerVectorMath());
  lower.addPass(createLowerKernelsToLLVM());
  if (mlir::failed(lower.run(*code)))
    return ::failed("kernels cannot be lowered");
  for (auto kernel : code->getOps<LLVM::LLVMFuncOp>())
    if (auto extent = kernel->getAttrOfType<IntegerAttr>(graph::kExtentAttr))
      result->extents[kernel.getSymName()] = extent.getInt();

  SmallVector<char> object;
  if (mlir::failed(emitObject(*code, HostTargetOptions(), object)))
    return ::failed("no object can be made");
  auto created = llvm::orc::LLJITBuilder().create();
  if (!created)
    return created.takeError();
  result->jit = std::move(*created);
  if (llvm::Error error =
          result->jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
              StringRef(object.data(), object.size()), "kernels")))
    return error;
  return result;
}

llvm::Expected<CompiledKernels::Kernel>
CompiledKernels::lookup(StringRef name) {
  auto symbol = jit->lookup(name);
  if (!symbol)
    return symbol.takeError();
  return Kernel{symbol->toPtr<cleave_rt_kernel>(), extents.lookup(name)};
}
