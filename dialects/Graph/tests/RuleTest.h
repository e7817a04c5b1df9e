//===- RuleTest.h - Sharding rules of ops given as text ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_TESTS_RULETEST_H
#define CLEAVE_DIALECTS_GRAPH_TESTS_RULETEST_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

namespace cleave::graph {

class RuleTest : public testing::Test {
protected:
  RuleTest() { context.loadDialect<mlir::func::FuncDialect, CleaveDialect>(); }

  /// The rule of the last op in a function of `args` with this body.
  std::string rule(llvm::StringRef args, llvm::StringRef body) {
    std::string text =
        ("func.func @f(" + args + ") {\n" + body + "\nreturn\n}").str();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        text, mlir::ParserConfig(&context));
    if (!module)
      return "does not parse";
    auto func = llvm::cast<mlir::func::FuncOp>(module->getBody()->front());
    mlir::Operation *op = func.front().getTerminator()->getPrevNode();
    return str(llvm::cast<ShardingRuleOpInterface>(op).getShardingRule());
  }

  mlir::MLIRContext context;
};

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_TESTS_RULETEST_H
