//===- SimulatedRanks.h - Local forms of all ranks at once ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Puts the local forms that an op builds for each rank of a mesh into one
// function, in which collectives are ordinary ops on the ranks' values, and
// evaluates it: a test of buildLocal without any pass or runtime. Padding is
// filled with NaN.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_TESTS_SIMULATEDRANKS_H
#define CLEAVE_DIALECTS_GRAPH_TESTS_SIMULATEDRANKS_H

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

struct Simulation {
  /// Largest error of the original op and of the ranks' valid elements against
  /// float64; infinite where the simulation fails.
  double plainError = 0;
  double localError = 0;
  /// Collectives that each rank's local form asked for, by their cause.
  std::vector<std::string> collectives;
  mlir::DictionaryAttr attributes;
};

/// Simulates the op that makes the result of `func`, whose operands are
/// arguments of `func`, with its iteration space sharded by `factors`.
Simulation simulate(mlir::func::FuncOp func, const Mesh &mesh,
                    const FactorShardings &factors,
                    llvm::ArrayRef<Literal> args, Evaluator::Mode mode);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_TESTS_SIMULATEDRANKS_H
