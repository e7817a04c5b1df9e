//===- LowerLibraryKernels.cpp - Kernels that are library calls -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime gives a kernel its buffers in the order in which a library
// function takes them, so that nothing is left to do but to name the function
// and the numbers.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "passes/Codegen/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_LOWERLIBRARYKERNELS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::graph;
using cleave::LibraryCall;
using cleave::LibraryKernelOpInterface;

namespace {

class LibraryKernelLowering {
public:
  explicit LibraryKernelLowering(ModuleOp module)
      : symbols(module), b(module.getLoc(), module.getContext()) {}

  LogicalResult lower(func::FuncOp kernel, LibraryKernelOpInterface op);

private:
  LLVM::GlobalOp numbersOf(ArrayRef<int64_t> numbers, StringRef kernel);
  LLVM::LLVMFuncOp declare(StringRef name, LLVM::LLVMFunctionType type);

  SymbolTable symbols;
  ImplicitLocOpBuilder b;
};

} // namespace

/// Constant memory that holds the numbers.
LLVM::GlobalOp LibraryKernelLowering::numbersOf(ArrayRef<int64_t> numbers,
                                                StringRef kernel) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(cast<ModuleOp>(symbols.getOp()).getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI64Type(), numbers.size());
  auto global = LLVM::GlobalOp::create(
      b, type, /*isConstant=*/true, LLVM::Linkage::Internal,
      (kernel + "_numbers").str(), b.getI64TensorAttr(numbers));
  symbols.insert(global);
  return global;
}

LLVM::LLVMFuncOp LibraryKernelLowering::declare(StringRef name,
                                                LLVM::LLVMFunctionType type) {
  if (auto function = symbols.lookup<LLVM::LLVMFuncOp>(name))
    return function;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(cast<ModuleOp>(symbols.getOp()).getBody());
  auto function = LLVM::LLVMFuncOp::create(b, name, type);
  symbols.insert(function);
  return function;
}

LogicalResult LibraryKernelLowering::lower(func::FuncOp kernel,
                                           LibraryKernelOpInterface op) {
  Operation *terminator = kernel.getBody().front().getTerminator();
  if (!llvm::hasSingleElement(kernel.getBody().front().without_terminator()) ||
      !llvm::equal(op->getOperands(), kernel.getArguments()) ||
      !llvm::equal(op->getResults(), terminator->getOperands()))
    return op->emitOpError("must be alone in its kernel, with the arguments as "
                           "operands and all results returned");
  LibraryCall call = op.getLibraryCall();
  Type element = getElementTypeOrSelf(op->getOperand(0));
  std::string name = ("cleave_rt_" + call.function + "_").str();
  llvm::raw_string_ostream(name) << element;

  b.setLoc(op->getLoc());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type nothing = LLVM::LLVMVoidType::get(b.getContext()), i64 = b.getI64Type();
  auto function = declare(
      name, LLVM::LLVMFunctionType::get(nothing, {pointer, pointer, i64, i64}));
  std::string symbol = kernel.getSymName().str();
  b.setInsertionPoint(kernel);
  auto lowered = LLVM::LLVMFuncOp::create(
      b, symbol, LLVM::LLVMFunctionType::get(nothing, {pointer, i64, i64}));
  lowered->setAttr(kKernelAttr, b.getUnitAttr());
  lowered->setAttr(kExtentAttr, b.getI64IntegerAttr(call.extent));
  symbols.erase(kernel);
  symbols.insert(lowered);
  Block *entry = lowered.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  Value numbers = LLVM::AddressOfOp::create(b, numbersOf(call.numbers, symbol));
  LLVM::CallOp::create(b, function,
                       ValueRange{entry->getArgument(0), numbers,
                                  entry->getArgument(1),
                                  entry->getArgument(2)});
  LLVM::ReturnOp::create(b, ValueRange());
  return success();
}

namespace {
struct LowerLibraryKernels
    : public cleave::impl::LowerLibraryKernelsBase<LowerLibraryKernels> {
  void runOnOperation() override {
    LibraryKernelLowering lowering(getOperation());
    SmallVector<LibraryKernelOpInterface> ops;
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (kernel->hasAttr(kKernelAttr))
        kernel.walk([&](LibraryKernelOpInterface op) { ops.push_back(op); });
    for (LibraryKernelOpInterface op : ops)
      if (failed(lowering.lower(op->getParentOfType<func::FuncOp>(), op)))
        return signalPassFailure();
  }
};
} // namespace
