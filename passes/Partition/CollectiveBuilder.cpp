//===- CollectiveBuilder.cpp - Collectives from reshard plans -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Partition/CollectiveBuilder.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

Value cleave::buildCollective(OpBuilder &builder, Location loc, Value operand,
                              const ReshardStep &step, const Mesh &mesh,
                              StringAttr cause) {
  MLIRContext *context = builder.getContext();
  auto meshName = FlatSymbolRefAttr::get(context, mesh.name);
  AxesAttr axes = toAttr(context, step.axes, mesh);
  auto reduction = ReductionAttr::get(context, toAttr(step.reduction));
  IntegerAttr dim = builder.getI64IntegerAttr(step.dim);
  auto type = cast<RankedTensorType>(operand.getType());
  Type result = RankedTensorType::get(step.resultShape, type.getElementType());
  switch (step.kind) {
  case CollectiveKind::AllGather:
    return AllGatherOp::create(builder, loc, result, operand, dim, meshName,
                               axes, cause);
  case CollectiveKind::AllSlice:
    return AllSliceOp::create(builder, loc, result, operand, dim, meshName,
                              axes, cause);
  case CollectiveKind::AllReduce:
    return AllReduceOp::create(builder, loc, result, reduction, operand,
                               meshName, axes, cause);
  case CollectiveKind::ReduceScatter:
    return ReduceScatterOp::create(builder, loc, result, reduction, operand,
                                   dim, meshName, axes, cause);
  case CollectiveKind::AllToAll:
    return AllToAllOp::create(builder, loc, result, operand,
                              builder.getI64IntegerAttr(step.splitDim), dim,
                              meshName, axes, cause);
  case CollectiveKind::CollectivePermute: {
    SmallVector<int64_t> pairs;
    for (auto [source, target] : step.pairs) {
      pairs.push_back(source);
      pairs.push_back(target);
    }
    return CollectivePermuteOp::create(builder, loc, result, operand, meshName,
                                       builder.getDenseI64ArrayAttr(pairs),
                                       cause);
  }
  case CollectiveKind::Broadcast:
  case CollectiveKind::HaloExchange:
  case CollectiveKind::WindowExchange:
    break;
  }
  llvm_unreachable("not a step of a plan");
}
