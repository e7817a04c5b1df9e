//===- AllReduce.cpp - all_reduce -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/core/Reduce.h"

using namespace cleave::rt;

/// Below this a third meeting costs more than reducing everything on every
/// member.
constexpr int64_t smallBytes = 8192;

bool cleave::rt::allReduce(const LocalExecution &execution,
                           std::string &error) {
  const CollectivePlan &plan = execution.plan;
  const CollectiveSpec &spec = execution.spec;
  Rendezvous &meeting = execution.meeting;
  meeting.publish(plan.position, execution.operand, execution.result);
  if (!meeting.meet(plan.position, error))
    return false;

  // Each element is reduced in group order whoever does it, so both ways give
  // every member the same bits.
  size_t count = plan.group.size();
  int64_t bytes = getBytes(spec.operandShape, spec.dtype);
  auto reducePart = [&](int64_t from, int64_t to, int64_t size) {
    reduce(spec.dtype, spec.reduction, meeting.getOperands(), count, from,
           static_cast<char *>(execution.result) + to,
           size / getSize(spec.dtype));
  };
  if (bytes <= smallBytes) {
    reducePart(0, 0, bytes);
    return meeting.meet(plan.position, error);
  }

  plan.pieces[plan.position].forEachRun(reducePart);
  if (!meeting.meet(plan.position, error))
    return false;
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (plan.position + i) % count;
    plan.pieces[peer].run(meeting.getResult(peer), execution.result);
  }
  return meeting.meet(plan.position, error);
}
