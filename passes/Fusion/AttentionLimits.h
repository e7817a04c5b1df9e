//===- AttentionLimits.h - What the attention kernel can do -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_ATTENTIONLIMITS_H
#define CLEAVE_PASSES_FUSION_ATTENTIONLIMITS_H

#include "mlir/IR/BuiltinTypes.h"

namespace cleave {

/// Floats for which there are kernels of blocks.
inline bool hasFloatsOfKernels(mlir::RankedTensorType type) {
  mlir::Type element = type.getElementType();
  return element.isF32() || element.isF16() || element.isBF16();
}

/// Whether there is a kernel for an attention of queries [batch, s, heads, d]
/// with a result [batch, s, heads, e].
inline bool isAttentionKernel(mlir::RankedTensorType query,
                              mlir::RankedTensorType result) {
  // More features would not fit the registers of a thread.
  constexpr int64_t maxFeatures = 128;
  return hasFloatsOfKernels(result) && query.getDimSize(3) <= maxFeatures &&
         result.getDimSize(3) <= maxFeatures;
}

} // namespace cleave

#endif // CLEAVE_PASSES_FUSION_ATTENTIONLIMITS_H
