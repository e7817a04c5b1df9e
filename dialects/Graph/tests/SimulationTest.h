//===- SimulationTest.h - Random ops on simulated ranks ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_TESTS_SIMULATIONTEST_H
#define CLEAVE_DIALECTS_GRAPH_TESTS_SIMULATIONTEST_H

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/tests/SimulatedRanks.h"
#include "gtest/gtest.h"
#include <random>

namespace cleave::graph {

/// Builds functions of one op for SimulatedRanks.h, on a mesh of 2 x 3 ranks.
class SimulationTest : public testing::Test {
protected:
  explicit SimulationTest(unsigned seed)
      : engine(seed), builder(&context), loc(builder.getUnknownLoc()) {
    context.loadDialect<mlir::func::FuncDialect, CleaveDialect>();
    mesh.name = "m";
    mesh.axes = {{"x", 2}, {"y", 3}};
    x = mesh.whole(0);
    y = mesh.whole(1);
  }

  int64_t range(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  }

  mlir::RankedTensorType f32(llvm::ArrayRef<int64_t> shape) {
    return mlir::RankedTensorType::get(shape, builder.getF32Type());
  }

  /// A function of arguments of these types whose result `make` builds.
  mlir::func::FuncOp
  function(llvm::ArrayRef<mlir::RankedTensorType> types,
           llvm::function_ref<mlir::Value(mlir::ValueRange)> make) {
    module = mlir::ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    llvm::SmallVector<mlir::Type> inputs(types.begin(), types.end());
    auto func = mlir::func::FuncOp::create(builder, loc, "f",
                                           builder.getFunctionType(inputs, {}));
    builder.setInsertionPointToEnd(func.addEntryBlock());
    mlir::Value result = make(func.getArguments());
    mlir::func::ReturnOp::create(builder, loc, result);
    func.setType(builder.getFunctionType(inputs, result.getType()));
    return func;
  }

  std::mt19937 engine;
  mlir::MLIRContext context;
  mlir::OpBuilder builder;
  mlir::Location loc;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  Mesh mesh;
  AxisRef x, y;
};

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_TESTS_SIMULATIONTEST_H
