//===- ManualComputationTest.h - Evaluates their results --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_TESTS_MANUALCOMPUTATIONTEST_H
#define CLEAVE_DIALECTS_SPMD_TESTS_MANUALCOMPUTATIONTEST_H

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

namespace cleave::spmd {

using Ints = std::vector<int64_t>;
using Floats = std::vector<double>;

/// One manual computation of one input: shardings without their mesh, types as
/// text, and the body after its arguments, whose last value is %r.
struct Computation {
  const char *mesh;
  const char *in, *global, *local;
  const char *body;
  const char *out, *result, *localResult;
};

class ManualComputationTest : public testing::Test {
protected:
  ManualComputationTest() {
    context.loadDialect<graph::CleaveDialect, spmd::SpmdDialect,
                        mlir::func::FuncDialect>();
  }

  mlir::func::FuncOp parse(const std::string &text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    return module ? module->lookupSymbol<mlir::func::FuncOp>("f")
                  : mlir::func::FuncOp();
  }

  mlir::func::FuncOp parse(const Computation &c) {
    return parse(llvm::formatv(
        R"(
spmd.mesh @m <{0}>
func.func @f(%x: {1}) -> {2} {{
  %0 = spmd.manual_computation(%x) in [#spmd.sharding<@m, {3}>]
      out [#spmd.sharding<@m, {4}>] : ({1}) -> {2} {{
  ^bb0(%a: {5}):
{6}
    spmd.return %r : {7}
  }
  return %0 : {2}
}
)",
        c.mesh, c.global, c.result, c.in, c.out, c.local, c.body,
        c.localResult));
  }

  graph::Literal run(const Computation &c, Ints values) {
    mlir::func::FuncOp func = parse(c);
    graph::Literal input(
        mlir::cast<mlir::RankedTensorType>(func.getArgumentTypes()[0]),
        std::move(values));
    auto results = graph::Evaluator().evaluate(func, input);
    EXPECT_TRUE(mlir::succeeded(results));
    return mlir::succeeded(results) ? results->front() : graph::Literal();
  }
  Ints ints(const Computation &c, Ints values) {
    return run(c, std::move(values)).ints().vec();
  }

  std::string errorOf(mlir::func::FuncOp func, Ints values) {
    graph::Literal input(
        mlir::cast<mlir::RankedTensorType>(func.getArgumentTypes()[0]),
        std::move(values));
    std::string message;
    mlir::ScopedDiagnosticHandler handler(
        &context,
        [&](mlir::Diagnostic &diagnostic) { message += diagnostic.str(); });
    EXPECT_TRUE(mlir::failed(graph::Evaluator().evaluate(func, input)));
    return message;
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

inline Ints upTo(int64_t n) {
  Ints values;
  for (int64_t i = 1; i <= n; ++i)
    values.push_back(i);
  return values;
}

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_TESTS_MANUALCOMPUTATIONTEST_H
