//===- Rank.cpp - One rank of a running program ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/Rank.h"
#include "runtime/core/Error.h"

using namespace cleave::rt;

void cleave::rt::injectFault(const cleave_rt_rank &rank, int64_t number,
                             const CollectiveSpec &spec) {
  const Fault &fault = rank.fault;
  if (fault.rank != rank.number || fault.collective != number)
    return;
  if (fault.isHang)
    rank.state->hang();
  throwRunFailed(describe(spec) + ": stopped by CLEAVE_RT_FAULT");
}

void cleave::rt::repeatCollectives(cleave_rt_rank &rank) {
  for (int32_t id : rank.recordedCollectives) {
    injectFault(rank, rank.numCollectives++, rank.manifest->collectives[id]);
    ++rank.collectiveCounts[id];
  }
}
