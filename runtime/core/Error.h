//===- Error.h - Errors inside the runtime ----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside the runtime a failure is an exception of type Error; at the C ABI
// guard() turns it into a status and the thread's last error text.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_ERROR_H
#define CLEAVE_RUNTIME_CORE_ERROR_H

#include "cleave-rt/session.h"

#include <exception>
#include <new>
#include <stdexcept>
#include <string>

namespace cleave::rt {

/// A failure with the status it maps to at the ABI.
class Error : public std::runtime_error {
public:
  Error(int32_t status, const std::string &text)
      : std::runtime_error(text), status(status) {}
  int32_t getStatus() const { return status; }

private:
  int32_t status;
};

[[noreturn]] void throwBadInput(const std::string &text);
[[noreturn]] void throwRunFailed(const std::string &text);

/// Sets what cleave_rt_last_error returns on this thread.
void setLastError(const std::string &text);

/// Runs `body`; an exception becomes its status and the last error.
template <typename Body> int32_t guard(Body &&body) {
  try {
    body();
    return CLEAVE_RT_OK;
  } catch (const Error &error) {
    setLastError(error.what());
    return error.getStatus();
  } catch (const std::bad_alloc &) {
    setLastError("out of memory");
    return CLEAVE_RT_RUN_FAILED;
  } catch (const std::exception &error) {
    setLastError(std::string("internal error: ") + error.what());
    return CLEAVE_RT_RUN_FAILED;
  }
}

/// `text` with control characters and bytes that are not printable ASCII or
/// UTF-8 escaped, cut to a readable length: names from files enter diagnostics.
std::string quote(const std::string &text);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_ERROR_H
