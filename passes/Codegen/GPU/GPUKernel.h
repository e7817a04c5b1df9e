//===- GPUKernel.h - A kernel as a function of a GPU ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_GPU_GPUKERNEL_H
#define CLEAVE_PASSES_CODEGEN_GPU_GPUKERNEL_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "passes/Codegen/GPU/GPUMapping.h"
#include "passes/Codegen/GPU/TeamNestEmitter.h"

namespace cleave::codegen {

/// Writes the gpu.func of a kernel that LoopKernel has taken apart. Its
/// arguments are the flat buffers of the kernel; it may be launched with any
/// number of blocks.
class GPUKernelWriter {
public:
  /// `function` has a first block with one argument per buffer of the kernel
  /// that is no temporary.
  GPUKernelWriter(mlir::gpu::GPUFuncOp function, LoopKernel &kernel,
                  const GPUMapping &mapping);

  /// Fails with a diagnostic if the temporaries do not fit.
  llvm::LogicalResult write();

private:
  /// How threads access a buffer in a nest.
  struct TeamAccess {
    const NestBuffer *buffer;
    bool isWrite;
    bool isOfFirstThread;
    /// Equal for two accesses in which each thread meets the same elements;
    /// empty if nothing is known.
    llvm::SmallVector<int64_t> pattern;

    bool conflictsWith(const TeamAccess &other) const;
  };

  llvm::LogicalResult createTemporaries();
  void writePreamble();
  void writeRowsOfThreads();
  void writeRowsOfBlocks();
  void writeTiles();
  /// Rows `first`, `first + step`, ... of all.
  void loopOverRows(mlir::Value first, mlir::Value step,
                    llvm::function_ref<void(mlir::Value)> body);
  RowPosition positionOf(mlir::Value row);
  void writeShared(size_t nest, const RowPosition &position);
  llvm::SmallVector<TeamAccess> accessesOf(size_t nest) const;
  llvm::SmallVector<int64_t> patternOf(size_t nest,
                                       const NestAccess &access) const;
  bool mustWait(llvm::ArrayRef<TeamAccess> accesses, bool needsScratch) const;
  bool nextRowMustWait() const;
  void barrier();
  mlir::Value scratch(mlir::Type element);
  /// Indices of a number in row-major order.
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value number,
                                             llvm::ArrayRef<int64_t> extents);
  mlir::Value index(int64_t value);

  mlir::gpu::GPUFuncOp function;
  LoopKernel &kernel;
  const GPUMapping &mapping;
  mlir::ImplicitLocOpBuilder b;
  mlir::IRMapping scalars;
  Team team;
  mlir::Value block, numBlocks;
  llvm::DenseMap<mlir::Type, mlir::Value> scratches;
  /// Since the last barrier.
  std::vector<TeamAccess> pending;
  bool scratchIsRead = false;
  /// In a row, before its first barrier.
  std::vector<TeamAccess> atStart;
  bool usesScratchAtStart = false, isAtStart = true;
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_GPU_GPUKERNEL_H
