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
#include "runtime/devices/host/GemmKernels.h"

namespace cleave::rt {

/// Operands as in cleave_rt_gemm.
struct GemmOperands {
  const void *a, *b, *bias, *residual;
  void *out;
};

/// One matrix product of the manifest, prepared.
///
/// The loops are those of Goto and van de Geijn ("Anatomy of high-performance
/// matrix multiplication", 2008): b is packed into strips as wide as a tile of
/// the result, which stay in the second-level cache, and a few rows of a into
/// the first, each in the order the tile kernel reads them. Packing also
/// converts f16, bf16 and floats of 8 bits and absorbs any stride. Each result
/// is finished (bias, activation, residual) while its tile is in cache. Every
/// sum is formed by one thread in an order that depends only on k.
class Gemm {
public:
  /// `kernels` outlives the object.
  Gemm(const GemmSpec &spec, const Kernels &kernels);

  /// Scratch that each thread needs, aligned to 64 bytes.
  int64_t getScratchBytes() const { return aBytes + bBytes + tileBytes; }

  /// Bytes of all of b in packed form; 0 if that would gain nothing.
  int64_t getPackedBytes() const;
  /// Packs all of b, for products that run more than once with the same b.
  /// `packed` has getPackedBytes() and is aligned to 64 bytes.
  void pack(ThreadPool &pool, const void *b, void *packed) const;

  /// Allocates nothing. `scratch` has getScratchBytes() bytes per thread of
  /// `pool`; `packed`, if not null, is what pack() made of the operand b, which
  /// is not read then.
  void run(ThreadPool &pool, char *const *scratch, GemmOperands operands,
           const void *packed = nullptr) const;

private:
  struct Range {
    int64_t begin, end;
    int64_t size() const { return end - begin; }
  };
  struct Matrices; // one batch element

  /// Matrices of b that differ: one per batch element, or one for all.
  int64_t countMatricesOfB() const;
  int64_t getPackedMatrixBytes() const;
  void packStrips(const char *b, Range columns, Range depth, char *out) const;
  void packRows(const char *a, Range rows, Range depth, char *out) const;

  void runPart(char *scratch, const GemmOperands &operands, const char *packed,
               Range batch, Range rows, Range columns) const;
  void runTiles(char *scratch, const Matrices &matrices, Range rows,
                Range columns) const;
  void runThin(char *scratch, const Matrices &matrices, Range columns) const;
  /// Applies the epilogue to `values` of the results [rows) x [columns).
  void finish(const Matrices &matrices, const void *values, int64_t stride,
              Range rows, Range columns) const;

  GemmSpec spec; ///< of the transposed product if isTransposed
  const Kernels &kernels;
  const Kernels::Tile &tile;
  int64_t batchCount = 1;
  int64_t elementSize, computeSize;
  int64_t aSize, bSize; ///< of elements of the operands
  bool isTransposed;
  ThinKernel thinKernel = nullptr; ///< if b is better read where it is
  bool isPlainOut; ///< tiles can be written to the result as they are
  // Block sizes of the loops.
  int64_t blockN, blockK, outerM;
  int64_t aBytes, bBytes, tileBytes;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_GEMM_H
