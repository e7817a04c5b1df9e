//===- Execute.h - Run a loaded program and check it ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_EXECUTE_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_EXECUTE_H

#include "Measure.h"
#include "Outcome.h"
#include "Reference.h"
#include "passes/Codegen/Program/Jit.h"

namespace cleave::differential {

/// Runs one step with poisoned padding and one without: results must agree
/// with the reference, with each other bit for bit, and the counters of the
/// runtime with what the IR says. Sets the verdict.
void execute(const LoadedProgram &program, const Case &test,
             const Reference &reference,
             llvm::ArrayRef<CollectiveFigures> collectives, Outcome &outcome);

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_EXECUTE_H
