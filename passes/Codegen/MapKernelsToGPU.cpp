//===- MapKernelsToGPU.cpp - Kernels as functions of a GPU -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is left of a kernel in the module is a declaration that says which
// gpu.func it is and how that is launched.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/GPUKernel.h"
#include "passes/Codegen/IrregularKernel.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_MAPKERNELSTOGPU
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::codegen;

namespace {

class GPUModuleBuilder {
public:
  GPUModuleBuilder(ModuleOp module, bool ordered)
      : b(module.getLoc(), module.getContext()), module(module),
        ordered(ordered) {}

  LogicalResult add(func::FuncOp kernel);

private:
  LogicalResult addTensorKernel(func::FuncOp kernel);
  void addScalarKernel(func::FuncOp kernel);
  gpu::GPUFuncOp makeFunction(func::FuncOp kernel, ArrayRef<Type> types,
                              int64_t threads);
  void declare(func::FuncOp kernel, gpu::GPUFuncOp function, int64_t blocks,
               int64_t threads);

  ImplicitLocOpBuilder b;
  ModuleOp module;
  bool ordered;
  gpu::GPUModuleOp gpuModule;
};

} // namespace

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
                               int64_t blocks, int64_t threads) {
  kernel.eraseBody();
  kernel.setType(function.getFunctionType());
  kernel.setPrivate();
  kernel->removeAttr("cleave.extent");
  kernel->removeAttr("cleave.scalar_loops");
  kernel->setAttr("cleave.gpu_kernel",
                  SymbolRefAttr::get(gpuModule.getSymNameAttr(),
                                     {FlatSymbolRefAttr::get(function)}));
  kernel->setAttr("cleave.blocks", b.getI64IntegerAttr(blocks));
  kernel->setAttr("cleave.threads", b.getI64IntegerAttr(threads));
}

LogicalResult GPUModuleBuilder::addTensorKernel(func::FuncOp kernel) {
  FailureOr<HostKernel> analyzed = HostKernel::analyze(kernel);
  if (failed(analyzed))
    return failure();
  GPUMapping mapping = chooseGPUMapping(*analyzed, ordered);
  SmallVector<Type> types;
  for (auto &buffer : analyzed->buffers)
    if (!buffer->isTemporary)
      types.push_back(MemRefType::get({buffer->totalElements()},
                                      buffer->type.getElementType()));
  gpu::GPUFuncOp function = makeFunction(kernel, types, mapping.threads);
  if (failed(GPUKernelWriter(function, *analyzed, mapping).write()))
    return failure();
  declare(kernel, function, mapping.blocks, mapping.threads);
  return success();
}

/// Each thread runs parts of the kernel, one at a time.
void GPUModuleBuilder::addScalarKernel(func::FuncOp kernel) {
  int64_t parts = kernel->getAttrOfType<IntegerAttr>("cleave.extent").getInt();
  int64_t threads =
      std::clamp<int64_t>(llvm::PowerOf2Ceil(parts), warpSize, 128);
  SmallVector<Type> types(kernel.getArgumentTypes());
  types.truncate(types.size() - 2);
  gpu::GPUFuncOp function = makeFunction(kernel, types, threads);
  Block &entry = function.getBody().front();
  b.setInsertionPointToStart(&entry);
  auto index = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, value);
  };
  Value size = index(threads);
  Value first = arith::AddIOp::create(
      b,
      arith::MulIOp::create(b, gpu::BlockIdOp::create(b, gpu::Dimension::x),
                            size),
      gpu::ThreadIdOp::create(b, gpu::Dimension::x));
  Value step = arith::MulIOp::create(
      b, gpu::GridDimOp::create(b, gpu::Dimension::x), size);
  auto loop = scf::ForOp::create(b, first, index(parts), step);
  gpu::ReturnOp::create(b);
  b.setInsertionPointToStart(loop.getBody());
  Value part = loop.getInductionVar();
  IRMapping values;
  Block &body = kernel.getBody().front();
  unsigned numBuffers = types.size();
  for (unsigned i = 0; i < numBuffers; ++i)
    values.map(body.getArgument(i), entry.getArgument(i));
  values.map(body.getArgument(numBuffers), part);
  values.map(body.getArgument(numBuffers + 1),
             arith::AddIOp::create(b, part, index(1)).getResult());
  for (Operation &op : body.without_terminator())
    b.clone(op, values);
  declare(kernel, function,
          std::clamp<int64_t>(llvm::divideCeil(parts, threads), 1, 4096),
          threads);
}

LogicalResult GPUModuleBuilder::add(func::FuncOp kernel) {
  if (isTensorKernel(kernel))
    return addTensorKernel(kernel);
  addScalarKernel(kernel);
  return success();
}

namespace {
struct MapKernelsToGPU
    : public cleave::impl::MapKernelsToGPUBase<MapKernelsToGPU> {
  using MapKernelsToGPUBase::MapKernelsToGPUBase;

  void runOnOperation() override {
    if (!keepLibraryKernels)
      for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>())
        if (kernel->hasAttr("cleave.kernel")) {
          kernel.emitError("is computed by a function of the host's library, "
                           "which target cuda does not have");
          return signalPassFailure();
        }
    GPUModuleBuilder builder(getOperation(), ordered);
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr("cleave.kernel") && !function.isExternal())
        kernels.push_back(function);
    for (func::FuncOp kernel : kernels)
      if (failed(builder.add(kernel)))
        return signalPassFailure();
  }
};
} // namespace
