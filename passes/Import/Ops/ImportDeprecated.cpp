//===- ImportDeprecated.cpp - Ops that newer programs do without ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each is what upstream's specification of today has other ops for. Labels of
// an einsum are letters: `ab,bc->ac`.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// The labels of `ab,bc->ac`, one string per operand, then the result's.
static FailureOr<SmallVector<StringRef>> readLabels(ImportedOp &op) {
  auto config = op.op->getAttrOfType<StringAttr>("einsum_config");
  if (!config)
    return op.error() << "'" << op.name() << "' has no einsum_config";
  SmallVector<StringRef> labels;
  auto [from, to] = config.getValue().split("->");
  from.split(labels, ',');
  labels.push_back(to);
  auto isSimple = [](StringRef text) {
    llvm::SmallSet<char, 8> seen;
    return llvm::all_of(text, [&](char c) {
      return llvm::isAlpha(c) && seen.insert(c).second;
    });
  };
  bool fits = labels.size() == op.operands.size() + 1;
  for (unsigned i = 0; fits && i < op.operands.size(); ++i)
    fits = labels[i].size() == size_t(op.operandType(i).getRank());
  if (!fits || labels.back().size() != size_t(op.resultType().getRank()))
    return op.error() << "einsum_config " << config << " is not of "
                      << op.op->getOperandTypes() << " and "
                      << op.op->getResultTypes();
  bool isKnown = llvm::all_of(labels, isSimple) &&
                 llvm::all_of(labels.back(), [&](char c) {
                   return llvm::any_of(
                       ArrayRef(labels).drop_back(),
                       [&](StringRef operand) { return operand.contains(c); });
                 });
  Type element = op.operandElement(0);
  if (!isKnown || isComplex(element) || isNarrowInteger(element) ||
      isNarrowFloat(element))
    return op.unsupported() << "'" << op.name() << "' of " << config << " and "
                            << op.op->getOperandTypes() << " is not supported";
  return labels;
}

/// Sums over the dimensions whose labels neither of two texts has.
static Value sumOthers(ImportedOp &op, Value value, std::string &labels,
                       StringRef kept, StringRef alsoKept = "") {
  SmallVector<int64_t> dims;
  std::string left;
  for (auto [d, label] : llvm::enumerate(labels))
    if (kept.contains(label) || alsoKept.contains(label))
      left += label;
    else
      dims.push_back(d);
  labels = left;
  return dims.empty() ? value
                      : graph::reduce(op.builder, op.loc, value, dims,
                                      ReductionKind::Sum);
}

/// A value of dimensions `labels` in the order of the result's.
static LogicalResult finish(ImportedOp &op, Value value, StringRef labels,
                            StringRef result) {
  SmallVector<int64_t> permutation;
  for (char label : result)
    permutation.push_back(labels.find(label));
  value = graph::transpose(op.builder, op.loc, value, permutation);
  if (value.getType() != op.resultType())
    return op.error() << "'" << op.name() << "' makes " << value.getType()
                      << ", not " << op.resultType();
  op.results[0] = {value};
  return success();
}

static LogicalResult importUnaryEinsum(ImportedOp &op) {
  FailureOr<SmallVector<StringRef>> texts = readLabels(op);
  if (failed(texts))
    return failure();
  std::string labels = (*texts)[0].str();
  Value sum = sumOthers(op, op.operand(0), labels, (*texts)[1]);
  return finish(op, sum, labels, (*texts)[1]);
}

static LogicalResult importEinsum(ImportedOp &op) {
  FailureOr<SmallVector<StringRef>> texts = readLabels(op);
  if (failed(texts))
    return failure();
  std::string lhs = (*texts)[0].str(), rhs = (*texts)[1].str();
  StringRef result = (*texts)[2];
  Value left = sumOthers(op, op.operand(0), lhs, rhs, result);
  Value right = sumOthers(op, op.operand(1), rhs, lhs, result);
  ImportedOp::Integers lhsBatch, rhsBatch, lhsContract, rhsContract;
  std::string labels, leftLabels, rightLabels;
  SmallVector<int64_t> shape, leftShape, rightShape;
  for (auto [d, label] : llvm::enumerate(lhs)) {
    int64_t size = graph::typeOf(left).getDimSize(d);
    size_t other = rhs.find(label);
    if (other == std::string::npos) {
      leftLabels += label;
      leftShape.push_back(size);
      continue;
    }
    if (graph::typeOf(right).getDimSize(other) != size)
      return op.error() << "dimensions '" << std::string(1, label)
                        << "' of the operands differ";
    bool isBatch = result.contains(label);
    (isBatch ? lhsBatch : lhsContract).push_back(d);
    (isBatch ? rhsBatch : rhsContract).push_back(other);
    if (isBatch) {
      labels += label;
      shape.push_back(size);
    }
  }
  for (auto [d, label] : llvm::enumerate(rhs))
    if (lhs.find(label) == std::string::npos) {
      rightLabels += label;
      rightShape.push_back(graph::typeOf(right).getDimSize(d));
    }
  labels += leftLabels + rightLabels;
  llvm::append_range(shape, leftShape);
  llvm::append_range(shape, rightShape);
  Value product = graph::DotGeneralOp::create(
      op.builder, op.loc, graph::withShape(op.resultType(), shape), left, right,
      lhsBatch, rhsBatch, lhsContract, rhsContract);
  return finish(op, product, labels, result);
}

/// Slices of the operand along `dim`, for each index one, where the first
/// dimensions of both are the same.
static LogicalResult importIndexSelect(ImportedOp &op) {
  int64_t dim, batches;
  if (failed(op.read("dim", dim)) || failed(op.read("batch_dims", batches)))
    return failure();
  RankedTensorType operand = op.operandType(0), index = op.operandType(1);
  if (dim < 0 || dim >= operand.getRank() || batches < 0 || batches > dim ||
      batches > index.getRank() ||
      operand.getShape().take_front(batches) !=
          index.getShape().take_front(batches))
    return op.error() << "'" << op.name() << "' has dim = " << dim
                      << " and batch_dims = " << batches << ", which "
                      << operand << " and " << index << " do not have";
  ImportedOp::Integers offsets, sizes(operand.getShape()),
      batching = graph::dimRange(batches);
  for (int64_t d = batches; d < dim; ++d)
    offsets.push_back(d);
  for (int64_t d = dim + 1; d < operand.getRank(); ++d)
    offsets.push_back(d - 1 + index.getRank() - batches);
  std::fill_n(sizes.begin(), batches, 1);
  sizes[dim] = 1;
  for (auto [part, type] : llvm::zip_equal(op.operands[0], op.resultTypes[0]))
    op.results[0].push_back(graph::GatherOp::create(
        op.builder, op.loc, type, part, op.operand(1), offsets,
        ArrayRef<int64_t>{dim}, batching, batching, ArrayRef<int64_t>{dim},
        index.getRank(), sizes));
  return success();
}

void reader::addDeprecatedImports(ImportTable &table) {
  table["stablehlo.einsum"] = arithmetic(importEinsum);
  table["stablehlo.unary_einsum"] = arithmetic(importUnaryEinsum);
  table["stablehlo.torch_index_select"] = importIndexSelect;
}
