//===- Reference.cpp - What a program should compute ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Reference.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "passes/Codegen/Program/Jit.h"
#include "tools/cleave/Model.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;
using graph::Evaluator;
using graph::Literal;

static FailureOr<SmallVector<Literal>> evaluate(func::FuncOp function,
                                                ArrayRef<Literal> inputs,
                                                Evaluator::Mode mode) {
  Progress progress(mode == Evaluator::Mode::Exact
                        ? "evaluating in float64"
                        : "evaluating in the model's types");
  guideEvaluatorByRuntime();
  Evaluator evaluator(mode);
  evaluator.setNumThreads(llvm::hardware_concurrency().compute_thread_count());
  return evaluator.evaluate(function, inputs);
}

int cleave::tool::compareWithReference(func::FuncOp reference,
                                       ArrayRef<std::vector<char>> data,
                                       const ShardedRun &run, MathMode math,
                                       std::vector<Verdict> &verdicts) {
  SmallVector<Literal> inputs;
  for (auto [type, bytes] : llvm::zip_equal(reference.getArgumentTypes(), data))
    inputs.push_back(Literal::fromBytes(cast<RankedTensorType>(type), bytes));
  auto exact = evaluate(reference, inputs, Evaluator::Mode::Exact);
  if (failed(exact))
    return BadInput;
  auto rounded = evaluate(reference, inputs, Evaluator::Mode::Rounded);
  if (failed(rounded))
    return BadInput;
  for (unsigned i = 0; i < reference.getNumResults(); ++i) {
    std::vector<char> bytes;
    if (int status = run.getOutput(i, bytes))
      return reportRuntimeError(status);
    auto type = cast<RankedTensorType>(reference.getResultTypes()[i]);
    int64_t accumulation = graph::longestAccumulation(reference, i);
    // Functions of 3.5 instead of 1 ulp.
    if (math == MathMode::Fast)
      accumulation *= 4;
    verdicts.push_back(
        {run.getOutputName(i), type,
         graph::compare(Literal::fromBytes(type, bytes), (*exact)[i],
                        (*rounded)[i], accumulation)});
  }
  return Ok;
}
