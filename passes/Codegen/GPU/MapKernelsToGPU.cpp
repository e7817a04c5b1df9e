//===- MapKernelsToGPU.cpp - Kernels as functions of a GPU ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/GPU/GPUKernel.h"
#include "passes/Codegen/GPU/GPUModule.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_MAPKERNELSTOGPU
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

namespace {

class KernelMapper {
public:
  KernelMapper(ModuleOp module, bool ordered)
      : functions(module), b(module.getLoc(), module.getContext()),
        ordered(ordered) {}

  LogicalResult add(func::FuncOp kernel);

private:
  LogicalResult addTensorKernel(func::FuncOp kernel);
  void addScalarKernel(func::FuncOp kernel);

  GPUModuleBuilder functions;
  ImplicitLocOpBuilder b;
  bool ordered;
};

} // namespace

LogicalResult KernelMapper::addTensorKernel(func::FuncOp kernel) {
  FailureOr<LoopKernel> analyzed = LoopKernel::analyze(kernel);
  if (failed(analyzed))
    return failure();
  GPUMapping mapping = chooseGPUMapping(*analyzed, ordered);
  SmallVector<Type> types;
  for (auto &buffer : analyzed->buffers)
    if (!buffer->isTemporary)
      types.push_back(MemRefType::get({buffer->totalElements()},
                                      buffer->type.getElementType()));
  gpu::GPUFuncOp function =
      functions.makeFunction(kernel, types, mapping.threads);
  if (failed(GPUKernelWriter(function, *analyzed, mapping).write()))
    return failure();
  functions.declare(kernel, function, mapping.blocks);
  return success();
}

/// Each thread runs parts of the kernel, one at a time.
void KernelMapper::addScalarKernel(func::FuncOp kernel) {
  int64_t parts = kernel->getAttrOfType<IntegerAttr>(kExtentAttr).getInt();
  int64_t threads =
      std::clamp<int64_t>(llvm::PowerOf2Ceil(parts), warpSize, 128);
  SmallVector<Type> types(kernel.getArgumentTypes());
  types.truncate(types.size() - 2);
  gpu::GPUFuncOp function = functions.makeFunction(kernel, types, threads);
  Block &entry = function.getBody().front();
  b.setLoc(kernel.getLoc());
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
  functions.declare(kernel, function,
                    usefulBlocks(llvm::divideCeil(parts, threads)));
}

LogicalResult KernelMapper::add(func::FuncOp kernel) {
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
    for (auto kernel : getOperation().getOps<LLVM::LLVMFuncOp>())
      if (kernel->hasAttr(kKernelAttr)) {
        kernel.emitError("is computed by a function of the host's library, "
                         "which target cuda does not have");
        return signalPassFailure();
      }
    KernelMapper mapper(getOperation(), ordered);
    SmallVector<func::FuncOp> kernels;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kKernelAttr) && !function.isExternal())
        kernels.push_back(function);
    for (func::FuncOp kernel : kernels)
      if (failed(mapper.add(kernel)))
        return signalPassFailure();
  }
};
} // namespace
