//===- CheckReport.h - What `cleave check` prints ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_CHECK_CHECKREPORT_H
#define CLEAVE_TOOLS_CLEAVE_CHECK_CHECKREPORT_H

#include "tools/cleave/check/CheckFiles.h"
#include "tools/cleave/check/CheckResult.h"
#include <optional>

namespace cleave::tool {

/// Prints results in the order of the inputs, however they arrive: text as soon
/// as all before it are there, JSON at the end.
class CheckReport {
public:
  CheckReport(llvm::ArrayRef<CheckInput> inputs, const Options &options);

  void add(size_t index, CheckResult result);
  /// Prints the totals; returns the exit status.
  int finish();

private:
  void printLine(size_t index) const;
  void printJson() const;
  void printTimes() const;
  int count(CheckResult::Verdict verdict) const;

  llvm::ArrayRef<CheckInput> inputs;
  const Options &options;
  std::vector<std::optional<CheckResult>> results;
  size_t numPrinted = 0;
  /// Over all modules.
  CheckResult total;
};

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_CHECK_CHECKREPORT_H
