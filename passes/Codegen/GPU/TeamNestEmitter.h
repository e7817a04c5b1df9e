//===- TeamNestEmitter.h - A nest run by the threads of a block -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_GPU_TEAMNESTEMITTER_H
#define CLEAVE_PASSES_CODEGEN_GPU_TEAMNESTEMITTER_H

#include "passes/Codegen/GPU/GPUMapping.h"

namespace cleave::codegen {

/// The threads of a block, which all run the code that is emitted.
struct Team {
  /// Number of the thread in its block.
  mlir::Value thread;
  int64_t threads = warpSize;
  /// An array of shared memory for partial results of warps, one element per
  /// warp; made when it is asked for. Null if the team is one warp.
  llvm::function_ref<mlir::Value(mlir::Type)> scratch;
};

/// Emits one nest for a row (or, before the rows, a preamble) that a whole
/// block runs. Outputs of reductions that are shared, and of nests that are
/// not, are accessed by thread 0 only.
class TeamNestEmitter : public NestEmitter {
public:
  TeamNestEmitter(mlir::ImplicitLocOpBuilder &builder, const LoopKernel &kernel,
                  const LoopNest &nest, NestSplit nestSplit,
                  const RowPosition &position, mlir::IRMapping &scalars,
                  const Team &team);
  void emit();

private:
  /// Runs `body` in thread 0.
  void inFirstThread(llvm::function_ref<void()> body);
  void emitSharedReduction(int64_t loop);
  void reduce();
  mlir::Value accumulate();
  mlir::Value combineLanes(mlir::Value vector);
  mlir::Value combineWarp(mlir::Value value);
  mlir::Value combineBlock(mlir::Value value);

  NestSplit nestSplit;
  const Team &team;
};

/// Whether thread 0 alone runs a nest: nothing is shared, or one vector.
bool isOfFirstThread(const LoopNest &nest, NestSplit split);
/// Whether only thread 0 accesses the outputs of a nest.
bool isOutputOfFirstThread(const LoopNest &nest, NestSplit split);
/// Whether a nest combines results of threads through scratch memory.
bool usesScratch(const LoopNest &nest, NestSplit split, int64_t threads);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_GPU_TEAMNESTEMITTER_H
