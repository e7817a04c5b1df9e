//===- TileNestEmitter.h - Nests that turn tiles -------------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_GPU_TILENESTEMITTER_H
#define CLEAVE_PASSES_CODEGEN_GPU_TILENESTEMITTER_H

#include "passes/Codegen/GPU/GPUMapping.h"

namespace cleave::codegen {

/// Emits one tile of an elementwise nest: tileSize steps of the transposed loop
/// by as many of the last one, run by tileRows warps.
class TileNestEmitter : public NestEmitter {
public:
  /// Elements between the rows of a tile in shared memory: one more than there
  /// are, so that columns lie in different banks.
  static constexpr int64_t stride = tileSize + 1;
  /// Arrays of tileSize * stride elements, by number of the transposed input.
  using Arrays = llvm::SmallDenseMap<unsigned, mlir::Value>;

  /// `start` is the position of the tile's first element.
  TileNestEmitter(mlir::ImplicitLocOpBuilder &builder, const LoopKernel &kernel,
                  const LoopNest &nest, int64_t transposedLoop,
                  const RowPosition &start, mlir::IRMapping &scalars,
                  const Arrays &arrays);

  /// Brings the transposed inputs into shared memory; neighbouring lanes read
  /// neighbouring steps of the transposed loop.
  void emitLoads(mlir::Value lane, mlir::Value warp);
  /// Computes and stores the results; neighbouring lanes write neighbouring
  /// steps of the last loop.
  void emitStores(mlir::Value lane, mlir::Value warp);

private:
  /// Runs `body` for the steps of a thread, with the place of its element in
  /// the arrays.
  void overTile(int64_t laneLoop, int64_t warpLoop, mlir::Value lane,
                mlir::Value warp, llvm::function_ref<void(mlir::Value)> body);

  int64_t transposedLoop, lastLoop;
  const Arrays &arrays;
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_GPU_TILENESTEMITTER_H
