//===- FlattenBranches.h - Branches in computations -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_REWRITES_FLATTENBRANCHES_H
#define CLEAVE_PASSES_IMPORT_REWRITES_FLATTENBRANCHES_H

#include "mlir/IR/BuiltinOps.h"

namespace cleave::reader {

/// Makes selections of `if` and `case` in the computations of reductions, sorts
/// and the like, where computing all branches ends and has no effects: cleave's
/// computations are without control flow.
void flattenBranches(mlir::ModuleOp module);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_REWRITES_FLATTENBRANCHES_H
