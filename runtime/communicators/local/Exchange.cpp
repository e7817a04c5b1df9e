//===- Exchange.cpp - Collectives that only move data ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/core/StreamCopy.h"

#include <cstring>

using namespace cleave::rt;

/// Whether an all_gather of two members would write pieces past the caches.
static bool isLong(const LocalExecution &execution) {
  int64_t result = getBytes(execution.spec.resultShape, execution.spec.dtype);
  return result >= 2 * getStreamHabits().streamsFrom;
}

/// Whether every member writes its piece to all results; short runs are not
/// worth it.
static bool isGatheredAtOnce(const LocalExecution &execution) {
  if (execution.spec.kind != CollectiveKind::AllGather)
    return false;
  int64_t result = getBytes(execution.spec.resultShape, execution.spec.dtype);
  int64_t shortestRun = isLong(execution) ? 64 << 10 : 4 << 10;
  // The first piece is the largest.
  return result >= getStreamHabits().gathersAtOnceFrom &&
         execution.plan.pieces[0].getRunBytes() >= shortestRun;
}

/// Reads the own operand once, rather than once per member.
static bool gatherAtOnce(const LocalExecution &execution, std::string &error) {
  const CollectivePlan &plan = execution.plan;
  Rendezvous &meeting = execution.meeting;
  if (!meeting.meet(plan.position, error))
    return false;
  const std::vector<void *> &results =
      meeting.readOffers(plan.position).results;
  const char *operand = static_cast<const char *>(execution.operand);
  auto *copy = isLong(execution) ? streamBytes : copyBytesToAll;
  // An all_gather's piece has its place in every result.
  plan.pieces[plan.position].forEachRun(
      [&](int64_t from, int64_t to, int64_t bytes) {
        copy(results.data(), results.size(), to, operand + from, bytes);
      });
  finishStreaming();
  return meeting.meet(plan.position, error);
}

bool cleave::rt::exchangePieces(const LocalExecution &execution,
                                std::string &error) {
  const CollectivePlan &plan = execution.plan;
  Rendezvous &meeting = execution.meeting;
  meeting.publish(plan.position, execution.operand, execution.result);
  if (isGatheredAtOnce(execution))
    return gatherAtOnce(execution, error);

  // The own piece while the others arrive.
  meeting.arrive(plan.position);
  plan.pieces[plan.position].run(execution.operand, execution.result);
  int64_t moved = plan.pieces[plan.position].getBytes();
  if (!meeting.wait(plan.position, error))
    return false;
  const std::vector<const void *> &operands =
      meeting.readOffers(plan.position).operands;
  // Every member starts with another peer.
  size_t count = plan.pieces.size();
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (plan.position + i) % count;
    plan.pieces[peer].run(operands[peer], execution.result);
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
