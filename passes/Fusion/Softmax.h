//===- Softmax.h - A softmax written as primitives --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_SOFTMAX_H
#define CLEAVE_PASSES_FUSION_SOFTMAX_H

#include "mlir/IR/Value.h"
#include <optional>

namespace cleave {

/// x, where `value` is the composite softmax of x along `dim`, or
/// exp(x - max(x)) / sum(exp(x - max(x))), and nothing else uses `value` nor
/// what is computed on the way.
std::optional<mlir::Value> softmaxInput(mlir::Value value, int64_t dim);

/// The number that all elements of a value are known to be, if floats.
std::optional<double> splatNumber(mlir::Value value);

} // namespace cleave

#endif // CLEAVE_PASSES_FUSION_SOFTMAX_H
