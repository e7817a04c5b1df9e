//===- StreamTree.cpp - A program as the order of streams sees it ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/StreamTree.h"

using namespace mlir;
using namespace cleave;

StreamTree::StreamTree(exec::ProgramOp program, Storage storage)
    : storage(storage) {
  program.walk([&](exec::CollectiveOp op) {
    if (op.getStream() != exec::Stream::Compute)
      for (Value buffer : op->getOperands())
        addPlace(buffer);
  });
  block = visit(program.getBlock());
  SmallVector<Value> outputs;
  for (auto [index, buffer] : llvm::enumerate(program.getOutputBuffers())) {
    int64_t shared = program.getSharedInput(index);
    outputs.push_back(shared < 0 ? Value(buffer)
                                 : program.getInputBuffers()[shared]);
  }
  block.push_back(makeRead(program, outputs));
}

StreamTree::Place StreamTree::findPlace(Value buffer) const {
  Place place;
  place.buffer = exec::storageOf(buffer);
  auto arenaBuffer = place.buffer.getDefiningOp<exec::BufferOp>();
  if (storage == Places && arenaBuffer && arenaBuffer.getOffset()) {
    place.begin = *arenaBuffer.getOffset();
    place.end = place.begin + *exec::bufferBytes(arenaBuffer.getType());
  }
  return place;
}

void StreamTree::addPlace(Value buffer) {
  Place place = findPlace(buffer);
  if (llvm::none_of(places, [&](const Place &other) {
        return other.buffer == place.buffer;
      }))
    places.push_back(place);
}

void StreamTree::addAccess(Value buffer, bool isWrite, exec::Stream stream,
                           SmallVectorImpl<StreamAccess> &accesses) {
  // Nobody can disagree about a buffer without bytes.
  if (exec::bufferBytes(cast<MemRefType>(buffer.getType())) == 0)
    return;
  Place place = findPlace(buffer);
  for (auto [number, other] : llvm::enumerate(places)) {
    bool overlaps = stream == exec::Stream::Compute &&
                    place.begin < other.end && other.begin < place.end;
    if (place.buffer == other.buffer || overlaps)
      accesses.push_back({unsigned(number), isWrite});
  }
}

StreamNode StreamTree::makeRead(Operation *op, ValueRange buffers) {
  SmallVector<StreamAccess> accesses;
  for (Value buffer : buffers)
    addAccess(buffer, /*isWrite=*/false, exec::Stream::Compute, accesses);
  ops.push_back(op);
  return StreamNode::makeRead(ops.size() - 1, /*stream=*/0, accesses);
}

StreamBlock StreamTree::visit(Block &block) {
  StreamBlock result;
  for (Operation &op : block)
    visit(&op, result);
  return result;
}

void StreamTree::visit(Operation *op, StreamBlock &result) {
  if (isa<exec::BufferOp, exec::ViewOp, exec::ConstantOp>(op))
    return;
  if (auto record = dyn_cast<exec::RecordOp>(op)) {
    result.push_back(StreamNode::makeRecord(
        record.getEvent(), static_cast<unsigned>(record.getStream())));
  } else if (auto wait = dyn_cast<exec::WaitOp>(op)) {
    result.push_back(StreamNode::makeWait(
        wait.getEvent(), static_cast<unsigned>(wait.getStream())));
  } else if (auto loop = dyn_cast<exec::WhileOp>(op)) {
    StreamBlock condition = visit(loop.getCond().front());
    condition.push_back(makeRead(loop, loop.getCondition()));
    result.push_back(StreamNode::makeLoop(std::move(condition),
                                          visit(loop.getBody().front())));
  } else if (auto branch = dyn_cast<exec::IfOp>(op)) {
    result.push_back(makeRead(branch, branch.getCondition()));
    std::vector<StreamBlock> paths;
    for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()})
      paths.push_back(visit(region->front()));
    result.push_back(StreamNode::makeBranch(std::move(paths)));
  } else {
    SmallVector<MemoryEffects::EffectInstance> effects;
    cast<MemoryEffectOpInterface>(op).getEffects(effects);
    SmallVector<StreamAccess> accesses;
    for (const MemoryEffects::EffectInstance &effect : effects)
      if (Value buffer = effect.getValue())
        addAccess(buffer, isa<MemoryEffects::Write>(effect.getEffect()),
                  exec::streamOf(op), accesses);
    result.push_back(StreamNode::makeWork(
        ops.size(), static_cast<unsigned>(exec::streamOf(op)), accesses));
    ops.push_back(op);
  }
}

void StreamTree::setInsertionPointBefore(OpBuilder &builder,
                                         unsigned work) const {
  Operation *op = ops[work];
  if (auto program = dyn_cast<exec::ProgramOp>(op))
    builder.setInsertionPointToEnd(&program.getBlock());
  else if (auto loop = dyn_cast<exec::WhileOp>(op))
    builder.setInsertionPointToEnd(&loop.getCond().front());
  else
    builder.setInsertionPoint(op);
}
