//===- ScalarSemantics.h - Elementwise ops on scalars -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What one element of an elementwise cleave op becomes in arith and math ops.
// Values are signless: uiN is iN. In memory an i1 is an i8 of 0 or 1, as in
// the manifest, and f16 and bf16 are the i16 of their bits, since not all
// targets can move them around; between operations they are themselves. Floats
// of 8 bits are the i8 of their bits everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_SCALARSEMANTICS_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_SCALARSEMANTICS_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace cleave::codegen {

/// The type of an element in memory.
mlir::Type storageType(mlir::Type element);
/// The type of an element between operations.
mlir::Type valueType(mlir::Type element);

/// From memory to a value and back; `element` is the original type.
mlir::Value fromStorage(mlir::ImplicitLocOpBuilder &builder, mlir::Value stored,
                        mlir::Type element);
mlir::Value toStorage(mlir::ImplicitLocOpBuilder &builder, mlir::Value value,
                      mlir::Type element);

/// The value of an attribute of any element type.
mlir::Value scalarConstant(mlir::ImplicitLocOpBuilder &builder,
                           mlir::TypedAttr attribute);

/// Converts between element types with the semantics of cleave.convert.
mlir::Value convertScalar(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value value, mlir::Type from, mlir::Type to);

/// A float of 8 bits as f32, exactly, and the nearest one to an f32, as
/// cleave.convert says; `bits` is an i8, `element` the type of 8 bits.
mlir::Value extendSmallFloat(mlir::ImplicitLocOpBuilder &builder,
                             mlir::Value bits, mlir::Type element);
mlir::Value truncateToSmallFloat(mlir::ImplicitLocOpBuilder &builder,
                                 mlir::Value value, mlir::Type element);

/// The bits of a value as one of an element type of the same width.
mlir::Value bitcastScalar(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Value value, mlir::Type to);

/// One element of the elementwise op `op`, or null for an op that is none.
/// Narrow floats are computed in f32 and rounded once per op.
mlir::Value buildScalarOp(mlir::ImplicitLocOpBuilder &builder,
                          mlir::Operation *op, mlir::ValueRange operands);

/// The same on integers and i1, for ops that have such a form.
mlir::Value buildIntegerOp(mlir::ImplicitLocOpBuilder &builder,
                           mlir::Operation *op, mlir::ValueRange operands,
                           bool isUnsigned);

/// The body of a function of scalars: what its block yields for `arguments`.
/// Fails with a diagnostic at the op that has no such form.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
buildScalarBody(mlir::ImplicitLocOpBuilder &builder, mlir::Block &body,
                mlir::ValueRange arguments);

/// The same for next_after and reduce_precision, on floats of any width.
mlir::Value buildBitOp(mlir::ImplicitLocOpBuilder &builder, mlir::Operation *op,
                       mlir::ValueRange operands);

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_SCALARSEMANTICS_H
