//===- Register.h - Everything Cleave adds to MLIR --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_REGISTER_H
#define CLEAVE_PASSES_REGISTER_H

#include "mlir/IR/DialectRegistry.h"

namespace cleave {

/// The dialects cleave, spmd and exec, what they depend on, and the sharding
/// rules of upstream ops.
void registerDialects(mlir::DialectRegistry &registry);
/// All passes and pipelines.
void registerPasses();

} // namespace cleave

#endif // CLEAVE_PASSES_REGISTER_H
