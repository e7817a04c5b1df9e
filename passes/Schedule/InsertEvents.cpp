//===- InsertEvents.cpp - Order the streams -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/Passes.h"
#include "passes/Schedule/StreamTree.h"

namespace cleave {
#define GEN_PASS_DEF_INSERTEVENTS
#include "passes/Schedule/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

class InsertEvents : public cleave::impl::InsertEventsBase<InsertEvents> {
public:
  using InsertEventsBase::InsertEventsBase;

  void runOnOperation() override {
    exec::ProgramOp program = getOperation();
    program.walk([](Operation *op) {
      if (isa<exec::RecordOp, exec::WaitOp>(op))
        op->erase();
    });
    StreamTree tree(program, StreamTree::Places);
    EventPlan plan = planEvents(tree.getBlock());
    OpBuilder builder(program.getContext());
    for (auto [event, work] : llvm::enumerate(plan.recordAfter)) {
      Operation *op = tree.getOp(work);
      builder.setInsertionPointAfter(op);
      exec::RecordOp::create(builder, op->getLoc(), event, exec::streamOf(op));
    }
    for (const EventPlan::Wait &wait : plan.waits) {
      Operation *op = tree.getOp(wait.before);
      tree.setInsertionPointBefore(builder, wait.before);
      exec::WaitOp::create(builder, op->getLoc(), wait.event,
                           exec::streamOf(op));
    }
    numEvents += plan.recordAfter.size();
  }
};

} // namespace
