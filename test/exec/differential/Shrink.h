//===- Shrink.h - Make a failing case small ---------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_SHRINK_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_SHRINK_H

#include "Case.h"
#include "Outcome.h"
#include <functional>

namespace cleave::differential {

/// Removes outputs, ops, annotations and mesh axes as long as `fails` says
/// that the case still fails the same way; stops after `seconds`.
Case shrink(const Case &test, double seconds,
            const std::function<bool(const Case &)> &fails);

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_SHRINK_H
