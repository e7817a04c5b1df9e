//===- KernelClusters.h - Which ops share a kernel --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops are visited in order; each joins the clusters of its producers where
// that is legal and useful, else it starts one. There are two ways to join:
//
//  - in rows: all ops of the cluster run in one loop over common leading
//    dimensions, and read each other's values of the same row (an elementwise
//    chain, a softmax, a norm);
//  - inlined: the cluster is an elementwise expression with no other user,
//    and is computed at whatever index the op reads (a transpose, a reduction
//    of outer dimensions).
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_KERNELCLUSTERS_H
#define CLEAVE_PASSES_FUSION_KERNELCLUSTERS_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include <deque>

namespace cleave::fusion {

struct Cluster {
  llvm::SmallVector<mlir::Operation *> ops;
  /// Sizes of the loops that all ops share.
  llvm::SmallVector<int64_t> rows;
  /// An expression that can be computed at any single index.
  bool isExpression = true;
  /// Takes no other ops.
  bool isClosed = false;
  /// Elements of the largest op.
  int64_t elements = 1;
  /// Bytes per row of values that may have to be stored.
  int64_t rowBytes = 0;
  /// Positions in the block of the first and the last op.
  int64_t first = 0, last = 0;
};

/// Whether `op` belongs in a kernel: cleave primitives but products, control
/// flow, constants and reshapes.
bool isKernelOp(mlir::Operation *op);

/// A constant that is copied into kernels.
bool isSplatConstant(mlir::Value value);

class KernelClusters {
public:
  explicit KernelClusters(mlir::Block &block);

  /// Null for ops outside of kernels.
  Cluster *clusterOf(mlir::Operation *op) const {
    return clusterOfOp.lookup(op);
  }

private:
  void visit(mlir::Operation *op);
  bool tryJoin(Cluster &cluster, mlir::Operation *op, Cluster &joined);
  bool joinInRows(const Cluster &cluster, mlir::Operation *op,
                  Cluster &joined) const;
  bool joinInlined(const Cluster &cluster, mlir::Operation *op,
                   Cluster &joined) const;
  bool hasOtherUsers(const Cluster &cluster, mlir::Operation *op) const;
  int64_t independentBefore(int64_t first) const;
  bool dependsOnItself(llvm::ArrayRef<Cluster *> clusters,
                       mlir::Operation *op) const;

  mlir::Block &block;
  std::deque<Cluster> storage;
  /// Those that have not joined another one.
  llvm::SmallVector<Cluster *> live;
  llvm::DenseMap<mlir::Operation *, Cluster *> clusterOfOp;
  llvm::DenseMap<mlir::Operation *, int64_t> position;
};

/// The ops of `block` that `op` depends on, through its operands and what its
/// regions use.
llvm::SmallVector<mlir::Operation *> producersOf(mlir::Operation *op,
                                                 mlir::Block &block);

} // namespace cleave::fusion

#endif // CLEAVE_PASSES_FUSION_KERNELCLUSTERS_H
