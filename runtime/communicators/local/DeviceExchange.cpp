//===- DeviceExchange.cpp - Collectives between parts of a GPU ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ranks that are threads and have their buffers in the memory of a GPU: the
// same one, or several that reach each other. Members wait on the host for
// their own streams before they meet, so that peers may read what is there.
//
// Data moves from buffer to buffer. Reductions take the way over the host, in
// whose memory the operands of the own part are gathered: the same bits as
// without a GPU, at the price of two transfers.
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/local/LocalCommunicator.h"
#include "runtime/core/Reduce.h"
#include "runtime/devices/DeviceCopy.h"

using namespace cleave::rt;

/// The own part of the result, reduced from all operands, into every one of
/// `results`.
static void reducePart(const LocalExecution &execution, const CopyPlan &part,
                       const Rendezvous::Offers &offers, void *const *results,
                       size_t numResults) {
  const CollectiveSpec &spec = execution.spec;
  Device &device = *execution.device;
  int32_t stream = execution.stream;
  char *staging = static_cast<char *>(execution.staging);
  size_t count = execution.plan.group.size();
  int64_t bytes = part.getBytes();
  std::vector<const void *> operands;
  for (size_t i = 0; i < count; ++i) {
    packBox(device, stream, part, offers.operands[i], staging + i * bytes);
    operands.push_back(staging + i * bytes);
  }
  device.finish(stream, describe(spec));
  char *reduced = staging + count * bytes;
  reduce(spec.dtype, spec.reduction, operands.data(), count, 0, reduced,
         bytes / getSize(spec.dtype));
  for (size_t i = 0; i < numResults; ++i)
    unpackBox(device, stream, part, reduced, results[i]);
}

static void exchange(const LocalExecution &execution) {
  const CollectiveSpec &spec = execution.spec;
  const CollectivePlan &plan = execution.plan;
  const CopyPlan &own = plan.pieces[plan.position];
  const Rendezvous::Offers &offers =
      execution.meeting.readOffers(plan.position);
  if (spec.kind == CollectiveKind::AllReduce)
    return reducePart(execution, own, offers, offers.results.data(),
                      plan.group.size());
  if (spec.kind == CollectiveKind::ReduceScatter)
    return reducePart(execution, own, offers, &execution.result, 1);
  int64_t moved = 0;
  for (size_t peer = 0; peer < plan.pieces.size(); ++peer) {
    copyBox(*execution.device, execution.stream, plan.pieces[peer],
            offers.operands[peer], execution.result);
    moved += plan.pieces[peer].getBytes();
  }
  // A rank that is no target.
  if (spec.kind == CollectiveKind::CollectivePermute && !moved)
    execution.device->fill(execution.result, 0,
                           getBytes(spec.resultShape, spec.dtype),
                           execution.stream);
}

bool cleave::rt::exchangeOnDevice(const LocalExecution &execution,
                                  std::string &error) {
  const CollectivePlan &plan = execution.plan;
  Rendezvous &meeting = execution.meeting;
  std::string where = describe(execution.spec);
  execution.device->finish(execution.stream, where);
  meeting.publish(plan.position, execution.operand, execution.result);
  if (!meeting.meet(plan.position, error))
    return false;
  exchange(execution);
  execution.device->finish(execution.stream, where);
  return meeting.meet(plan.position, error);
}

int64_t cleave::rt::getDeviceStagingBytes(const CollectiveSpec &spec,
                                          const CollectivePlan &plan) {
  bool reduces = spec.kind == CollectiveKind::AllReduce ||
                 spec.kind == CollectiveKind::ReduceScatter;
  if (!plan.isMember || !reduces)
    return 0;
  return plan.pieces[plan.position].getBytes() *
         static_cast<int64_t>(plan.group.size() + 1);
}
