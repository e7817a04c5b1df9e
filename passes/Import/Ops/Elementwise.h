//===- Elementwise.h - Elementwise ops on parts -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_OPS_ELEMENTWISE_H
#define CLEAVE_PASSES_IMPORT_OPS_ELEMENTWISE_H

#include "passes/Import/Importer.h"

namespace cleave::reader {

/// A tensor and its element type in the source.
struct Tensor {
  Parts parts;
  mlir::Type element;
};

/// The operands of an op of which all are tensors.
llvm::SmallVector<Tensor> tensorsOf(ImportedOp &op);

/// The op called `name` (without dialect) on tensors of one shape; `result` is
/// of element type `element` in the source. Integers of 2 and 4 bits wrap
/// around. Fails, with a diagnostic, where there is no such op on the types.
llvm::LogicalResult buildElementwise(ImportedOp &op, llvm::StringRef name,
                                     llvm::ArrayRef<Tensor> operands,
                                     mlir::Type element, Parts &result);

/// Compares tensors of one shape by the enumerants of `compare`.
llvm::LogicalResult buildCompare(ImportedOp &op, const Tensor &lhs,
                                 const Tensor &rhs, llvm::StringRef direction,
                                 llvm::StringRef type, Parts &result);

/// `pred` has one part and is a scalar or of the others' shape.
void buildSelect(ImportedOp &op, mlir::Value pred, const Parts &onTrue,
                 const Parts &onFalse, Parts &result);

/// Another element type, with the values of `convert`.
llvm::LogicalResult buildConvert(ImportedOp &op, const Tensor &operand,
                                 mlir::Type element, Parts &result);

/// Applies the body of a region, which is one on scalars, to tensors of one
/// shape. Fails, with a diagnostic, where it has ops that act on no scalars.
llvm::LogicalResult applyToTensors(ImportedOp &op, mlir::Region &body,
                                   llvm::ArrayRef<Parts> arguments,
                                   llvm::SmallVectorImpl<Parts> &results);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_OPS_ELEMENTWISE_H
