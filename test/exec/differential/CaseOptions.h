//===- CaseOptions.h - Which random cases to run ----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_CASEOPTIONS_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_CASEOPTIONS_H

#include "cleave/Support/Isolation.h"
#include "llvm/Support/CommandLine.h"

namespace cleave {

/// Options of a program that runs random cases: one static instance.
struct CaseOptions {
  CaseOptions(llvm::cl::OptionCategory &category, unsigned number,
              double seconds)
      : cases("cases", llvm::cl::init(number), llvm::cl::cat(category),
              llvm::cl::desc("Number of cases")),
        first("first", llvm::cl::init(0), llvm::cl::cat(category),
              llvm::cl::desc("Number of the first case")),
        seed("seed", llvm::cl::init(1), llvm::cl::cat(category),
             llvm::cl::desc("Seed of all cases")),
        jobs("jobs", llvm::cl::init(1), llvm::cl::cat(category),
             llvm::cl::desc("Cases at a time")),
        timeout("timeout", llvm::cl::init(seconds), llvm::cl::cat(category),
                llvm::cl::desc("Processor seconds for one case")),
        print("print-case", llvm::cl::cat(category),
              llvm::cl::desc("Print the cases, do not run them")) {}

  /// How to run them in children that take `batch` cases each.
  IsolationOptions getIsolation(unsigned batch) const {
    return {jobs, batch, maxSlowdown * timeout, timeout};
  }

  llvm::cl::opt<unsigned> cases, first, seed, jobs;
  llvm::cl::opt<double> timeout;
  llvm::cl::opt<bool> print;

private:
  /// A case that sleeps uses no processor: the most that its `--timeout` may
  /// take on a machine that does other work beside it.
  static constexpr double maxSlowdown = 60;
};

} // namespace cleave

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_CASEOPTIONS_H
