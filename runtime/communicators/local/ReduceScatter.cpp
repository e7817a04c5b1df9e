//===- ReduceScatter.cpp - reduce_scatter ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/core/Reduce.h"

using namespace cleave::rt;

bool cleave::rt::reduceScatter(const LocalExecution &execution,
                               std::string &error) {
  const CollectivePlan &plan = execution.plan;
  const CollectiveSpec &spec = execution.spec;
  Rendezvous &meeting = execution.meeting;
  meeting.publish(plan.position, execution.operand, execution.result);
  if (!meeting.meet(plan.position, error))
    return false;

  const Rendezvous::Offers &offers = meeting.readOffers(plan.position);
  plan.pieces[plan.position].forEachRun(
      [&](int64_t from, int64_t to, int64_t bytes) {
        reduceTo(spec.dtype, spec.reduction, offers.operands.data(),
                 plan.group.size(), from, &execution.result, /*numOuts=*/1,
                 /*first=*/0, to, bytes);
      });
  return meeting.meet(plan.position, error);
}
