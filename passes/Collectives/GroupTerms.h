//===- GroupTerms.h - Bring terms of sums together --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_COLLECTIVES_GROUPTERMS_H
#define CLEAVE_PASSES_COLLECTIVES_GROUPTERMS_H

#include "mlir/IR/Block.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace cleave {

/// Reorders trees of additions and subtractions of `block` in which two or more
/// terms fulfil `isWanted`, with others in between, so that those are added
/// first: (a + x) + (b + y) becomes ((a + b) + x) + y for wanted a and b. Of
/// floats this changes the rounding, not more than any order of a sum does.
/// Returns whether it did.
bool groupTerms(mlir::Block &block,
                llvm::function_ref<bool(mlir::Value)> isWanted);

} // namespace cleave

#endif // CLEAVE_PASSES_COLLECTIVES_GROUPTERMS_H
