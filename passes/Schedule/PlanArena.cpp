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

/// The smallest page that processors have which we make code for.
static constexpr int64_t kGuardPageBytes = 4096;

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
  /// Operations and their numbers.
  ArrayRef<std::pair<Operation *, int64_t>> getPositions() const {
    return positions;
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
    useOperands(op);
    positions.push_back({op, ranges.getPosition()});
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
  SmallVector<std::pair<Operation *, int64_t>> positions;
  DenseMap<Operation *, LiveRangeBuilder::BufferId> ids;
};

class PlanArena : public cleave::impl::PlanArenaBase<PlanArena> {
public:
  using PlanArenaBase::PlanArenaBase;

  void runOnOperation() override {
    exec::ProgramOp program = getOperation();
    ProgramWalk walk;
    walk.visit(program.getBlock());

    ArenaPlan plan = guardPages
                         ? planGuardedArena(walk.getRanges(), kGuardPageBytes)
                         : planArena(walk.getRanges());
    for (auto [buffer, offset] :
         llvm::zip_equal(walk.getBuffers(), plan.offsets))
      exec::BufferOp(buffer).setOffset(offset);
    program.setArenaBytes(plan.bytes);
    if (guardPages)
      recordGuards(program, walk);

    arenaBytes += plan.bytes;
    liveBytes += peakLiveBytes(walk.getRanges());
    for (const LiveRange &range : walk.getRanges())
      bufferBytesTotal += range.bytes;
  }

private:
  /// For the runtime: when buffers are in use, and which operation runs.
  void recordGuards(exec::ProgramOp program, const ProgramWalk &walk) {
    Builder builder(&getContext());
    program->setAttr("exec.guard_page_bytes",
                     builder.getI64IntegerAttr(kGuardPageBytes));
    for (auto [buffer, range] :
         llvm::zip_equal(walk.getBuffers(), walk.getRanges()))
      if (!range.isEmpty())
        exec::BufferOp(buffer)->setAttr(
            "exec.live",
            builder.getDenseI64ArrayAttr({range.first, range.last}));
    for (auto [op, position] : walk.getPositions())
      op->setAttr("exec.position", builder.getI64IntegerAttr(position));
  }
};

} // namespace
