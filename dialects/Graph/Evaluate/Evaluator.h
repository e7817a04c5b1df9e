//===- Evaluator.h - Reference evaluation of graphs -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs functions op by op, without code generation: what every partitioned and
// compiled program is compared with. An op takes part by implementing
// EvaluableOpInterface; func.call and terminators are known here.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_EVALUATE_EVALUATOR_H
#define CLEAVE_DIALECTS_GRAPH_EVALUATE_EVALUATOR_H

#include "dialects/Graph/Evaluate/Literal.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <functional>

namespace cleave::graph {

class Evaluator {
public:
  enum class Mode {
    /// Floats are float64 throughout: no intermediate is rounded to its
    /// element type, whatever that is. Constants and arguments keep the values
    /// they have in their element type.
    Exact,
    /// Each op rounds its result to the element type; sums accumulate one
    /// element after the other, in f32 for f16, bf16 and f32, in f64 for f64.
    /// This is plain evaluation in the model's own types: the yardstick for
    /// the error of a compiled program.
    Rounded,
  };

  explicit Evaluator(Mode mode = Mode::Exact) : mode(mode) {}

  Mode getMode() const { return mode; }
  bool isExact() const { return mode == Mode::Exact; }

  /// Called with each result of each op once it is known, in order of
  /// evaluation, also inside loops and called functions, but not inside a
  /// computation on ranks, whose values differ between them. What it writes to
  /// the result is what later ops see.
  using Tap = std::function<void(mlir::Value, Literal &)>;
  void setTap(Tap newTap) { tap = std::move(newTap); }

  /// Makes Rounded mode take another sample of the errors that rounding may
  /// make: where rounding a result is inexact, the result is moved by a
  /// pseudo-random amount of up to half a unit in the last place instead, as in
  /// Monte Carlo arithmetic (Parker, 1997), and so is each term of a sum. The
  /// same seed gives the same sample; 0 rounds to nearest.
  void setRoundingSeed(uint64_t seed) { roundingSeed = seed; }

  /// Makes Rounded mode round the operands of matrix products of f32 to `type`
  /// (tf32, bf16 or f16), as GPUs may; null for not at all.
  void setProductType(mlir::FloatType type) { productType = type; }
  /// Rounds what a product of `elementType` multiplies.
  void roundFactors(llvm::MutableArrayRef<double> factors,
                    mlir::Type elementType) const;

  /// Iterations after which a loop is taken not to end.
  void setIterationLimit(int64_t limit) { iterationLimit = limit; }
  int64_t getIterationLimit() const { return iterationLimit; }

  /// Threads that a large product may use; results do not depend on it.
  void setNumThreads(unsigned threads) { numThreads = threads; }
  unsigned getNumThreads() const { return numThreads; }

  /// Runs a function. Fails with a diagnostic at the op that cannot be
  /// evaluated, or at the function when the arguments do not fit.
  mlir::FailureOr<llvm::SmallVector<Literal>>
  evaluate(mlir::func::FuncOp func, llvm::ArrayRef<Literal> args);

  /// Runs the single block of a region of an op that is being evaluated; it
  /// may use values from above. The results are the terminator's operands.
  mlir::LogicalResult evaluateRegion(mlir::Region &region,
                                     llvm::ArrayRef<Literal> args,
                                     llvm::SmallVectorImpl<Literal> &results);

  /// Runs the block of a region outside of any evaluation. From above it must
  /// use constants only.
  mlir::FailureOr<llvm::SmallVector<Literal>>
  evaluateAlone(mlir::Region &region, llvm::ArrayRef<Literal> args);

  /// The value of `value` in the function that is being evaluated; null when
  /// it is not known (no longer, or not yet).
  const Literal *lookup(mlir::Value value) const;

  // For evaluating ranks side by side, op by op, each rank by an evaluator of
  // its own.

  /// One with the same settings, without tap and values.
  Evaluator fresh() const;
  /// Opens a scope without values, as a call does, and closes it.
  void enter() { frames.emplace_back(); }
  void leave() { frames.pop_back(); }
  size_t getDepth() const { return frames.size(); }
  /// Gives `value`, if any op uses it, a value in the innermost scope.
  void bind(mlir::Value value, Literal literal);
  /// Evaluates one op, whose operands must have values, and binds its results.
  mlir::LogicalResult evaluate(mlir::Operation *op);
  /// The values of an op's operands; a diagnostic at the op if one has none.
  mlir::LogicalResult getOperands(mlir::Operation *op,
                                  llvm::SmallVectorImpl<Literal> &operands);
  /// Forgets the values of the block of `op` that no op behind it uses.
  void forgetAfter(mlir::Operation *op);

  /// Calls may nest this deep: recursion, which a graph cannot end, is an error
  /// and not a crash.
  static constexpr size_t maxCallDepth = 200;

  /// Rounds to the element type in Rounded mode, else returns `value`.
  double round(double value, mlir::Type elementType) const;
  /// The same for each element; does nothing to integers.
  void round(Literal &literal) const;
  /// The type in which sums of `elementType` accumulate: f32 or f64 in Rounded
  /// mode, f64 in Exact mode; an integer type is its own.
  mlir::Type accumulationType(mlir::Type elementType) const;

private:
  using Frame = llvm::DenseMap<mlir::Value, Literal>;
  /// The values of a block, in order of its ops, that no later op uses.
  using LastUses =
      llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Value, 2>>;

  mlir::LogicalResult evaluateOp(mlir::Operation *op,
                                 llvm::ArrayRef<Literal> operands,
                                 llvm::SmallVectorImpl<Literal> &results);
  mlir::LogicalResult evaluateCall(mlir::func::CallOp call,
                                   llvm::ArrayRef<Literal> operands,
                                   llvm::SmallVectorImpl<Literal> &results);
  llvm::SmallVector<Literal> moveTerms(llvm::ArrayRef<Literal> operands) const;
  const LastUses &lastUses(mlir::Block &block);

  Mode mode;
  Tap tap;
  int64_t iterationLimit = 1000000;
  uint64_t roundingSeed = 0;
  mlir::FloatType productType;
  unsigned numThreads = 2;
  /// One per active call: the values that some later op uses.
  std::vector<Frame> frames;
  llvm::DenseMap<mlir::Block *, std::unique_ptr<LastUses>> lastUsesOf;
};

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_EVALUATE_EVALUATOR_H
