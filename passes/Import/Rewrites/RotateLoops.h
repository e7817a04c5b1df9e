//===- RotateLoops.h - Loops that carry their condition ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_REWRITES_ROTATELOOPS_H
#define CLEAVE_PASSES_IMPORT_REWRITES_ROTATELOOPS_H

#include "dialects/StableHLO/StableHLODialect.h"

namespace cleave::reader {

/// Whether the regions are what a loop or branch has: one block each, with
/// arguments for `variables`, and a return.
bool hasSimpleRegions(mlir::Operation *op, unsigned variables);
/// Whether an op is a loop of such regions, which return one condition and the
/// variables.
bool isSimpleLoop(mlir::Operation *op);

/// Makes a simple loop anew that carries its condition, computed once before
/// the loop and at the end of each round: what is computed for a condition can
/// be carried on from the body, but not from the region that returns it.
void rotateLoop(stablehlo::WhileOp op);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_REWRITES_ROTATELOOPS_H
