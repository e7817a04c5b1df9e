//===- Abi.cpp - The functions that generated programs call ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/gpu.h"
#include "cleave-rt/session.h"
#include "runtime/communicators/CollectivePlan.h"
#include "runtime/core/Error.h"
#include "runtime/session/Rank.h"

using namespace cleave::rt;

/// Turns an exception into the rank's error. An earlier error stays, since it
/// is the cause.
template <typename Body>
static int32_t perform(cleave_rt_rank *rank, Body &&body) {
  try {
    body();
  } catch (const std::exception &error) {
    if (rank->error.empty())
      rank->error = error.what();
    return CLEAVE_RT_RUN_FAILED;
  }
  return CLEAVE_RT_OK;
}

/// Runs one operation and records when, on a stream.
template <typename Body>
static void trace(cleave_rt_rank *rank, int32_t stream, EventKind kind,
                  int32_t id, Body &&body) {
  if (!rank->isTracing)
    return body();
  Clock::time_point begin = Clock::now();
  body();
  rank->events[stream].push_back({kind, id, begin, Clock::now()});
}

/// Both, for the compute stream.
template <typename Body>
static int32_t compute(cleave_rt_rank *rank, EventKind kind, int32_t id,
                       Body &&body) {
  return perform(rank, [&] { trace(rank, CLEAVE_RT_COMPUTE, kind, id, body); });
}

static void checkId(const char *what, int32_t id, size_t count) {
  if (id < 0 || static_cast<size_t>(id) >= count)
    throwRunFailed(std::string("the program asked for ") + what + " " +
                   std::to_string(id) + " of " + std::to_string(count));
}

static void checkStream(int32_t stream) {
  checkId("stream", stream, CLEAVE_RT_NUM_STREAMS);
}

/// Runs a collective on the stream that calls.
static void runCollective(const StreamWork &work) {
  auto *rank = static_cast<cleave_rt_rank *>(work.context);
  const CollectiveSpec &spec = rank->manifest->collectives[work.id];
  injectFault(*rank, work.number, spec);
  // Only one stream communicates, and what does not is never waited for.
  bool communicates = spec.kind != CollectiveKind::AllSlice;
  if (communicates)
    rank->state->setCollective(rank->number, work.id);
  std::string error;
  if (!rank->communicator->run(rank->number, work.id, work.operand, work.result,
                               error, work.stream))
    throwRunFailed(error);
  if (communicates)
    rank->state->setCollective(rank->number, -1);
  ++rank->collectiveCounts[work.id];
}

extern "C" int32_t cleave_rt_launch(cleave_rt_rank *rank,
                                    cleave_rt_kernel kernel,
                                    void *const *buffers, int64_t extent) {
  return compute(rank, EventKind::Launch, rank->numLaunches++,
                 [&] { rank->device->launch(kernel, buffers, extent); });
}

extern "C" int32_t cleave_rt_gpu_launch(cleave_rt_rank *rank,
                                        const cleave_rt_gpu_kernel *kernel,
                                        void *const *buffers,
                                        const char *location) {
  return compute(rank, EventKind::Launch, rank->numLaunches++, [&] {
    rank->device->launchKernel(*kernel, buffers, location);
  });
}

extern "C" int32_t cleave_rt_gpu_constant(cleave_rt_rank *rank,
                                          const void *data, int64_t bytes,
                                          const void **copy) {
  return perform(rank, [&] { *copy = rank->device->getConstant(data, bytes); });
}

extern "C" int32_t cleave_rt_collective(cleave_rt_rank *rank, int32_t stream,
                                        int32_t id, const void *operand,
                                        void *result) {
  return perform(rank, [&] {
    checkStream(stream);
    checkId("collective", id, rank->manifest->collectives.size());
    if (rank->device->isRecording())
      rank->recordedCollectives.push_back(id);
    StreamWork work{runCollective, rank,   id,    rank->numCollectives++,
                    operand,       result, stream};
    if (stream == CLEAVE_RT_COMPUTE)
      return trace(rank, stream, EventKind::Collective, id,
                   [&] { runCollective(work); });
    work.run = [](const StreamWork &work) {
      trace(static_cast<cleave_rt_rank *>(work.context),
            CLEAVE_RT_COMMUNICATION, EventKind::Collective, work.id,
            [&] { runCollective(work); });
    };
    rank->device->start(stream, work);
  });
}

extern "C" int32_t cleave_rt_record(cleave_rt_rank *rank, int32_t event,
                                    int32_t stream) {
  return perform(rank, [&] {
    checkStream(stream);
    checkId("event", event, rank->manifest->numEvents);
    if (rank->checker)
      rank->checker->record(event, stream);
    rank->device->record(event, stream);
  });
}

extern "C" int32_t cleave_rt_wait(cleave_rt_rank *rank, int32_t event,
                                  int32_t stream) {
  return perform(rank, [&] {
    checkStream(stream);
    checkId("event", event, rank->manifest->numEvents);
    if (rank->checker)
      rank->checker->wait(event, stream);
    rank->device->wait(event, stream);
  });
}

extern "C" int32_t cleave_rt_condition(cleave_rt_rank *rank,
                                       const void *condition, int32_t *value) {
  return perform(rank, [&] {
    *value = rank->device->readCondition(condition);
    if (rank->checker)
      rank->checker->synchronize(CLEAVE_RT_COMPUTE);
  });
}

extern "C" int32_t cleave_rt_access(cleave_rt_rank *rank, int32_t stream,
                                    const void *data, int64_t bytes,
                                    int32_t writes, const char *what) {
  return perform(rank, [&] {
    checkStream(stream);
    if (rank->checker)
      rank->checker->access(stream, data, bytes, writes != 0, what);
  });
}

extern "C" int32_t cleave_rt_gemm(cleave_rt_rank *rank, int32_t id,
                                  const void *a, const void *b,
                                  const void *bias, const void *residual,
                                  void *out) {
  return compute(rank, EventKind::Gemm, id, [&] {
    checkId("gemm", id, rank->manifest->gemms.size());
    rank->device->gemm(id, a, b, bias, residual, out);
  });
}

extern "C" int32_t cleave_rt_convolution(cleave_rt_rank *rank, int32_t id,
                                         const void *lhs, const void *kernel,
                                         const void *bias, const void *residual,
                                         void *out) {
  return compute(rank, EventKind::Convolution, id, [&] {
    checkId("convolution", id, rank->manifest->convolutions.size());
    rank->device->convolve(id, lhs, kernel, bias, residual, out);
  });
}

extern "C" int32_t cleave_rt_copy(cleave_rt_rank *rank, const void *from,
                                  void *to, int64_t bytes) {
  return compute(rank, EventKind::Copy, rank->numCopies++,
                 [&] { rank->device->copy(from, to, bytes); });
}

extern "C" int32_t cleave_rt_axis_index(cleave_rt_rank *rank, int32_t id,
                                        int32_t *result) {
  return perform(rank, [&] {
    checkId("axis list", id, rank->axisIndices.size());
    rank->device->storeIndex(rank->axisIndices[id], result);
  });
}

extern "C" int32_t cleave_rt_operation(cleave_rt_rank *rank, int32_t position) {
  return perform(rank, [&] {
    if (rank->guarded)
      rank->guarded->enter(position);
  });
}
