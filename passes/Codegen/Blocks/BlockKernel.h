//===- BlockKernel.h - A kernel of one op run by blocks ------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame of a GPU kernel whose op has an algorithm of its own for the
// threads of a block, which share memory and wait for each other. The gpu.func
// takes flat buffers of stored elements: inputs, then results, then workspace.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_BLOCKS_BLOCKKERNEL_H
#define CLEAVE_PASSES_CODEGEN_BLOCKS_BLOCKKERNEL_H

#include "dialects/Graph/GraphDialect.h"
#include "passes/Codegen/GPU/GPUModule.h"
#include "passes/Codegen/Kernels/KernelBuilder.h"

namespace cleave::codegen {

class BlockKernel : public KernelBuilder {
public:
  /// Starts the gpu.func of `kernel`, which holds `op` and constants of equal
  /// elements, for blocks of `threads` threads. Fails with a diagnostic on
  /// other kernels.
  static mlir::FailureOr<BlockKernel> start(GPUModuleBuilder &functions,
                                            mlir::func::FuncOp kernel,
                                            mlir::Operation *op,
                                            int64_t threads);

  const KernelBuffer &operand(unsigned index) const { return operands[index]; }
  const KernelBuffer &result(unsigned index) const { return results[index]; }
  const KernelBuffer &workspace(unsigned index) const {
    return workspaces[index];
  }
  size_t getNumWorkspaces() const { return workspaces.size(); }
  int64_t getNumThreads() const { return threads; }

  /// Numbers of this thread: in its block, and in its warp.
  mlir::Value thread, lane, warp;

  mlir::Value sharedArray(int64_t elements, mlir::Type element);
  void barrier();
  /// What the lane has whose number differs in the bits of `mask`.
  mlir::Value shuffleXor(mlir::Value value, int32_t mask);
  /// What lane `source` has of each `width` neighbouring ones.
  mlir::Value shuffleFrom(mlir::Value value, mlir::Value source, int32_t width);

  /// Runs `body` for `count` items, one block each at a time, whatever the
  /// number of blocks.
  void loopOverBlocks(int64_t count, LoopBody body);
  /// Runs `body` for 0 to `count` - 1, one thread each at a time, neighbours
  /// side by side.
  void share(int64_t count, LoopBody body);
  void share(mlir::Value count, LoopBody body);
  void inFirstThread(llvm::function_ref<void()> body);

  /// `lanes` stored elements from `place` on, which are zero unless the
  /// condition, which may be null, is true; a vector. `place` must be a
  /// multiple of `lanes`.
  mlir::Value loadVector(const KernelBuffer &buffer, mlir::Value place,
                         int64_t lanes, mlir::Value condition);
  /// Rounds f32 numbers to elements of the buffer and stores them from `place`,
  /// a multiple of their number, on.
  void storeVector(const KernelBuffer &buffer, mlir::Value place,
                   mlir::ValueRange numbers);

  /// Ends the function, which `blocks` blocks run best.
  void finish(int64_t blocks);

private:
  BlockKernel(GPUModuleBuilder &functions, mlir::func::FuncOp kernel,
              mlir::gpu::GPUFuncOp function, int64_t threads);

  GPUModuleBuilder &functions;
  mlir::func::FuncOp kernel;
  mlir::gpu::GPUFuncOp function;
  int64_t threads;
  llvm::SmallVector<KernelBuffer> operands, results, workspaces;
};

// The kernels, each in a file of its own; they fail with a diagnostic at what
// they have no code for.
struct BlockKernelOptions {
  /// Products of f32 by tensor cores, whose operands have 10 bits after the
  /// point.
  bool tf32 = false;
};
llvm::LogicalResult writeAttention(GPUModuleBuilder &functions,
                                   mlir::func::FuncOp kernel,
                                   graph::AttentionOp op,
                                   const BlockKernelOptions &options);
llvm::LogicalResult writeConvolution(GPUModuleBuilder &functions,
                                     mlir::func::FuncOp kernel,
                                     graph::ConvolutionOp op);
llvm::LogicalResult writeCholesky(GPUModuleBuilder &functions,
                                  mlir::func::FuncOp kernel,
                                  graph::CholeskyOp op);
llvm::LogicalResult writeTriangularSolve(GPUModuleBuilder &functions,
                                         mlir::func::FuncOp kernel,
                                         graph::TriangularSolveOp op);
llvm::LogicalResult writeFft(GPUModuleBuilder &functions,
                             mlir::func::FuncOp kernel, graph::FftOp op);
llvm::LogicalResult writeBlockSort(GPUModuleBuilder &functions,
                                   mlir::func::FuncOp kernel, graph::SortOp op);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_BLOCKS_BLOCKKERNEL_H
