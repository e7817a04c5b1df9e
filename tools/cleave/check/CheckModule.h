//===- CheckModule.h - Check one module -------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_CHECK_CHECKMODULE_H
#define CLEAVE_TOOLS_CLEAVE_CHECK_CHECKMODULE_H

#include "tools/cleave/Model.h"
#include "tools/cleave/check/CheckFiles.h"
#include "tools/cleave/check/CheckResult.h"

namespace cleave::tool {

/// Compiles a module, runs it and compares what it computes with what it
/// expects. Everything that goes wrong is in the result.
CheckResult checkModule(const CheckInput &input, const Options &options,
                        mlir::MLIRContext &context, const Target &target);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_CHECK_CHECKMODULE_H
