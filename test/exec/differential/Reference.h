//===- Reference.h - What a case should give --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_REFERENCE_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_REFERENCE_H

#include "Case.h"
#include "Outcome.h"

namespace cleave::differential {

/// The outputs of a case without partitioning and code generation.
struct Reference {
  llvm::SmallVector<graph::Literal> exact, rounded;
  /// Outputs in float64 with each result moved by the error that its op may
  /// make: what the graph makes of small errors.
  std::vector<llvm::SmallVector<graph::Literal>> noisy;
  llvm::SmallVector<int64_t> accumulation;
};

mlir::FailureOr<Reference> evaluate(const Case &test);

/// Empty if an output is right, else what is wrong with it. `statistics`
/// counts outputs that had to be close only.
std::string checkOutput(const Reference &reference, unsigned index,
                        bool isExact, const graph::Literal &actual,
                        Statistics &statistics);

/// The same for two tensors that must be equal, where one zero is as good as
/// the other, and one NaN as another.
std::string checkSame(const graph::Literal &actual,
                      const graph::Literal &expected);

/// For each element of the result of `op` the error, in units of epsilon, that
/// an evaluation in the element type may make; empty where it makes none.
std::vector<double> errorOf(mlir::Operation *op,
                            llvm::ArrayRef<graph::Literal> operands,
                            const graph::Literal &value);

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_REFERENCE_H
