//===- ConvolutionKernels.h - Building blocks of convolutions ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The innermost loops of a convolution, in the compute types of GemmKernels.h.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_CONVOLUTIONKERNELS_H
#define CLEAVE_RUNTIME_DEVICES_HOST_CONVOLUTIONKERNELS_H

#include "runtime/devices/host/GemmKernels.h"

namespace cleave::rt {

/// tile[i][j] = sum over runs r and l < depth of
/// a[offsets[r] + i * rowStride + l] * b[r * depth + l][j], for the rows that
/// the kernel is for and nr columns; strides and offsets are in elements. Rows
/// of `b` have nr elements and are aligned to 64 bytes. With `accumulate` the
/// sum is added to the tile.
using ConvolveKernel = void (*)(int64_t runs, const int64_t *offsets,
                                int64_t depth, const void *a, int64_t rowStride,
                                const void *b, void *tile, int64_t tileStride,
                                bool accumulate);

/// out[x * outStride + y] = from[x * xStride + y * yStride], converted from the
/// storage type to the compute type.
using CopyKernel = void (*)(const void *from, int64_t xStride, int64_t yStride,
                            int64_t xCount, int64_t yCount, void *out,
                            int64_t outStride);

struct ConvolutionKernels {
  /// Per compute type.
  struct Tile {
    const ConvolveKernel *run; ///< for 1 to mr rows, at that number minus 1
    int64_t mr, nr;
  };
  Tile f32, f64, u32, u64;
  CopyKernel copy[numDTypes]; ///< per storage type

  const Tile &getTile(DType dtype) const;
};

/// Those for the instruction set of `kernels`.
const ConvolutionKernels &getConvolutionKernels(const Kernels &kernels);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_CONVOLUTIONKERNELS_H
