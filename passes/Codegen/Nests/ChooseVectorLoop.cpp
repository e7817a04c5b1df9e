//===- ChooseVectorLoop.cpp - Which loop becomes lanes --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cost in vector operations: what the body computes, plus its accesses.
// Contiguous accesses count one, the same element for all lanes less, gathers
// about one per lane. Lanes that a short loop leaves empty are counted too.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Codegen/Nests/NestEmitter.h"

using namespace mlir;
using namespace cleave::codegen;

static double bodyCost(const LoopNest &nest) {
  double cost = 0;
  for (Operation &op : nest.body()->without_terminator()) {
    if (isa<arith::ConstantOp, linalg::IndexOp, memref::LoadOp>(op))
      continue;
    if (isa<math::AbsFOp, math::CopySignOp, math::FloorOp, math::CeilOp>(op))
      cost += 1;
    else if (isa<math::MathDialect>(op.getDialect()))
      cost += 15;
    else
      cost += isa<arith::DivFOp>(op) ? 4 : 1;
  }
  return cost;
}

/// Indices do not count: they appear in gathers, which are slow anyway.
int64_t cleave::codegen::widestElement(const LoopNest &nest) {
  unsigned bits = 8;
  auto see = [&](Type type) {
    if (type.isIntOrFloat())
      bits = std::max(bits, type.getIntOrFloatBitWidth());
  };
  for (const NestAccess &access : nest.accesses)
    if (access.buffer)
      see(access.buffer->type.getElementType());
  for (Operation &op : nest.body()->without_terminator())
    see(op.getNumResults() ? op.getResult(0).getType()
                           : Type(IndexType::get(op.getContext())));
  return bits / 8;
}

static double accessCost(int64_t step, int64_t lanes) {
  if (lanes == 1)
    return 1;
  if (step == 0)
    return 0.3;
  return step == 1 ? 1 : 0.7 * lanes;
}

VectorChoice cleave::codegen::chooseVectorLoop(const LoopNest &nest,
                                               int64_t firstLoop,
                                               VectorOptions options) {
  double iterations = 1;
  for (int64_t extent : nest.extents)
    iterations *= extent;
  double body = bodyCost(nest);
  int64_t numLoads = 0;
  for (Operation &op : nest.body()->without_terminator())
    numLoads += isa<memref::LoadOp>(op);

  auto costOf = [&](int64_t loop, int64_t lanes) {
    double cost = body + numLoads * accessCost(2, lanes);
    for (const NestAccess &access : nest.accesses)
      if (access.buffer)
        cost += accessCost(lanes == 1 ? 0 : access.coefficients[loop], lanes);
    return cost;
  };
  VectorChoice best;
  best.cost = iterations * costOf(-1, 1);
  for (int64_t loop = firstLoop, e = nest.extents.size(); loop < e; ++loop) {
    int64_t extent = nest.extents[loop];
    bool isLegal = extent > 1;
    if (loop < nest.numParallel) {
      for (const NestAccess &output : nest.outputs())
        isLegal &= output.coefficients[loop] == 1;
    } else {
      isLegal &=
          !options.isOrdered && !nest.isScan && combiningOp(nest) != nullptr;
    }
    if (!isLegal)
      continue;
    int64_t lanes = options.bits / 8 / widestElement(nest);
    // Short loops get shorter vectors.
    while (lanes / 2 >= extent && lanes * widestElement(nest) > 16)
      lanes /= 2;
    double vectors = iterations / extent * llvm::divideCeil(extent, lanes);
    double cost = vectors * costOf(loop, lanes);
    if (loop >= nest.numParallel)
      cost += iterations / extent * 12; // Lanes are combined.
    if (cost < best.cost)
      best = {loop, lanes, cost, -1};
  }
  return best;
}
