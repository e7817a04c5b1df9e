//===- AllReduce.cpp - all_reduce -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiCommunicator.h"
#include "runtime/core/Reduce.h"

#include <algorithm>

using namespace cleave::rt;

/// Up to this size one round of whole buffers beats two rounds of parts.
constexpr int64_t smallBytes = 8192;
/// Long enough that a message's cost hardly matters, short enough for caches.
constexpr int64_t segmentBytes = 256 << 10;

int64_t cleave::rt::getMpiAllReduceScratchBytes(const CollectiveSpec &spec,
                                                const CollectivePlan &plan) {
  int64_t others = static_cast<int64_t>(plan.group.size()) - 1;
  int64_t bytes = getBytes(spec.operandShape, spec.dtype);
  if (bytes <= smallBytes)
    return others * bytes;
  return 2 * others * std::min(segmentBytes, plan.pieces[0].getBytes());
}

namespace {
class AllReduce {
public:
  explicit AllReduce(const MpiExecution &execution)
      : execution(execution), plan(execution.plan), spec(execution.spec),
        operand(static_cast<const char *>(execution.operand)),
        result(static_cast<char *>(execution.result)), count(plan.group.size()),
        own(plan.position) {}

  bool runSmall(int64_t bytes);
  bool runLarge();

private:
  /// A segment of a member's part.
  struct Segment {
    int64_t begin, bytes;
  };
  Segment getSegment(size_t member, int64_t index) const {
    const CopyPlan &part = plan.pieces[member];
    int64_t begin = std::min(index * segmentBytes, part.getBytes());
    return {part.getToStart() + begin,
            std::min(segmentBytes, part.getBytes() - begin)};
  }
  /// Where segments with this index of `member` arrive.
  char *getSlot(size_t member, int64_t index) const {
    int64_t slot = (index % 2) * (count - 1) + member - (member > own);
    return execution.scratch +
           slot * std::min(segmentBytes, plan.pieces[0].getBytes());
  }
  void collect(int64_t index);
  void spread(int64_t index);
  void reduceSegment(int64_t index);

  const MpiExecution &execution;
  const CollectivePlan &plan;
  const CollectiveSpec &spec;
  const char *operand;
  char *result;
  size_t count, own;
};
} // namespace

bool AllReduce::runSmall(int64_t bytes) {
  MpiMessages &messages = execution.messages[0];
  std::vector<const void *> &operands = execution.operands;
  operands[own] = operand;
  for (size_t peer = 0; peer < count; ++peer) {
    if (peer == own)
      continue;
    char *slot = execution.scratch + (peer - (peer > own)) * bytes;
    operands[peer] = slot;
    messages.receive(slot, bytes, plan.group[peer], execution.tag);
  }
  for (size_t i = 1; i < count; ++i)
    messages.send(operand, bytes, plan.group[(own + i) % count], execution.tag);
  if (!execution.wait(messages))
    return false;
  reduce(spec.dtype, spec.reduction, operands.data(), count, 0, result,
         bytes / getSize(spec.dtype));
  return true;
}

/// The own part's segment from all, and theirs to them.
void AllReduce::collect(int64_t index) {
  MpiMessages &messages = execution.messages[index % 2];
  int64_t bytes = getSegment(own, index).bytes;
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (own + i) % count;
    messages.receive(getSlot(peer, index), bytes, plan.group[peer],
                     execution.tag);
  }
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (own + i) % count;
    Segment segment = getSegment(peer, index);
    messages.send(operand + segment.begin, segment.bytes, plan.group[peer],
                  execution.tag);
  }
}

void AllReduce::reduceSegment(int64_t index) {
  Segment segment = getSegment(own, index);
  std::vector<const void *> &operands = execution.operands;
  for (size_t member = 0; member < count; ++member)
    operands[member] =
        member == own ? operand + segment.begin : getSlot(member, index);
  reduce(spec.dtype, spec.reduction, operands.data(), count, 0,
         result + segment.begin, segment.bytes / getSize(spec.dtype));
}

/// The reduced segment to all, and theirs from them.
void AllReduce::spread(int64_t index) {
  MpiMessages &messages = execution.messages[2 + index % 2];
  Segment reduced = getSegment(own, index);
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (own + i) % count;
    Segment segment = getSegment(peer, index);
    messages.receive(result + segment.begin, segment.bytes, plan.group[peer],
                     execution.tag + 1);
  }
  for (size_t i = 1; i < count; ++i)
    messages.send(result + reduced.begin, reduced.bytes,
                  plan.group[(own + i) % count], execution.tag + 1);
}

bool AllReduce::runLarge() {
  // The first part is the largest.
  int64_t numSegments = ceilDiv(plan.pieces[0].getBytes(), segmentBytes);
  MpiMessages *messages = execution.messages;
  collect(0);
  for (int64_t index = 0; index < numSegments; ++index) {
    // The slots of the one after are free: their last segment is reduced.
    if (index + 1 < numSegments)
      collect(index + 1);
    if (!execution.wait(messages[index % 2]))
      return false;
    reduceSegment(index);
    if (!execution.wait(messages[2 + index % 2]))
      return false;
    spread(index);
  }
  return execution.wait(messages[2]) && execution.wait(messages[3]);
}

bool cleave::rt::allReduce(const MpiExecution &execution) {
  int64_t bytes = getBytes(execution.spec.operandShape, execution.spec.dtype);
  AllReduce algorithm(execution);
  return bytes <= smallBytes ? algorithm.runSmall(bytes) : algorithm.runLarge();
}
