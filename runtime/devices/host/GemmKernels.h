//===- GemmKernels.h - Building blocks of matrix products -------*- C++ -*-===//
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

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_GEMMKERNELS_H
#define CLEAVE_RUNTIME_DEVICES_HOST_GEMMKERNELS_H

#include "runtime/core/Manifest.h"

namespace cleave::rt {

/// Steps along k that one call of a tile kernel takes at most, so that a row of
/// `a` fits its place.
constexpr int64_t getMaxDepth(int64_t computeSize) {
  return 1536 / computeSize;
}
/// Elements from one packed row of `a` to the next: a constant, which saves the
/// kernel registers, and no power of two, so that rows fall into different sets
/// of the cache.
constexpr int64_t getPackedStride(int64_t computeSize) {
  return (1536 + 64) / computeSize;
}

/// tile[i][j] = sum over l < depth of a[i][l] * b[l][j] for the rows and
/// columns that the kernel is for, all of the compute type. Rows of `a` are
/// getPackedStride apart, those of `b` nr, those of the tile tileStride
/// elements. With `accumulate` the sum is added to the tile. `soon` is what
/// will be written next, rows of soonBytes: it is brought into the cache.
using TileKernel = void (*)(int64_t depth, const void *a, const void *b,
                            void *tile, int64_t tileStride, bool accumulate,
                            const char *soon, int64_t soonBytes);

/// The same for any number of rows, of which there should be few, and of
/// columns, with a `b` that is not packed: bStride is the distance of its rows
/// or, in another kernel, of its columns. `depth` is not 0.
using ThinKernel = void (*)(int64_t depth, const void *a, const void *b,
                            int64_t bStride, int64_t rows, int64_t columns,
                            void *out, int64_t outStride, bool accumulate);

/// out[x * outStride + y] = from[x * xStride + y * yStride], converted from the
/// storage type to the compute type.
using PackKernel = void (*)(const void *from, int64_t xStride, int64_t yStride,
                            int64_t xCount, int64_t yCount, void *out,
                            int64_t outStride);

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
    /// For 1 to mr rows, at that number minus 1; nr columns, and nr / 2.
    const TileKernel *wide, *narrow;
    ThinKernel thinDots; ///< elements of each column of b follow each other
    ThinKernel thinSums; ///< elements of each row of b do
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
/// processor lacks it: for tests. "stepwise" are generic ones that round each
/// product before they add it and, up to getMaxDepth steps, add in order.
const Kernels *getKernels(const std::string &name);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_GEMMKERNELS_H
