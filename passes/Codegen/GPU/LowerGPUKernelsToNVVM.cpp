//===- LowerGPUKernelsToNVVM.cpp - GPU kernels in the llvm dialect --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_LOWERGPUKERNELSTONVVM
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;

/// Shuffles of 64 bits become two of 32.
static LogicalResult splitShuffles(gpu::GPUModuleOp module) {
  RewritePatternSet patterns(module.getContext());
  populateGpuRewritePatterns(patterns);
  return applyPatternsGreedily(module, std::move(patterns));
}

static LogicalResult convert(gpu::GPUModuleOp module) {
  MLIRContext *context = module.getContext();
  LowerToLLVMOptions options(context);
  options.useBarePtrCallConv = true;
  LLVMTypeConverter converter(context, options);
  configureGpuToNVVMTypeConverter(converter);
  RewritePatternSet patterns(context);
  populateSCFToControlFlowConversionPatterns(patterns);
  cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
  arith::populateArithToLLVMConversionPatterns(converter, patterns);
  populateMathToLLVMConversionPatterns(converter, patterns);
  populateVectorToLLVMConversionPatterns(converter, patterns);
  populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
  ub::populateUBToLLVMConversionPatterns(converter, patterns);
  // Functions of libdevice are preferred to LLVM's, which have no code.
  populateGpuToNVVMConversionPatterns(converter, patterns, /*benefit=*/10);
  LLVMConversionTarget target(*context);
  configureGpuToNVVMConversionLegality(target);
  return applyPartialConversion(module, target, std::move(patterns));
}

namespace {
struct LowerGPUKernelsToNVVM
    : public cleave::impl::LowerGPUKernelsToNVVMBase<LowerGPUKernelsToNVVM> {
  void runOnOperation() override {
    if (failed(splitShuffles(getOperation())) ||
        failed(convert(getOperation())))
      signalPassFailure();
  }
};
} // namespace
