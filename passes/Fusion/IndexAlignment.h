//===- IndexAlignment.h - How ops index their operands ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_INDEXALIGNMENT_H
#define CLEAVE_PASSES_FUSION_INDEXALIGNMENT_H

#include "mlir/IR/Operation.h"

namespace cleave::fusion {

/// Sizes of the loops over the op's result.
llvm::SmallVector<int64_t> parallelLoops(mlir::Operation *op);

/// Leading loops of the op that index the operand's dimension of the same
/// number, all of it.
int64_t alignedLoops(mlir::OpOperand &operand);

/// Whether the op may read any element of the operand at any time, so that it
/// must be complete before.
bool needsWhole(mlir::OpOperand &operand);

} // namespace cleave::fusion

#endif // CLEAVE_PASSES_FUSION_INDEXALIGNMENT_H
