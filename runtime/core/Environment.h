//===- Environment.h - Numbers in environment variables ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_ENVIRONMENT_H
#define CLEAVE_RUNTIME_CORE_ENVIRONMENT_H

#include <cstdint>
#include <cstdlib>

namespace cleave::rt {

/// An environment variable's value; false, and `number` as it was, if it is not
/// a number from 0 to INT32_MAX.
inline bool getEnvironmentNumber(const char *name, int32_t &number) {
  const char *text = std::getenv(name);
  char *end;
  long value = text ? std::strtol(text, &end, 10) : 0;
  if (!text || !*text || *end || value < 0 || value > INT32_MAX)
    return false;
  number = static_cast<int32_t>(value);
  return true;
}

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_ENVIRONMENT_H
