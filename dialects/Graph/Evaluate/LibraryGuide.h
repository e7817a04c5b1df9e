//===- LibraryGuide.h - Which of many right results is meant ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Eigenvectors may be multiplied by any number of modulus 1, and those of equal
// eigenvalues by any unitary matrix. What the mathematics leaves open, the
// reference takes from the function that compiled programs call, and nothing
// else: docs/rationale/factorizations.md.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_LIBRARYGUIDE_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_LIBRARYGUIDE_H

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

/// As in include/cleave-rt/library.h.
using LibraryFunction = void (*)(void *const *buffers, const int64_t *numbers,
                                 int64_t begin, int64_t end);
/// Finds a function by its name with the element type; null if there is none.
using LibraryLookup = LibraryFunction (*)(llvm::StringRef name);

/// Says where the functions are. A tool that evaluates calls this first.
void setLibraryLookup(LibraryLookup lookup);

/// What the library gives for `op`. Fails, with a diagnostic at the op, if
/// this process has no library.
mlir::FailureOr<llvm::SmallVector<Literal>>
runLibraryKernel(LibraryKernelOpInterface op, llvm::ArrayRef<Literal> operands);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_LIBRARYGUIDE_H
