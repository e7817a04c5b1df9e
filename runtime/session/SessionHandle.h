//===- SessionHandle.h - What the session handle points to ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_SESSIONHANDLE_H
#define CLEAVE_RUNTIME_SESSION_SESSIONHANDLE_H

#include "runtime/session/Session.h"

struct cleave_rt_session {
  std::shared_ptr<cleave::rt::Session> session;
};

#endif // CLEAVE_RUNTIME_SESSION_SESSIONHANDLE_H
