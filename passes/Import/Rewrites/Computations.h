//===- Computations.h - Regions that compute scalars ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_REWRITES_COMPUTATIONS_H
#define CLEAVE_PASSES_IMPORT_REWRITES_COMPUTATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace cleave::reader {

/// Whether the regions of an op are functions of scalars that it applies to
/// elements: reductions, maps, sorts, scatters, collectives that reduce.
bool hasComputations(mlir::Operation *op);

/// Loops over elements instead of maps, reductions, reductions of windows,
/// sorts, scatters and selections with scatters whose computations are more
/// than elementwise ops on scalars: with loops, tensors, reductions inside, or
/// tensors from outside. Malformed ops stay, for the import to refuse.
void expandComputations(mlir::ModuleOp module);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_REWRITES_COMPUTATIONS_H
