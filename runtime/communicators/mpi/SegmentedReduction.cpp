//===- SegmentedReduction.cpp - Reductions of long buffers ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/SegmentedReduction.h"
#include "runtime/core/Blocks.h"
#include "runtime/core/Reduce.h"

#include <algorithm>

using namespace cleave::rt;

/// Long enough that a message's cost hardly matters, short enough for caches.
constexpr int64_t segmentBytes = 512 << 10;
/// Segments that are on their way.
constexpr int64_t depth = 3;
static_assert(numMpiSets == 4 * depth, "a set for each kind of each segment");

SegmentedReduction::SegmentedReduction(const MpiExecution &execution,
                                       GetPart getPart, int64_t toStart,
                                       bool spreads)
    : execution(execution), plan(execution.plan), getPart(getPart),
      operand(static_cast<const char *>(execution.operand)),
      result(static_cast<char *>(execution.result) + toStart), spreads(spreads),
      count(plan.group.size()), own(plan.position),
      longest(getPart(execution, 0).getBytes()),
      numSegments(ceilDiv(longest, segmentBytes)) {}

int64_t SegmentedReduction::getScratchBytes(size_t groupSize, int64_t longest) {
  return depth * (static_cast<int64_t>(groupSize) - 1) *
         std::min(segmentBytes, longest);
}

SegmentedReduction::Segment
SegmentedReduction::getSegment(size_t member, int64_t index) const {
  const CopyPlan &part = getPart(execution, member);
  int64_t begin = std::min(index * segmentBytes, part.getBytes());
  return {part.getFromStart() + begin,
          std::min(segmentBytes, part.getBytes() - begin)};
}

char *SegmentedReduction::getSlot(size_t member, int64_t index) const {
  int64_t slot = (index % depth) * (count - 1) + member - (member > own);
  return execution.scratch + slot * std::min(segmentBytes, longest);
}

Messages &SegmentedReduction::getMessages(Kind kind, int64_t index) const {
  return execution.messages[kind * depth + index % depth];
}

/// The own part's segment from all, and theirs to them.
void SegmentedReduction::collect(int64_t index) {
  int64_t bytes = getSegment(own, index).bytes;
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (own + i) % count;
    getMessages(Collected, index)
        .receive(getSlot(peer, index), bytes, plan.group[peer], execution.tag);
  }
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (own + i) % count;
    Segment segment = getSegment(peer, index);
    getMessages(Handed, index)
        .send(operand + segment.begin, segment.bytes, plan.group[peer],
              execution.tag);
  }
}

void SegmentedReduction::reduceSegment(int64_t index) {
  const CollectiveSpec &spec = execution.spec;
  Segment segment = getSegment(own, index);
  std::vector<const void *> &operands = execution.operands;
  for (size_t member = 0; member < count; ++member)
    operands[member] =
        member == own ? operand + segment.begin : getSlot(member, index);
  reduce(spec.dtype, spec.reduction, operands.data(), count, 0,
         result + index * segmentBytes, segment.bytes / getSize(spec.dtype));
}

/// The reduced segment to all, and theirs from them.
void SegmentedReduction::spread(int64_t index) {
  char *whole = static_cast<char *>(execution.result);
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (own + i) % count;
    Segment segment = getSegment(peer, index);
    getMessages(Returned, index)
        .receive(whole + segment.begin, segment.bytes, plan.group[peer],
                 execution.tag + 1);
  }
  Segment reduced = getSegment(own, index);
  for (size_t i = 1; i < count; ++i)
    getMessages(Spread, index)
        .send(whole + reduced.begin, reduced.bytes,
              plan.group[(own + i) % count], execution.tag + 1);
}

bool SegmentedReduction::run() {
  auto wait = [&](Kind kind, int64_t index) {
    return execution.wait(getMessages(kind, index));
  };
  for (int64_t index = 0; index < std::min(depth - 1, numSegments); ++index)
    collect(index);
  for (int64_t index = 0; index < numSegments; ++index) {
    // The slots of the one before are free: it is reduced.
    if (int64_t next = index + depth - 1; next < numSegments) {
      if (!wait(Handed, next))
        return false;
      collect(next);
    }
    if (!wait(Collected, index))
      return false;
    reduceSegment(index);
    if (!spreads)
      continue;
    if (!wait(Spread, index) || !wait(Returned, index))
      return false;
    spread(index);
  }
  for (int64_t index = 0; index < depth; ++index)
    for (Kind kind : {Handed, Spread, Returned})
      if (!wait(kind, index))
        return false;
  return true;
}
