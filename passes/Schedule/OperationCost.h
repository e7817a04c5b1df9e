//===- OperationCost.h - How long operations take ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_OPERATIONCOST_H
#define CLEAVE_PASSES_SCHEDULE_OPERATIONCOST_H

#include "dialects/Exec/ExecDialect.h"

namespace cleave {

/// What one rank does per second.
struct MachineRates {
  double flops = 50e9;
  /// To and from memory, and from other ranks.
  double memoryBytes = 10e9, linkBytes = 5e9;
  /// Seconds that each operation takes at least.
  double launch = 1e-6, latency = 10e-6;
};

/// A coarse estimate, to order operations by: the longer of its arithmetic
/// (matrix products and convolutions) and the bytes of its operands; the bytes
/// that a rank receives in a collective; a loop is taken to run 8 times, and
/// the longer path of a branch.
double estimateSeconds(mlir::Operation *op, const MachineRates &rates);

} // namespace cleave

#endif // CLEAVE_PASSES_SCHEDULE_OPERATIONCOST_H
