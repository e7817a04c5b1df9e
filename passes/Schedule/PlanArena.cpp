//===- PlanArena.cpp - Give each buffer a place in the arena --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/ArenaPlan.h"
#include "dialects/Exec/ExecDialect.h"
#include "passes/Schedule/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace cleave {
#define GEN_PASS_DEF_PLANARENA
#include "passes/Schedule/Passes.h.inc"
} // namespace cleave

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

  ArrayRef<exec::BufferOp> getBuffers() const { return buffers; }
  ArrayRef<LiveRange> getRanges() const { return ranges.getRanges(); }

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
    useOperands(op);
    for (Region &region : op->getRegions())
      for (Block &block : region) {
        ranges.nextOperation();
        visit(block);
      }
    if (isLoop)
      ranges.exitLoop();
    ranges.nextOperation();
  }

  void useOperands(Operation *op) {
    for (Value operand : op->getOperands()) {
      while (auto view = operand.getDefiningOp<exec::ViewOp>())
        operand = view.getSource();
      if (auto buffer = operand.getDefiningOp<exec::BufferOp>())
        ranges.use(ids.lookup(buffer));
      else if (isa<exec::TokenType>(operand.getType()))
        // The buffers of what was started are in use until now.
        if (Operation *started = operand.getDefiningOp())
          useOperands(started);
    }
  }

  LiveRangeBuilder ranges;
  SmallVector<exec::BufferOp> buffers;
  DenseMap<Operation *, LiveRangeBuilder::BufferId> ids;
};

class PlanArena : public cleave::impl::PlanArenaBase<PlanArena> {
public:
  using PlanArenaBase::PlanArenaBase;

  void runOnOperation() override {
    exec::ProgramOp program = getOperation();
    ProgramWalk walk;
    walk.visit(program.getBlock());

    ArenaPlan plan = planArena(walk.getRanges());
    for (auto [buffer, offset] :
         llvm::zip_equal(walk.getBuffers(), plan.offsets))
      exec::BufferOp(buffer).setOffset(offset);
    program.setArenaBytes(plan.bytes);

    arenaBytes += plan.bytes;
    liveBytes += peakLiveBytes(walk.getRanges());
    for (const LiveRange &range : walk.getRanges())
      bufferBytesTotal += range.bytes;
  }
};

} // namespace
