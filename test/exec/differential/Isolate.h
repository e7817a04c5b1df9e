//===- Isolate.h - Run cases in child processes -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A crash or a hang of the compiler must cost one case and not the campaign.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_ISOLATE_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_ISOLATE_H

#include "Outcome.h"
#include "cleave/Support/Isolation.h"
#include <functional>

namespace cleave::differential {

/// Calls `run` for each number from `first` to `first + count` in child
/// processes; a number that crashes or takes too long ends its child and gets
/// an outcome that says so. `done` is called in this process, in order of
/// completion.
void runIsolated(uint64_t first, uint64_t count,
                 const IsolationOptions &options,
                 const std::function<Outcome(uint64_t)> &run,
                 const std::function<void(uint64_t, Outcome)> &done);

/// The same for one call.
Outcome runIsolated(const IsolationOptions &options,
                    const std::function<Outcome()> &run);

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_ISOLATE_H
