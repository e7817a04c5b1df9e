//===- Exchange.cpp - Collectives that only move data ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiCommunicator.h"

#include <cstring>

using namespace cleave::rt;

int64_t cleave::rt::getMpiExchangeScratchBytes(
    const CollectivePlan &plan, const std::vector<const CopyPlan *> &sends) {
  int64_t bytes = 0;
  for (size_t j = 0; j < plan.group.size(); ++j) {
    if (static_cast<int32_t>(j) == plan.position)
      continue;
    if (!plan.pieces[j].isContiguous())
      bytes += plan.pieces[j].getBytes();
    if (!sends[j]->isContiguous())
      bytes += sends[j]->getBytes();
  }
  return bytes;
}

bool cleave::rt::exchangePieces(const MpiExecution &execution) {
  const CollectivePlan &plan = execution.plan;
  Messages &messages = execution.messages[0];
  const char *operand = static_cast<const char *>(execution.operand);
  char *result = static_cast<char *>(execution.result);
  size_t count = plan.group.size();
  int64_t moved = 0, used = 0;

  // Receives first, so that what arrives finds its place. Every member starts
  // with another peer.
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (plan.position + i) % count;
    const CopyPlan &piece = plan.pieces[peer];
    moved += piece.getBytes();
    char *target = result + piece.getToStart();
    if (!piece.isContiguous()) {
      target = execution.scratch + used;
      used += piece.getBytes();
    }
    messages.receive(target, piece.getBytes(), plan.group[peer], execution.tag);
  }
  for (size_t i = 1; i < count; ++i) {
    size_t peer = (plan.position + count - i) % count;
    const CopyPlan &piece = *execution.sends[peer];
    const char *source = operand + piece.getFromStart();
    if (!piece.isContiguous()) {
      source = execution.scratch + used;
      piece.pack(operand, execution.scratch + used);
      used += piece.getBytes();
    }
    messages.send(source, piece.getBytes(), plan.group[peer], execution.tag);
  }
  plan.pieces[plan.position].run(operand, result);
  moved += plan.pieces[plan.position].getBytes();
  // A rank that is no target. An empty buffer may be null, which memset may not
  // get.
  int64_t bytes = getBytes(execution.spec.resultShape, execution.spec.dtype);
  if (execution.spec.kind == CollectiveKind::CollectivePermute && !moved &&
      bytes)
    std::memset(result, 0, bytes);
  if (!execution.wait(messages))
    return false;

  used = 0;
  for (size_t i = 1; i < count; ++i) {
    const CopyPlan &piece = plan.pieces[(plan.position + i) % count];
    if (piece.isContiguous())
      continue;
    piece.unpack(execution.scratch + used, result);
    used += piece.getBytes();
  }
  return true;
}
