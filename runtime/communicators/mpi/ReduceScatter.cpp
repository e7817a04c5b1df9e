//===- ReduceScatter.cpp - reduce_scatter ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/SegmentedReduction.h"
#include "runtime/core/Reduce.h"

using namespace cleave::rt;

/// Whether every member's part is one run.
static bool isContiguous(const std::vector<const CopyPlan *> &parts) {
  for (const CopyPlan *part : parts)
    if (!part->isContiguous())
      return false;
  return true;
}

static const CopyPlan &getPart(const MpiExecution &execution, size_t member) {
  return *execution.sends[member];
}

int64_t cleave::rt::getMpiReduceScatterScratchBytes(
    const CollectivePlan &plan, const std::vector<const CopyPlan *> &sends) {
  if (isContiguous(sends))
    return SegmentedReduction::getScratchBytes(plan.group.size(),
                                               sends[0]->getBytes());
  int64_t bytes = 0;
  for (size_t j = 0; j < sends.size(); ++j)
    if (static_cast<int32_t>(j) != plan.position)
      bytes += plan.pieces[j].getBytes() +
               (sends[j]->isContiguous() ? 0 : sends[j]->getBytes());
  return bytes;
}

bool cleave::rt::reduceScatter(const MpiExecution &execution) {
  if (isContiguous(execution.sends)) {
    const CopyPlan &own = execution.plan.pieces[execution.plan.position];
    return SegmentedReduction(execution, getPart, own.getToStart(),
                              /*spreads=*/false)
        .run();
  }
  const CollectivePlan &plan = execution.plan;
  const CollectiveSpec &spec = execution.spec;
  Messages &messages = execution.messages[0];
  const char *operand = static_cast<const char *>(execution.operand);
  size_t count = plan.group.size(), own = plan.position;
  const CopyPlan &piece = plan.pieces[own];

  // The pieces of the others lie in scratch, by member without the own one.
  char *packed = execution.scratch + (count - 1) * piece.getBytes();
  for (size_t peer = 0; peer < count; ++peer)
    if (peer != own)
      messages.receive(execution.scratch +
                           (peer - (peer > own)) * piece.getBytes(),
                       piece.getBytes(), plan.group[peer], execution.tag);
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (own + i) % count;
    const CopyPlan &sent = *execution.sends[peer];
    const char *source = operand + sent.getFromStart();
    if (!sent.isContiguous()) {
      sent.pack(operand, packed);
      source = packed;
      packed += sent.getBytes();
    }
    messages.send(source, sent.getBytes(), plan.group[peer], execution.tag);
  }
  if (!execution.wait(messages))
    return false;

  std::vector<const void *> &operands = execution.operands;
  int64_t elementSize = getSize(spec.dtype), begin = 0;
  piece.forEachRun([&](int64_t from, int64_t to, int64_t bytes) {
    for (size_t member = 0; member < count; ++member)
      operands[member] =
          member == own
              ? operand + from
              : execution.scratch +
                    (member - (member > own)) * piece.getBytes() + begin;
    reduce(spec.dtype, spec.reduction, operands.data(), count, 0,
           static_cast<char *>(execution.result) + to, bytes / elementSize);
    begin += bytes;
  });
  return true;
}
