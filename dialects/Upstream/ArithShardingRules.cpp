//===- ArithShardingRules.cpp - Rules of elementwise arith and math ops ---===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphInterfaces.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Upstream/UpstreamShardingRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace cleave;

/// Operands in which an op is linear jointly, e.g. {0, 1} for an addition.
static SmallVector<SmallVector<unsigned, 2>> linearSets(Operation *op) {
  if (!hasSums(op->getResult(0).getType()))
    return {};
  if (isa<arith::AddFOp, arith::AddIOp, arith::SubFOp, arith::SubIOp>(op))
    return {{0, 1}};
  if (isa<arith::MulFOp, arith::MulIOp>(op))
    return {{0}, {1}};
  if (isa<arith::NegFOp, arith::DivFOp, arith::ExtFOp>(op))
    return {{0}};
  if (isa<arith::SelectOp>(op))
    return {{1, 2}};
  return {};
}

static ShardingRule elementwiseOrScalarRule(Operation *op) {
  ShardingRule rule = elementwiseRule(op);
  // Further results (of mulsi_extended) are like the first.
  for (TensorFactors &result : rule.results)
    result = rule.results.front();
  for (SmallVector<unsigned, 2> &set : linearSets(op))
    rule.linear.push_back(std::move(set));
  return rule;
}

namespace {

template <typename OpTy>
struct ElementwiseModel
    : ShardingRuleOpInterface::ExternalModel<ElementwiseModel<OpTy>, OpTy> {
  ShardingRule getShardingRule(Operation *op) const {
    return elementwiseOrScalarRule(op);
  }
};

/// A splat is built in any shape. Other constants are built whole and cut
/// afterwards: which elements a rank holds is not known before run time.
struct ConstantModel
    : ShardingRuleOpInterface::ExternalModel<ConstantModel, arith::ConstantOp> {
  ShardingRule getShardingRule(Operation *op) const {
    bool isSplat =
        isa<SplatElementsAttr>(cast<arith::ConstantOp>(op).getValue());
    ShardingRuleBuilder builder(op);
    builder.priority(ShardingRule::Priority::Movement);
    for (unsigned d = 0; d < builder.resultRank(0); ++d)
      builder.resultFactor(0, d,
                           isSplat ? FactorKind::PassThrough
                                   : FactorKind::NeedReplication);
    return builder.take();
  }

  FailureOr<SmallVector<Value>> buildLocal(Operation *op, OpBuilder &builder,
                                           ValueRange,
                                           LocalShards &shards) const {
    TypedAttr value = cast<arith::ConstantOp>(op).getValue();
    if (auto splat = dyn_cast<SplatElementsAttr>(value))
      value = splat.resizeSplat(shards.localType(op->getResult(0)));
    return SmallVector<Value>{
        arith::ConstantOp::create(builder, op->getLoc(), value)};
  }
};

} // namespace

template <typename... Ops> static void attachElementwise(MLIRContext *context) {
  auto attach = [&](auto *op) {
    using OpTy = std::remove_pointer_t<decltype(op)>;
    if constexpr (std::is_same_v<OpTy, arith::ConstantOp>)
      OpTy::template attachInterface<ConstantModel>(*context);
    else
      OpTy::template attachInterface<ElementwiseModel<OpTy>>(*context);
  };
  (attach(static_cast<Ops *>(nullptr)), ...);
}

void cleave::registerArithShardingRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, arith::ArithDialect *) {
    attachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Arith/IR/ArithOps.cpp.inc"
        >(context);
  });
  registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
    attachElementwise<
#define GET_OP_LIST
#include "mlir/Dialect/Math/IR/MathOps.cpp.inc"
        >(context);
  });
}
