//===- Exchange.cpp - Collectives that only move data ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"

#include <cstring>

using namespace cleave::rt;

bool cleave::rt::exchangePieces(const LocalExecution &execution,
                                std::string &error) {
  const CollectivePlan &plan = execution.plan;
  Rendezvous &meeting = execution.meeting;
  meeting.publish(plan.position, execution.operand, execution.result);
  if (!meeting.meet(plan.position, error))
    return false;

  int64_t moved = 0;
  size_t count = plan.pieces.size();
  // Start with the own piece, so that members read from different peers.
  for (size_t i = 0; i < count; ++i) {
    size_t peer = (plan.position + i) % count;
    plan.pieces[peer].run(meeting.getOperands()[peer], execution.result);
    moved += plan.pieces[peer].getBytes();
  }
  // A rank that is no target. An empty buffer may be null, which memset may not
  // get.
  int64_t bytes = getBytes(execution.spec.resultShape, execution.spec.dtype);
  if (execution.spec.kind == CollectiveKind::CollectivePermute && !moved &&
      bytes)
    std::memset(execution.result, 0, bytes);
  return meeting.meet(plan.position, error);
}
