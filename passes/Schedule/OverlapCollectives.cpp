//===- OverlapCollectives.cpp - Issue collectives early, await them late --===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/ArenaPlan.h"
#include "cleave/Schedule/OverlapSchedule.h"
#include "passes/Schedule/OperationCost.h"
#include "passes/Schedule/Passes.h"
#include "passes/Schedule/ProgramArena.h"
#include "passes/Schedule/StreamTree.h"

namespace cleave {
#define GEN_PASS_DEF_OVERLAPCOLLECTIVES
#include "passes/Schedule/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

/// How much may be in use at one time with overlap, of `bytes` without: a tenth
/// more, or what no machine lacks.
static int64_t allowGrowth(int64_t bytes) {
  constexpr int64_t little = 1 << 20;
  return bytes + std::max(bytes / 10, little);
}

static void setStreams(exec::ProgramOp program, exec::Stream stream) {
  program.walk([&](exec::CollectiveOp op) {
    if (op.communicates())
      op.setStream(stream);
  });
}

/// Whether ranks meet in `op`.
static bool communicates(Operation *op) {
  return op
      ->walk([](exec::CollectiveOp collective) {
        return collective.communicates() ? WalkResult::interrupt()
                                         : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether any collective can run while something is computed.
static bool hasOverlap(exec::ProgramOp program) {
  StreamTree tree(program, StreamTree::Buffers);
  StreamBlock ordered =
      insertEvents(tree.getBlock(), planEvents(tree.getBlock()));
  return llvm::any_of(findOverlaps(ordered), [](const Overlap &overlap) {
    return !overlap.isEmpty();
  });
}

static int64_t getPeakBytes(exec::ProgramOp program) {
  return peakLiveBytes(ProgramBuffers(program).ranges);
}

static bool isWork(Operation *op) {
  return !isa<exec::BufferOp, exec::ViewOp, exec::ConstantOp>(op);
}

namespace {

/// Bytes of buffers in use at one time in each block that is scheduled.
using PeakBytes = DenseMap<Block *, int64_t>;

/// One block as the scheduler sees it, after those inside.
class BlockProblem {
public:
  BlockProblem(Block &block, const MachineRates &rates,
               const PeakBytes &innerPeaks)
      : block(block) {
    for (Operation &op : block)
      if (isWork(&op))
        works.push_back(&op);
    for (Operation *op : works) {
      OverlapOp &description = problem.ops.emplace_back();
      description.seconds = estimateSeconds(op, rates);
      description.resource = findResource(op);
      addAccesses(op, description);
      for (Region &region : op->getRegions())
        description.innerBytes = std::max(description.innerBytes,
                                          innerPeaks.lookup(&region.front()));
    }
  }

  const OverlapProblem &get() const { return problem; }
  int64_t getPeakBytes() const {
    return evaluateProgramOrder(problem, /*overlaps=*/false).peakBytes;
  }

  /// Brings the block into the given order, behind its buffers.
  void reorder(ArrayRef<unsigned> order) {
    for (unsigned index : order)
      works[index]->moveBefore(&block, block.end());
  }

private:
  static OverlapOp::Resource findResource(Operation *op) {
    if (!communicates(op))
      return OverlapOp::Compute;
    return isa<exec::CollectiveOp>(op) ? OverlapOp::Communication
                                       : OverlapOp::Both;
  }

  void addAccesses(Operation *op, OverlapOp &description) {
    // What is declared inside is visited before it is used.
    llvm::SmallPtrSet<Operation *, 8> inside;
    op->walk([&](Operation *inner) {
      SmallVector<MemoryEffects::EffectInstance> effects;
      if (isa<exec::BufferOp>(inner))
        inside.insert(inner);
      if (inner->getNumRegions())
        addAccess(inside, inner->getOperand(0), /*isWrite=*/false, description);
      else if (auto described = dyn_cast<MemoryEffectOpInterface>(inner))
        described.getEffects(effects);
      for (const MemoryEffects::EffectInstance &effect : effects)
        if (effect.getValue() && isWork(inner))
          addAccess(inside, effect.getValue(),
                    isa<MemoryEffects::Write>(effect.getEffect()), description);
    });
  }

  void addAccess(const llvm::SmallPtrSetImpl<Operation *> &inside, Value buffer,
                 bool isWrite, OverlapOp &description) {
    Value storage = exec::storageOf(buffer);
    auto declared = storage.getDefiningOp<exec::BufferOp>();
    if (declared && inside.contains(declared))
      return;
    auto [number, isNew] =
        storages.try_emplace(storage, problem.storageBytes.size());
    if (isNew) {
      bool isOwn = declared && declared->getBlock() == &block;
      problem.storageBytes.push_back(
          isOwn ? llvm::alignTo(*exec::bufferBytes(declared.getType()), 64)
                : 0);
    }
    description.accesses.push_back({number->second, isWrite});
  }

  Block &block;
  SmallVector<Operation *> works;
  OverlapProblem problem;
  DenseMap<Value, unsigned> storages;
};

/// The order of all operations, to come back to.
class ProgramOrder {
public:
  explicit ProgramOrder(exec::ProgramOp program) {
    program.walk([&](Block *block) {
      SmallVector<Operation *> ops;
      for (Operation &op : *block)
        ops.push_back(&op);
      blocks.push_back({block, std::move(ops)});
    });
  }
  void restore() {
    for (auto &[block, ops] : blocks)
      for (Operation *op : ops)
        op->moveBefore(block, block->end());
  }

private:
  SmallVector<std::pair<Block *, SmallVector<Operation *>>> blocks;
};

class OverlapCollectives
    : public cleave::impl::OverlapCollectivesBase<OverlapCollectives> {
public:
  using OverlapCollectivesBase::OverlapCollectivesBase;

  void runOnOperation() override {
    exec::ProgramOp program = getOperation();
    if (program.getNumEvents()) {
      program.emitError("has events, which do not follow a new order");
      return signalPassFailure();
    }
    if (!communicates(program))
      return;
    setStreams(program, exec::Stream::Compute);
    int64_t limit = allowGrowth(getPeakBytes(program));
    setStreams(program, exec::Stream::Communication);
    ProgramOrder order(program);
    // First with as much memory as there may be, then with as much as there is.
    for (bool mayGrow : {true, false}) {
      unsigned count = schedule(program, mayGrow);
      if (getPeakBytes(program) <= limit) {
        numBlocks += count;
        break;
      }
      order.restore();
    }
    // A second stream that never runs beside the first only costs.
    if (getPeakBytes(program) > limit || !hasOverlap(program))
      setStreams(program, exec::Stream::Compute);
  }

private:
  /// Returns how many blocks have changed.
  unsigned schedule(exec::ProgramOp program, bool mayGrow) {
    MachineRates rates;
    rates.flops = flops * 1e9;
    rates.memoryBytes = memoryBandwidth * 1e9;
    rates.linkBytes = linkBandwidth * 1e9;
    unsigned count = 0;
    PeakBytes peaks;
    // Blocks inside of others first.
    program.walk<WalkOrder::PostOrder>([&](Block *block) {
      BlockProblem problem(*block, rates, peaks);
      int64_t bytes = problem.getPeakBytes();
      OverlapSchedule best =
          scheduleOverlap(problem.get(), mayGrow ? allowGrowth(bytes) : bytes);
      if (!llvm::is_sorted(best.order)) {
        problem.reorder(best.order);
        ++count;
        bytes = BlockProblem(*block, rates, peaks).getPeakBytes();
      }
      peaks[block] = bytes;
    });
    return count;
  }
};

} // namespace
