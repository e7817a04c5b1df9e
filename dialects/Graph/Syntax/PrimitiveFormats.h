//===- PrimitiveFormats.h - Custom syntax of the primitives -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsers and printers behind the custom directives of Primitives.td. They take
// the dialect from the op at hand, so every dialect that has the primitives
// can use them.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SYNTAX_PRIMITIVEFORMATS_H
#define CLEAVE_DIALECTS_GRAPH_SYNTAX_PRIMITIVEFORMATS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/OpImplementation.h"

namespace cleave::graph {

/// `[0:2, 1:4:2]`: start, limit and, unless it is 1, stride.
mlir::ParseResult parseSliceRanges(mlir::OpAsmParser &parser,
                                   mlir::DenseI64ArrayAttr &start,
                                   mlir::DenseI64ArrayAttr &limit,
                                   mlir::DenseI64ArrayAttr &strides);
void printSliceRanges(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                      mlir::DenseI64ArrayAttr start,
                      mlir::DenseI64ArrayAttr limit,
                      mlir::DenseI64ArrayAttr strides);

/// Operands each followed by a comma: `%a, %b, ` before `dim = 0`. (The
/// declarative format would take the last comma for one more operand.)
mlir::ParseResult parseOperandsBeforeComma(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &operands);
void printOperandsBeforeComma(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                              mlir::OperandRange operands);

/// `, batching_dims = [0] x [0], contracting_dims = [2] x [1]`, either of
/// which may be missing.
mlir::ParseResult parseDotDimensions(mlir::OpAsmParser &parser,
                                     mlir::DenseI64ArrayAttr &lhsBatching,
                                     mlir::DenseI64ArrayAttr &rhsBatching,
                                     mlir::DenseI64ArrayAttr &lhsContracting,
                                     mlir::DenseI64ArrayAttr &rhsContracting);
void printDotDimensions(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                        mlir::DenseI64ArrayAttr lhsBatching,
                        mlir::DenseI64ArrayAttr rhsBatching,
                        mlir::DenseI64ArrayAttr lhsContracting,
                        mlir::DenseI64ArrayAttr rhsContracting);

/// `dense<0> : tensor<i32>`, with other attributes in front.
mlir::ParseResult parseConstant(mlir::OpAsmParser &parser,
                                mlir::OperationState &result);
void printConstant(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   mlir::ElementsAttr value);

/// `(%x init: %zero) applies cleave.add across dimensions = [1] : types`, or
/// `(%x init: %zero), ... across dimensions = [1] : types
///  reducer(%a: t, %b: t) ... { ... }`.
mlir::ParseResult parseReduce(mlir::OpAsmParser &parser,
                              mlir::OperationState &result);
void printReduce(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                 llvm::ArrayRef<int64_t> dimensions);

/// `(%i = %init, ...) : types cond { ... } do { ... }`.
mlir::ParseResult parseWhile(mlir::OpAsmParser &parser,
                             mlir::OperationState &result);
void printWhile(mlir::OpAsmPrinter &printer, mlir::Operation *op);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SYNTAX_PRIMITIVEFORMATS_H
