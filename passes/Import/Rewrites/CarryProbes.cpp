//===- CarryProbes.cpp - What probes in loops have seen -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The public interpreter numbers the times that a probe has run from 0, over
// all ops with its name. What is known of them goes through the program as a
// list of values: how often the probe has run, then, for each time that is
// asked for, what it has seen then and whether it has.
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Rewrites/CarryProbes.h"
#include "dialects/Graph/Unsupported.h"
#include "passes/Import/Rewrites/RotateLoops.h"
#include "passes/Import/Rewrites/SourceBuilder.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

static StringRef idOf(Operation *op) {
  auto id = op->getAttrOfType<StringAttr>("probe_id");
  return id ? id.getValue() : StringRef();
}

/// Which time is expected; none where the attribute is no number.
static std::optional<int64_t> timeOf(check::ExpectSerializedEqOp op) {
  Attribute attribute = op->getAttr("iter");
  if (!attribute)
    return 0;
  auto number = dyn_cast<IntegerAttr>(attribute);
  return number ? std::optional(number.getValue().getSExtValue())
                : std::nullopt;
}

static bool hasProbe(Region &region, StringRef id) {
  return region
      .walk([&](interpreter::ProbeOp op) {
        return idOf(op) == id ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static bool hasProbe(Operation *op, StringRef id) {
  return llvm::any_of(op->getRegions(),
                      [&](Region &region) { return hasProbe(region, id); });
}

/// Makes `op` anew with its regions and more operands and results.
static Operation *recreate(Operation *op, ValueRange moreOperands,
                           TypeRange moreResults) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(op->getOperands());
  state.addOperands(moreOperands);
  state.addTypes(op->getResultTypes());
  state.addTypes(moreResults);
  state.addAttributes(op->getAttrs());
  for (Region &region : op->getRegions())
    state.addRegion()->takeBody(region);
  Operation *result = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getResults(), result->getResults()))
    from.replaceAllUsesWith(to);
  op->erase();
  return result;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// Whether a function has probes or expectations, or calls one that has.
static bool touchesProbes(func::FuncOp function, SymbolTable &symbols,
                          llvm::SmallPtrSetImpl<Operation *> &seen) {
  if (!function || !seen.insert(function).second)
    return false;
  return function
      .walk([&](Operation *op) {
        bool touches =
            isa<interpreter::ProbeOp, check::ExpectSerializedEqOp>(op);
        if (auto call = dyn_cast<func::CallOp>(op))
          touches = touchesProbes(
              symbols.lookup<func::FuncOp>(call.getCallee()), symbols, seen);
        return touches ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

static func::CallOp findCallOfProbes(func::FuncOp entry, SymbolTable &symbols) {
  func::CallOp found;
  entry.walk([&](func::CallOp call) {
    auto function = symbols.lookup<func::FuncOp>(call.getCallee());
    llvm::SmallPtrSet<Operation *, 8> seen;
    seen.insert(entry);
    if (!touchesProbes(function, symbols, seen) ||
        !function.getBody().hasOneBlock())
      return WalkResult::advance();
    found = call;
    return WalkResult::interrupt();
  });
  return found;
}

/// Puts what is called in place of calls that lead to probes.
static void inlineCallsOfProbes(func::FuncOp entry) {
  SymbolTable symbols(entry->getParentOp());
  // Recursive calls, which the import refuses, would never end.
  for (int rest = 1000; rest > 0; --rest) {
    func::CallOp call = findCallOfProbes(entry, symbols);
    if (!call)
      return;
    SourceBuilder b(call.getLoc(), call);
    auto function = symbols.lookup<func::FuncOp>(call.getCallee());
    call->replaceAllUsesWith(b.apply(function.getBody(), call.getOperands()));
    call.erase();
  }
}

//===----------------------------------------------------------------------===//
// One probe
//===----------------------------------------------------------------------===//

namespace {

class Probe {
public:
  Probe(func::FuncOp entry, StringRef id) : entry(entry), id(id) {}

  /// An expectation of this probe.
  void expect(check::ExpectSerializedEqOp op, int64_t time) {
    times.push_back({time, op->getOperand(0).getType()});
    places[op] = times.size() - 1;
  }

  LogicalResult carry();

private:
  /// One list of values.
  using State = SmallVector<Value>;
  struct Time {
    int64_t number;
    Type type;
  };

  LogicalResult thread(mlir::Block &block, State &state);
  LogicalResult through(Operation *op, State &state);
  void observe(interpreter::ProbeOp op, State &state);
  void compare(check::ExpectSerializedEqOp op, const State &state);

  func::FuncOp entry;
  StringRef id;
  SmallVector<Time> times;
  llvm::DenseMap<Operation *, unsigned> places;
};

} // namespace

void Probe::observe(interpreter::ProbeOp op, State &state) {
  SourceBuilder b(op.getLoc(), op);
  Value value = op->getOperand(0);
  for (auto [i, time] : llvm::enumerate(times)) {
    if (time.type != value.getType())
      continue;
    Value isNow = b.compare("EQ", state[0], b.number(time.number));
    state[2 * i + 1] = b.select(isNow, value, state[2 * i + 1]);
    state[2 * i + 2] = b.select(isNow, isNow, state[2 * i + 2]);
  }
  state[0] = b.add(state[0], b.number(1));
}

/// That the probe has run so often comes first: without it there is no value.
void Probe::compare(check::ExpectSerializedEqOp op, const State &state) {
  SourceBuilder b(op.getLoc(), op);
  unsigned place = 2 * places.lookup(op) + 1;
  Value yes = b.compare("EQ", b.number(0), b.number(0));
  for (auto [actual, expected] : {std::pair(state[place + 1], yes),
                                  std::pair(state[place], op->getOperand(0))}) {
    OperationState check(op.getLoc(), check::ExpectEqOp::getOperationName());
    check.addOperands({actual, expected});
    b.OpBuilder::create(check);
  }
  op.erase();
}

LogicalResult Probe::thread(mlir::Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (hasProbe(&op, id)) {
      if (failed(through(&op, state)))
        return failure();
      continue;
    }
    if (auto probe = dyn_cast<interpreter::ProbeOp>(op);
        probe && idOf(&op) == id)
      observe(probe, state);
    if (places.contains(&op))
      compare(cast<check::ExpectSerializedEqOp>(op), state);
  }
  return success();
}

/// A loop carries the state, a branch returns it.
LogicalResult Probe::through(Operation *op, State &state) {
  bool isBranch = isa<stablehlo::IfOp, stablehlo::CaseOp>(op);
  if (!isSimpleLoop(op) && !(isBranch && hasSimpleRegions(op, 0)))
    return graph::emitUnsupported(op->getLoc())
           << "probe '" << id << "' in a region of '" << op->getName()
           << "', which is checked, is not supported";
  TypeRange types{ValueRange(state)};
  SmallVector<Location> locations(state.size(), op->getLoc());
  for (Region &region : op->getRegions()) {
    State inside(state);
    if (!isBranch) {
      inside.clear();
      for (BlockArgument argument :
           region.front().addArguments(types, locations))
        inside.push_back(argument);
    }
    // The condition of a loop has no probe, and returns nothing else.
    if (!isBranch && region.getRegionNumber() == 0)
      continue;
    if (failed(thread(region.front(), inside)))
      return failure();
    Operation *end = region.front().getTerminator();
    end->insertOperands(end->getNumOperands(), inside);
  }
  Operation *result =
      recreate(op, isBranch ? ValueRange() : ValueRange(state), types);
  state =
      llvm::to_vector_of<Value>(result->getResults().take_back(state.size()));
  return success();
}

LogicalResult Probe::carry() {
  SmallVector<stablehlo::WhileOp> loops;
  entry.walk([&](stablehlo::WhileOp op) {
    if (isSimpleLoop(op) && hasProbe(op->getRegion(0), id))
      loops.push_back(op);
  });
  // Inner ones come first.
  for (stablehlo::WhileOp op : loops)
    rotateLoop(op);
  SourceBuilder b(entry.getLoc(), &entry.front(), entry.front().begin());
  State state{b.number(0)};
  Value no = b.compare("NE", state[0], state[0]);
  for (const Time &time : times) {
    state.push_back(b.zeros(cast<RankedTensorType>(time.type)));
    state.push_back(no);
  }
  return thread(entry.front(), state);
}

LogicalResult reader::carryProbesOutOfRegions(func::FuncOp entry) {
  auto expects = [](Operation *op) {
    return op
        ->walk(
            [](check::ExpectSerializedEqOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  };
  if (!expects(entry->getParentOp()) || !entry.getBody().hasOneBlock())
    return success();
  inlineCallsOfProbes(entry);
  llvm::MapVector<StringRef, Probe> probes;
  // Inside of a region an expectation is an error of the import.
  for (auto op : entry.front().getOps<check::ExpectSerializedEqOp>()) {
    bool isInRegion = entry
                          .walk([&](interpreter::ProbeOp probe) {
                            return idOf(probe) == idOf(op) &&
                                           probe->getBlock() != &entry.front()
                                       ? WalkResult::interrupt()
                                       : WalkResult::advance();
                          })
                          .wasInterrupted();
    auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
    std::optional<int64_t> time = timeOf(op);
    if (isInRegion && type && SourceBuilder::hasZeros(type) && time)
      probes.try_emplace(idOf(op), entry, idOf(op))
          .first->second.expect(op, *time);
  }
  for (auto &[id, probe] : probes)
    if (failed(probe.carry()))
      return failure();
  return success();
}
