//===- UnreducedCopies.h - Whole values stored as terms ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_UNREDUCEDCOPIES_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_UNREDUCEDCOPIES_H

#include "mlir/IR/BuiltinOps.h"

namespace cleave::reader {

/// Replaces `sdy.replicated_to_unreduced` and `sdy.sharded_to_unreduced` by
/// their operands: the values are the same ones, and terms that do not exist
/// need not be made. Shardings of what is computed from them say no longer that
/// it is unreduced over these axes, up to where they say that it is reduced.
/// Over other axes, and in what enters or leaves a manual computation, where
/// the terms are what the code computes with, they remain.
void replaceUnreducedCopies(mlir::ModuleOp module);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_UNREDUCEDCOPIES_H
