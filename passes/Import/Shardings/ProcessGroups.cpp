//===- ProcessGroups.cpp - Who takes part in a collective -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/ProcessGroups.h"
#include "cleave/Partition/DeviceDigits.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include <set>

using namespace mlir;

namespace cleave::reader {

FailureOr<ProcessGrid> ProcessGrid::of(spmd::ManualComputationOp computation,
                                       ModuleOp module) {
  ProcessGrid grid;
  grid.mesh = spmd::getOnlyMesh(module);
  if (!grid.mesh)
    return failure();
  grid.partitions = spmd::toMesh(grid.mesh).numRanks();
  grid.processes.assign(grid.mesh.getShape().getDeviceIds().begin(),
                        grid.mesh.getShape().getDeviceIds().end());
  if (auto own = computation->getAttrOfType<DenseI64ArrayAttr>(kDevices))
    grid.processes.assign(own.asArrayRef().begin(), own.asArrayRef().end());
  if (auto replicas = computation->getAttrOfType<IntegerAttr>(kReplicas)) {
    grid.replicas = replicas.getInt();
    grid.partitions /= grid.replicas;
  }
  return grid;
}

/// Whether the op has a channel: a number above 0.
static bool hasChannel(Operation *op) {
  if (auto handle =
          op->getAttrOfType<stablehlo::RecordAttr>("channel_handle")) {
    auto number = handle.getFields().getAs<IntegerAttr>("handle");
    return number && number.getInt() > 0;
  }
  auto number = op->getAttrOfType<IntegerAttr>("channel_id");
  return number && number.getInt() > 0;
}

GroupKind groupKindOfReduction(Operation *op) {
  auto isGlobal = op->getAttr("use_global_device_ids");
  if (auto flag = dyn_cast_or_null<BoolAttr>(isGlobal);
      flag && !flag.getValue())
    isGlobal = {};
  if (!hasChannel(op))
    return GroupKind::CrossReplica;
  return isGlobal ? GroupKind::FlattenedIds
                  : GroupKind::CrossReplicaAndPartition;
}

GroupKind groupKindOfPermutation(Operation *op) {
  return hasChannel(op) ? GroupKind::CrossPartition : GroupKind::CrossReplica;
}

/// The rank of each process.
static SmallVector<int64_t> ranksOfProcesses(const ProcessGrid &grid) {
  SmallVector<int64_t> ranks(grid.numProcesses());
  for (int64_t rank = 0; rank < grid.numProcesses(); ++rank)
    ranks[grid.processes.empty() ? rank : grid.processes[rank]] = rank;
  return ranks;
}

/// The rows of a two-dimensional list of numbers; -1 ends a short row.
static FailureOr<std::vector<RankList>> readRows(Operation *op,
                                                 StringRef name) {
  std::vector<RankList> rows;
  auto elements = op->getAttrOfType<DenseIntElementsAttr>(name);
  if (!elements || elements.getType().getRank() != 2)
    return op->emitError("needs ")
           << name << ": a two-dimensional list of numbers";
  int64_t columns = elements.getType().getDimSize(1);
  int64_t index = 0;
  for (const APInt &value : elements.getValues<APInt>()) {
    if (index++ % columns == 0)
      rows.emplace_back();
    if (value.getSExtValue() != -1)
      rows.back().push_back(value.getSExtValue());
  }
  return rows;
}

/// Rows of numbers as groups of processes.
static FailureOr<std::vector<RankList>> processesOf(Operation *op,
                                                    ArrayRef<RankList> rows,
                                                    GroupKind kind,
                                                    const ProcessGrid &grid) {
  int64_t limit = kind == GroupKind::FlattenedIds     ? grid.numProcesses()
                  : kind == GroupKind::CrossPartition ? grid.partitions
                                                      : grid.replicas;
  for (const RankList &row : rows)
    for (int64_t number : row)
      if (number < 0 || number >= limit)
        return op->emitError("names process ")
               << number << ", but there are " << limit;
  std::vector<RankList> groups;
  switch (kind) {
  case GroupKind::FlattenedIds:
    groups.assign(rows.begin(), rows.end());
    break;
  case GroupKind::CrossReplica:
    for (const RankList &row : rows)
      for (int64_t p = 0; p < grid.partitions; ++p) {
        RankList &group = groups.emplace_back();
        for (int64_t replica : row)
          group.push_back(replica * grid.partitions + p);
      }
    break;
  case GroupKind::CrossPartition:
    for (const RankList &row : rows)
      for (int64_t r = 0; r < grid.replicas; ++r) {
        RankList &group = groups.emplace_back();
        for (int64_t partition : row)
          group.push_back(r * grid.partitions + partition);
      }
    break;
  case GroupKind::CrossReplicaAndPartition:
    for (const RankList &row : rows) {
      RankList &group = groups.emplace_back();
      for (int64_t p = 0; p < grid.partitions; ++p)
        for (int64_t replica : row)
          group.push_back(replica * grid.partitions + p);
    }
    break;
  }
  return groups;
}

FailureOr<std::vector<RankList>> readGroups(Operation *op, GroupKind kind,
                                            const ProcessGrid &grid) {
  FailureOr<std::vector<RankList>> rows = readRows(op, "replica_groups");
  if (failed(rows))
    return failure();
  llvm::erase_if(*rows, [](const RankList &row) { return row.empty(); });
  // No groups: one of all that could be named.
  if (rows->empty()) {
    int64_t count = kind == GroupKind::CrossPartition ? grid.partitions
                    : kind == GroupKind::FlattenedIds ? grid.numProcesses()
                                                      : grid.replicas;
    for (int64_t i = 0; i < count; ++i) {
      if (i == 0)
        rows->emplace_back();
      rows->back().push_back(i);
    }
  }
  FailureOr<std::vector<RankList>> groups = processesOf(op, *rows, kind, grid);
  if (failed(groups))
    return failure();
  SmallVector<int64_t> ranks = ranksOfProcesses(grid);
  SmallVector<bool> used(ranks.size(), false);
  for (RankList &group : *groups)
    for (int64_t &process : group) {
      if (used[process])
        return op->emitError("names process ") << process << " twice";
      used[process] = true;
      process = ranks[process];
    }
  return groups;
}

std::optional<int64_t> statedProcesses(Operation *op, bool areReplicas) {
  auto count = op->getParentOfType<ModuleOp>()->getAttrOfType<IntegerAttr>(
      areReplicas ? "mhlo.num_replicas" : "mhlo.num_partitions");
  return count ? std::optional(count.getInt()) : std::nullopt;
}

bool staysInPlace(Operation *op, GroupKind kind) {
  bool arePairs = op->hasAttr("source_target_pairs");
  auto elements = op->getAttrOfType<DenseIntElementsAttr>(
      arePairs ? "source_target_pairs" : "replica_groups");
  if (!elements || elements.getType().getRank() != 2)
    return false;
  std::optional<int64_t> replicas = statedProcesses(op, /*areReplicas=*/true);
  std::optional<int64_t> partitions =
      statedProcesses(op, /*areReplicas=*/false);
  // A replica is one process only if it has one partition.
  if (kind == GroupKind::CrossReplicaAndPartition && partitions != 1)
    return false;
  bool areReplicas = kind == GroupKind::CrossReplica ||
                     kind == GroupKind::CrossReplicaAndPartition;
  std::optional<int64_t> named = areReplicas ? replicas : partitions;
  if (kind == GroupKind::FlattenedIds && partitions)
    named = *partitions * replicas.value_or(1);
  if (elements.empty())
    return !arePairs && named == 1;
  // Who is in no group may get zeros, and who receives nothing does, so that
  // all must be named.
  int64_t columns = elements.getType().getDimSize(1);
  if (!arePairs)
    return columns == 1 && elements.getNumElements() == named.value_or(1);
  if (columns != 2)
    return false;
  std::set<int64_t> itself; // of any number, which DenseSet does not take
  auto numbers = llvm::to_vector(elements.getValues<APInt>());
  for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
    if (numbers[i] != numbers[i + 1])
      return false;
    itself.insert(numbers[i].getSExtValue());
  }
  return named == static_cast<int64_t>(itself.size());
}

