//===- CheckResult.h - What became of a module ------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_CHECK_CHECKRESULT_H
#define CLEAVE_TOOLS_CLEAVE_CHECK_CHECKRESULT_H

#include "cleave/Support/Isolation.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>
#include <vector>

namespace cleave::tool {

struct CheckWarning {
  /// `FILE:LINE:COLUMN`; empty if it is not known.
  std::string location;
  std::string text;

  bool operator==(const CheckWarning &other) const {
    return location == other.location && text == other.text;
  }
};

struct CheckResult {
  enum Verdict { Pass, Fail, Skip };
  Verdict verdict = Fail;
  /// Why not, in one line; of a pass, what was checked.
  std::string reason;
  /// Whether the command line is at fault, not the module.
  bool isBadUsage = false;
  int expectations = 0;
  int ranks = 0;
  /// Ops, by name, that got a cut operand whole since they have no form that
  /// works on its parts, and how many.
  std::map<std::string, int> gathered;
  /// What the compiler warned of, each once.
  std::vector<CheckWarning> warnings;
  /// Seconds of each step, in order.
  std::vector<std::pair<std::string, double>> times;

  int getNumGathered() const;
  void addTime(llvm::StringRef step, double seconds);

  /// For the way from the process that checked.
  std::string encode() const;
  static CheckResult decode(const IsolatedResult &result, double timeout);
};

llvm::StringRef stringify(CheckResult::Verdict verdict);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_CHECK_CHECKRESULT_H
