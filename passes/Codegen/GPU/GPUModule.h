//===- GPUModule.h - Where the functions of a GPU are --------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_GPU_GPUMODULE_H
#define CLEAVE_PASSES_CODEGEN_GPU_GPUMODULE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cleave::codegen {

/// Makes functions of `gpu.module @cleave_kernels` of kernels. What is left of
/// a kernel is a declaration that says which gpu.func it is and how that is
/// launched.
class GPUModuleBuilder {
public:
  /// Functions are added to those that the module has.
  explicit GPUModuleBuilder(mlir::ModuleOp module);

  /// An empty function that takes flat memrefs, for blocks of `threads`
  /// threads.
  mlir::gpu::GPUFuncOp makeFunction(mlir::func::FuncOp kernel,
                                    llvm::ArrayRef<mlir::Type> types,
                                    int64_t threads);
  /// Puts the declaration in place of the kernel; `blocks` is a useful number.
  void declare(mlir::func::FuncOp kernel, mlir::gpu::GPUFuncOp function,
               int64_t blocks);

private:
  mlir::ImplicitLocOpBuilder b;
  mlir::ModuleOp module;
  mlir::gpu::GPUModuleOp gpuModule;
};

/// How many blocks to launch for items that blocks take one after the other.
/// There are always some; more than a few thousand, which fill any GPU many
/// times over, would only cost their starts.
int64_t usefulBlocks(int64_t items);

/// An array in the shared memory of a block, at a multiple of 16 bytes.
mlir::Value addSharedArray(mlir::gpu::GPUFuncOp function, int64_t elements,
                           mlir::Type element);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_GPU_GPUMODULE_H