FailureOr<SmallVector<int64_t>> readPairs(Operation *op, GroupKind kind,
                                          const ProcessGrid &grid) {
  FailureOr<std::vector<RankList>> rows = readRows(op, "source_target_pairs");
  if (failed(rows))
    return failure();
  for (const RankList &row : *rows)
    if (row.size() != 2)
      return op->emitError("needs a source and a target in each row of "
                           "source_target_pairs");
  FailureOr<std::vector<RankList>> pairs = processesOf(op, *rows, kind, grid);
  if (failed(pairs))
    return failure();
  SmallVector<int64_t> ranks = ranksOfProcesses(grid);
  SmallVector<int64_t> result;
  for (const RankList &pair : *pairs)
    for (int64_t process : pair)
      result.push_back(ranks[process]);
  return result;
}

std::optional<SmallVector<spmd::AxisAttr>>
axesOfGroups(ArrayRef<RankList> groups, spmd::MeshOp meshOp) {
  Mesh mesh = spmd::toMesh(meshOp);
  size_t members = 0;
  for (const RankList &group : groups)
    members += group.size();
  if (groups.empty() || members != static_cast<size_t>(mesh.numRanks()))
    return std::nullopt;
  std::optional<DeviceDigits> digits = countingDigits(groups.front());
  if (!digits)
    return std::nullopt;
  // Cut digits where axes of the mesh begin.
  SmallVector<int64_t> sizes;
  for (const Mesh::Axis &axis : mesh.axes)
    sizes.push_back(axis.size);
  SmallVector<DeviceDigit, 4> axes = gridDigits(sizes);
  SmallVector<spmd::AxisAttr> result;
  for (DeviceDigit digit : *digits) {
    while (digit.size > 1) {
      // The axis that holds the major end of the digit.
      auto holds = [&](const DeviceDigit &axis) {
        return axis.size > 1 && axis.stride < digit.stride * digit.size &&
               digit.stride * digit.size <= axis.stride * axis.size;
      };
      auto axis = llvm::find_if(axes, holds);
      if (axis == axes.end())
        return std::nullopt;
      int64_t end = digit.stride * digit.size;
      int64_t begin = std::max(digit.stride, axis->stride);
      if (end % begin != 0 || (axis->stride * axis->size) % end != 0 ||
          begin % axis->stride != 0 || begin % digit.stride != 0)
        return std::nullopt;
      AxisId id = axis - axes.begin();
      AxisRef part{id, axis->stride * axis->size / end, end / begin};
      result.push_back(spmd::toAttr(meshOp.getContext(), part, mesh));
      digit.size = begin / digit.stride;
    }
  }
  // The other groups must lie along the same axes.
  AxisList list = spmd::toAxisList(result, mesh);
  for (const RankList &group : groups) {
    if (group.size() != groups.front().size())
      return std::nullopt;
    for (auto [position, rank] : llvm::enumerate(group))
      if (mesh.position(rank, list) != static_cast<int64_t>(position) ||
          rank - group.front() !=
              groups.front()[position] - groups.front().front())
        return std::nullopt;
  }
  return result;
}

} // namespace cleave::reader
