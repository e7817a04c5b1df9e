//===- Gathered.cpp - Ops without a parallel form -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Gathered.h"
#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "passes/Sharding/ShardingGraph.h"

using namespace mlir;
using namespace cleave;

/// Whether no axis can be given to a dimension with these factors.
static bool mustBeWhole(const ShardingRule &rule, ArrayRef<unsigned> factors) {
  return llvm::all_of(factors, [&](unsigned factor) {
    return rule.factors[factor].kind == FactorKind::NeedReplication;
  });
}

/// Whether an operand was cut along such a dimension before reshards.
static bool isGatheredFor(const ShardingRule &rule, OpOperand &operand,
                          const Mesh &mesh) {
  Value origin = operand.get();
  while (auto reshard = origin.getDefiningOp<spmd::ReshardOp>())
    origin = reshard.getInput();
  spmd::ShardingAttr attr = spmd::getSharding(origin);
  if (origin == operand.get() || !attr)
    return false;
  ArrayRef<int64_t> shape = cast<RankedTensorType>(origin.getType()).getShape();
  Sharding sharding = spmd::toSharding(attr, mesh, shape);
  const TensorFactors &tensor = rule.operands[operand.getOperandNumber()];
  for (auto [size, dim, factors] :
       llvm::zip_equal(shape, sharding.dims, tensor.dims))
    // Of a single element there is nothing to do in parallel.
    if (size > 1 && numShards(dim.axes) > 1 && mustBeWhole(rule, factors))
      return true;
  return false;
}

std::map<std::string, int> cleave::tool::countGathered(ModuleOp module) {
  std::map<std::string, int> counts;
  func::FuncOp entry = graph::getEntryFunction(module);
  Mesh mesh = spmd::toMesh(spmd::getOnlyMesh(module));
  entry.walk([&](Operation *op) {
    // What ties variables together has no rule of its own.
    if (op == entry || !isOnGlobal(op) || isRegionTerminator(op) ||
        isa<spmd::ReshardOp, spmd::ManualComputationOp, ShardingTieOpInterface>(
            op))
      return;
    // Its own rule: sums that are kept whole for their order could be cut.
    ShardingRuleOpInterface ruled = spmd::getRuled(op);
    ShardingRule rule =
        ruled ? ruled.getShardingRule() : getRuleOrReplicate(op);
    if (llvm::any_of(op->getOpOperands(), [&](OpOperand &operand) {
          return isa<RankedTensorType>(operand.get().getType()) &&
                 isGatheredFor(rule, operand, mesh);
        }))
      ++counts[op->getName().stripDialect().str()];
  });
  return counts;
}
