//===- SerializeGPUKernels.cpp - GPU kernels as machine code --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Target/LLVM/NVVM/Target.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "passes/Codegen/GPU/CudaTarget.h"
#include "passes/Codegen/GPU/PtxAssembler.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_SERIALIZEGPUKERNELS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::codegen;

/// Fills in the resources of the kernels' declarations.
static void noteResources(ModuleOp module,
                          const llvm::StringMap<KernelResources> &resources) {
  Builder b(module.getContext());
  for (auto kernel : module.getOps<func::FuncOp>()) {
    auto known = resources.find(kernel.getSymName());
    if (!kernel->hasAttr(graph::kGPUKernelAttr) || known == resources.end())
      continue;
    const KernelResources &needs = known->second;
    auto number = [&](int64_t value) { return b.getI64IntegerAttr(value); };
    kernel->setAttr(
        graph::kGPUResourcesAttr,
        b.getDictionaryAttr(
            {b.getNamedAttr("registers", number(needs.registers)),
             b.getNamedAttr("shared_bytes", number(needs.sharedBytes)),
             b.getNamedAttr("spill_bytes", number(needs.spillBytes)),
             b.getNamedAttr("stack_bytes", number(needs.stackBytes))}));
  }
}

/// Lets kernels that spill registers have as many as they want: ptxas would
/// rather spill a few than have fewer threads at a time. Returns whether some
/// do.
static bool
liftRegisterLimit(gpu::GPUModuleOp module,
                  const llvm::StringMap<KernelResources> &resources) {
  bool isLifted = false;
  for (auto kernel : module.getOps<LLVM::LLVMFuncOp>()) {
    auto known = resources.find(kernel.getSymName());
    if (known == resources.end() || known->second.spillBytes == 0)
      continue;
    kernel->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                    Builder(kernel.getContext()).getI32IntegerAttr(1));
    isLifted = true;
  }
  return isLifted;
}

namespace {
struct SerializeGPUKernels
    : public cleave::impl::SerializeGPUKernelsBase<SerializeGPUKernels> {
  using SerializeGPUKernelsBase::SerializeGPUKernelsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    SerializeGPUKernelsBase::getDependentDialects(registry);
    NVVM::registerNVVMTargetInterfaceExternalModels(registry);
    registerBuiltinDialectTranslation(registry);
    registerGPUDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    registerNVVMDialectTranslation(registry);
  }

  void runOnOperation() override {
    // LLVM aborts on what it does not know.
    if (!findCudaChip(chip)) {
      getOperation().emitError("unknown GPU '")
          << chip << "'; expected " << listCudaChips();
      return signalPassFailure();
    }
    for (auto module :
         llvm::make_early_inc_range(getOperation().getOps<gpu::GPUModuleOp>()))
      if (failed(serialize(module)))
        return signalPassFailure();
  }

private:
  LogicalResult serialize(gpu::GPUModuleOp module) {
    std::string toolkit = findCudaToolkit();
    if (toolkit.empty())
      return module.emitError("cannot find the CUDA toolkit, whose functions "
                              "kernels call; set CUDA_HOME to its folder");
    MLIRContext *context = &getContext();
    auto target = NVVM::NVVMTargetAttr::get(context, /*optLevel=*/3,
                                            "nvptx64-nvidia-cuda", chip,
                                            findCudaChip(chip)->features);
    OpBuilder builder(module);
    auto objectOf = [&](gpu::CompilationTarget format, ArrayRef<char> bytes) {
      return Attribute(gpu::ObjectAttr::get(
          target, format,
          builder.getStringAttr(StringRef(bytes.data(), bytes.size()))));
    };
    Kernels kernels;
    if (failed(translate(module, target, toolkit, kernels)))
      return failure();
    if (liftRegisterLimit(module, kernels.resources) &&
        failed(translate(module, target, toolkit, kernels)))
      return failure();
    noteResources(getOperation(), kernels.resources);
    SmallVector<Attribute> objects = {
        objectOf(gpu::CompilationTarget::Assembly, kernels.ptx)};
    if (assemble)
      objects.push_back(
          objectOf(gpu::CompilationTarget::Binary, kernels.cubin));
    gpu::BinaryOp::create(builder, module.getLoc(), module.getName(), nullptr,
                          builder.getArrayAttr(objects));
    module.erase();
    return success();
  }

  struct Kernels {
    SmallVector<char, 0> ptx, cubin;
    llvm::StringMap<KernelResources> resources;
  };

  /// To PTX, and to machine code if that is wanted.
  LogicalResult translate(gpu::GPUModuleOp module, NVVM::NVVMTargetAttr target,
                          StringRef toolkit, Kernels &kernels) {
    gpu::TargetOptions options(toolkit, {}, "", "",
                               gpu::CompilationTarget::Assembly);
    auto interface = cast<gpu::TargetAttrInterface>(Attribute(target));
    std::optional<SmallVector<char, 0>> ptx =
        interface.serializeToObject(module, options);
    if (!ptx)
      return failure();
    while (!ptx->empty() && ptx->back() == '\0')
      ptx->pop_back();
    kernels.ptx = std::move(*ptx);
    if (!assemble)
      return success();
    return assemblePtx(StringRef(kernels.ptx.data(), kernels.ptx.size()), chip,
                       toolkit, kernels.cubin, kernels.resources,
                       [&] { return module.emitError(); });
  }
};
} // namespace
