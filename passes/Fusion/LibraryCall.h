//===- LibraryCall.h - An op and its epilogue as a library call -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_LIBRARYCALL_H
#define CLEAVE_PASSES_FUSION_LIBRARYCALL_H

#include "mlir/IR/SymbolTable.h"

namespace cleave::fusion {

/// A product or convolution of two operands and what follows it: a bias, an
/// activation, a residual, each as long as its operand has no other use.
class LibraryCall {
public:
  explicit LibraryCall(mlir::Operation *op)
      : ops({op}), operands(op->getOperands()) {}

  mlir::Value result() const;
  /// Takes the addition of `bias`, a vector broadcast to the result, when that
  /// happens next and `kindOf` gives a kind for its dimensions.
  void
  takeBias(llvm::function_ref<llvm::StringRef(mlir::Value vector,
                                              llvm::ArrayRef<int64_t> dims)>
               kindOf);
  /// Takes an activation that happens next: any, or one of `known`. Whether
  /// there was one.
  bool takeActivation(llvm::ArrayRef<llvm::StringRef> known = {});
  void takeResidual();

  /// Moves the ops to a private function `name`_`number`, with an attribute
  /// `attribute` = {bias, activation, residual}, that is called in the place
  /// of the last one. Arguments: both operands, bias, residual.
  void outline(mlir::SymbolTable &symbols, llvm::StringRef name,
               unsigned number, llvm::StringRef attribute);

private:
  /// The only user of the result, if it is in the same block.
  mlir::Operation *next() const;
  /// What is added to the result, if that is all that happens next.
  mlir::Value nextAddend() const;

  llvm::SmallVector<mlir::Operation *> ops;
  llvm::SmallVector<mlir::Value> operands;
  llvm::StringRef bias = "none", activation = "none";
  bool hasResidual = false;
};

} // namespace cleave::fusion

#endif // CLEAVE_PASSES_FUSION_LIBRARYCALL_H
