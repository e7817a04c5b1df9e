//===- Reduce.h - Elementwise reductions ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_REDUCE_H
#define CLEAVE_RUNTIME_CORE_REDUCE_H

#include "runtime/core/Manifest.h"

namespace cleave::rt {

/// out[i] = reduction over j of operands[j][i], in the order of the operands,
/// for `count` elements that start `offset` bytes into every operand. f16 and
/// bf16 accumulate in f32 and round once; integers wrap; max and min propagate
/// NaN; i1 is or for sum and max, and for prod and min. `out` may not overlap
/// an operand.
void reduce(DType dtype, Reduction reduction, const void *const *operands,
            size_t numOperands, int64_t offset, void *out, int64_t count);

/// The same for `bytes` bytes into several places, `toOffset` bytes into each
/// of `outs`, `first` the one that should be written first. Goes by blocks that
/// stay in the first-level cache until they are everywhere; what is long is
/// written past the caches.
void reduceTo(DType dtype, Reduction reduction, const void *const *operands,
              size_t numOperands, int64_t offset, void *const *outs,
              size_t numOuts, size_t first, int64_t toOffset, int64_t bytes);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_REDUCE_H
