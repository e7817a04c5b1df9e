//===- Outcome.h - What became of a case ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_OUTCOME_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_OUTCOME_H

#include "llvm/ADT/StringRef.h"
#include <array>
#include <string>

namespace cleave::differential {

enum class Verdict {
  Pass,
  Invalid, // the case itself is at fault
  CompileError,
  LoadError,
  RunFailed,
  Mismatch,
  Padding, // what is in padding or in the arena changes a result
  Counters,
  Crash,
  Timeout,
};
llvm::StringRef name(Verdict verdict);

/// Sums over cases. A flat array, since it goes through a pipe.
struct Statistics {
  enum Entry {
    Cases,
    Ops,        // with an operand that is cut
    Replicated, // of these, executed by every rank as a whole
    Reshards,
    PlannedBytes,   // of the plans of all reshards
    PartitionBytes, // in the IR after partitioning
    FinalBytes,     // after the passes on collectives
    GatherBytes,    // if each op gathered its operands
    InexactOutputs,
    ByNoise, // of these, right only by what the error model allows
    // CPU seconds.
    EvaluateTime,
    ShardTime,
    PartitionTime,
    LowerTime,
    CodegenTime,
    EmitTime,
    LoadTime,
    RunTime,
    NumEntries
  };
  std::array<double, NumEntries> values{};

  double &operator[](Entry entry) { return values[entry]; }
  double operator[](Entry entry) const { return values[entry]; }
  void operator+=(const Statistics &other) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] += other.values[i];
  }
};

struct Outcome {
  Verdict verdict = Verdict::Pass;
  std::string message;
  Statistics statistics;

  bool passed() const { return verdict == Verdict::Pass; }
  /// Whether both failed, and for the same reason as far as can be told.
  bool isLike(const Outcome &other) const;
};

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_OUTCOME_H
