//===- ManualRules.cpp - Free axes in manual computations -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/ManualRules.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"
#include <set>

using namespace mlir;

namespace cleave::spmd {

/// The rule of an op of one operand that is alike along all dimensions but
/// `whole`.
static ShardingRule ruleExcept(Operation *op, ArrayRef<int64_t> whole) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  ShardingRule rule;
  TensorFactors operand, result;
  for (int64_t d = 0; d < from.getRank(); ++d) {
    bool isWhole = llvm::is_contained(whole, d);
    FactorKind kind =
        isWhole ? FactorKind::NeedReplication : FactorKind::PassThrough;
    unsigned factor = rule.addFactor(from.getDimSize(d), kind);
    operand.dims.push_back({factor});
    result.dims.push_back(
        {isWhole ? rule.addFactor(to.getDimSize(d), kind) : factor});
  }
  rule.operands.push_back(operand);
  rule.results.push_back(result);
  return rule;
}

/// Whether an op is linear in its operand: it only moves and adds up elements.
static bool isLinear(CollectiveOpInterface op) {
  std::optional<ReductionKind> reduction = op.getCollectiveReduction();
  // What an exchange fills in would be counted with every term.
  return (!reduction || *reduction == ReductionKind::Sum) &&
         !isa<HaloExchangeOp>(op.getOperation());
}

std::optional<ShardingRule> getManualRule(Operation *op) {
  if (isa<AxisIndexOp>(op)) {
    ShardingRule rule;
    rule.results.emplace_back();
    return rule;
  }
  if (auto mask = dyn_cast<MaskPaddingOp>(op))
    return ruleExcept(op, {static_cast<int64_t>(mask.getDim())});
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  if (!collective)
    return std::nullopt;
  SmallVector<int64_t> whole;
  for (std::optional<int64_t> dim :
       {collective.getCollectiveDim(), collective.getCollectiveSplitDim()})
    if (dim)
      whole.push_back(*dim);
  ShardingRule rule = ruleExcept(op, whole);
  if (isLinear(collective))
    rule.linear.push_back({0});
  return rule;
}

/// The groups of a collective in which the order of ranks has a meaning.
static std::vector<RankGroup> orderedGroups(CollectiveOpInterface op,
                                            const Mesh &mesh) {
  auto permute = dyn_cast<CollectivePermuteOp>(op.getOperation());
  if (!permute)
    return rankGroups(op, mesh);
  std::vector<RankGroup> pairs;
  for (size_t i = 0; i < permute.getPairs().size(); i += 2)
    pairs.push_back({permute.getPairs()[i], permute.getPairs()[i + 1]});
  return pairs;
}

bool isSameAlong(CollectiveOpInterface op, AxisId axis, const Mesh &mesh) {
  if (!isa<CollectivePermuteOp>(op.getOperation()) &&
      isa<AxesAttr>(op.getGroups()))
    return llvm::none_of(toAxisList(op.getCollectiveAxes(), mesh),
                         [&](const AxisRef &over) {
                           return over.axis == axis && over.size > 1;
                         });
  int64_t size = mesh.axes[axis].size, stride = 1;
  for (const Mesh::Axis &minor : ArrayRef(mesh.axes).drop_front(axis + 1))
    stride *= minor.size;
  std::vector<RankGroup> groups = orderedGroups(op, mesh);
  std::set<std::vector<int64_t>> all;
  for (const RankGroup &group : groups)
    all.insert(std::vector<int64_t>(group.begin(), group.end()));
  // What is there at one position must be there at the next.
  return llvm::all_of(groups, [&](const RankGroup &group) {
    int64_t position = mesh.coordinate(group.front(), mesh.whole(axis));
    int64_t step = position + 1 == size ? (1 - size) * stride : stride;
    std::vector<int64_t> next;
    for (int64_t rank : group) {
      if (mesh.coordinate(rank, mesh.whole(axis)) != position)
        return false;
      next.push_back(rank + step);
    }
    return all.count(next) != 0;
  });
}

} // namespace cleave::spmd
