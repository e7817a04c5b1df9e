//===- GPUMapping.h - How a kernel runs on a GPU ----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of a kernel are run by teams. A team is one thread, where rows are short
// or neighbouring rows lie side by side in memory; or one block, where a row is
// long and contiguous. The threads of a block share the steps of one loop of
// each nest.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_GPU_GPUMAPPING_H
#define CLEAVE_PASSES_CODEGEN_GPU_GPUMAPPING_H

#include "passes/Codegen/Nests/NestEmitter.h"

namespace cleave::codegen {

/// Threads of a warp.
constexpr int64_t warpSize = 32;
/// Bytes of shared memory that every block may have without asking for more.
constexpr int64_t maxSharedBytes = 48 << 10;

/// Which loop of a nest the threads of a block share, in vectors of `lanes`;
/// none (-1) is a nest that the first thread runs alone.
struct NestSplit {
  int64_t loop = -1;
  int64_t lanes = 1;
};

struct GPUMapping {
  /// Whether a row belongs to a block, not to a thread.
  bool isBlockPerRow = false;
  /// Threads of a block, a power of two and at least a warp.
  int64_t threads = 256;
  /// Blocks that are useful; any other number gives the same results.
  int64_t blocks = 1;
  /// Rows, where a thread runs `lanes` neighbours of the last row loop at once.
  int64_t rows = 1;
  int64_t lanes = 1;
  /// One per nest, for preambles and where a row belongs to a block.
  llvm::SmallVector<NestSplit> splits;
  /// A loop along which inputs are contiguous where results are contiguous
  /// along the last one: blocks then run square tiles of both, which are turned
  /// in shared memory. -1 if there is none.
  int64_t transposedLoop = -1;
  /// Whether temporaries that all rows share lie in shared memory.
  bool hasSharedPreamble = false;
};

/// Elements of a temporary that one team needs, for `steps` steps of the last
/// row loop.
int64_t elementsPerTeam(const LoopKernel &kernel, const NestBuffer &buffer,
                        int64_t steps);

/// Length and rows per step of a tile that a block turns: 32 neighbours are
/// read and written by a warp at once.
constexpr int64_t tileSize = 32, tileRows = 8;

/// Whether an input is contiguous along `loop`, and not along the last loop.
bool isTransposed(const LoopNest &nest, const NestAccess &input, int64_t loop);

/// The cheapest mapping, by a count of memory accesses. `ordered`: every sum is
/// formed by one thread, in the order of the index.
GPUMapping chooseGPUMapping(const LoopKernel &kernel, bool ordered);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_GPU_GPUMAPPING_H
