//===- Collectives.cpp - Groups and bytes of collectives ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;

namespace cleave::spmd {

std::vector<RankGroup> toRankGroups(GroupsAttr groups) {
  std::vector<RankGroup> result;
  for (DenseI64ArrayAttr group : groups.getGroups())
    result.emplace_back(group.asArrayRef());
  return result;
}

static std::vector<RankGroup> connectedRanks(CollectivePermuteOp op) {
  llvm::EquivalenceClasses<int64_t> classes;
  ArrayRef<int64_t> pairs = op.getPairs();
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    classes.unionSets(pairs[i], pairs[i + 1]);
  std::vector<RankGroup> groups;
  for (const auto &entry : classes) {
    if (!entry->isLeader())
      continue;
    RankGroup group(classes.member_begin(*entry), classes.member_end());
    llvm::sort(group);
    groups.push_back(std::move(group));
  }
  llvm::sort(groups);
  return groups;
}

std::vector<RankGroup> rankGroups(CollectiveOpInterface op, const Mesh &mesh) {
  if (auto permute = dyn_cast<CollectivePermuteOp>(op.getOperation()))
    return connectedRanks(permute);
  if (auto groups = dyn_cast<GroupsAttr>(op.getGroups()))
    return toRankGroups(groups);
  return groupsAlong(mesh, toAxisList(op.getCollectiveAxes(), mesh));
}

int64_t groupSize(CollectiveOpInterface op, const Mesh &mesh) {
  if (auto groups = dyn_cast_or_null<GroupsAttr>(op.getGroups()))
    return largestGroup(toRankGroups(groups));
  return numShards(toAxisList(op.getCollectiveAxes(), mesh));
}

/// Whether a rank gets the value of another one.
static bool moves(CollectivePermuteOp op) {
  ArrayRef<int64_t> pairs = op.getPairs();
  for (size_t i = 0; i + 1 < pairs.size(); i += 2)
    if (pairs[i] != pairs[i + 1])
      return true;
  return false;
}

int64_t receivedBytes(CollectiveOpInterface op, const Mesh &mesh) {
  auto from = cast<RankedTensorType>(op.getCollectiveOperand().getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t bytes = elementBytes(from);
  if (auto permute = dyn_cast<CollectivePermuteOp>(op.getOperation());
      permute && !moves(permute))
    return 0;
  auto ofExchange = [&](int64_t received) {
    for (auto [dim, size] : llvm::enumerate(from.getShape()))
      if (dim != op.getCollectiveDim())
        bytes *= size;
    return bytes * received;
  };
  if (auto halo = dyn_cast<HaloExchangeOp>(op.getOperation()))
    return ofExchange(halo.getExchange(mesh).received());
  if (auto windows = dyn_cast<WindowExchangeOp>(op.getOperation()))
    return ofExchange(windows.getExchange().received());
  return collectiveBytes(op.getCollectiveKind(), from.getShape(), to.getShape(),
                         bytes, groupSize(op, mesh));
}

} // namespace cleave::spmd
