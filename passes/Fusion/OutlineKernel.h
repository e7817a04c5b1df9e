//===- OutlineKernel.h - Kernels of one op ----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_OUTLINEKERNEL_H
#define CLEAVE_PASSES_FUSION_OUTLINEKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cleave::fusion {

/// Moves `op` to a private function with `cleave.kernel` that is called in its
/// place. Equal operands are arguments of their own. Constants for which
/// `isCopied`, if given, is true are none: they are copied into the function,
/// as are those that regions of the op use from outside.
mlir::func::FuncOp
outlineKernel(mlir::Operation *op, mlir::SymbolTable &symbols,
              const llvm::Twine &name,
              llvm::function_ref<bool(mlir::OpOperand &)> isCopied = nullptr);

} // namespace cleave::fusion

#endif // CLEAVE_PASSES_FUSION_OUTLINEKERNEL_H
