//===- RankArithmetic.cpp - Where a rank's block lies ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankArithmetic.h"
#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;

static RankedTensorType scalarType(OpBuilder &builder) {
  return RankedTensorType::get({}, builder.getI32Type());
}

static Value scalar(OpBuilder &builder, Location loc, int64_t value) {
  return graph::splatInt(builder, loc, scalarType(builder), value);
}

/// coordinate of the rank along one axis, times `block`.
static Value scaledIndex(OpBuilder &builder, Location loc, const Mesh &mesh,
                         const AxisRef &axis, int64_t block) {
  Value index = spmd::AxisIndexOp::create(
      builder, loc, scalarType(builder),
      FlatSymbolRefAttr::get(builder.getContext(), mesh.name),
      spmd::toAttr(builder.getContext(), ArrayRef<AxisRef>(axis), mesh));
  return graph::MulOp::create(builder, loc, index, scalar(builder, loc, block));
}

Value cleave::buildBlockOffset(OpBuilder &builder, Location loc,
                               const Mesh &mesh, int64_t size,
                               ArrayRef<AxisRef> axes) {
  Value offset;
  for (const AxisRef &axis : axes) {
    size = llvm::divideCeil(size, axis.size);
    Value part = scaledIndex(builder, loc, mesh, axis, size);
    offset = offset ? graph::AddOp::create(builder, loc, offset, part) : part;
  }
  return offset ? offset : scalar(builder, loc, 0);
}

Value cleave::buildValidCount(OpBuilder &builder, Location loc,
                              const Mesh &mesh, int64_t size,
                              ArrayRef<AxisRef> axes) {
  // Level by level: valid = clamp(valid above - index * block, 0, block).
  Value valid = scalar(builder, loc, size);
  Value zero = scalar(builder, loc, 0);
  for (const AxisRef &axis : axes) {
    size = llvm::divideCeil(size, axis.size);
    Value start = scaledIndex(builder, loc, mesh, axis, size);
    Value rest = graph::SubtractOp::create(builder, loc, valid, start);
    valid = graph::ClampOp::create(builder, loc, rest.getType(), zero, rest,
                                   scalar(builder, loc, size));
  }
  return valid;
}
