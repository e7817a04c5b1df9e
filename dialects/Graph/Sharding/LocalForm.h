//===- LocalForm.h - Building what an op is on one rank ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Local forms that are more than a clone are written with these. Private to
// the implementations of buildLocal.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SHARDING_LOCALFORM_H
#define CLEAVE_DIALECTS_GRAPH_SHARDING_LOCALFORM_H

#include "dialects/Graph/GraphBuilders.h"

namespace cleave::graph {

/// What buildLocal returns.
using LocalResults = llvm::FailureOr<llvm::SmallVector<mlir::Value>>;

/// Copies the discardable attributes of `op`, except shardings, which its
/// local form has no more, to the op that defines `value`.
void keepAttributes(mlir::Operation *op, mlir::Value value);

class LocalForm {
public:
  LocalForm(mlir::Operation *op, mlir::OpBuilder &builder, LocalShards &shards)
      : builder(builder), shards(shards), loc(op->getLoc()), op(op) {}

  template <typename Op> mlir::Value unary(mlir::Value operand) {
    return Op::create(builder, loc, operand.getType(), operand);
  }
  template <typename Op> mlir::Value binary(mlir::Value lhs, mlir::Value rhs) {
    return Op::create(builder, loc, lhs.getType(), lhs, rhs);
  }
  mlir::Value add(mlir::Value lhs, mlir::Value rhs) {
    return binary<AddOp>(lhs, rhs);
  }
  mlir::Value subtract(mlir::Value lhs, mlir::Value rhs) {
    return binary<SubtractOp>(lhs, rhs);
  }
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs) {
    return binary<MulOp>(lhs, rhs);
  }
  mlir::Value divide(mlir::Value lhs, mlir::Value rhs) {
    return binary<DivOp>(lhs, rhs);
  }
  mlir::Value select(mlir::Value pred, mlir::Value onTrue,
                     mlir::Value onFalse) {
    return SelectOp::create(builder, loc, onTrue.getType(), pred, onTrue,
                            onFalse);
  }
  /// A constant in the type of `like`.
  mlir::Value number(mlir::Value like, double number) {
    return splat(builder, loc, typeOf(like), number);
  }
  mlir::Value integer(mlir::Value like, int64_t number) {
    return splatInt(builder, loc, typeOf(like), number);
  }
  /// A scalar of type i32.
  mlir::Value index(int64_t number) {
    return splatInt(builder, loc,
                    mlir::RankedTensorType::get({}, builder.getI32Type()),
                    number);
  }
  /// A scalar in the shape of `like`.
  mlir::Value spread(mlir::Value scalar, mlir::Value like) {
    return broadcastTo(builder, loc, scalar, typeOf(like).getShape(), {});
  }
  /// A value that lacks dimension `dim` of `like`, in the shape of `like`.
  mlir::Value alongRows(mlir::Value value, mlir::Value like, int64_t dim);
  /// A vector along dimension `dim` of `like`, in the shape of `like`.
  mlir::Value alongDim(mlir::Value vector, mlir::Value like, int64_t dim) {
    return broadcastTo(builder, loc, vector, typeOf(like).getShape(), {dim});
  }
  mlir::Value reduceDim(mlir::Value value, int64_t dim, ReductionKind kind) {
    return reduce(builder, loc, value, {dim}, kind);
  }
  mlir::Value concatenate(mlir::ValueRange values, int64_t dim);
  mlir::Value reshape(mlir::Value value, llvm::ArrayRef<int64_t> shape) {
    return reshapeTo(builder, loc, value, shape);
  }
  /// `size` elements of dimension `dim` from `start`, tensor<i32>, on.
  mlir::Value sliceAt(mlir::Value value, unsigned dim, mlir::Value start,
                      int64_t size);
  /// Places before, after and between the elements of a dimension that hold
  /// `padding`, a scalar.
  mlir::Value padDim(mlir::Value value, mlir::Value padding, unsigned dim,
                     int64_t low, int64_t high, int64_t interior = 0);
  /// All of a dimension of `size` elements that is cut like `factor`.
  mlir::Value gatherDim(mlir::Value value, unsigned dim, int64_t size,
                        unsigned factor, llvm::StringRef cause);
  mlir::Value indices(llvm::ArrayRef<int64_t> shape, int64_t dim);
  /// In the type in which sums of its element type are made.
  mlir::Value accumulated(mlir::Value value);

  mlir::Value mask(mlir::Value value, unsigned dim, unsigned factor,
                   ReductionKind kind) {
    return shards.maskPadding(builder, loc, value, dim, factor, kind);
  }
  mlir::Value allReduce(mlir::Value value, llvm::ArrayRef<unsigned> factors,
                        ReductionKind kind, llvm::StringRef cause) {
    return shards.allReduce(builder, loc, value, factors, kind, cause);
  }
  mlir::Value offset(unsigned factor) {
    return shards.offset(builder, loc, factor);
  }
  mlir::Value offset(unsigned factor, int64_t size) {
    return shards.offset(builder, loc, factor, size);
  }
  mlir::Value validCount(unsigned factor) {
    return shards.validCount(builder, loc, factor);
  }

  /// Indices as i32, with those below `low` or above `high` replaced by these.
  mlir::Value clampedIndices(mlir::Value indices, int64_t low, int64_t high);
  /// Global indices into a dimension of `size` elements that is cut like
  /// `factor`, as i32 indices into this rank's block, -1 where another rank
  /// has the element. Indices are clamped to the dimension first.
  mlir::Value localIndices(mlir::Value indices, int64_t size, unsigned factor);
  /// Whether each of `localIndices` is an element of this rank.
  mlir::Value areFound(mlir::Value localIndices) {
    return compare(builder, loc, ComparisonDirection::GE, localIndices,
                   integer(localIndices, 0));
  }
  /// `value` where `found` (along `dims` of `value`), elsewhere zero, summed
  /// over the ranks: exact, since one rank contributes.
  mlir::Value combineLookups(mlir::Value value, mlir::Value found,
                             llvm::ArrayRef<int64_t> dims,
                             llvm::ArrayRef<unsigned> factors,
                             llvm::StringRef cause);

  /// The local result: `value` in the element type of the op's result and with
  /// the op's attributes.
  LocalResults finish(mlir::Value value);

  mlir::OpBuilder &builder;
  LocalShards &shards;
  mlir::Location loc;

private:
  mlir::Operation *op;
};

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SHARDING_LOCALFORM_H
