//===- RandomShardings.cpp - Random valid shardings, for tests ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/RandomShardings.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "passes/Sharding/ShardingGraph.h"
#include <algorithm>
#include <random>

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// Splits some axes into two parts now and then, so that sub-axes are tried.
static AxisList shuffledAxes(const Mesh &mesh, std::mt19937_64 &random) {
  AxisList axes;
  for (AxisId id = 0; id < mesh.axes.size(); ++id) {
    int64_t size = mesh.axes[id].size;
    if (size == 1)
      continue;
    bool split = size % 2 == 0 && size > 2 && random() % 5 == 0;
    if (!split) {
      axes.push_back(mesh.whole(id));
      continue;
    }
    axes.push_back({id, 1, 2});
    axes.push_back({id, 2, size / 2});
  }
  std::shuffle(axes.begin(), axes.end(), random);
  return axes;
}

static ShardingAttr randomSharding(RankedTensorType type, MeshOp meshOp,
                                   std::mt19937_64 &random) {
  Mesh mesh = toMesh(meshOp);
  Sharding sharding = Sharding::replicated(type.getRank());
  if (type.getRank() > 0)
    for (const AxisRef &axis : shuffledAxes(mesh, random))
      if (random() % 3 != 0)
        sharding.dims[random() % type.getRank()].axes.push_back(axis);
  for (auto [dim, size] : llvm::zip_equal(sharding.dims, type.getShape()))
    mergeSubAxes(dim.axes, size);
  return toAttr(meshOp.getContext(), sharding, mesh);
}

void cleave::annotateRandomly(func::FuncOp entry, MeshOp mesh, uint64_t seed) {
  std::mt19937_64 random(seed);
  auto tensorOf = [](Type type) { return dyn_cast<RankedTensorType>(type); };
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (tensorOf(type) && !entry.getArgAttr(index, SpmdDialect::kSharding))
      entry.setArgAttr(index, SpmdDialect::kSharding,
                       randomSharding(tensorOf(type), mesh, random));
  for (auto [index, type] : llvm::enumerate(entry.getResultTypes()))
    if (tensorOf(type) && !entry.getResultAttr(index, SpmdDialect::kSharding))
      entry.setResultAttr(index, SpmdDialect::kSharding,
                          randomSharding(tensorOf(type), mesh, random));
  SmallVector<Value> inner;
  entry.walk([&](ShardingRuleOpInterface op) {
    if (!isOnGlobal(op))
      return;
    for (Value result : op->getResults())
      if (tensorOf(result.getType()) && random() % 3 == 0)
        inner.push_back(result);
  });
  for (Value value : inner) {
    auto manual = value.getDefiningOp()->getParentOfType<ManualComputationOp>();
    ShardingAttr sharding =
        randomSharding(tensorOf(value.getType()), mesh, random);
    // Of a number there is nothing to cut, but reductions would no longer see
    // that it adds nothing.
    if (tensorOf(value.getType()).getRank() == 0 &&
        value.getDefiningOp()->hasTrait<OpTrait::ConstantLike>())
      continue;
    OpBuilder builder(value.getContext());
    builder.setInsertionPointAfterValue(value);
    auto constraint = ShardingConstraintOp::create(
        builder, value.getLoc(), value.getType(), value,
        manual ? manual.getFreePart(sharding) : sharding);
    value.replaceAllUsesExcept(constraint, constraint);
  }
}
