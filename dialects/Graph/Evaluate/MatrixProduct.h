//===- MatrixProduct.h - Batched products for the evaluator -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_MATRIXPRODUCT_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_MATRIXPRODUCT_H

#include "llvm/ADT/ArrayRef.h"
#include <vector>

namespace cleave::graph {

/// Sizes of a product [batch, m, k] x [batch, k, n] -> [batch, m, n].
struct ProductShape {
  int64_t batch = 1, m = 1, k = 1, n = 1;
};

/// The batched matrix product, row-major. Each element is a sum in the order
/// of k, in f32 when `inFloat32` (and then each product is rounded too), else
/// in float64; so the result depends on neither the machine nor `numThreads`.
std::vector<double> multiplyMatrices(const ProductShape &shape,
                                     llvm::ArrayRef<double> lhs,
                                     llvm::ArrayRef<double> rhs, bool inFloat32,
                                     unsigned numThreads);

/// The same of integers, which wrap around: sums modulo 2^64 are right for
/// every width.
std::vector<int64_t> multiplyIntegers(const ProductShape &shape,
                                      llvm::ArrayRef<int64_t> lhs,
                                      llvm::ArrayRef<int64_t> rhs);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_MATRIXPRODUCT_H
