//===- NcclExchange.cpp - Collectives that only move data -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/nccl/NcclCommunicator.h"
#include "runtime/devices/DeviceCopy.h"

using namespace cleave::rt;

/// Whether all pieces are operands as they are, one after the other.
static bool isPlainGather(const NcclExecution &execution) {
  if (execution.spec.kind != CollectiveKind::AllGather)
    return false;
  int64_t bytes = getBytes(execution.spec.operandShape, execution.spec.dtype);
  for (size_t i = 0; i < execution.getCount(); ++i) {
    const CopyPlan &piece = execution.plan.pieces[i];
    if (!piece.isContiguous() || piece.getBytes() != bytes ||
        piece.getToStart() != static_cast<int64_t>(i) * bytes)
      return false;
  }
  return bytes > 0;
}

/// Sends and receives of all members at once.
static void exchangeMessages(const NcclExecution &execution) {
  const CleaveNcclApi &api = execution.api;
  const CollectivePlan &plan = execution.plan;
  CudaDevice &device = execution.device;
  char *scratch = execution.scratch;
  auto take = [&](int64_t bytes) {
    char *data = scratch;
    scratch += bytes;
    return data;
  };
  size_t own = plan.position, count = execution.getCount();
  std::vector<const char *> outgoing(count);
  std::vector<char *> incoming(count);
  for (size_t peer = 0; peer < count; ++peer) {
    const CopyPlan &sent = *execution.sends[peer];
    const CopyPlan &received = plan.pieces[peer];
    if (peer == own)
      continue;
    outgoing[peer] =
        static_cast<const char *>(execution.operand) + sent.getFromStart();
    incoming[peer] =
        static_cast<char *>(execution.result) + received.getToStart();
    if (!sent.isContiguous()) {
      char *packed = take(sent.getBytes());
      packBox(device, execution.stream, sent, execution.operand, packed);
      outgoing[peer] = packed;
    }
    if (!received.isContiguous())
      incoming[peer] = take(received.getBytes());
  }
  checkCuda(api.beginGroup());
  const char *text = nullptr;
  for (size_t peer = 0; peer < count && !text; ++peer) {
    int64_t sent = execution.sends[peer]->getBytes();
    int64_t received = plan.pieces[peer].getBytes();
    if (peer != own && sent)
      text = api.send(execution.communicator, outgoing[peer], sent,
                      static_cast<int32_t>(peer), execution.getStream());
    if (peer != own && received && !text)
      text = api.receive(execution.communicator, incoming[peer], received,
                         static_cast<int32_t>(peer), execution.getStream());
  }
  std::string reason = text ? text : "";
  const char *ended = api.endGroup();
  checkCuda(text ? reason.c_str() : ended);
  for (size_t peer = 0; peer < count; ++peer)
    if (peer != own && !plan.pieces[peer].isContiguous())
      unpackBox(device, execution.stream, plan.pieces[peer], incoming[peer],
                execution.result);
}

void cleave::rt::exchangePieces(const NcclExecution &execution) {
  const CollectiveSpec &spec = execution.spec;
  const CollectivePlan &plan = execution.plan;
  int64_t bytes = getBytes(spec.resultShape, spec.dtype);
  if (execution.communicator && isPlainGather(execution))
    return checkCuda(execution.api.allGather(
        execution.communicator, execution.operand, execution.result,
        getBytes(spec.operandShape, spec.dtype), execution.getStream()));
  if (execution.communicator && spec.kind == CollectiveKind::Broadcast)
    return checkCuda(execution.api.broadcast(
        execution.communicator, execution.operand, execution.result, bytes,
        spec.root, execution.getStream()));
  int64_t moved = 0;
  for (const CopyPlan &piece : plan.pieces)
    moved += piece.getBytes();
  // A rank that is no target.
  if (spec.kind == CollectiveKind::CollectivePermute && !moved)
    execution.device.fill(execution.result, 0, bytes, execution.stream);
  copyBox(execution.device, execution.stream, plan.pieces[plan.position],
          execution.operand, execution.result);
  if (execution.communicator)
    exchangeMessages(execution);
}

static int64_t getExchangeBytes(const CollectivePlan &plan,
                                const std::vector<const CopyPlan *> &sends) {
  int64_t bytes = 0;
  for (size_t peer = 0; peer < plan.group.size(); ++peer) {
    if (!sends[peer]->isContiguous())
      bytes += sends[peer]->getBytes();
    if (!plan.pieces[peer].isContiguous())
      bytes += plan.pieces[peer].getBytes();
  }
  return bytes;
}

/// The longest part of any member.
static int64_t getLongest(const std::vector<const CopyPlan *> &sends) {
  int64_t longest = 0;
  for (const CopyPlan *piece : sends)
    longest = std::max(longest, piece->getBytes());
  return longest;
}

int64_t
cleave::rt::getNcclScratchBytes(const CollectiveSpec &spec,
                                const CollectivePlan &plan,
                                const std::vector<const CopyPlan *> &sends) {
  int64_t count = plan.group.size();
  int64_t whole = getBytes(spec.operandShape, spec.dtype);
  switch (spec.kind) {
  case CollectiveKind::AllReduce:
    return isForNccl(spec) ? 0 : count * whole;
  case CollectiveKind::ReduceScatter:
    return isForNccl(spec) ? (count + 1) * getLongest(sends) : count * whole;
  default:
    return getExchangeBytes(plan, sends);
  }
}

int64_t cleave::rt::getNcclStagingBytes(const CollectiveSpec &spec,
                                        const CollectivePlan &plan) {
  if (!isReducedOnHost(spec))
    return 0;
  int64_t whole = getBytes(spec.operandShape, spec.dtype);
  return whole * static_cast<int64_t>(plan.group.size() + 1);
}
