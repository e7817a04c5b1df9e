//===- LowerKernelsToLLVM.cpp - Kernels behind the runtime's interface ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime passes one array of pointers. An outer function loads them and
// calls the body, in whose signature each pointer is noalias; LLVM inlines it
// and keeps that as scoped metadata.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Transforms/DialectConversion.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_LOWERKERNELSTOLLVM
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::graph;

/// Moves the body of `kernel` to a function of its own, and unpacks pointers.
static void wrapKernel(LLVM::LLVMFuncOp kernel, Attribute extent) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel);
  bool hasScalarLoops = bool(kernel->removeDiscardableAttr(kScalarLoopsAttr));
  std::string name = kernel.getSymName().str();
  kernel.setSymName(name + "_body");
  kernel.setLinkage(LLVM::Linkage::Internal);
  kernel.setAlwaysInline(true);
  auto pointer = LLVM::LLVMPointerType::get(b.getContext());
  unsigned numBuffers = kernel.getNumArguments() - 2;
  for (unsigned i = 0; i < numBuffers; ++i) {
    kernel.setArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName(),
                      b.getUnitAttr());
    kernel.setArgAttr(i, LLVM::LLVMDialect::getAlignAttrName(),
                      b.getI64IntegerAttr(64));
  }
  Type i64 = b.getI64Type();
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), {pointer, i64, i64});
  auto wrapper = LLVM::LLVMFuncOp::create(b, name, type);
  wrapper->setAttr(kKernelAttr, b.getUnitAttr());
  if (extent)
    wrapper->setAttr(kExtentAttr, extent);
  if (hasScalarLoops)
    wrapper.setPassthroughAttr(
        b.getArrayAttr(b.getStringAttr("cleave-scalar-loops")));
  Block *entry = wrapper.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < numBuffers; ++i) {
    Value slot = LLVM::GEPOp::create(b, pointer, pointer, entry->getArgument(0),
                                     ArrayRef<LLVM::GEPArg>{i});
    arguments.push_back(LLVM::LoadOp::create(b, pointer, slot));
  }
  arguments.append({entry->getArgument(1), entry->getArgument(2)});
  LLVM::CallOp::create(b, kernel, arguments);
  LLVM::ReturnOp::create(b, ValueRange());
}

namespace {
struct LowerKernelsToLLVM
    : public cleave::impl::LowerKernelsToLLVMBase<LowerKernelsToLLVM> {
  void runOnOperation() override {
    SmallVector<Operation *> kernels;
    SmallVector<Attribute> extents;
    SmallVector<std::string> names;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(kKernelAttr)) {
        kernels.push_back(function);
        names.push_back(function.getSymName().str());
        extents.push_back(function->getAttr(kExtentAttr));
        function->removeAttr(kKernelAttr);
        function->removeAttr(kExtentAttr);
      }

    MLIRContext &context = getContext();
    LowerToLLVMOptions options(&context);
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(&context, options);
    RewritePatternSet patterns(&context);
    populateSCFToControlFlowConversionPatterns(patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(context);
    if (failed(applyPartialConversion(kernels, target, std::move(patterns))))
      return signalPassFailure();
    SymbolTable symbols(getOperation());
    for (auto [name, extent] : llvm::zip_equal(names, extents))
      wrapKernel(symbols.lookup<LLVM::LLVMFuncOp>(name), extent);
  }
};
} // namespace
