//===- FrontendShardings.h - Shardings kept as text -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs that went through HLO keep Shardy's meshes and shardings as text:
// `mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<...>"}`.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDSHARDINGS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDSHARDINGS_H

#include "mlir/IR/BuiltinOps.h"

namespace cleave::reader {

/// Makes `sdy.mesh`es and `sdy.sharding`s of the text. What has an
/// `sdy.sharding` already keeps it. Fails, with a diagnostic, on text that is
/// none.
mlir::LogicalResult readFrontendShardings(mlir::ModuleOp module);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDSHARDINGS_H
