//===- LocalCollectives.cpp - Bytes and blocks of local values ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Collectives/LocalCollectives.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/RankShards.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

int64_t cleave::bytesOf(CollectiveKind kind, RankedTensorType operand,
                        RankedTensorType result, ArrayRef<AxisRef> axes) {
  return collectiveBytes(kind, operand.getShape(), result.getShape(),
                         elementBytes(operand), numShards(axes));
}

/// Whether a permutation sends nothing to another rank.
int64_t cleave::bytesOf(CollectiveOpInterface op, const Mesh &mesh) {
  return receivedBytes(op, mesh);
}

bool cleave::isOverAxes(Operation *op) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  return collective && isa_and_present<AxesAttr>(collective.getGroups());
}

RankedTensorType cleave::pieceType(Type whole, unsigned dim,
                                   ArrayRef<AxisRef> axes) {
  auto type = cast<RankedTensorType>(whole);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = llvm::divideCeil(shape[dim], numShards(axes));
  return RankedTensorType::get(shape, type.getElementType());
}

std::optional<FactorShardings> cleave::cutAlong(const ShardingRule &rule,
                                                const TensorFactors &factors,
                                                unsigned dim,
                                                ArrayRef<AxisRef> axes) {
  FactorShardings cut(rule.factors.size());
  if (!projectDimToFactors(rule, factors.dims[dim], axes, cut))
    return std::nullopt;
  for (auto [factor, own] : llvm::zip_equal(rule.factors, cut))
    if (!own.empty() && !factor.passesThrough(own))
      return std::nullopt;
  return cut;
}

std::optional<int> cleave::cutDim(const ShardingRule &rule,
                                  const TensorFactors &factors,
                                  const FactorShardings &cut,
                                  ArrayRef<AxisRef> axes) {
  int found = -1;
  Sharding sharding = projectFromFactors(rule, factors, cut);
  for (auto [d, dim] : llvm::enumerate(sharding.dims)) {
    if (dim.axes.empty())
      continue;
    if (found >= 0 || ArrayRef<AxisRef>(dim.axes) != axes)
      return std::nullopt;
    found = d;
  }
  // A factor that should be cut but cannot be, being inside of an uncut one.
  if (found < 0)
    for (auto [f, own] : llvm::enumerate(cut))
      if (!own.empty() && hasFactor(factors, f))
        return std::nullopt;
  return found;
}

FailureOr<SmallVector<Value>>
cleave::buildOnBlock(OpBuilder &builder, ShardingRuleOpInterface op,
                     ValueRange operands, const ShardingRule &rule,
                     const FactorShardings &cut, const Mesh &mesh) {
  SmallVector<RankedTensorType> types;
  for (auto [result, factors] :
       llvm::zip_equal(op->getResults(), rule.results)) {
    auto type = cast<RankedTensorType>(result.getType());
    types.push_back(RankedTensorType::get(
        projectFromFactors(rule, factors, cut).localShape(type.getShape()),
        type.getElementType()));
  }
  RankShards shards(mesh, rule, cut, types);
  return op.buildLocal(builder, operands, shards);
}

bool cleave::actsAcross(Operation *op, ArrayRef<AxisRef> axes,
                        const Mesh &mesh) {
  auto collective = dyn_cast<CollectiveOpInterface>(op);
  // The groups of a permutation and listed ones are not those of axes; of an
  // exchange elements are unspecified.
  if (!collective || collective.getMeshAttr().getValue() != mesh.name ||
      !isOverAxes(op) ||
      collective.getCollectiveKind() == CollectiveKind::HaloExchange ||
      collective.getCollectiveKind() == CollectiveKind::WindowExchange)
    return false;
  AxisList own = toAxisList(collective.getCollectiveAxes(), mesh);
  return llvm::none_of(
      own, [&](const AxisRef &axis) { return overlapsAny(axis, axes); });
}

StringAttr cleave::joinCauses(ArrayRef<StringAttr> causes) {
  std::string text;
  MLIRContext *context = nullptr;
  for (const auto &[i, cause] : llvm::enumerate(causes)) {
    if (!cause || llvm::is_contained(causes.take_front(i), cause))
      continue;
    context = cause.getContext();
    text += (text.empty() ? "" : "; ") + cause.str();
  }
  return context ? StringAttr::get(context, text) : StringAttr();
}
