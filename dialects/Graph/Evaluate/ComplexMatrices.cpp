//===- ComplexMatrices.cpp - Numbers of linear algebra --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/ComplexMatrices.h"

using namespace mlir;
using namespace cleave::graph;

std::vector<Complex> cleave::graph::joinParts(ArrayRef<Literal> parts) {
  std::vector<Complex> result(parts[0].size());
  for (auto [i, x] : llvm::enumerate(parts[0].floats()))
    result[i].real(x);
  if (parts.size() > 1)
    for (auto [i, x] : llvm::enumerate(parts[1].floats()))
      result[i].imag(x);
  return result;
}

void cleave::graph::splitParts(Evaluator &evaluator, ArrayRef<Complex> values,
                               TypeRange types,
                               SmallVectorImpl<Literal> &results) {
  for (auto [part, type] : llvm::enumerate(types)) {
    Literal result(cast<RankedTensorType>(type));
    for (auto [x, value] : llvm::zip_equal(result.mutableFloats(), values))
      x = part == 0 ? value.real() : value.imag();
    evaluator.round(result);
    results.push_back(std::move(result));
  }
}

bool cleave::graph::isFinite(ArrayRef<Complex> values) {
  return llvm::all_of(values, [](Complex x) {
    return std::isfinite(x.real()) && std::isfinite(x.imag());
  });
}

bool cleave::graph::isFiniteElseNaN(MutableArrayRef<Complex> values) {
  bool result = isFinite(values);
  if (!result)
    llvm::fill(values, nanOfBoth);
  return result;
}
