//===- GraphBuilders.h - Short ways to build graph operations ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What decompositions and local forms build again and again. Every value is a
// statically shaped tensor; scalars are tensors of rank 0.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_GRAPHBUILDERS_H
#define CLEAVE_DIALECTS_GRAPH_GRAPHBUILDERS_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

/// The type of a value that is known to be a ranked tensor.
mlir::RankedTensorType typeOf(mlir::Value value);
/// `type` with another shape or element type.
mlir::RankedTensorType withShape(mlir::RankedTensorType type,
                                 llvm::ArrayRef<int64_t> shape);
mlir::RankedTensorType withElement(mlir::RankedTensorType type,
                                   mlir::Type element);

/// Attribute of a number in an element type: rounded to a float type,
/// truncated to an integer type, `!= 0` for i1.
mlir::TypedAttr numberAttr(mlir::Type element, double number);

/// A constant of `type` with all elements equal.
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::RankedTensorType type, double number);
mlir::Value splatInt(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::RankedTensorType type, int64_t number);
mlir::Value splat(mlir::OpBuilder &builder, mlir::Location loc,
                  mlir::RankedTensorType type, mlir::TypedAttr element);

/// The element that `kind` ignores: 0, 1, the lowest or highest value (-inf
/// and inf for floats), all bits set for And.
mlir::TypedAttr neutralElement(mlir::Type element, cleave::ReductionKind kind);
/// A rank-0 constant of it.
mlir::Value neutralScalar(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Type element, cleave::ReductionKind kind);

/// Dimension i of `value` becomes dimension `dims[i]` of `shape`; `value`
/// itself where nothing changes.
mlir::Value broadcastTo(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, llvm::ArrayRef<int64_t> shape,
                        llvm::ArrayRef<int64_t> dims);
/// `value` in `shape`; `value` itself where nothing changes.
mlir::Value reshapeTo(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// `value` with dimension i of the result taken from dimension
/// `permutation[i]`; `value` itself where nothing changes.
mlir::Value transpose(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value value, llvm::ArrayRef<int64_t> permutation);
/// `value` converted; `value` itself where nothing changes.
mlir::Value convertElement(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value value, mlir::Type element);

/// Reduces `dims` from the neutral element of `kind`.
mlir::Value reduce(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value input, llvm::ArrayRef<int64_t> dims,
                   cleave::ReductionKind kind);
/// The elementwise op of `kind`.
mlir::Value combine(mlir::OpBuilder &builder, mlir::Location loc,
                    cleave::ReductionKind kind, mlir::Value lhs,
                    mlir::Value rhs);

/// Compares; the result is i1 in the shape of the operands.
mlir::Value compare(mlir::OpBuilder &builder, mlir::Location loc,
                    ComparisonDirection direction, mlir::Value lhs,
                    mlir::Value rhs);
/// Indices along `dim`.
mlir::Value iota(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::RankedTensorType type, int64_t dim);
/// `start` and `limit` bound one dimension; the others are whole.
mlir::Value sliceDim(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, int64_t dim, int64_t start,
                     int64_t limit);

/// f32 for floats of 8 and 16 bits, else `element`: the type in which sums are
/// made.
mlir::Type accumulationType(mlir::Type element);

/// 0, 1, ..., n - 1.
llvm::SmallVector<int64_t> dimRange(int64_t n);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_GRAPHBUILDERS_H
