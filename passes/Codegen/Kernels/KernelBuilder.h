//===- KernelBuilder.h - What writers of kernels need --------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements of flat buffers, index arithmetic and loops, for code that writes
// kernels op by op.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_KERNELBUILDER_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_KERNELBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cleave::codegen {

/// A tensor in a kernel: a flat memref, or a constant of equal elements.
struct KernelBuffer {
  mlir::RankedTensorType type;
  mlir::Value memref;
  mlir::TypedAttr splat;
};

class KernelBuilder {
public:
  explicit KernelBuilder(mlir::Location loc) : b(loc, loc.getContext()) {}

  /// The element at a row-major place, as a value of its type.
  mlir::Value load(const KernelBuffer &buffer, mlir::Value place);
  void store(const KernelBuffer &buffer, mlir::Value place, mlir::Value value);

  /// Replaces an element, whose stored form must be what it is computed in, by
  /// what `kind` makes of it and `value`, as one access to memory.
  void update(mlir::arith::AtomicRMWKind kind, const KernelBuffer &buffer,
              mlir::Value place, mlir::Value value);

  mlir::Value index(int64_t value);
  mlir::Value add(mlir::Value x, mlir::Value y);
  mlir::Value subtract(mlir::Value x, mlir::Value y);
  mlir::Value scale(mlir::Value x, int64_t factor);
  mlir::Value minimum(mlir::Value x, mlir::Value y);
  mlir::Value maximum(mlir::Value x, mlir::Value y);
  /// x / n and x % n, of numbers that are not negative.
  mlir::Value divide(mlir::Value x, int64_t n);
  mlir::Value remainder(mlir::Value x, int64_t n);
  /// x < y, of numbers of either sign.
  mlir::Value isBelow(mlir::Value x, mlir::Value y);
  /// Both, of conditions that are true where they are null.
  mlir::Value both(mlir::Value x, mlir::Value y);
  /// Indices of a row-major place in `shape`; the outermost is in bounds if the
  /// place is.
  llvm::SmallVector<mlir::Value> delinearize(mlir::Value place,
                                             llvm::ArrayRef<int64_t> shape);

  using LoopBody = llvm::function_ref<void(mlir::Value)>;
  /// for i = low, low + step, ... below high
  void loop(mlir::Value low, mlir::Value high, LoopBody body, int64_t step = 1);
  /// Loops over all indices of `shape`, in row-major order.
  void loops(llvm::ArrayRef<int64_t> shape,
             llvm::function_ref<void(mlir::ValueRange)> body);
  using Values = llvm::SmallVector<mlir::Value>;
  /// The same loop with values that each step gives to the next one; returns
  /// those of the last step.
  Values carry(mlir::Value low, mlir::Value high, int64_t step,
               mlir::ValueRange init,
               llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);
  /// Runs `body` if the condition, which may be null, is true.
  void ifTrue(mlir::Value condition, llvm::function_ref<void()> body);
  /// What `body` makes if the condition, which may be null, is true; else
  /// `otherwise` makes it.
  mlir::Value ifElse(mlir::Value condition,
                     llvm::function_ref<mlir::Value()> body,
                     llvm::function_ref<mlir::Value()> otherwise);

  mlir::ImplicitLocOpBuilder b;
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_KERNELBUILDER_H
