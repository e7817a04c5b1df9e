//===- PlanArena.cpp - Give each buffer a place in the arena --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/Passes.h"
#include "passes/Schedule/ProgramArena.h"

namespace cleave {
#define GEN_PASS_DEF_PLANARENA
#include "passes/Schedule/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

/// The smallest page that processors have which we make code for.
static constexpr int64_t kGuardPageBytes = 4096;

namespace {

class PlanArena : public cleave::impl::PlanArenaBase<PlanArena> {
public:
  using PlanArenaBase::PlanArenaBase;

  void runOnOperation() override {
    if (getOperation().getNumEvents()) {
      getOperation().emitError("has events, which must be placed after the "
                               "arena: where buffers share bytes");
      return signalPassFailure();
    }
    ProgramBuffers program(getOperation());
    ArenaPlan plan = guardPages
                         ? planGuardedArena(program.ranges, kGuardPageBytes)
                         : planArena(program.ranges);
    for (auto [buffer, offset] : llvm::zip_equal(program.buffers, plan.offsets))
      exec::BufferOp(buffer).setOffset(offset);
    getOperation().setArenaBytes(plan.bytes);
    if (guardPages)
      recordGuards(program);

    arenaBytes += plan.bytes;
    liveBytes += peakLiveBytes(program.ranges);
    for (const LiveRange &range : program.ranges)
      bufferBytesTotal += range.bytes;
  }

private:
  /// For the runtime: when buffers are in use, and which operation runs.
  void recordGuards(const ProgramBuffers &program) {
    Builder builder(&getContext());
    getOperation()->setAttr("exec.guard_page_bytes",
                            builder.getI64IntegerAttr(kGuardPageBytes));
    for (auto [buffer, range] :
         llvm::zip_equal(program.buffers, program.ranges))
      if (!range.isEmpty())
        exec::BufferOp(buffer)->setAttr(
            "exec.live",
            builder.getDenseI64ArrayAttr({range.first, range.last}));
    for (auto [op, position] : program.positions)
      op->setAttr("exec.position", builder.getI64IntegerAttr(position));
  }
};

} // namespace
