//===- TileNestEmitter.cpp - A nest that turns tiles in shared memory -----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/GPU/TileNestEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace cleave::codegen {

TileNestEmitter::TileNestEmitter(ImplicitLocOpBuilder &builder,
                                 const LoopKernel &kernel, const LoopNest &nest,
                                 int64_t transposedLoop,
                                 const RowPosition &start, IRMapping &scalars,
                                 const Arrays &arrays)
    : NestEmitter(builder, kernel, nest, VectorChoice(), start, scalars),
      transposedLoop(transposedLoop),
      lastLoop(static_cast<int64_t>(nest.extents.size()) - 1), arrays(arrays) {}

void TileNestEmitter::overTile(int64_t laneLoop, int64_t warpLoop, Value lane,
                               Value warp,
                               llvm::function_ref<void(Value)> body) {
  for (int64_t row = 0; row < tileSize; row += tileRows) {
    Value across = add(warp, indexConstant(row));
    setIndex(laneLoop, add(position.indices[laneLoop], lane));
    setIndex(warpLoop, add(position.indices[warpLoop], across));
    // The arrays have the transposed loop innermost.
    Value place = laneLoop == transposedLoop ? add(scale(across, stride), lane)
                                             : add(scale(lane, stride), across);
    Value isInside;
    for (int64_t loop : {laneLoop, warpLoop}) {
      if (nest.extents[loop] % tileSize == 0)
        continue;
      Value fits =
          arith::CmpIOp::create(b, arith::CmpIPredicate::ult, indices[loop],
                                indexConstant(nest.extents[loop]));
      isInside = isInside ? arith::AndIOp::create(b, isInside, fits) : fits;
    }
    if (!isInside) {
      body(place);
      continue;
    }
    auto branch = scf::IfOp::create(b, isInside);
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(branch.thenBlock());
    body(place);
  }
}

void TileNestEmitter::emitLoads(Value lane, Value warp) {
  overTile(transposedLoop, lastLoop, lane, warp, [&](Value place) {
    for (auto [i, input] : llvm::enumerate(nest.inputs()))
      if (Value array = arrays.lookup(i))
        memref::StoreOp::create(b, load(input, Value()), array, place);
  });
}

void TileNestEmitter::emitStores(Value lane, Value warp) {
  overTile(lastLoop, transposedLoop, lane, warp, [&](Value place) {
    for (unsigned i = 0; i < nest.numInputs(); ++i)
      if (Value array = arrays.lookup(i))
        elements[i] = memref::LoadOp::create(b, array, place);
    Values results = emitBody({}, Value());
    for (auto [output, value] : llvm::zip_equal(nest.outputs(), results))
      store(output, value, Value());
  });
}

} // namespace cleave::codegen
