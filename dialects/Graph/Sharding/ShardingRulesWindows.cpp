//===- ShardingRulesWindows.cpp - Rules of reduce_window and convolution --===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A dimension that windows walk over and the dimension of their results have
// one factor, of the size of the latter: both are cut over the same axes, and
// the local form brings the elements that a rank's windows reach.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "mlir/IR/TypeUtilities.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

ShardingRule ReduceWindowOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  unsigned count = getInputs().size();
  std::optional<ReductionKind> kind =
      getRankReduction(getSimpleKind(), getInits().front(),
                       getElementTypeOrSelf(getInputs().front().getType()));
  for (auto [d, window] : enumerate(getWindows())) {
    int64_t results = *window.count();
    FactorKind factorKind = FactorKind::Collective;
    bool hasResult = true;
    if (window.isPointwise()) {
      factorKind = FactorKind::PassThrough;
    } else if (window.isWhole() && kind) {
      factorKind = FactorKind::Reduction;
      hasResult = false;
    } else if (results <= 1 || window.size == 0) {
      factorKind = FactorKind::NeedReplication;
      hasResult = false;
    }
    unsigned f = builder.factor(hasResult ? results : window.size, factorKind,
                                kind.value_or(ReductionKind::Sum));
    for (unsigned i = 0; i < count; ++i) {
      builder.operand(i, d, f);
      if (hasResult)
        builder.result(i, d, f);
    }
    if (!hasResult) {
      unsigned whole = builder.factor(results, FactorKind::NeedReplication);
      for (unsigned i = 0; i < count; ++i)
        builder.result(i, d, whole);
    }
  }
  if (getSimpleKind() == ReductionKind::Sum &&
      hasSums(getResult(0).getType())) {
    if (isConstant(getInits().front(), 0))
      builder.linear({0});
    else
      builder.linear({0, 1});
  }
  return builder.take();
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

namespace {
/// The factors of an op's groups, first in its rule: group, then what is in it.
enum ConvolutionFactor : unsigned { Group, Batch, InputFeature, OutputFeature };
} // namespace

/// Spatial dimensions, whose factors follow in order.
static void addSpatialDims(ConvolutionOp op, ShardingRuleBuilder &builder) {
  for (auto [i, window] : enumerate(op.getWindows())) {
    int64_t lhs = op.getInputSpatialDimensions()[i],
            rhs = op.getKernelSpatialDimensions()[i],
            result = op.getOutputSpatialDimensions()[i];
    int64_t count = *window.count();
    if (op.contractsTaps(i)) {
      // Taps are contracted like features.
      unsigned f = builder.factor(window.window, FactorKind::Reduction,
                                  sumKind(op.getType()));
      builder.operand(0, lhs, f).operand(1, rhs, f);
      builder.resultFactor(0, result, FactorKind::NeedReplication);
      continue;
    }
    bool isWhole = count <= 1 || window.size == 0;
    unsigned f =
        builder.factor(count, window.isPointwise() ? FactorKind::PassThrough
                              : isWhole            ? FactorKind::NeedReplication
                                                   : FactorKind::Collective);
    builder.operand(0, lhs, f).result(0, result, f);
    builder.operandFactor(1, rhs, FactorKind::NeedReplication);
  }
}

ShardingRule ConvolutionOp::getShardingRule() {
  ShardingRuleBuilder builder(*this);
  builder.priority(ShardingRule::Priority::Contraction);
  if (hasSums(getType()))
    builder.linear({0}).linear({1});
  int64_t groups = getNumGroups();
  unsigned lhsBatch = getInputBatchDimension(),
           lhsFeature = getInputFeatureDimension(),
           rhsInput = getKernelInputFeatureDimension(),
           rhsOutput = getKernelOutputFeatureDimension(),
           resultBatch = getOutputBatchDimension(),
           resultFeature = getOutputFeatureDimension();
  unsigned group = builder.factor(groups);
  unsigned batch = builder.factor(builder.resultSize(0, resultBatch));
  unsigned input = builder.factor(builder.operandSize(1, rhsInput),
                                  FactorKind::Reduction, sumKind(getType()));
  unsigned output = builder.factor(builder.operandSize(1, rhsOutput) / groups);
  // The features of a group, or its part of the batch, lie together.
  if (getBatchGroupCount() > 1)
    builder.operand(0, lhsBatch, group);
  if (getFeatureGroupCount() > 1)
    builder.operand(0, lhsFeature, group);
  if (groups > 1)
    builder.operand(1, rhsOutput, group).result(0, resultFeature, group);
  builder.operand(0, lhsBatch, batch).result(0, resultBatch, batch);
  builder.operand(0, lhsFeature, input).operand(1, rhsInput, input);
  builder.operand(1, rhsOutput, output).result(0, resultFeature, output);
  addSpatialDims(*this, builder);
  return builder.take();
}

} // namespace cleave::graph
