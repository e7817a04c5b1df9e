//===- Kernels.h - Building blocks of matrix products -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The innermost loops of a matrix product, compiled for several instruction
// sets and chosen when the program starts. A product is computed in a *compute
// type*: float for f32, f16 and bf16, double for f64, and unsigned integers of
// 32 or 64 bits for integers, whose low bits are exact in two's complement.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_KERNELS_H
#define CLEAVE_RUNTIME_DEVICES_HOST_KERNELS_H

#include "runtime/core/Manifest.h"

namespace cleave::rt {

/// tile[i][j] = sum over l < depth of a[l][i] * b[l][j] for a tile of mr x nr
/// elements of the compute type. `a` and `b` are packed strips, aligned to 64
/// bytes, as is `tile`; with `accumulate` the sum is added to the tile.
using TileKernel = void (*)(int64_t depth, const void *a, const void *b,
                            void *tile, bool accumulate);

/// Packs a matrix of extent x depth elements of the storage type into strips
/// of `width`: out[strip][l][i], zero where i reaches past the extent.
using PackKernel = void (*)(const void *from, int64_t extentStride,
                            int64_t depthStride, int64_t extent, int64_t depth,
                            int64_t width, void *out);

/// A block of results on its way out. Strides are in elements.
struct FinishBlock {
  const void *values; ///< compute type, rows of contiguous elements
  int64_t valueStride;
  int64_t rows, columns;
  const void *bias; ///< storage type, may be null
  int64_t biasRowStride, biasColumnStride;
  Activation activation;
  const void *residual; ///< storage type, may be null
  void *out;            ///< storage type; may be `values` if laid out alike
  int64_t rowStride, columnStride; ///< of residual and out
};

/// out = activation(values + bias) + residual.
using FinishKernel = void (*)(const FinishBlock &block);

struct Kernels {
  const char *name; ///< instruction set

  /// Per compute type.
  struct Tile {
    TileKernel run;
    int64_t mr, nr;
  };
  Tile f32, f64, u32, u64;

  /// Per storage type.
  PackKernel pack[numDTypes];
  FinishKernel finish[numDTypes];

  const Tile &getTile(DType dtype) const;
};

/// Bytes per element of the compute type.
int64_t getComputeSize(DType dtype);

/// The best this processor runs.
const Kernels &getKernels();
/// Those for one instruction set, "avx512", "avx2" or "generic", or null if the
/// processor lacks it: for tests.
const Kernels *getKernels(const std::string &name);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_KERNELS_H
