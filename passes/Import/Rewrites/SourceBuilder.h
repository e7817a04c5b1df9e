//===- SourceBuilder.h - Builds ops of StableHLO ----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For programs that are rewritten before they are imported. Numbers and indices
// are scalars (tensors of rank 0) of i64.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_REWRITES_SOURCEBUILDER_H
#define CLEAVE_PASSES_IMPORT_REWRITES_SOURCEBUILDER_H

#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cleave::reader {

class SourceBuilder : public mlir::ImplicitLocOpBuilder {
public:
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  /// An op with one result.
  template <typename Op>
  mlir::Value build(mlir::Type type, mlir::ValueRange operands,
                    llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    mlir::OperationState state(getLoc(), Op::getOperationName(), operands, type,
                               attributes);
    return OpBuilder::create(state)->getResult(0);
  }

  mlir::Value number(int64_t value);
  /// Whether there is a constant of a type: one of known shape and of numbers.
  static bool hasZeros(mlir::RankedTensorType type);
  mlir::Value zeros(mlir::RankedTensorType type);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  /// i1 by an enumerant of `compare`.
  mlir::Value compare(llvm::StringRef direction, mlir::Value lhs,
                      mlir::Value rhs);
  mlir::Value both(mlir::Value lhs, mlir::Value rhs);
  /// `pred` is a scalar, the others are of any shape.
  mlir::Value select(mlir::Value pred, mlir::Value onTrue, mlir::Value onFalse);
  /// Another element type; `value` itself where nothing changes.
  mlir::Value convert(mlir::Value value, mlir::Type element);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape);
  /// A scalar in each place of a tensor.
  mlir::Value broadcast(mlir::Value scalar, llvm::ArrayRef<int64_t> shape);

  /// The element at an index, as a scalar. Indices out of bounds are clamped.
  mlir::Value elementAt(mlir::Value tensor, llvm::ArrayRef<mlir::Value> index);
  /// `tensor` with another element at an index, which is clamped alike.
  mlir::Value withElementAt(mlir::Value tensor, mlir::Value element,
                            llvm::ArrayRef<mlir::Value> index);
  /// The index of element number `number`, in row-major order, of a tensor that
  /// is not empty.
  llvm::SmallVector<mlir::Value> indexOf(mlir::Value number,
                                         llvm::ArrayRef<int64_t> shape);

  /// The ops of a computation with these values for its arguments; returns what
  /// it returns.
  llvm::SmallVector<mlir::Value> apply(mlir::Region &computation,
                                       mlir::ValueRange arguments);

  using LoopBody = llvm::function_ref<llvm::SmallVector<mlir::Value>(
      mlir::Value, mlir::ValueRange)>;
  /// Runs the body for 0, 1, ..., trips - 1 with the values that it has
  /// returned before, at first `initial`.
  llvm::SmallVector<mlir::Value> loop(int64_t trips, mlir::ValueRange initial,
                                      LoopBody body);
};

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_REWRITES_SOURCEBUILDER_H
