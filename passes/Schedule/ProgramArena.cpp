//===- ProgramArena.cpp - Live ranges of the buffers of a program ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/ProgramArena.h"
#include "passes/Schedule/StreamTree.h"

using namespace mlir;
using namespace cleave;

namespace {

/// Walks a program in order and collects the live ranges of its buffers.
class ProgramWalk {
public:
  void visit(Block &block) {
    for (Operation &op : block)
      visit(&op);
  }

  /// Makes uses by the communication stream last until the compute stream
  /// needs them to be over, as events between them will have it.
  void extendOverlaps(exec::ProgramOp program) {
    // The end of the program.
    positions[program] = ranges.getPosition();
    StreamTree tree(program, StreamTree::Buffers);
    StreamBlock ordered =
        insertEvents(tree.getBlock(), planEvents(tree.getBlock()));
    for (auto [work, overlap] : llvm::enumerate(findOverlaps(ordered))) {
      if (overlap.isEmpty() || overlap.last < work)
        continue;
      int64_t last = positions.lookup(tree.getOp(overlap.last));
      for (Value operand : tree.getOp(work)->getOperands())
        if (auto buffer =
                exec::storageOf(operand).getDefiningOp<exec::BufferOp>())
          ranges.extend(ids.lookup(buffer), last);
    }
  }

  ArrayRef<exec::BufferOp> getBuffers() const { return buffers; }
  ArrayRef<LiveRange> getRanges() const { return ranges.getRanges(); }
  ArrayRef<std::pair<Operation *, int64_t>> getNumbered() const {
    return numbered;
  }

private:
  void visit(Operation *op) {
    if (auto buffer = dyn_cast<exec::BufferOp>(op)) {
      ids[buffer] = ranges.declare(*exec::bufferBytes(buffer.getType()));
      buffers.push_back(buffer);
      return;
    }
    // A view is no use: only what reads or writes through it is.
    if (isa<exec::ViewOp, exec::ConstantOp>(op))
      return;

    bool isLoop = isa<exec::WhileOp>(op);
    if (isLoop)
      ranges.enterLoop();
    for (Value operand : op->getOperands())
      if (auto buffer =
              exec::storageOf(operand).getDefiningOp<exec::BufferOp>())
        ranges.use(ids.lookup(buffer));
    positions[op] = ranges.getPosition();
    numbered.push_back({op, ranges.getPosition()});
    for (Region &region : op->getRegions()) {
      ranges.nextOperation();
      visit(region.front());
      // A loop's condition is read after its first region.
      if (isLoop && region.getRegionNumber() == 0)
        positions[op] = ranges.getPosition();
    }
    if (isLoop)
      ranges.exitLoop();
    ranges.nextOperation();
  }

  LiveRangeBuilder ranges;
  SmallVector<exec::BufferOp> buffers;
  DenseMap<Operation *, LiveRangeBuilder::BufferId> ids;
  SmallVector<std::pair<Operation *, int64_t>> numbered;
  /// Where the works of a program are; that of a loop is the read of its
  /// condition.
  DenseMap<Operation *, int64_t> positions;
};

} // namespace

ProgramBuffers::ProgramBuffers(exec::ProgramOp program) {
  ProgramWalk walk;
  walk.visit(program.getBlock());
  walk.extendOverlaps(program);
  buffers.assign(walk.getBuffers().begin(), walk.getBuffers().end());
  ranges.assign(walk.getRanges().begin(), walk.getRanges().end());
  positions.assign(walk.getNumbered().begin(), walk.getNumbered().end());
}
