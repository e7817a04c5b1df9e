//===- EvaluateControlFlow.cpp - Reference semantics of regions -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace cleave::graph;

LogicalResult IfOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                             SmallVectorImpl<Literal> &results) {
  Region &branch =
      operands[0].ints().front() ? getTrueBranch() : getFalseBranch();
  return evaluator.evaluateRegion(branch, {}, results);
}

LogicalResult WhileOp::evaluate(Evaluator &evaluator,
                                ArrayRef<Literal> operands,
                                SmallVectorImpl<Literal> &results) {
  SmallVector<Literal> variables(operands);
  for (int64_t i = 0;; ++i) {
    SmallVector<Literal> condition;
    if (failed(evaluator.evaluateRegion(getCond(), variables, condition)))
      return failure();
    if (!condition.front().ints().front())
      break;
    if (i == evaluator.getIterationLimit())
      return emitError("loop has not ended after ")
             << i << " iterations, the limit of reference evaluation";
    SmallVector<Literal> next;
    if (failed(evaluator.evaluateRegion(getBody(), variables, next)))
      return failure();
    variables = std::move(next);
  }
  results = std::move(variables);
  return success();
}
