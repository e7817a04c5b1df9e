//===- Error.cpp - Errors inside the runtime ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Error.h"

#include <cstdio>

using namespace cleave::rt;

static std::string &lastError() {
  static thread_local std::string text;
  return text;
}

void cleave::rt::throwBadInput(const std::string &text) {
  throw Error(CLEAVE_RT_BAD_INPUT, text);
}

void cleave::rt::throwRunFailed(const std::string &text) {
  throw Error(CLEAVE_RT_RUN_FAILED, text);
}

void cleave::rt::setLastError(const std::string &text) { lastError() = text; }

std::string cleave::rt::quote(const std::string &text) {
  constexpr size_t limit = 200;
  std::string result = "'";
  for (size_t i = 0; i < text.size() && i < limit; ++i) {
    unsigned char c = text[i];
    if (c < 0x20 || c == 0x7f || c == '\\') {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\x%02x", c);
      result += escape;
    } else {
      result += static_cast<char>(c);
    }
  }
  if (text.size() > limit)
    result += "...";
  return result + "'";
}

extern "C" const char *cleave_rt_last_error(void) {
  return lastError().c_str();
}
