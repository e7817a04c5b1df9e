//===- Reference.cpp - What a program should compute ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/cleave/Reference.h"
#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "passes/Codegen/Program/Jit.h"
#include "tools/cleave/Model.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/xxhash.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::tool;
using graph::Evaluator;
using graph::Literal;

/// Samples of rounding that a result in doubt is compared with.
static constexpr unsigned maxSamples = 8;

/// Whether a wrong result has half of its digits, or is off its bound by
/// little: what is wrong for another reason should not wait for samples.
static bool isDoubtful(const graph::TensorError &error) {
  return !error.pass && (error.error <= std::sqrt(error.epsilon) ||
                         error.error <= 8 * error.bound);
}

/// Whether a value is a decision: inexact numbers that hardly differ may make
/// it jump.
static bool isDecision(Value value) {
  return !isa<FloatType>(getElementTypeOrSelf(value)) ||
         isa_and_nonnull<graph::FloorOp, graph::CeilOp,
                         graph::RoundNearestAfzOp, graph::RoundNearestEvenOp,
                         graph::SignOp>(value.getDefiningOp());
}

namespace {
class Comparer {
public:
  Comparer(func::FuncOp reference, ArrayRef<std::vector<char>> data,
           FloatType productType)
      : reference(reference), productType(productType) {
    for (auto [type, bytes] :
         llvm::zip_equal(reference.getArgumentTypes(), data))
      inputs.push_back(Literal::fromBytes(cast<RankedTensorType>(type), bytes));
  }

  LogicalResult evaluate() {
    if (failed(evaluate("evaluating in float64", Evaluator::Mode::Exact, 0,
                        nullptr, exact)) ||
        failed(evaluate("evaluating in the model's types",
                        Evaluator::Mode::Rounded, 0, nullptr, plain)))
      return failure();
    if (!productType)
      return success();
    return evaluate("evaluating with rounded operands of products",
                    Evaluator::Mode::Rounded, 0, productType, ofProducts);
  }

  graph::TensorError compare(unsigned result, const Literal &actual,
                             int64_t accumulation) {
    SmallVector<Literal> used;
    // Unlike the plain one it excuses no overflow: that is of the type that was
    // asked for, not of the model.
    if (productType)
      used.push_back(ofProducts.results[result]);
    graph::TensorError error = compare(result, actual, accumulation, used);
    if (!isDoubtful(error))
      return error;
    takeSamples();
    for (const Evaluation &sample : samples) {
      used.push_back(sample.results[result]);
      error = compare(result, actual, accumulation, used);
      if (error.pass)
        break;
    }
    return error;
  }

private:
  struct Evaluation {
    SmallVector<Literal> results;
    /// A digest of all decisions.
    uint64_t decisions = 0;
  };

  graph::TensorError compare(unsigned result, const Literal &actual,
                             int64_t accumulation, ArrayRef<Literal> used) {
    return graph::compare(actual, exact.results[result], plain.results[result],
                          accumulation, used);
  }

  LogicalResult evaluate(StringRef what, Evaluator::Mode mode, uint64_t seed,
                         FloatType products, Evaluation &evaluation) {
    Progress progress(what);
    guideEvaluatorByRuntime();
    Evaluator evaluator(mode);
    evaluator.setRoundingSeed(seed);
    evaluator.setProductType(products);
    evaluator.setNumThreads(
        llvm::hardware_concurrency().compute_thread_count());
    evaluator.setTap([&](Value value, Literal &literal) {
      if (!isDecision(value))
        return;
      std::vector<char> bytes = literal.toBytes();
      evaluation.decisions = llvm::hash_combine(
          evaluation.decisions,
          llvm::xxh3_64bits(StringRef(bytes.data(), bytes.size())));
    });
    auto values = evaluator.evaluate(reference, inputs);
    if (succeeded(values))
      evaluation.results = std::move(*values);
    return values;
  }

  /// Samples that decide otherwise say nothing about rounding. Those of ranks
  /// side by side are not seen.
  void takeSamples() {
    bool decidesUnseen = reference->getParentOfType<ModuleOp>()
                             .walk([](spmd::ManualComputationOp) {
                               return WalkResult::interrupt();
                             })
                             .wasInterrupted();
    if (tookSamples || decidesUnseen)
      return;
    tookSamples = true;
    for (unsigned seed = 1; seed <= maxSamples; ++seed) {
      Evaluation sample;
      if (failed(evaluate("evaluating with other roundings",
                          Evaluator::Mode::Rounded, seed, productType, sample)))
        return;
      if (sample.decisions == (productType ? ofProducts : plain).decisions)
        samples.push_back(std::move(sample));
    }
  }

  func::FuncOp reference;
  SmallVector<Literal> inputs;
  FloatType productType; ///< null if operands of products are not rounded
  Evaluation exact, plain, ofProducts;
  /// Made when a result needs them.
  std::vector<Evaluation> samples;
  bool tookSamples = false;
};
} // namespace

/// Null for an empty name.
static FloatType getProductType(MLIRContext *context, StringRef name) {
  Builder builder(context);
  return StringSwitch<FloatType>(name)
      .Case("tf32", builder.getTF32Type())
      .Case("bf16", builder.getBF16Type())
      .Case("f16", builder.getF16Type())
      .Default(nullptr);
}

int cleave::tool::compareWithReference(func::FuncOp reference,
                                       ArrayRef<std::vector<char>> data,
                                       const ShardedRun &run,
                                       const Options &options,
                                       std::vector<Verdict> &verdicts) {
  Comparer comparer(reference, data,
                    getProductType(reference.getContext(), options.products));
  if (failed(comparer.evaluate()))
    return BadInput;
  for (unsigned i = 0; i < reference.getNumResults(); ++i) {
    std::vector<char> bytes;
    if (int status = run.getOutput(i, bytes))
      return reportRuntimeError(status);
    auto type = cast<RankedTensorType>(reference.getResultTypes()[i]);
    int64_t accumulation = graph::longestAccumulation(reference, i);
    // Functions of 3.5 instead of 1 ulp.
    if (*options.math == MathMode::Fast)
      accumulation *= 4;
    verdicts.push_back(
        {run.getOutputName(i), type,
         comparer.compare(i, Literal::fromBytes(type, bytes), accumulation)});
  }
  return Ok;
}
