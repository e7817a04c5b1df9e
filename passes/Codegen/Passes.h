//===- Passes.h - Code generation passes ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_PASSES_H
#define CLEAVE_PASSES_CODEGEN_PASSES_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace cleave {

#define GEN_PASS_DECL
#include "passes/Codegen/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "passes/Codegen/Passes.h.inc"

} // namespace cleave

#endif // CLEAVE_PASSES_CODEGEN_PASSES_H
