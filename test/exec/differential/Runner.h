//===- Runner.h - Compile and run one case ----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_RUNNER_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_RUNNER_H

#include "Case.h"
#include "Outcome.h"
#include "mlir/Pass/PassManager.h"

namespace cleave::differential {

/// Changes the module between phases; used by mutants.
using Mutation = std::function<void(mlir::ModuleOp)>;

/// Compiles the case in memory, runs it with as many ranks as its mesh has,
/// and compares each output with its reference. `mutate`, if given, is applied
/// after the phase `mutateAfter`.
Outcome runCase(const Case &test, llvm::StringRef mutateAfter = {},
                Mutation mutate = {});

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_RUNNER_H
