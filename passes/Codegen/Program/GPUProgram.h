//===- GPUProgram.h - What a program for a GPU carries ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PROGRAM_GPUPROGRAM_H
#define CLEAVE_PASSES_CODEGEN_PROGRAM_GPUPROGRAM_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cleave {

/// The global of a program for a GPU that holds its PTX, zero-terminated.
inline constexpr llvm::StringLiteral gpuAssemblyName("cleave_gpu_assembly");

/// Globals of the types in cleave-rt/gpu.h: the code of all kernels, and
/// kernels as they are launched.
class GPUProgram {
public:
  GPUProgram(mlir::ModuleOp module, mlir::SymbolTable &symbols)
      : module(module), symbols(symbols),
        b(module.getLoc(), module.getContext()) {}

  /// The cleave_rt_gpu_kernel of a declaration that MapKernelsToGPU left. Null,
  /// with a diagnostic, if there is no code for it.
  mlir::LLVM::GlobalOp getKernel(mlir::func::FuncOp declaration);
  /// A zero-terminated text.
  mlir::LLVM::GlobalOp getText(llvm::StringRef text);

  /// Removes what only the globals were made of.
  void finish();

private:
  mlir::LLVM::GlobalOp getCode(mlir::Location loc);
  mlir::LLVM::GlobalOp makeBytes(llvm::StringRef name, llvm::StringRef bytes,
                                 int64_t alignment);
  /// A constant struct of addresses of globals and numbers.
  struct Field {
    mlir::LLVM::GlobalOp address;
    mlir::Type type;
    int64_t number;
  };
  mlir::LLVM::GlobalOp makeStruct(llvm::StringRef name,
                                  llvm::ArrayRef<Field> fields);

  mlir::ModuleOp module;
  mlir::SymbolTable &symbols;
  mlir::ImplicitLocOpBuilder b;
  mlir::LLVM::GlobalOp code;
  llvm::DenseMap<mlir::Operation *, mlir::LLVM::GlobalOp> kernels;
  llvm::StringMap<mlir::LLVM::GlobalOp> texts;
};

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_PROGRAM_GPUPROGRAM_H
