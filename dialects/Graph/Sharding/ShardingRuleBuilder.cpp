//===- ShardingRuleBuilder.cpp - Writing sharding rules -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Graph/SmallFloats.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;
using namespace mlir;

namespace cleave {

static unsigned rankOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getRank() : 0;
}

static int64_t sizeOf(Type type, unsigned dim) {
  return cast<RankedTensorType>(type).getDimSize(dim);
}

ShardingRuleBuilder::ShardingRuleBuilder(Operation *op) : op(op) {
  for (Type type : op->getOperandTypes())
    rule.operands.emplace_back().dims.resize(rankOf(type));
  for (Type type : op->getResultTypes())
    rule.results.emplace_back().dims.resize(rankOf(type));
}

int64_t ShardingRuleBuilder::operandSize(unsigned index, unsigned dim) const {
  return sizeOf(op->getOperand(index).getType(), dim);
}

int64_t ShardingRuleBuilder::resultSize(unsigned index, unsigned dim) const {
  return sizeOf(op->getResult(index).getType(), dim);
}

unsigned ShardingRuleBuilder::operandFactor(unsigned index, unsigned dim,
                                            FactorKind kind,
                                            ReductionKind reduction) {
  unsigned f = factor(operandSize(index, dim), kind, reduction);
  operand(index, dim, f);
  return f;
}

unsigned ShardingRuleBuilder::resultFactor(unsigned index, unsigned dim,
                                           FactorKind kind) {
  unsigned f = factor(resultSize(index, dim), kind);
  result(index, dim, f);
  return f;
}

ShardingRuleBuilder &ShardingRuleBuilder::operand(unsigned index, unsigned dim,
                                                  unsigned factor) {
  rule.operands[index].dims[dim].push_back(factor);
  return *this;
}

ShardingRuleBuilder &ShardingRuleBuilder::result(unsigned index, unsigned dim,
                                                 unsigned factor) {
  rule.results[index].dims[dim].push_back(factor);
  return *this;
}

ShardingRuleBuilder &ShardingRuleBuilder::linear(ArrayRef<unsigned> operands) {
  rule.linear.emplace_back(operands.begin(), operands.end());
  return *this;
}

ShardingRuleBuilder &
ShardingRuleBuilder::priority(ShardingRule::Priority priority) {
  rule.priority = priority;
  return *this;
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

static void printFactor(raw_ostream &os, unsigned factor) {
  os << char('a' + factor % 26);
  if (factor >= 26)
    os << factor / 26;
}

static void printTensors(raw_ostream &os, ArrayRef<TensorFactors> tensors) {
  os << '(';
  interleaveComma(tensors, os, [&](const TensorFactors &tensor) {
    os << '[';
    interleaveComma(tensor.dims, os, [&](ArrayRef<unsigned> dim) {
      if (dim.empty())
        os << '-';
      for (unsigned f : dim)
        printFactor(os, f);
    });
    os << ']';
  });
  os << ')';
}

std::string str(const ShardingRule &rule) {
  std::string text;
  raw_string_ostream os(text);
  printTensors(os, rule.operands);
  os << " -> ";
  printTensors(os, rule.results);
  os << " {";
  interleaveComma(enumerate(rule.factors), os, [&](const auto &entry) {
    const Factor &factor = entry.value();
    printFactor(os, entry.index());
    os << '=' << factor.size;
    switch (factor.kind) {
    case FactorKind::PassThrough:
      break;
    case FactorKind::Blocked:
      os << ":blocked";
      break;
    case FactorKind::Reduction:
      os << ':' << stringifyReduction(factor.reduction);
      break;
    case FactorKind::NeedReplication:
      os << ":whole";
      break;
    case FactorKind::Collective:
      os << ":collective";
      break;
    }
  });
  os << '}';
  if (!rule.linear.empty())
    os << " linear";
  for (ArrayRef<unsigned> set : rule.linear) {
    os << " {";
    interleaveComma(set, os);
    os << '}';
  }
  return text;
}

//===----------------------------------------------------------------------===//
// What several families share
//===----------------------------------------------------------------------===//

ShardingRuleBuilder movementRule(Operation *op, unsigned count) {
  ShardingRuleBuilder builder(op);
  builder.priority(ShardingRule::Priority::Movement);
  if (hasSums(op->getResult(0).getType()))
    builder.linear(llvm::to_vector(seq<unsigned>(0, count)));
  return builder;
}

ShardingRule elementwiseRule(Operation *op) {
  ShardingRuleBuilder builder(op);
  for (unsigned d = 0; d < builder.resultRank(0); ++d) {
    unsigned f = builder.resultFactor(0, d);
    for (unsigned i = 0; i < op->getNumOperands(); ++i)
      if (builder.operandRank(i) != 0)
        builder.operand(i, d, f);
  }
  return builder.take();
}

bool hasSums(Type type) {
  Type element = getElementTypeOrSelf(type);
  return !element.isInteger(1) && !graph::isSmallFloat(element);
}

ReductionKind sumKind(Type type) {
  return hasSums(type) ? ReductionKind::Sum : ReductionKind::Or;
}

bool isConstant(Value value, int64_t number) {
  DenseElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) || !elements.isSplat())
    return false;
  if (isa<FloatType>(elements.getElementType()))
    return elements.getSplatValue<APFloat>().convertToDouble() == number;
  return elements.getSplatValue<APInt>() ==
         APInt(elements.getElementType().getIntOrFloatBitWidth(), number,
               /*isSigned=*/true, /*implicitTrunc=*/true);
}

std::optional<ReductionKind> getRankReduction(std::optional<ReductionKind> kind,
                                              Value init, Type element) {
  if (!kind)
    return std::nullopt;
  bool isBool = element.isInteger(1);
  switch (*kind) {
  case ReductionKind::Sum:
    if (isBool)
      return ReductionKind::Or;
    return isConstant(init, 0) ? kind : std::nullopt;
  case ReductionKind::Prod:
    if (isBool)
      return ReductionKind::And;
    return isConstant(init, 1) ? kind : std::nullopt;
  // To count a value twice changes nothing in the rest.
  case ReductionKind::Max:
    return isBool ? ReductionKind::Or : *kind;
  case ReductionKind::Min:
    return isBool ? ReductionKind::And : *kind;
  case ReductionKind::And:
  case ReductionKind::Or:
    // Collectives combine truth values, not bits.
    return isBool ? kind : std::nullopt;
  }
  llvm_unreachable("unknown reduction");
}

llvm::SmallVector<int64_t> blockCounts(int64_t n, ArrayRef<AxisRef> axes) {
  SmallVector<int64_t> counts = {n};
  int64_t extent = n;
  for (const AxisRef &axis : axes) {
    extent = divideCeil(extent, axis.size);
    SmallVector<int64_t> inner;
    for (int64_t outer : counts)
      for (int64_t i = 0; i < axis.size; ++i)
        inner.push_back(std::clamp<int64_t>(outer - i * extent, 0, extent));
    counts = std::move(inner);
  }
  return counts;
}

} // namespace cleave
