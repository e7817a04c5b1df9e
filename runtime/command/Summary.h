//===- Summary.h - What a run prints ----------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMAND_SUMMARY_H
#define CLEAVE_RUNTIME_COMMAND_SUMMARY_H

#include "runtime/session/Session.h"

namespace cleave::rt {

/// Minimum, maximum and mean of the finite values of a tensor.
struct Statistics {
  double min = 0, max = 0, mean = 0;
  int64_t numFinite = 0, numElements = 0;
};
Statistics getStatistics(DType dtype, const void *data, int64_t count);

/// The result of a run, as text for people or as one JSON object.
struct Summary {
  const Session &session;
  std::vector<Statistics> outputs; ///< in manifest order
  std::vector<double> seconds;     ///< of timed steps
  bool showsCounters;

  std::string formatText() const;
  std::string formatJson() const;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMAND_SUMMARY_H
