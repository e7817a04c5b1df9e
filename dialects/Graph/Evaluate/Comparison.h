//===- Comparison.h - Whether two results are equal -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What "equal" means. Integers and booleans: the same. Floats, per tensor:
// error = max|x - ref| / max|ref| against evaluation in float64; it may be at
// most twice the error of plain evaluation in the model's types, or
// K * epsilon of the element type, K being the longest accumulation, whichever
// is larger. docs/decisions/samples-of-rounding.md has why that error may be
// the largest of several evaluations.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_COMPARISON_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_COMPARISON_H

#include "dialects/Graph/Evaluate/Literal.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <string>

namespace cleave::graph {

/// One line of a table of results.
struct TensorError {
  bool pass = false;
  /// Against float64; infinite where a NaN or an infinity does not match, or an
  /// integer differs.
  double error = 0;
  /// What `error` may be: the larger of 2 * roundedError and
  /// accumulation * epsilon; 0 for integers.
  double bound = 0;
  /// The error of evaluation with rounding, the largest of `evaluations`.
  double roundedError = 0;
  unsigned evaluations = 1;
  int64_t accumulation = 1;
  /// Of the element type; 0 for integers.
  double epsilon = 0;
  /// For floats the worst element, for integers the first that differs; -1
  /// when there is none. The index is row-major.
  int64_t index = -1;
  /// There are elements, and the reference has no finite one: whatever passes
  /// proves nothing.
  bool isVacuous = false;
  /// Readable values at `index`.
  std::string actual, expected;
};

/// Compares a result with its evaluation in Exact and in Rounded mode.
/// `accumulation` is K. The errors of `samples`, evaluations in Rounded mode
/// with a seed, count like that of `rounded`.
///
/// A tensor that should be all zero has the absolute error as its error. NaN
/// matches NaN only, an infinity the infinity of its sign only; where Rounded
/// itself is not finite but Exact is (it overflowed), a result equal to
/// Rounded is right too, and the element does not count in roundedError.
TensorError compare(const Literal &actual, const Literal &exact,
                    const Literal &rounded, int64_t accumulation,
                    llvm::ArrayRef<Literal> samples = {});

/// Whether `op` is a function that programs approximate, to 1.7 ulp in f32 and
/// 3 in f64, where evaluation rounds its exact value.
bool isApproximated(mlir::Operation *op);

/// The number of terms of the longest sum that `op` computes: a product of
/// contracted or reduced dimensions. 1 without a sum, 2 for a function that is
/// approximated.
int64_t accumulationOf(mlir::Operation *op);

/// The longest accumulation of `func` and the functions it calls: the largest
/// over the ops, not composed along chains of ops or iterations of loops:
/// errors of a chain are what the rounded evaluation measures.
int64_t longestAccumulation(mlir::func::FuncOp func);

/// The same for what one result depends on; 0 if that only moves data, whose
/// result must then be exact. For an f64 result the number of ops that round is
/// added: evaluation in float64 rounds as often and is no closer to the truth.
int64_t longestAccumulation(mlir::func::FuncOp func, unsigned result);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_COMPARISON_H
