//===- RankEvaluation.h - Reference evaluation on all ranks -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code on local shapes has no meaning for one rank alone, so it is evaluated
// op by op for all ranks of the mesh: an op on tensors by each rank's own
// evaluator, a collective on the operands of its groups. Where the condition of
// a loop or branch differs, the ranks that agree go on together; a collective
// then needs all of a group or none of it.
//
// The content of padding is unspecified; here it is NaN, or bytes of 0x5a, so
// that no result can come to depend on it unseen.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_RANKEVALUATION_H
#define CLEAVE_DIALECTS_SPMD_RANKEVALUATION_H

#include "cleave/Partition/RankGroups.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Spmd/SpmdDialect.h"
#include <deque>

namespace cleave::spmd {

/// A tensor of unspecified content.
graph::Literal unspecified(mlir::RankedTensorType type);

/// What a reduction of the kind does not notice.
graph::Literal neutralLiteral(mlir::RankedTensorType type, ReductionKind kind);

/// Reduces values of one type element by element, in order: floats in the
/// evaluator's type of accumulation, rounded once.
graph::Literal reduceLiterals(const graph::Evaluator &evaluator,
                              ReductionKind kind,
                              llvm::ArrayRef<graph::Literal> values);

/// What each member of a group gets from a collective, given the operands of
/// all members; both by position. Not for collective_permute, which has no
/// positions.
llvm::SmallVector<graph::Literal>
evaluateOnGroup(CollectiveOpInterface op, const Mesh &mesh,
                const graph::Evaluator &evaluator,
                llvm::ArrayRef<graph::Literal> operands);

class RankEvaluation {
public:
  using Literals = llvm::SmallVector<graph::Literal>;

  /// With the mode and limits of `like`.
  RankEvaluation(const graph::Evaluator &like, MeshOp mesh);

  const Mesh &getMesh() const { return mesh; }

  /// Runs the single block of a region that uses nothing from above on all
  /// ranks; arguments and results are by rank.
  mlir::LogicalResult evaluate(mlir::Region &region,
                               llvm::ArrayRef<Literals> args,
                               llvm::SmallVectorImpl<Literals> &results);

private:
  /// Ranks that execute an op, ascending. Lists of literals are by position in
  /// it.
  using Ranks = llvm::SmallVector<int64_t, 8>;

  mlir::LogicalResult evaluateRegion(mlir::Region &region,
                                     llvm::ArrayRef<int64_t> ranks,
                                     llvm::ArrayRef<Literals> args,
                                     llvm::SmallVectorImpl<Literals> &results);
  mlir::LogicalResult evaluateOp(mlir::Operation *op,
                                 llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult evaluateCollective(CollectiveOpInterface op,
                                         llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult evaluatePermute(CollectivePermuteOp op,
                                      llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult evaluateAxisIndex(AxisIndexOp op,
                                        llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult evaluateMask(MaskPaddingOp op,
                                   llvm::ArrayRef<int64_t> ranks);
  /// One inside of another: among the ranks that differ along its own axes.
  mlir::LogicalResult evaluateManual(ManualComputationOp op,
                                     llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult evaluateIf(graph::IfOp op, llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult evaluateWhile(graph::WhileOp op,
                                    llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult evaluateCall(mlir::func::CallOp op,
                                   llvm::ArrayRef<int64_t> ranks);

  /// Whether all ranks of a group execute `op`, or none; else a diagnostic.
  mlir::FailureOr<bool> isPresent(mlir::Operation *op,
                                  llvm::ArrayRef<int64_t> group,
                                  llvm::ArrayRef<int64_t> ranks);
  mlir::LogicalResult checkMesh(mlir::Operation *op,
                                mlir::FlatSymbolRefAttr name);
  mlir::LogicalResult getOperands(mlir::Operation *op,
                                  llvm::ArrayRef<int64_t> ranks,
                                  llvm::SmallVectorImpl<Literals> &operands);
  void bindResults(mlir::Operation *op, int64_t rank, Literals &values);

  Mesh mesh;
  /// One per rank.
  std::deque<graph::Evaluator> evaluators;
};

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_RANKEVALUATION_H
