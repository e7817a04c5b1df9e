//===- ProcessGroups.h - Who takes part in a collective ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// StableHLO runs a grid of replicas by partitions. Its collectives name
// replicas, partitions or numbers of the flattened grid, as their channel and
// `use_global_device_ids` say (StableHLO specification, "Collective ops").
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_PROCESSGROUPS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_PROCESSGROUPS_H

#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/IR/Operation.h"
#include <vector>

namespace cleave::reader {

/// The processes among which a computation runs; process r * partitions + p is
/// partition p of replica r.
struct ProcessGrid {
  spmd::MeshOp mesh;
  /// The process of each rank; empty if it is the rank.
  llvm::SmallVector<int64_t> processes;
  int64_t replicas = 1;
  int64_t partitions = 1;

  int64_t numProcesses() const { return replicas * partitions; }
  /// The ranks of a computation in (a rebuilt part of) `module`. All are
  /// partitions, unless the computation has an integer attribute kReplicas.
  /// Each is the process of its device in the mesh, or in the computation's
  /// attribute kDevices.
  static mlir::FailureOr<ProcessGrid> of(spmd::ManualComputationOp computation,
                                         mlir::ModuleOp module);
};

/// While its body is imported, a computation says how many replicas it has.
constexpr llvm::StringLiteral kReplicas = "replicas";
/// Until its body is imported, a computation over a mesh in another order than
/// the module's says which device each rank stands for: a list of numbers.
constexpr llvm::StringLiteral kDevices = "device_ids";

using RankList = std::vector<int64_t>;

/// How the numbers in an attribute are meant.
enum class GroupKind {
  /// Replicas; the same for each partition.
  CrossReplica,
  /// Partitions; the same for each replica.
  CrossPartition,
  /// Replicas, of which all partitions take part.
  CrossReplicaAndPartition,
  /// Process numbers.
  FlattenedIds,
};

/// The kind of a reduction or gather, which may use global device ids.
GroupKind groupKindOfReduction(mlir::Operation *op);
/// The kind of a permutation, broadcast or all_to_all.
GroupKind groupKindOfPermutation(mlir::Operation *op);

/// Ranks of each group, by the position in the group. Fails, with a diagnostic,
/// on numbers that no process has.
mlir::FailureOr<std::vector<RankList>>
readGroups(mlir::Operation *op, GroupKind kind, const ProcessGrid &grid);

/// Whether a collective outside of any computation of many processes leaves
/// every value where it is: each group or pair has one process in it, by the
/// numbers of replicas and partitions that the module states.
bool staysInPlace(mlir::Operation *op, GroupKind kind);

/// The number of replicas or partitions that the module around `op` states.
std::optional<int64_t> statedProcesses(mlir::Operation *op, bool areReplicas);

/// `source_target_pairs` as ranks.
mlir::FailureOr<llvm::SmallVector<int64_t>>
readPairs(mlir::Operation *op, GroupKind kind, const ProcessGrid &grid);

/// The axes along which ranks of a group differ, major to minor in the order of
/// their positions; none if the groups are not along axes.
std::optional<llvm::SmallVector<spmd::AxisAttr>>
axesOfGroups(llvm::ArrayRef<RankList> groups, spmd::MeshOp mesh);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_PROCESSGROUPS_H
