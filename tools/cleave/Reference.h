//===- Reference.h - What a program should compute --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_REFERENCE_H
#define CLEAVE_TOOLS_CLEAVE_REFERENCE_H

#include "dialects/Graph/Evaluate/Comparison.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "tools/cleave/ShardedRun.h"

namespace cleave::tool {

/// One line of the table of `verify`.
struct Verdict {
  std::string name;
  mlir::RankedTensorType type;
  graph::TensorError error;
};

/// Runs the serial function in float64 and in its own types, and compares its
/// results with those of a sharded run. Returns the exit status, after a
/// diagnostic if that is not 0: a difference is a verdict, not a failure. With
/// MathMode::Fast an op may err four times as much; with a type of products
/// what evaluation with operands of that type errs counts, too.
int compareWithReference(mlir::func::FuncOp reference,
                         llvm::ArrayRef<std::vector<char>> inputs,
                         const ShardedRun &run, const Options &options,
                         std::vector<Verdict> &verdicts);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_REFERENCE_H
