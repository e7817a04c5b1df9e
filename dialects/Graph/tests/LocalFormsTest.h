//===- LocalFormsTest.h - Local forms of ops written as text ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_TESTS_LOCALFORMSTEST_H
#define CLEAVE_DIALECTS_GRAPH_TESTS_LOCALFORMSTEST_H

#include "dialects/Graph/tests/SimulatedRanks.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <random>

namespace cleave::graph {

/// The causes of collectives.
using Collectives = std::vector<std::string>;

/// Compares what an op computes on 2 x 3 ranks with what it does on one.
class LocalFormsTest : public testing::Test {
protected:
  LocalFormsTest() {
    context.loadDialect<mlir::func::FuncDialect, CleaveDialect>();
    // Attributes of a dialect that is not there.
    context.allowUnregisteredDialects();
    mesh.name = "m";
    mesh.axes = {{"x", 2}, {"y", 3}};
    x = mesh.whole(0);
    y = mesh.whole(1);
  }

  /// A function of `args` that returns what `op`, the last line of `body`,
  /// makes.
  mlir::func::FuncOp parse(llvm::StringRef args, llvm::StringRef body,
                           llvm::StringRef type) {
    std::string text = ("func.func @f(" + args + ") -> " + type + " {\n" +
                        body + "\nreturn %r : " + type + "\n}")
                           .str();
    module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    if (!module)
      return nullptr;
    return mlir::cast<mlir::func::FuncOp>(module->getBody()->front());
  }

  /// Normally distributed floats with this mean; integers from -3 to 15.
  std::vector<Literal> randomArguments(mlir::func::FuncOp func, double mean) {
    std::mt19937 engine(7);
    std::vector<Literal> args;
    for (mlir::Type type : func.getArgumentTypes()) {
      Literal literal(mlir::cast<mlir::RankedTensorType>(type));
      if (literal.isFloat()) {
        std::normal_distribution<double> distribution(mean, 1.0);
        for (double &value : literal.mutableFloats())
          value = roundToType(distribution(engine), literal.elementType());
      } else {
        std::uniform_int_distribution<int64_t> distribution(-3, 15);
        for (int64_t &value : literal.mutableInts())
          value = wrapToType(distribution(engine), literal.elementType());
      }
      args.push_back(std::move(literal));
    }
    return args;
  }

  Simulation run(llvm::StringRef args, llvm::StringRef body,
                 llvm::StringRef type, const FactorShardings &factors,
                 double mean = 0,
                 Evaluator::Mode mode = Evaluator::Mode::Exact) {
    mlir::func::FuncOp func = parse(args, body, type);
    if (!func)
      return {0, std::numeric_limits<double>::infinity(), {}, {}};
    return simulate(func, mesh, factors, randomArguments(func, mean), mode);
  }

  mlir::MLIRContext context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Mesh mesh;
  AxisRef x, y;
  /// In float64 only the order of additions differs.
  static constexpr double tolerance = 1e-12;
};

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_TESTS_LOCALFORMSTEST_H
