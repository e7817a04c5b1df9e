//===- AllReduce.cpp - all_reduce -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/SegmentedReduction.h"
#include "runtime/core/Reduce.h"

using namespace cleave::rt;

/// Up to this size one round of whole buffers beats two rounds of parts.
constexpr int64_t smallBytes = 8192;

int64_t cleave::rt::getMpiAllReduceScratchBytes(const CollectiveSpec &spec,
                                                const CollectivePlan &plan) {
  int64_t bytes = getBytes(spec.operandShape, spec.dtype);
  if (bytes <= smallBytes)
    return (plan.group.size() - 1) * bytes;
  return SegmentedReduction::getScratchBytes(plan.group.size(),
                                             plan.pieces[0].getBytes());
}

/// Whole buffers to everyone.
static bool runSmall(const MpiExecution &execution, int64_t bytes) {
  const CollectivePlan &plan = execution.plan;
  Messages &messages = execution.messages[0];
  std::vector<const void *> &operands = execution.operands;
  size_t count = plan.group.size(), own = plan.position;
  operands[own] = execution.operand;
  for (size_t peer = 0; peer < count; ++peer) {
    if (peer == own)
      continue;
    char *slot = execution.scratch + (peer - (peer > own)) * bytes;
    operands[peer] = slot;
    messages.receive(slot, bytes, plan.group[peer], execution.tag);
  }
  for (size_t i = 1; i < count; ++i)
    messages.send(execution.operand, bytes, plan.group[(own + i) % count],
                  execution.tag);
  if (!execution.wait(messages))
    return false;
  DType dtype = execution.spec.dtype;
  reduce(dtype, execution.spec.reduction, operands.data(), count, 0,
         execution.result, bytes / getSize(dtype));
  return true;
}

static const CopyPlan &getPart(const MpiExecution &execution, size_t member) {
  return execution.plan.pieces[member];
}

bool cleave::rt::allReduce(const MpiExecution &execution) {
  int64_t bytes = getBytes(execution.spec.operandShape, execution.spec.dtype);
  if (bytes <= smallBytes)
    return runSmall(execution, bytes);
  const CopyPlan &own = execution.plan.pieces[execution.plan.position];
  return SegmentedReduction(execution, getPart, own.getToStart(),
                            /*spreads=*/true)
      .run();
}
