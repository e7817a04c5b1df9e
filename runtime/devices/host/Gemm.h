//===- Gemm.h - Matrix products ---------------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_GEMM_H
#define CLEAVE_RUNTIME_DEVICES_HOST_GEMM_H

#include "runtime/core/ThreadPool.h"
#include "runtime/devices/host/Kernels.h"

namespace cleave::rt {

/// Operands as in cleave_rt_gemm.
struct GemmOperands {
  const void *a, *b, *bias, *residual;
  void *out;
};

/// One matrix product of the manifest, prepared. The loops are those of BLIS:
/// panels of b and a are packed into scratch, in the order the tile kernel
/// reads them, which also converts f16 and bf16 and absorbs any stride. Each
/// result is finished (bias, activation, residual) while its tile is in cache.
class Gemm {
public:
  /// `spec` and `kernels` outlive the object.
  Gemm(const GemmSpec &spec, const Kernels &kernels);

  /// Scratch that each thread needs, aligned to 64 bytes.
  int64_t getScratchBytes() const { return aBytes + bBytes + tileBytes; }

  /// Allocates nothing. `scratch` has getScratchBytes() bytes per thread of
  /// `pool`.
  void run(ThreadPool &pool, char *const *scratch,
           const GemmOperands &operands) const;

private:
  struct Range {
    int64_t begin, end;
  };
  struct Matrices; // one batch element

  void runPart(char *scratch, const GemmOperands &operands, Range batch,
               Range rows, Range columns) const;
  void runMatrix(char *scratch, const Matrices &matrices, Range rows,
                 Range columns) const;
  void finishTile(const Matrices &matrices, const char *tile, int64_t row,
                  int64_t rows, int64_t column, int64_t columns) const;

  const GemmSpec &spec;
  const Kernels &kernels;
  const Kernels::Tile &tile;
  int64_t batchCount = 1;
  int64_t elementSize, computeSize;
  // Block sizes of the loops.
  int64_t blockM, blockN, blockK, outerM;
  int64_t aBytes, bBytes, tileBytes;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_GEMM_H
