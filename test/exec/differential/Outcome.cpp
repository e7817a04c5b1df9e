//===- Outcome.cpp - What became of a case --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Outcome.h"
#include "llvm/ADT/StringExtras.h"

using namespace cleave::differential;

llvm::StringRef cleave::differential::name(Verdict verdict) {
  switch (verdict) {
  case Verdict::Pass:
    return "pass";
  case Verdict::Invalid:
    return "invalid case";
  case Verdict::CompileError:
    return "compile error";
  case Verdict::LoadError:
    return "load error";
  case Verdict::RunFailed:
    return "run failed";
  case Verdict::Mismatch:
    return "mismatch";
  case Verdict::Padding:
    return "result depends on padding";
  case Verdict::Counters:
    return "wrong counters";
  case Verdict::Crash:
    return "crash";
  case Verdict::Timeout:
    return "timeout";
  }
  return "unknown";
}

/// The first line, without what a smaller case changes: numbers and what is
/// quoted.
static std::string skeleton(llvm::StringRef message) {
  std::string result;
  for (char c : message.take_until([](char c) { return c == '\n'; })) {
    if (c == '\'' || c == '<' || c == '(' || c == '[')
      break;
    if (!llvm::isDigit(c))
      result += c;
  }
  return result;
}

bool Outcome::isLike(const Outcome &other) const {
  if (verdict != other.verdict)
    return false;
  return verdict != Verdict::CompileError ||
         skeleton(message) == skeleton(other.message);
}
