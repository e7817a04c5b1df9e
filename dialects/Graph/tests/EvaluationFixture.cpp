//===- EvaluationFixture.cpp - Runs functions given as text ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/EvaluationTest.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Parser/Parser.h"
#include <cmath>

using namespace mlir;

namespace cleave::graph {

EvaluationTest::EvaluationTest() {
  context.loadDialect<CleaveDialect, func::FuncDialect>();
}

func::FuncOp EvaluationTest::parse(StringRef text) {
  modules.push_back(parseSourceString<ModuleOp>(text, &context));
  EXPECT_TRUE(modules.back()) << text.str();
  if (!modules.back())
    return {};
  return *modules.back()->getOps<func::FuncOp>().begin();
}

SmallVector<Literal> EvaluationTest::run(StringRef text, ArrayRef<Literal> args,
                                         Evaluator::Mode mode) {
  func::FuncOp func = parse(text);
  if (!func)
    return {};
  Evaluator evaluator(mode);
  FailureOr<SmallVector<Literal>> results = evaluator.evaluate(func, args);
  EXPECT_TRUE(succeeded(results)) << text.str();
  return succeeded(results) ? *results : SmallVector<Literal>();
}

Literal EvaluationTest::value(StringRef type, StringRef body,
                              ArrayRef<Literal> args, Evaluator::Mode mode) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "func.func @f(";
  llvm::interleaveComma(llvm::enumerate(args), os, [&](auto arg) {
    os << "%" << arg.index() << ": " << arg.value().type;
  });
  os << ") -> " << type << " {\n" << body << "\n return %r : " << type << "\n}";
  SmallVector<Literal> results = run(text, args, mode);
  return results.empty() ? Literal(this->type(type)) : results[0];
}

std::vector<int64_t> EvaluationTest::ints(StringRef type, StringRef body,
                                          ArrayRef<Literal> args) {
  return value(type, body, args).ints().vec();
}

std::vector<double> EvaluationTest::floats(StringRef type, StringRef body,
                                           ArrayRef<Literal> args,
                                           Evaluator::Mode mode) {
  return value(type, body, args, mode).floats().vec();
}

std::string EvaluationTest::errorOf(func::FuncOp func, Evaluator &evaluator,
                                    ArrayRef<Literal> args) {
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  EXPECT_TRUE(failed(evaluator.evaluate(func, args)));
  return message;
}

RankedTensorType EvaluationTest::type(StringRef text) {
  return cast<RankedTensorType>(parseType(text, &context));
}

Literal EvaluationTest::wave(StringRef typeText, double phase) {
  Literal result(type(typeText));
  for (auto [i, value] : llvm::enumerate(result.mutableFloats()))
    value = 2 * std::sin(static_cast<double>(i) + phase);
  return result;
}

void expectNear(ArrayRef<double> actual, ArrayRef<double> expected,
                double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < actual.size(); ++i)
    EXPECT_NEAR(actual[i], expected[i], tolerance) << "at " << i;
}

} // namespace cleave::graph
