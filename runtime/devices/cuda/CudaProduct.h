//===- CudaProduct.h - Matrix products as cuBLASLt's ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The manifest's products are strided, out = a b with bias and residual;
// cuBLASLt's are column-major with contiguous columns. If the columns of `out`
// are 1 apart, as in a row-major result, its transpose is column-major:
//
//   out^T (n x m) = b^T (n x k) a^T (k x m)
//
// so cuBLASLt's first operand is b, its second one a, its rows are our columns,
// and its bias per row is our bias per column. If the rows of `out` are 1 apart
// it is column-major itself, and the bias is per row. An operand is taken
// transposed if it is contiguous along the other index. The residual is the
// matrix c, which has the layout of d.
//
// Batch dimensions that one stride walks in all operands become one; the
// longest is cuBLASLt's batch, and others are a loop of calls.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_CUDA_CUDAPRODUCT_H
#define CLEAVE_RUNTIME_DEVICES_CUDA_CUDAPRODUCT_H

#include "runtime/core/Manifest.h"
#include "runtime/devices/cuda/CudaApi.h"

#include <optional>

namespace cleave::rt {

struct CudaProduct {
  CleaveCudaProduct product;
  /// Whether a and b of the manifest are cuBLASLt's b and a.
  bool isSwapped;
  int64_t elementBytes;

  /// What other batch dimensions add to the operands' addresses, in elements.
  struct Offsets {
    int64_t a, b, out;
  };
  std::vector<Offsets> calls;

  /// The operands of call `index`.
  CleaveCudaOperands at(size_t index, const void *a, const void *b,
                        const void *bias, const void *residual,
                        void *out) const;
};

/// Nothing if cuBLASLt has no such product: of other types than floats, with
/// operands that are contiguous along no index, with a bias along the other
/// index, with an epilogue of f64 but a residual, with an activation before a
/// residual or one that it does not have. `products`: to what operands of f32
/// are rounded.
std::optional<CudaProduct> planCudaProduct(const GemmSpec &spec,
                                           ProductType products);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_CUDA_CUDAPRODUCT_H
