//===- EvaluationTest.h - Runs functions given as text ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_TESTS_EVALUATIONTEST_H
#define CLEAVE_DIALECTS_GRAPH_TESTS_EVALUATIONTEST_H

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/IR/OwningOpRef.h"
#include "gtest/gtest.h"

namespace cleave::graph {

/// Evaluates functions given as text.
class EvaluationTest : public testing::Test {
protected:
  EvaluationTest();

  /// Parses a module, keeps it, and gives its first function; null after a test
  /// failure.
  mlir::func::FuncOp parse(llvm::StringRef text);

  /// The results of the first function of a module.
  llvm::SmallVector<Literal> run(llvm::StringRef text,
                                 llvm::ArrayRef<Literal> args = {},
                                 Evaluator::Mode mode = Evaluator::Mode::Exact);
  /// The value `%r` of type `type` after the ops in `body`, which refers to
  /// `args` as %0, %1, ...
  Literal value(llvm::StringRef type, llvm::StringRef body,
                llvm::ArrayRef<Literal> args = {},
                Evaluator::Mode mode = Evaluator::Mode::Exact);
  std::vector<int64_t> ints(llvm::StringRef type, llvm::StringRef body,
                            llvm::ArrayRef<Literal> args = {});
  std::vector<double> floats(llvm::StringRef type, llvm::StringRef body,
                             llvm::ArrayRef<Literal> args = {},
                             Evaluator::Mode mode = Evaluator::Mode::Exact);
  /// Evaluates `func`, which must fail; the diagnostic.
  std::string errorOf(mlir::func::FuncOp func, Evaluator &evaluator,
                      llvm::ArrayRef<Literal> args = {});

  mlir::RankedTensorType type(llvm::StringRef text);
  Literal tensor(llvm::StringRef typeText, std::vector<int64_t> values) {
    return Literal(type(typeText), std::move(values));
  }
  Literal tensor(llvm::StringRef typeText, std::vector<double> values) {
    return Literal(type(typeText), std::move(values));
  }
  /// 2 sin(i + phase) at each place i.
  Literal wave(llvm::StringRef typeText, double phase);

  mlir::MLIRContext context;
  llvm::SmallVector<mlir::OwningOpRef<mlir::ModuleOp>> modules;
};

void expectNear(llvm::ArrayRef<double> actual, llvm::ArrayRef<double> expected,
                double tolerance = 1e-12);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_TESTS_EVALUATIONTEST_H
