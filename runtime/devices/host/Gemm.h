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

#include <optional>

namespace cleave::rt {

/// Operands as in cleave_rt_gemm.
struct GemmOperands {
  const void *a, *b, *bias, *residual;
  void *out;
};

/// One matrix product of the manifest, prepared.
///
/// f32 with strides that BLAS knows goes to oneDNN. For everything else the
/// loops are those of BLIS: panels of b and a are packed into scratch, in the
/// order the tile kernel reads them, which also converts f16 and bf16 and
/// absorbs any stride. Each result is finished (bias, activation, residual)
/// while its tile is in cache. Every sum is formed by one thread in an order
/// that does not depend on the number of threads.
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
  void runBlas(const Matrices &matrices, Range rows, Range columns) const;
  void runMatrix(char *scratch, const Matrices &matrices, Range rows,
                 Range columns) const;
  /// Applies the epilogue to the results [rows) x [columns).
  void finish(const Matrices &matrices, const void *values, int64_t valueStride,
              Range rows, Range columns) const;

  const GemmSpec &spec;
  const Kernels &kernels;
  const Kernels::Tile &tile;
  int64_t batchCount = 1;
  int64_t elementSize, computeSize;
  /// Leading dimensions for oneDNN, if it can take the operands.
  struct Blas {
    char transA, transB;
    int64_t lda, ldb, ldc;
  };
  std::optional<Blas> blas;
  // Block sizes of the loops.
  int64_t blockM, blockN, blockK, outerM;
  int64_t aBytes, bBytes, tileBytes;
};

/// To be called once before the threads of `pool` run matrix products: keeps
/// oneDNN from starting threads of its own.
void prepareThreads(ThreadPool &pool);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_GEMM_H
