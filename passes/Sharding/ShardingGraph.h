//===- ShardingGraph.h - A function as a propagation graph ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SHARDING_SHARDINGGRAPH_H
#define CLEAVE_PASSES_SHARDING_SHARDINGGRAPH_H

#include "cleave/Partition/Propagation.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace cleave {

/// The identity on a tensor, as a sharding rule: what connects a loop variable
/// to its initial value, or a returned value to a function result.
ShardingRule identityRule(llvm::ArrayRef<int64_t> shape);

/// The rule of any op: its own, with sums of floats kept whole if the function
/// orders them, or, for an op that has none, one under which every dimension
/// must be whole.
ShardingRule getRuleOrReplicate(mlir::Operation *op);

/// Whether an op works on tensors that are partitioned: it is in the function
/// itself, in a loop or branch, or in a manual computation with free axes, not
/// in one without or in a region on elements.
bool isOnGlobal(mlir::Operation *op);

/// Whether an op only ends a region or function; its operands are handled with
/// the results they become.
bool isRegionTerminator(mlir::Operation *op);

/// The entry function as the propagation algorithm sees it. Values that must
/// agree (loop variables wherever they appear) are one graph value.
class ShardingGraph {
public:
  ShardingGraph(mlir::func::FuncOp func, const Mesh &mesh);

  PropagationGraph graph;
  llvm::MapVector<mlir::Value, unsigned> ids;
  /// Graph values of the inputs of manual computations with free axes, cut over
  /// manual axes and free ones.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<unsigned>> manualInputs;
  /// Graph value of each function result.
  llvm::SmallVector<unsigned> results;
  /// What annotated, e.g. `argument "w1"`, by annotation id.
  std::vector<std::string> annotations;
  /// Operation of each graph op; the one an identity stands in for.
  std::vector<mlir::Operation *> ops;
  /// Ops without a sharding rule.
  llvm::SmallVector<mlir::Operation *> unknown;

private:
  unsigned valueOf(mlir::Value value);
  unsigned addValue(mlir::Type type);
  void annotate(unsigned id, spmd::ShardingAttr sharding, std::string what);
  void addIdentity(unsigned from, unsigned to, mlir::Operation *at);
  void addBlock(mlir::Block &block);
  void addOp(mlir::Operation *op);
  bool joinGroup(spmd::ShardingConstraintOp member);
  void addTies(ShardingTieOpInterface op);
  void addManual(spmd::ManualComputationOp op);
  void annotateSide(unsigned id, spmd::ManualComputationOp op,
                    spmd::ShardingAttr sharding, const std::string &what);
  void addBorder(unsigned outer, unsigned inner, spmd::ManualComputationOp op,
                 spmd::ShardingAttr sharding);
  void addResults(mlir::func::FuncOp func);

  const Mesh &mesh;
  /// The value of each group of constraints: by the manual computation around
  /// it, number and shape.
  llvm::DenseMap<std::tuple<mlir::Operation *, int64_t, mlir::Type>, unsigned>
      groups;
};

} // namespace cleave

#endif // CLEAVE_PASSES_SHARDING_SHARDINGGRAPH_H
