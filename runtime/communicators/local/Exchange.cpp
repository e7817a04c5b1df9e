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

/// From here on, and in runs of this length, all_gather writes past the caches:
/// each member reads its own operand once and writes it everywhere.
constexpr int64_t streamFrom = 4 << 20, shortestRun = 64 << 10;

/// Whether every member writes its piece to all results.
static bool isStreamed(const LocalExecution &execution) {
  if (execution.spec.kind != CollectiveKind::AllGather)
    return false;
  int64_t result = getBytes(execution.spec.resultShape, execution.spec.dtype);
  // The first piece is the largest.
  return result >= streamFrom &&
         execution.plan.pieces[0].getRunBytes() >= shortestRun;
}

/// Reads the own operand once, rather than once per member.
static bool streamPieces(const LocalExecution &execution, std::string &error) {
  const CollectivePlan &plan = execution.plan;
  Rendezvous &meeting = execution.meeting;
  if (!meeting.meet(plan.position, error))
    return false;
  const char *operand = static_cast<const char *>(execution.operand);
  // An all_gather's piece has its place in every result.
  plan.pieces[plan.position].forEachRun(
      [&](int64_t from, int64_t to, int64_t bytes) {
        streamBytes(meeting.getResults(), plan.group.size(), to, operand + from,
                    bytes);
      });
  finishStreaming();
  return meeting.meet(plan.position, error);
}

bool cleave::rt::exchangePieces(const LocalExecution &execution,
                                std::string &error) {
  const CollectivePlan &plan = execution.plan;
  Rendezvous &meeting = execution.meeting;
  meeting.publish(plan.position, execution.operand, execution.result);
  if (isStreamed(execution))
    return streamPieces(execution, error);

  // The own piece while the others arrive.
  meeting.arrive(plan.position);
  plan.pieces[plan.position].run(execution.operand, execution.result);
  int64_t moved = plan.pieces[plan.position].getBytes();
  if (!meeting.wait(plan.position, error))
    return false;
  // Every member starts with another peer.
  size_t count = plan.pieces.size();
  for (size_t i = 1; i < count; ++i) {
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
