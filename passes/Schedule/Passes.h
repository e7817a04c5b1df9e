//===- Passes.h - Passes from graphs to programs ----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_PASSES_H
#define CLEAVE_PASSES_SCHEDULE_PASSES_H

#include "dialects/Exec/ExecDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cleave {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Schedule/Passes.h.inc"

} // namespace cleave

#endif // CLEAVE_PASSES_SCHEDULE_PASSES_H
