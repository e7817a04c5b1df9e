//===- Emulation.cpp - Programs whose GPU kernels run on the CPU ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emulation.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace cleave::simt;
using namespace cleave::graph;

/// Fewer blocks than a GPU would run, so that blocks take several turns.
static constexpr int64_t maxBlocks = 3;

void Emulation::run(Entry *entry, void *const *buffers) {
  Emulation &owner = *entry->owner;
  if (!owner.fault().empty())
    return;
  std::string fault = entry->kernel->run(
      ArrayRef(buffers, entry->kernel->getNumArguments()), entry->blocks);
  std::lock_guard<std::mutex> guard(owner.mutex);
  if (owner.firstFault.empty())
    owner.firstFault = fault;
}

std::string Emulation::fault() const {
  std::lock_guard<std::mutex> guard(mutex);
  return firstFault;
}

LogicalResult Emulation::replace(ModuleOp module, Operation *declaration) {
  auto symbol = declaration->getAttrOfType<SymbolRefAttr>(kGPUKernelAttr);
  auto function = dyn_cast_or_null<gpu::GPUFuncOp>(
      SymbolTable::lookupSymbolIn(module, symbol));
  auto blocks = declaration->getAttrOfType<IntegerAttr>(kBlocksAttr);
  if (!function || !blocks)
    return declaration->emitError("names no function of a GPU");
  FailureOr<std::unique_ptr<Kernel>> kernel = Kernel::compile(function);
  if (failed(kernel))
    return failure();
  entries.push_back(std::make_unique<Entry>(
      Entry{this, std::move(*kernel),
            std::min<int64_t>(blocks.getInt(), maxBlocks)}));

  ImplicitLocOpBuilder b(declaration->getLoc(), declaration);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type i64 = b.getI64Type(), none = LLVM::LLVMVoidType::get(b.getContext());
  auto host = LLVM::LLVMFuncOp::create(
      b, cast<SymbolOpInterface>(declaration).getName(),
      LLVM::LLVMFunctionType::get(none, {pointer, i64, i64}));
  host->setAttr(kKernelAttr, b.getUnitAttr());
  host->setAttr(kExtentAttr, b.getI64IntegerAttr(1));
  Block *entry = host.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  auto address = [&](const void *object) -> Value {
    Value number = LLVM::ConstantOp::create(
        b, i64, b.getI64IntegerAttr(reinterpret_cast<intptr_t>(object)));
    return LLVM::IntToPtrOp::create(b, pointer, number);
  };
  LLVM::CallOp::create(
      b, LLVM::LLVMFunctionType::get(none, {pointer, pointer}),
      ValueRange{address(reinterpret_cast<const void *>(&Emulation::run)),
                 address(entries.back().get()), entry->getArgument(0)});
  LLVM::ReturnOp::create(b, ValueRange());
  declaration->erase();
  return success();
}

FailureOr<std::unique_ptr<Emulation>> Emulation::take(ModuleOp module) {
  module.getContext()->loadDialect<LLVM::LLVMDialect>();
  auto emulation = std::make_unique<Emulation>();
  SmallVector<Operation *> kernels;
  for (auto function : module.getOps<func::FuncOp>())
    if (function->hasAttr(kGPUKernelAttr))
      kernels.push_back(function);
  for (Operation *kernel : kernels)
    if (failed(emulation->replace(module, kernel)))
      return failure();
  for (auto gpuModule :
       llvm::make_early_inc_range(module.getOps<gpu::GPUModuleOp>()))
    gpuModule.erase();
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return std::move(emulation);
}
