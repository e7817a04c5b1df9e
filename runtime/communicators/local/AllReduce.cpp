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

/// Up to this size every member reduces everything: parts would be shorter than
/// what it costs to hand them over.
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
  const Rendezvous::Offers &offers = meeting.readOffers(plan.position);
  const void *const *operands = offers.operands.data();
  size_t count = plan.group.size();
  int64_t bytes = getBytes(spec.operandShape, spec.dtype);
  if (bytes <= smallBytes) {
    reduce(spec.dtype, spec.reduction, operands, count, 0, execution.result,
           bytes / getSize(spec.dtype));
  } else {
    const CopyPlan &part = plan.pieces[plan.position];
    reduceTo(spec.dtype, spec.reduction, operands, count, part.getToStart(),
             offers.results.data(), count, plan.position, part.getToStart(),
             part.getBytes());
  }
  return meeting.meet(plan.position, error);
}
