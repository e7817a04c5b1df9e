//===- Passes.h - Fewer and cheaper collectives -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_COLLECTIVES_PASSES_H
#define CLEAVE_PASSES_COLLECTIVES_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cleave {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "passes/Collectives/Passes.h.inc"

} // namespace cleave

#endif // CLEAVE_PASSES_COLLECTIVES_PASSES_H
