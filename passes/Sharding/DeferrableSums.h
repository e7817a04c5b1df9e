//===- DeferrableSums.h - What may stay a partial sum -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SHARDING_DEFERRABLESUMS_H
#define CLEAVE_PASSES_SHARDING_DEFERRABLESUMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Sharding/ShardingReader.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace cleave {

/// How ops execute as long as every sum is reduced at once.
struct NaturalStrategy {
  ShardingRule rule;
  OpStrategy strategy;
};

/// What a value is partial over, in the order of the axes.
using Partial = llvm::SmallVector<PartialAxis, 1>;

/// Sums that an op leaves to be done, and that its result is not said to lack.
Partial sumsMade(const Sharding &made, const Sharding &declared);

/// How often a block runs, if each loop around it runs as often as loops are
/// taken to.
int64_t tripsOf(mlir::Block *block);

/// What is known of a function.
struct SumContext {
  mlir::func::FuncOp func;
  const Mesh &mesh;
  ShardingReader &reader;
  ReshardPlanner &planner;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<NaturalStrategy>> natural;
  /// Ops whose shardings are decided; they are left alone.
  llvm::DenseSet<mlir::Operation *> settled;

  SumContext(mlir::func::FuncOp func, const Mesh &mesh, ShardingReader &reader,
             ReshardPlanner &planner)
      : func(func), mesh(mesh), reader(reader), planner(planner) {}

  const Sharding &declared(mlir::Value value) { return reader.of(value); }
  /// Bytes that a value costs to be moved from one placement to another.
  int64_t bytes(mlir::Value value, const Sharding &from, const Sharding &to);
};

/// What may be partial over one set of axes.
struct DeferrableSums {
  /// A use that may take its value partial, and the placement it then needs.
  struct Taken {
    mlir::OpOperand *use;
    Sharding needed;
  };
  /// An op, or a variable of a loop or branch, that may be partial.
  struct Node {
    llvm::SmallVector<Taken, 2> taken;
    llvm::SmallVector<mlir::Value, 3> results;
    /// What being partial costs beside its operands and results.
    int64_t extraBytes = 0;
  };

  /// Placement of each value that is or may be partial.
  llvm::MapVector<mlir::Value, Sharding> placement;
  /// The values that are.
  llvm::SetVector<mlir::Value> starts;
  std::vector<Node> nodes;
  /// The node that may take a use.
  llvm::DenseMap<mlir::OpOperand *, unsigned> takers;

  /// Follows the sums over `partial` through ops that are linear in them, and
  /// through loop variables and results of branches, if all that becomes of the
  /// variable is a partial sum or zero.
  static DeferrableSums collect(SumContext &context, const Partial &partial);
};

} // namespace cleave

#endif // CLEAVE_PASSES_SHARDING_DEFERRABLESUMS_H
