//===- CollectiveSink.h - Collectives that wait in a block ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_COLLECTIVES_COLLECTIVESINK_H
#define CLEAVE_PASSES_COLLECTIVES_COLLECTIVESINK_H

#include "cleave/Partition/DeferralPlan.h"
#include "dialects/Spmd/RankVariation.h"
#include "dialects/Spmd/ShardingConversion.h"

namespace cleave {

/// Sinks collectives of one kind over the same axes in one block.
class CollectiveSink {
public:
  CollectiveSink(spmd::CollectiveOpInterface first, Mesh mesh,
                 const spmd::RankVariation &uniform)
      : mesh(std::move(mesh)), meshName(first.getMeshAttr()),
        axesAttr(
            spmd::AxesAttr::get(first.getContext(), first.getCollectiveAxes())),
        axes(toAxisList(first.getCollectiveAxes(), this->mesh)),
        uniform(uniform) {}
  virtual ~CollectiveSink() = default;

  /// Finds the collectives of `block` and the ops that may run before them.
  void collect(mlir::Block &block);

  /// Whether a value is, or may become, incomplete, and no other use needs it.
  bool isTerm(mlir::Value value) const {
    return ids.contains(value) && value.hasOneUse();
  }

  /// Returns the bytes saved.
  mlir::FailureOr<int64_t> run();

protected:
  /// An op that may run on incomplete values.
  struct Candidate {
    mlir::Operation *op = nullptr;
    /// Operands that it then takes incomplete.
    llvm::SmallVector<unsigned, 2> taken;
    int64_t extraBytes = 0;
  };

  virtual bool isStart(mlir::Operation *op) = 0;
  virtual bool admit(Candidate &candidate) = 0;
  /// Whether `admit` wants all operands that are taken to be incomplete.
  virtual bool needsAll() = 0;
  virtual int64_t completeBytes(mlir::Value value) = 0;
  /// Bytes of what `user` makes of the complete value by another collective
  /// than `complete`; none if it needs the whole value.
  virtual std::optional<int64_t> pieceBytes(mlir::Value value,
                                            mlir::Operation *user) = 0;
  /// Whether what `user` makes of the complete value is the incomplete one.
  virtual bool takesPiece(mlir::Value value, mlir::Operation *user) {
    return false;
  }
  /// Builds an op on `operands`, those that it takes being incomplete.
  virtual mlir::FailureOr<mlir::Value>
  rebuild(mlir::OpBuilder &builder, const Candidate &candidate,
          llvm::ArrayRef<mlir::Value> operands) = 0;
  virtual mlir::Value complete(mlir::OpBuilder &builder, mlir::Value original,
                               mlir::Value incomplete,
                               mlir::StringAttr cause) = 0;

  bool isInGraph(mlir::Value value) const { return ids.contains(value); }

  Mesh mesh;
  mlir::FlatSymbolRefAttr meshName;
  spmd::AxesAttr axesAttr;
  AxisList axes;
  const spmd::RankVariation &uniform;

private:
  unsigned addValue(mlir::Value value);

  void addCandidate(mlir::Operation *op);

  /// Whether a use may be of the incomplete value.
  bool isTaken(mlir::OpOperand &use);

  void findNeeded();

  mlir::LogicalResult rewrite(const DeferralPlan &plan);

  DeferralGraph graph;
  /// By number of the graph's values and ops.
  llvm::SmallVector<mlir::Value> values;
  std::vector<Candidate> candidates;
  llvm::DenseMap<mlir::Value, unsigned> ids;
  llvm::DenseMap<mlir::Operation *, unsigned> candidateOf;
};

/// Of the all_reduces of sums like `first`.
std::unique_ptr<CollectiveSink> sinkSums(spmd::CollectiveOpInterface first,
                                         Mesh mesh,
                                         const spmd::RankVariation &uniform);
/// Of the reduce_scatters of sums like `first`, along the same dimension.
std::unique_ptr<CollectiveSink>
sinkScatteredSums(spmd::CollectiveOpInterface first, Mesh mesh,
                  const spmd::RankVariation &uniform);
/// Of the all_gathers like `first`, along any dimension.
std::unique_ptr<CollectiveSink> sinkGathers(spmd::CollectiveOpInterface first,
                                            Mesh mesh,
                                            const spmd::RankVariation &uniform);

} // namespace cleave

#endif // CLEAVE_PASSES_COLLECTIVES_COLLECTIVESINK_H
