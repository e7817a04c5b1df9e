//===- Evaluator.cpp - Reference evaluation of graphs ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/Comparison.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/GraphInterfaces.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/bit.h"
#include <cmath>

using namespace mlir;
using cleave::EvaluableOpInterface;
using namespace cleave::graph;

/// A number in [-1, 1) that is a function of its arguments (splitmix64).
static double pseudoRandom(uint64_t seed, double value) {
  uint64_t x = seed * 0x9e3779b97f4a7c15 + llvm::bit_cast<uint64_t>(value);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  x ^= x >> 31;
  return std::ldexp(static_cast<double>(x >> 11), -52) - 1;
}

/// `value` moved by up to half a unit in the last place, by `key`. There is
/// nothing between two float64: one in twelve moves by a whole unit, which has
/// the same variance.
static double move(double value, Type type, uint64_t key) {
  if (!std::isfinite(value))
    return value;
  double random = pseudoRandom(key, value), half = halfUnitOfType(value, type);
  if (type.isF64())
    return std::fabs(random) < 11.0 / 12
               ? value
               : value + std::copysign(2 * half, random);
  return value + random * half;
}

double Evaluator::round(double value, Type type) const {
  if (isExact())
    return value;
  double rounded = roundToType(value, type);
  // What was lost of a float64 is not known.
  bool isExactly = rounded == value && !type.isF64();
  if (!roundingSeed || isExactly || !std::isfinite(rounded))
    return rounded;
  return move(value, type, roundingSeed);
}

void Evaluator::roundFactors(MutableArrayRef<double> factors,
                             Type elementType) const {
  if (!productType || !elementType.isF32())
    return;
  for (double &factor : factors)
    factor = round(factor, productType);
}

/// How many operands, from the first on, an op multiplies as matrices.
static size_t countFactors(Operation *op) {
  if (isa<AttentionOp>(op))
    return 3;
  return isa<DotGeneralOp, LinearOp>(op) ? 2 : 0;
}

/// The operands of a sum, each moved: what rounding each term does to it.
SmallVector<Literal> Evaluator::moveTerms(ArrayRef<Literal> operands) const {
  SmallVector<Literal> moved(operands);
  for (Literal &operand : moved)
    if (operand.isFloat())
      for (auto [i, value] : llvm::enumerate(operand.mutableFloats()))
        value = move(value, operand.elementType(), roundingSeed + (i << 8));
  return moved;
}

void Evaluator::round(Literal &literal) const {
  Type type = literal.elementType();
  if (isExact() || !literal.isFloat() || (type.isF64() && !roundingSeed))
    return;
  for (double &value : literal.mutableFloats())
    value = round(value, type);
}

Type Evaluator::accumulationType(Type elementType) const {
  if (!isa<FloatType>(elementType))
    return elementType;
  if (isExact() || elementType.isF64())
    return Float64Type::get(elementType.getContext());
  return Float32Type::get(elementType.getContext());
}

const Literal *Evaluator::lookup(Value value) const {
  if (frames.empty())
    return nullptr;
  auto it = frames.back().find(value);
  return it == frames.back().end() ? nullptr : &it->second;
}

const Evaluator::LastUses &Evaluator::lastUses(mlir::Block &block) {
  std::unique_ptr<LastUses> &entry = lastUsesOf[&block];
  if (entry)
    return *entry;
  entry = std::make_unique<LastUses>();
  auto add = [&](Value value, Operation *notBefore) {
    Operation *last = notBefore;
    for (Operation *user : value.getUsers()) {
      // A use inside an op's region is a use by that op.
      Operation *ancestor = block.findAncestorOpInBlock(*user);
      if (!last || last->isBeforeInBlock(ancestor))
        last = ancestor;
    }
    if (last)
      (*entry)[last].push_back(value);
  };
  for (BlockArgument arg : block.getArguments())
    add(arg, nullptr);
  for (Operation &op : block)
    for (Value result : op.getResults())
      add(result, &op);
  return *entry;
}

FailureOr<SmallVector<Literal>> Evaluator::evaluate(func::FuncOp func,
                                                    ArrayRef<Literal> args) {
  // The functions may have changed since the last call.
  if (frames.empty())
    lastUsesOf.clear();
  if (func.isExternal())
    return func.emitError("cannot evaluate a function without a body");
  if (!func.getBody().hasOneBlock())
    return func.emitError("cannot evaluate a function of several blocks");
  if (args.size() != func.getNumArguments())
    return func.emitError("expected ")
           << func.getNumArguments() << " arguments, got " << args.size();
  for (auto [i, arg, type] : llvm::enumerate(args, func.getArgumentTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || arg.shape() != tensor.getShape() ||
        arg.elementType() != tensor.getElementType())
      return func.emitError("argument ")
             << i << " has type " << arg.type << ", expected " << type;
  }

  frames.emplace_back();
  llvm::scope_exit pop([&] { frames.pop_back(); });
  SmallVector<Literal> results;
  if (failed(evaluateRegion(func.getBody(), args, results)))
    return failure();
  return results;
}

