//===- Abi.cpp - The functions that generated programs call ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/session.h"
#include "runtime/core/CollectivePlan.h"
#include "runtime/core/Error.h"
#include "runtime/core/Rank.h"

using namespace cleave::rt;

/// Runs one operation of a rank: records its event, and turns an exception into
/// the rank's error. An earlier error stays, since it is the cause.
template <typename Body>
static int32_t perform(cleave_rt_rank *rank, EventKind kind, int32_t id,
                       Body &&body) {
  Clock::time_point begin;
  if (rank->isTracing)
    begin = Clock::now();
  try {
    body();
  } catch (const std::exception &error) {
    if (rank->error.empty())
      rank->error = error.what();
    return CLEAVE_RT_RUN_FAILED;
  }
  if (rank->isTracing)
    rank->events.push_back({kind, id, begin, Clock::now()});
  return CLEAVE_RT_OK;
}

static void checkId(const char *what, int32_t id, size_t count) {
  if (id < 0 || static_cast<size_t>(id) >= count)
    throwRunFailed(std::string("the program asked for ") + what + " " +
                   std::to_string(id) + " of " + std::to_string(count));
}

static void injectFault(cleave_rt_rank *rank, const CollectiveSpec &spec) {
  const Fault &fault = rank->fault;
  if (fault.rank != rank->number || fault.collective != rank->numCollectives)
    return;
  if (fault.isHang)
    rank->state->hang();
  throwRunFailed(describe(spec) + ": stopped by CLEAVE_RT_FAULT");
}

extern "C" int32_t cleave_rt_launch(cleave_rt_rank *rank,
                                    cleave_rt_kernel kernel,
                                    void *const *buffers, int64_t extent) {
  return perform(rank, EventKind::Launch, rank->numLaunches++,
                 [&] { rank->device->launch(kernel, buffers, extent); });
}

extern "C" int32_t cleave_rt_collective(cleave_rt_rank *rank, int32_t id,
                                        const void *operand, void *result) {
  return perform(rank, EventKind::Collective, id, [&] {
    checkId("collective", id, rank->manifest->collectives.size());
    injectFault(rank, rank->manifest->collectives[id]);
    ++rank->numCollectives;
    rank->state->setCollective(rank->number, id);
    std::string error;
    if (!rank->communicator->run(rank->number, id, operand, result, error))
      throwRunFailed(error);
    rank->state->setCollective(rank->number, -1);
    ++rank->collectiveCounts[id];
  });
}

extern "C" int32_t cleave_rt_gemm(cleave_rt_rank *rank, int32_t id,
                                  const void *a, const void *b,
                                  const void *bias, const void *residual,
                                  void *out) {
  return perform(rank, EventKind::Gemm, id, [&] {
    checkId("gemm", id, rank->manifest->gemms.size());
    rank->device->gemm(id, a, b, bias, residual, out);
  });
}

extern "C" int32_t cleave_rt_convolution(cleave_rt_rank *rank, int32_t id,
                                         const void *lhs, const void *kernel,
                                         const void *bias, const void *residual,
                                         void *out) {
  return perform(rank, EventKind::Convolution, id, [&] {
    checkId("convolution", id, rank->manifest->convolutions.size());
    rank->device->convolve(id, lhs, kernel, bias, residual, out);
  });
}

extern "C" int32_t cleave_rt_copy(cleave_rt_rank *rank, const void *from,
                                  void *to, int64_t bytes) {
  return perform(rank, EventKind::Copy, rank->numCopies++,
                 [&] { rank->device->copy(from, to, bytes); });
}

extern "C" int32_t cleave_rt_axis_index(cleave_rt_rank *rank, int32_t id) {
  // No status in this interface: an id that is out of range is a compiler bug,
  // and 0 is the least harmful answer.
  if (id < 0 || static_cast<size_t>(id) >= rank->axisIndices.size())
    return 0;
  return rank->axisIndices[id];
}

extern "C" int32_t cleave_rt_operation(cleave_rt_rank *rank, int32_t position) {
  try {
    if (rank->guarded)
      rank->guarded->enter(position);
    return CLEAVE_RT_OK;
  } catch (const std::exception &error) {
    if (rank->error.empty())
      rank->error = error.what();
    return CLEAVE_RT_RUN_FAILED;
  }
}

extern "C" const cleave_rt_symbol *cleave_rt_program_symbols(void) {
#define SYMBOL(name)                                                           \
  {                                                                            \
    #name, reinterpret_cast<void *>(name)                                      \
  }
  static const cleave_rt_symbol symbols[] = {
      SYMBOL(cleave_rt_launch),    SYMBOL(cleave_rt_collective),
      SYMBOL(cleave_rt_gemm),      SYMBOL(cleave_rt_convolution),
      SYMBOL(cleave_rt_copy),      SYMBOL(cleave_rt_axis_index),
      SYMBOL(cleave_rt_operation), {nullptr, nullptr}};
#undef SYMBOL
  return symbols;
}
