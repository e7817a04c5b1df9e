//===- Measure.h - Figures of a module between phases -----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_MEASURE_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_MEASURE_H

#include "Outcome.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace cleave::differential {

/// After sharding: how many ops run whole on each rank although an operand is
/// cut, and what the reshards cost, by their plans and if everything were
/// gathered.
void measureShardings(mlir::ModuleOp module, Statistics &statistics);

/// Bytes that the collectives of the module receive, each counted once.
int64_t bytesOf(mlir::ModuleOp module);

/// One collective of the scheduled program.
struct CollectiveFigures {
  std::string kind;
  int64_t bytes = 0;
  /// Whether it runs exactly once: not inside of a loop or branch.
  bool isUnconditional = true;
};
/// In program order, as the manifest numbers them.
std::vector<CollectiveFigures> listCollectives(mlir::ModuleOp module);

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_MEASURE_H
