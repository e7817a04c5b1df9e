//===- MaskPadding.cpp - Rewrite mask_padding as comparisons --------------===//
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
    SmallVector<HaloExchangeOp> halos;
    getOperation().walk([&](Operation *op) {
      if (auto mask = dyn_cast<MaskPaddingOp>(op))
        masks.push_back(mask);
      else if (auto halo = dyn_cast<HaloExchangeOp>(op))
        if (halo.getFillAttr())
          halos.push_back(halo);
    });
    for (MaskPaddingOp op : masks) {
      OpBuilder builder(op);
      op.replaceAllUsesWith(lower(builder, op));
      op.erase();
    }
    for (HaloExchangeOp op : halos)
      fill(op);
  }

  static Mesh meshOf(CollectiveOpInterface op) {
    return toMesh(
        SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, op.getMeshAttr()));
  }

  /// select(iota < valid, operand, neutral)
  Value lower(OpBuilder &builder, MaskPaddingOp op) {
    Location loc = op.getLoc();
    Mesh mesh = toMesh(
        SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, op.getMeshAttr()));
    auto type = cast<RankedTensorType>(op.getType());
    Value valid = buildValidCount(builder, loc, mesh, op.getSize(),
                                  toAxisList(op.getAxes().getAxes(), mesh));
    Value inside = compareIndex(builder, loc, type, op.getDim(),
                                graph::ComparisonDirection::LT, valid);
    Value neutral = graph::neutralScalar(builder, loc, type.getElementType(),
                                         toKind(op.getReduction()));
    Value rest = graph::broadcastTo(builder, loc, neutral, type.getShape(), {});
    return graph::SelectOp::create(builder, loc, type, inside, op.getOperand(),
                                   rest);
  }

  /// How the indices along `dim` compare with a scalar.
  static Value compareIndex(OpBuilder &builder, Location loc,
                            RankedTensorType type, int64_t dim,
                            graph::ComparisonDirection direction,
                            Value scalar) {
    Value index = graph::iota(
        builder, loc, graph::withElement(type, builder.getI32Type()), dim);
    return graph::compare(
        builder, loc, direction, index,
        graph::broadcastTo(builder, loc, scalar, type.getShape(), {}));
  }

  /// Takes the fill out of an exchange: elements of the window that are none of
  /// the dimension are selected after it.
  void fill(HaloExchangeOp op) {
    OpBuilder builder(op);
    builder.setInsertionPointAfter(op);
    Location loc = op.getLoc();
    Mesh mesh = meshOf(op);
    HaloExchange exchange = op.getExchange(mesh);
    auto type = cast<RankedTensorType>(op.getType());
    TypedAttr number = op.getFillAttr();
    op.removeFillAttr();
    int64_t lowest = 0, highest = 0;
    for (const BlockExtent &block : blocksOf(exchange.size, exchange.axes)) {
      int64_t first = block.offset - exchange.low;
      lowest = std::min(lowest, first);
      highest = std::max(highest, first + exchange.extent());
    }
    if (lowest >= 0 && highest <= exchange.size)
      return;
    // Element p is global element start - low + p.
    Value start =
        buildBlockOffset(builder, loc, mesh, exchange.size, exchange.axes);
    auto scalar = cast<RankedTensorType>(start.getType());
    auto bound = [&](int64_t global) {
      Value from = graph::splatInt(builder, loc, scalar, global + exchange.low);
      return graph::SubtractOp::create(builder, loc, scalar, from, start);
    };
    Value inside;
    if (lowest < 0)
      inside = compareIndex(builder, loc, type, op.getDim(),
                            graph::ComparisonDirection::GE, bound(0));
    if (highest > exchange.size) {
      Value below =
          compareIndex(builder, loc, type, op.getDim(),
                       graph::ComparisonDirection::LT, bound(exchange.size));
      inside = inside ? graph::AndOp::create(builder, loc, below.getType(),
                                             inside, below)
                      : below;
    }
    Value rest = graph::splat(builder, loc, type, number);
    auto select = graph::SelectOp::create(builder, loc, type, inside,
                                          op.getResult(), rest);
    op.getResult().replaceAllUsesExcept(select, select);
  }
};

} // namespace
