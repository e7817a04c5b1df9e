//===- TensorShardingRules.cpp - Rules of tensor ops ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphInterfaces.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Upstream/UpstreamShardingRules.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace cleave;

namespace {

/// Ops that make a tensor of scalars or of nothing, in any shape.
template <typename OpTy>
struct SourceModel
    : ShardingRuleOpInterface::ExternalModel<SourceModel<OpTy>, OpTy> {
  ShardingRule getShardingRule(Operation *op) const {
    ShardingRuleBuilder builder(op);
    builder.priority(ShardingRule::Priority::Movement);
    for (unsigned d = 0; d < builder.resultRank(0); ++d)
      builder.resultFactor(0, d);
    return builder.take();
  }
};

/// Of expand_shape and collapse_shape. A factor for each dimension of the
/// expanded side; those of a group are what the collapsed dimension is made of.
ShardingRule groupRule(Operation *op, ArrayRef<ReassociationIndices> groups,
                       bool expands) {
  ShardingRuleBuilder builder(op);
  builder.priority(ShardingRule::Priority::Movement);
  if (hasSums(op->getResult(0).getType()))
    builder.linear({0});
  for (auto [collapsed, group] : llvm::enumerate(groups))
    for (int64_t dim : group) {
      if (expands)
        builder.operand(0, collapsed, builder.resultFactor(0, dim));
      else
        builder.result(0, collapsed, builder.operandFactor(0, dim));
    }
  return builder.take();
}

struct ExpandModel
    : ShardingRuleOpInterface::ExternalModel<ExpandModel,
                                             tensor::ExpandShapeOp> {
  ShardingRule getShardingRule(Operation *op) const {
    return groupRule(
        op, cast<tensor::ExpandShapeOp>(op).getReassociationIndices(), true);
  }
  /// The op has its result's shape as an attribute too.
  FailureOr<SmallVector<Value>> buildLocal(Operation *op, OpBuilder &builder,
                                           ValueRange operands,
                                           LocalShards &shards) const {
    return SmallVector<Value>{tensor::ExpandShapeOp::create(
        builder, op->getLoc(), shards.localType(op->getResult(0)),
        operands.front(),
        cast<tensor::ExpandShapeOp>(op).getReassociationIndices())};
  }
};

struct CollapseModel
    : ShardingRuleOpInterface::ExternalModel<CollapseModel,
                                             tensor::CollapseShapeOp> {
  ShardingRule getShardingRule(Operation *op) const {
    return groupRule(
        op, cast<tensor::CollapseShapeOp>(op).getReassociationIndices(), false);
  }
};

} // namespace

void cleave::registerTensorShardingRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, tensor::TensorDialect *) {
    tensor::EmptyOp::attachInterface<SourceModel<tensor::EmptyOp>>(*context);
    tensor::SplatOp::attachInterface<SourceModel<tensor::SplatOp>>(*context);
    tensor::ExpandShapeOp::attachInterface<ExpandModel>(*context);
    tensor::CollapseShapeOp::attachInterface<CollapseModel>(*context);
  });
}
