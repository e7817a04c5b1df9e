//===- GPUProgram.cpp - What a program for a GPU carries ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Program/GPUProgram.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace cleave;

LLVM::GlobalOp GPUProgram::makeBytes(StringRef name, StringRef bytes,
                                     int64_t alignment) {
  b.setInsertionPointToStart(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), bytes.size());
  auto global = LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                                       LLVM::Linkage::Internal, name,
                                       b.getStringAttr(bytes), alignment);
  symbols.insert(global);
  return global;
}

LLVM::GlobalOp GPUProgram::getText(StringRef text) {
  LLVM::GlobalOp &global = texts[text];
  if (!global)
    global = makeBytes("cleave_text", (text + Twine('\0')).str(), 1);
  return global;
}

LLVM::GlobalOp GPUProgram::makeStruct(StringRef name, ArrayRef<Field> fields) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<Type> types;
  for (const Field &field : fields)
    types.push_back(field.address ? pointer : field.type);
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), types);
  b.setInsertionPointToEnd(module.getBody());
  auto global =
      LLVM::GlobalOp::create(b, type, /*isConstant=*/true,
                             LLVM::Linkage::Internal, name, Attribute(), 8);
  symbols.insert(global);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&global.getInitializerRegion());
  Value value = LLVM::UndefOp::create(b, type);
  for (auto [index, field] : llvm::enumerate(fields)) {
    LLVM::GlobalOp address = field.address;
    Value part =
        address
            ? Value(LLVM::AddressOfOp::create(b, address))
            : Value(LLVM::ConstantOp::create(
                  b, field.type, b.getIntegerAttr(field.type, field.number)));
    value = LLVM::InsertValueOp::create(b, value, part, int64_t(index));
  }
  LLVM::ReturnOp::create(b, value);
  return global;
}

LLVM::GlobalOp GPUProgram::getCode(Location loc) {
  if (code)
    return code;
  StringRef chip, machineCode, assembly;
  for (auto binary : module.getOps<gpu::BinaryOp>())
    for (auto object : binary.getObjects().getAsRange<gpu::ObjectAttr>()) {
      chip = cast<NVVM::NVVMTargetAttr>(object.getTarget()).getChip();
      bool isText = object.getFormat() == gpu::CompilationTarget::Assembly;
      (isText ? assembly : machineCode) = object.getObject().getValue();
    }
  if (machineCode.empty() || assembly.empty()) {
    emitError(loc, "there is no machine code of the kernels; run "
                   "cleave-serialize-gpu-kernels first");
    return {};
  }
  auto bytes = makeBytes("cleave_gpu_machine_code", machineCode, 64);
  auto text = makeBytes(gpuAssemblyName, (assembly + Twine('\0')).str(), 1);
  code = makeStruct("cleave_gpu_code",
                    {{getText(chip), {}, 0}, {bytes, {}, 0}, {text, {}, 0}});
  return code;
}

LLVM::GlobalOp GPUProgram::getKernel(func::FuncOp declaration) {
  LLVM::GlobalOp &kernel = kernels[declaration];
  if (kernel)
    return kernel;
  LLVM::GlobalOp codeOfAll = getCode(declaration.getLoc());
  if (!codeOfAll)
    return {};
  auto number = [&](StringRef name) {
    return declaration->getAttrOfType<IntegerAttr>(name).getInt();
  };
  StringRef name =
      declaration->getAttrOfType<SymbolRefAttr>(graph::kGPUKernelAttr)
          .getLeafReference();
  Type i32 = b.getI32Type();
  kernel = makeStruct(("cleave_gpu_kernel_" + name).str(),
                      {{codeOfAll, {}, 0},
                       {getText(name), {}, 0},
                       {{}, i32, number(graph::kBlocksAttr)},
                       {{}, i32, number(graph::kThreadsAttr)},
                       {{}, i32, int64_t(declaration.getNumArguments())}});
  if (Attribute resources = declaration->getAttr(graph::kGPUResourcesAttr))
    kernel->setAttr(graph::kGPUResourcesAttr, resources);
  return kernel;
}

void GPUProgram::finish() {
  for (Operation &op : llvm::make_early_inc_range(*module.getBody())) {
    auto function = dyn_cast<func::FuncOp>(op);
    if (isa<gpu::BinaryOp>(op) ||
        (function && function->hasAttr(graph::kGPUKernelAttr)))
      symbols.erase(&op);
  }
  module->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
}
