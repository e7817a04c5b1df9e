//===- IndexAlignment.cpp - How ops index their operands ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Fusion/IndexAlignment.h"
#include "dialects/Graph/GraphDialect.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave::graph;

SmallVector<int64_t> cleave::fusion::parallelLoops(Operation *op) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  SmallVector<int64_t> loops(type.getShape());
  // Insertions run piece by piece along the dimensions they cut.
  if (auto concatenate = dyn_cast<ConcatenateOp>(op))
    loops.truncate(concatenate.getDim());
  if (auto pad = dyn_cast<PadOp>(op)) {
    size_t whole = 0;
    while (whole < loops.size() && pad.getLow()[whole] == 0 &&
           pad.getHigh()[whole] == 0 && pad.getInterior()[whole] == 0)
      ++whole;
    loops.truncate(whole);
  }
  // A scan stores each step of its dimension.
  if (auto window = dyn_cast<ReduceWindowOp>(op))
    if (auto scan = window.getScan())
      loops.truncate(scan->dim);
  return loops;
}

/// Numbers i = 0, 1, ... as long as `isAligned(i)`.
static int64_t countAligned(int64_t limit,
                            llvm::function_ref<bool(int64_t)> isAligned) {
  int64_t count = 0;
  while (count < limit && isAligned(count))
    ++count;
  return count;
}

int64_t cleave::fusion::alignedLoops(OpOperand &operand) {
  Operation *op = operand.getOwner();
  auto type = cast<RankedTensorType>(operand.get().getType());
  auto resultType = cast<RankedTensorType>(op->getResult(0).getType());
  int64_t rank = type.getRank();
  auto isWhole = [&](int64_t i) {
    return type.getDimSize(i) == resultType.getDimSize(i);
  };
  return TypeSwitch<Operation *, int64_t>(op)
      .Case([&](BroadcastInDimOp broadcast) {
        return countAligned(rank, [&](int64_t i) {
          return broadcast.getDims()[i] == i && isWhole(i);
        });
      })
      .Case([&](TransposeOp transpose) {
        return countAligned(
            rank, [&](int64_t i) { return transpose.getDims()[i] == i; });
      })
      .Case([&](SliceOp slice) {
        return countAligned(rank, [&](int64_t i) {
          return isWhole(i) && slice.getStart()[i] == 0;
        });
      })
      .Case([&](ReverseOp reverse) {
        return countAligned(rank, [&](int64_t i) {
          return !llvm::is_contained(reverse.getDims(), i);
        });
      })
      .Case([&](ReduceOp reduce) {
        return countAligned(rank, [&](int64_t i) {
          return !llvm::is_contained(reduce.getDimensions(), i);
        });
      })
      .Case([&](ReduceWindowOp window) {
        SmallVector<cleave::WindowDim> windows = window.getWindows();
        return countAligned(
            rank, [&](int64_t i) { return windows[i].isPointwise(); });
      })
      .Case<ConcatenateOp, PadOp>([&](auto) {
        return countAligned(std::min<int64_t>(rank, parallelLoops(op).size()),
                            isWhole);
      })
      .Case([&](DynamicSliceOp) { return countAligned(rank, isWhole); })
      .Case([&](GatherOp gather) {
        return countAligned(std::min<int64_t>(rank, gather.getIndexVectorDim()),
                            [&](int64_t i) {
                              return i < resultType.getRank() &&
                                     !llvm::is_contained(gather.getOffsetDims(),
                                                         i);
                            });
      })
      .Default([&](Operation *) { return rank; });
}

bool cleave::fusion::needsWhole(OpOperand &operand) {
  Operation *op = operand.getOwner();
  unsigned number = operand.getOperandNumber();
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return number >= reduce.getInputs().size();
  if (auto window = dyn_cast<ReduceWindowOp>(op))
    return number >= window.getInputs().size();
  if (isa<PadOp, DynamicSliceOp>(op))
    return number >= 1;
  if (isa<GatherOp>(op))
    return number == 0;
  return isa<DynamicUpdateSliceOp, ConvolutionOp>(op);
}
