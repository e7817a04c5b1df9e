//===- AllReduce.cpp - all_reduce -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/core/Reduce.h"

#include <algorithm>
#include <cstring>

using namespace cleave::rt;

/// Up to this size every member reduces everything: parts would be shorter than
/// what it costs to hand them over.
constexpr int64_t smallBytes = 8192;
/// Reduced at a time: stays in the first-level cache until it is copied.
constexpr int64_t blockBytes = 16384;

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
  char *result = static_cast<char *>(execution.result);
  auto reduceBlock = [&](int64_t begin, int64_t bytes) {
    reduce(spec.dtype, spec.reduction, meeting.getOperands(), count, begin,
           result + begin, bytes / getSize(spec.dtype));
  };
  int64_t bytes = getBytes(spec.operandShape, spec.dtype);
  if (bytes <= smallBytes) {
    reduceBlock(0, bytes);
    return meeting.meet(plan.position, error);
  }

  const CopyPlan &part = plan.pieces[plan.position];
  int64_t end = part.getToStart() + part.getBytes();
  for (int64_t begin = part.getToStart(); begin < end; begin += blockBytes) {
    int64_t size = std::min(blockBytes, end - begin);
    reduceBlock(begin, size);
    for (size_t i = 1; i < count; ++i) {
      size_t peer = (plan.position + i) % count;
      std::memcpy(static_cast<char *>(meeting.getResult(peer)) + begin,
                  result + begin, size);
    }
  }
  return meeting.meet(plan.position, error);
}
