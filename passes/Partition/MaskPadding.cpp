//===- MaskPadding.cpp - Rewrite mask_padding as comparisons -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Spmd/RankArithmetic.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Partition/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_MASKPADDING
#include "passes/Partition/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct MaskPadding : cleave::impl::MaskPaddingBase<MaskPadding> {
  void runOnOperation() override {
    SmallVector<MaskPaddingOp> masks;
    getOperation().walk([&](MaskPaddingOp op) { masks.push_back(op); });
    for (MaskPaddingOp op : masks) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(lower(builder, op));
      op.erase();
    }
  }

  /// select(iota < valid, operand, neutral)
  Value lower(OpBuilder &builder, MaskPaddingOp op) {
    Location loc = op.getLoc();
    auto meshOp =
        SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, op.getMeshAttr());
    Mesh mesh = toMesh(meshOp);
    auto type = cast<RankedTensorType>(op.getType());
    auto indexType =
        RankedTensorType::get(type.getShape(), builder.getI32Type());
    Value valid = buildValidCount(builder, loc, mesh, op.getSize(),
                                  toAxisList(op.getAxes().getAxes(), mesh));
    Value index = graph::IotaOp::create(builder, loc, indexType,
                                        static_cast<uint64_t>(op.getDim()));
    Value limit = graph::broadcastTo(builder, loc, valid, type.getShape(), {});
    Value inside = graph::CompareOp::create(
        builder, loc,
        RankedTensorType::get(type.getShape(), builder.getI1Type()),
        graph::ComparisonDirection::LT, index, limit);
    Value neutral = graph::neutralScalar(builder, loc, type.getElementType(),
                                         toKind(op.getReduction()));
    Value fill = graph::broadcastTo(builder, loc, neutral, type.getShape(), {});
    return graph::SelectOp::create(builder, loc, type, inside, op.getOperand(),
                                   fill);
  }
};

} // namespace
