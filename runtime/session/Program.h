//===- Program.h - A program as the session sees it -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_PROGRAM_H
#define CLEAVE_RUNTIME_SESSION_PROGRAM_H

#include "cleave-rt/session.h"
#include "runtime/core/Manifest.h"

#include <memory>

/// What the opaque program of session.h points to. The manifest is shared,
/// since a rank that could not be stopped may outlive its session and the
/// program.
struct cleave_rt_program {
  std::shared_ptr<const cleave::rt::Manifest> manifest;
  cleave_rt_step step;
};

namespace cleave::rt {

/// Position of the tensor called `name`, or -1.
int32_t findTensor(const std::vector<TensorSpec> &tensors, const char *name);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_PROGRAM_H