LogicalResult Evaluator::evaluateRegion(Region &region, ArrayRef<Literal> args,
                                        SmallVectorImpl<Literal> &results) {
  // Qualified, since cleave::Block is a part of a sharded dimension.
  mlir::Block &block = region.front();
  assert(!frames.empty() && args.size() == block.getNumArguments());
  for (auto [arg, literal] : llvm::zip_equal(block.getArguments(), args))
    bind(arg, literal);
  results.clear();
  for (Operation &op : block) {
    if (failed(op.hasTrait<OpTrait::IsTerminator>() ? getOperands(&op, results)
                                                    : evaluate(&op)))
      return failure();
    forgetAfter(&op);
  }
  return success();
}

Evaluator Evaluator::fresh() const {
  Evaluator other(mode);
  other.iterationLimit = iterationLimit;
  other.numThreads = numThreads;
  other.roundingSeed = roundingSeed;
  other.productType = productType;
  return other;
}

void Evaluator::bind(Value value, Literal literal) {
  if (!value.use_empty())
    frames.back()[value] = std::move(literal);
}

LogicalResult Evaluator::getOperands(Operation *op,
                                     SmallVectorImpl<Literal> &operands) {
  operands.clear();
  for (Value operand : op->getOperands()) {
    const Literal *literal = lookup(operand);
    if (!literal)
      return op->emitError("operand has no value: it comes from an op that "
                           "was not evaluated");
    operands.push_back(*literal);
  }
  return success();
}

LogicalResult Evaluator::evaluate(Operation *op) {
  SmallVector<Literal> operands, values;
  if (failed(getOperands(op, operands)) ||
      failed(evaluateOp(op, operands, values)))
    return failure();
  // The frame is found anew each time: a call may have moved it.
  for (auto [result, value] : llvm::zip_equal(op->getResults(), values)) {
    if (tap)
      tap(result, value);
    bind(result, std::move(value));
  }
  return success();
}

void Evaluator::forgetAfter(Operation *op) {
  const LastUses &last = lastUses(*op->getBlock());
  auto it = last.find(op);
  if (it != last.end())
    for (Value value : it->second)
      frames.back().erase(value);
}

FailureOr<SmallVector<Literal>>
Evaluator::evaluateAlone(Region &region, ArrayRef<Literal> args) {
  frames.emplace_back();
  llvm::scope_exit pop([&] { frames.pop_back(); });
  for (Operation &op : region.front())
    for (Value operand : op.getOperands()) {
      Operation *constant = operand.getDefiningOp();
      if (constant && constant->getParentRegion() != &region &&
          constant->hasTrait<OpTrait::ConstantLike>() &&
          failed(evaluate(constant)))
        return failure();
    }
  SmallVector<Literal> results;
  if (failed(evaluateRegion(region, args, results)))
    return failure();
  return results;
}

LogicalResult Evaluator::evaluateOp(Operation *op, ArrayRef<Literal> operands,
                                    SmallVectorImpl<Literal> &results) {
  if (auto call = dyn_cast<func::CallOp>(op))
    return evaluateCall(call, operands, results);
  auto evaluable = dyn_cast<EvaluableOpInterface>(op);
  if (!evaluable)
    return op->emitError("op has no reference evaluation");
  SmallVector<Literal> rounded, moved;
  if (size_t numFactors = productType ? countFactors(op) : 0) {
    rounded.append(operands.begin(), operands.end());
    for (Literal &factor : MutableArrayRef(rounded).take_front(numFactors))
      if (factor.elementType().isF32())
        roundFactors(factor.mutableFloats(), factor.elementType());
    operands = rounded;
  }
  if (roundingSeed && accumulationOf(op) > 2)
    operands = moved = moveTerms(operands);
  if (failed(evaluable.evaluate(*this, operands, results)))
    return failure();
  if (results.size() != op->getNumResults())
    return op->emitError("reference evaluation gave ")
           << results.size() << " results, expected " << op->getNumResults();
  return success();
}

LogicalResult Evaluator::evaluateCall(func::CallOp call,
                                      ArrayRef<Literal> operands,
                                      SmallVectorImpl<Literal> &results) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      call, call.getCalleeAttr());
  if (!callee)
    return call.emitError("no function named '") << call.getCallee() << "'";
  if (frames.size() >= maxCallDepth)
    return call.emitError("calls nest more than ")
           << maxCallDepth << " deep; recursion cannot be evaluated";
  FailureOr<SmallVector<Literal>> values = evaluate(callee, operands);
  if (failed(values))
    return failure();
  results = std::move(*values);
  return success();
}
