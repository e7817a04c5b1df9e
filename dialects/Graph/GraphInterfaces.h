//===- GraphInterfaces.h - Interfaces of graph operations -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_GRAPHINTERFACES_H
#define CLEAVE_DIALECTS_GRAPH_GRAPHINTERFACES_H

#include "cleave/Partition/ShardingRule.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpDefinition.h"

namespace cleave {

struct WindowExchange;

namespace graph {
class Evaluator;
struct Literal;
} // namespace graph

/// What an op may ask while it builds its local form: the sharding of its
/// iteration space, and the operations that depend on the rank.
class LocalShards {
public:
  virtual ~LocalShards() = default;

  /// Local type of a result.
  virtual mlir::RankedTensorType localType(mlir::OpResult result) = 0;
  /// Axes over which a factor of the op's rule is cut.
  virtual llvm::ArrayRef<AxisRef> axes(unsigned factor) = 0;
  bool isSharded(unsigned factor) { return !axes(factor).empty(); }
  /// Number of ranks along a factor.
  int64_t numShards(unsigned factor) { return cleave::numShards(axes(factor)); }

  /// First global index of this rank's block of a factor, tensor<i32>.
  virtual mlir::Value offset(mlir::OpBuilder &builder, mlir::Location loc,
                             unsigned factor) = 0;
  /// The same of a dimension of `size` elements that is cut like a factor of
  /// another size.
  virtual mlir::Value offset(mlir::OpBuilder &builder, mlir::Location loc,
                             unsigned factor, int64_t size) = 0;
  /// Valid elements of this rank's block of a factor, tensor<i32>.
  virtual mlir::Value validCount(mlir::OpBuilder &builder, mlir::Location loc,
                                 unsigned factor) = 0;
  /// `value` with padding along `dim` (which is cut like `factor`) replaced by
  /// the neutral element of `kind`; `value` itself where there is none.
  virtual mlir::Value maskPadding(mlir::OpBuilder &builder, mlir::Location loc,
                                  mlir::Value value, unsigned dim,
                                  unsigned factor, ReductionKind kind) = 0;
  /// Reduces over the ranks along some factors. `cause` says why, for explain.
  virtual mlir::Value allReduce(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value value,
                                llvm::ArrayRef<unsigned> factors,
                                ReductionKind kind, llvm::StringRef cause) = 0;
  /// Concatenates the ranks' values along `dim`, in the order of the blocks.
  virtual mlir::Value allGather(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value value, unsigned dim,
                                unsigned factor, llvm::StringRef cause) = 0;
  /// Elements start - low to start + extent + high of dimension `dim`, which
  /// has `size` elements and is cut like a factor; start and extent are those
  /// of this rank's block. Elements that the dimension lacks are `fill`, or
  /// unspecified without it. See spmd.halo_exchange.
  virtual mlir::Value haloExchange(mlir::OpBuilder &builder, mlir::Location loc,
                                   mlir::Value value, unsigned dim,
                                   unsigned factor, int64_t size, int64_t low,
                                   int64_t high, mlir::TypedAttr fill,
                                   llvm::StringRef cause) = 0;
  /// Segments of a line along `dim`, listed for the ranks along a factor, in
  /// the order of their positions; the result has `extent` elements there. See
  /// spmd.window_exchange.
  virtual mlir::Value windowExchange(mlir::OpBuilder &builder,
                                     mlir::Location loc, mlir::Value value,
                                     unsigned dim, unsigned factor,
                                     const WindowExchange &exchange,
                                     int64_t extent, llvm::StringRef cause) = 0;
  /// All of dimension `dim`, if `value` was cut from it into this rank's block
  /// along a factor just before; null if no rank is known to have it.
  virtual mlir::Value wholeOf(mlir::Value value, unsigned dim,
                              unsigned factor) {
    return {};
  }
};

/// A variable of a region op: values that share one sharding, and the operands
/// (initial values, yielded values) that are brought to it.
struct ShardingTie {
  llvm::SmallVector<mlir::Value, 3> values;
  llvm::SmallVector<mlir::OpOperand *, 3> sources;
};

/// What a library kernel runs. The function takes the buffers of the op's
/// operands and results, these numbers, and a part of [0, extent).
struct LibraryCall {
  /// Without prefix and element type, which the target adds.
  llvm::StringRef function;
  /// Pieces of work that do not depend on each other.
  int64_t extent = 1;
  llvm::SmallVector<int64_t> numbers;
};

/// Clones `op` (without regions) with `operands` and local result types.
llvm::FailureOr<llvm::SmallVector<mlir::Value>>
cloneWithLocalTypes(mlir::Operation *op, mlir::OpBuilder &builder,
                    mlir::ValueRange operands, LocalShards &shards);

} // namespace cleave

#include "dialects/Graph/GraphInterfaces.h.inc"

#endif // CLEAVE_DIALECTS_GRAPH_GRAPHINTERFACES_H
