//===- ImportReductions.cpp - Import of contractions and reductions -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Elementwise.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

namespace {
/// Builds a product of real tensors.
using ProductBuilder = function_ref<Value(Value, Value, RankedTensorType)>;
} // namespace

/// Whether products of `element` may be summed up in `sum`.
static bool canSumIn(Type element, Type sum) {
  if (element == sum)
    return true;
  if (isa<FloatType>(element) != isa<FloatType>(sum) ||
      element.isUnsignedInteger() != sum.isUnsignedInteger())
    return false;
  return sum.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth();
}

/// (a + bi)(c + di) from four products of real tensors. Operands of other
/// element types than the result can be summed in are converted first.
static LogicalResult buildProduct(ImportedOp &op, ProductBuilder build) {
  SmallVector<Tensor> operands = tensorsOf(op);
  Type element = op.resultElement();
  for (unsigned i = 0; i < 2; ++i) {
    Tensor &operand = operands[i];
    if (isNarrowFloat(operand.element) || isNarrowFloat(element))
      return op.unsupported() << "'" << op.name() << "' of " << operand.element
                              << " is not supported";
    if (operand.element == operands[1 - i].element &&
        canSumIn(operand.element, element))
      continue;
    // Both are converted: the second one after the first one was.
    Parts converted;
    if (failed(buildConvert(op, operand, element, converted)))
      return failure();
    operand = {std::move(converted), element};
  }
  const Parts &lhs = operands[0].parts, &rhs = operands[1].parts;
  RankedTensorType type = op.resultType();
  Value real = build(lhs[0], rhs[0], type);
  op.results[0] = {real};
  if (!isComplex(element))
    return success();
  Value imaginary = build(lhs[1], rhs[1], type);
  op.results[0] = {
      graph::SubtractOp::create(op.builder, op.loc, real, imaginary),
      graph::AddOp::create(op.builder, op.loc, build(lhs[0], rhs[1], type),
                           build(lhs[1], rhs[0], type))};
  return success();
}

static LogicalResult buildDot(ImportedOp &op, ArrayRef<int64_t> lhsBatching,
                              ArrayRef<int64_t> rhsBatching,
                              ArrayRef<int64_t> lhsContracting,
                              ArrayRef<int64_t> rhsContracting) {
  return buildProduct(op, [&](Value lhs, Value rhs, RankedTensorType type) {
    return graph::DotGeneralOp::create(op.builder, op.loc, type, lhs, rhs,
                                       lhsBatching, rhsBatching, lhsContracting,
                                       rhsContracting);
  });
}

static LogicalResult importDotGeneral(ImportedOp &op) {
  stablehlo::RecordAttr dims;
  ImportedOp::Integers lhsBatching, rhsBatching, lhsContracting, rhsContracting;
  if (failed(op.read("dot_dimension_numbers", dims)) ||
      failed(op.read(dims, "lhs_batching_dimensions", lhsBatching)) ||
      failed(op.read(dims, "rhs_batching_dimensions", rhsBatching)) ||
      failed(op.read(dims, "lhs_contracting_dimensions", lhsContracting)) ||
      failed(op.read(dims, "rhs_contracting_dimensions", rhsContracting)))
    return failure();
  return buildDot(op, lhsBatching, rhsBatching, lhsContracting, rhsContracting);
}

/// The last dimension of lhs with the first one of rhs.
static LogicalResult importDot(ImportedOp &op) {
  int64_t last = op.operandType(0).getRank() - 1;
  if (last < 0 || op.operandType(1).getRank() == 0)
    return buildDot(op, {}, {}, {}, {});
  return buildDot(op, {}, {}, {last}, {0});
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// The first half of the operands in the element types of the second half of
/// the body's arguments, which may be wider.
static LogicalResult promoteInputs(ImportedOp &op,
                                   SmallVectorImpl<Value> &inputs,
                                   SmallVectorImpl<Value> &inits) {
  unsigned count = op.operands.size() / 2;
  Region &body = op.op->getRegion(0);
  if (!body.hasOneBlock() || body.getNumArguments() != 2 * count)
    return op.error() << "the body of '" << op.name() << "' has "
                      << body.getNumArguments() << " arguments; expected "
                      << 2 * count;
  for (unsigned i = 0; i < 2 * count; ++i) {
    auto argument =
        dyn_cast<RankedTensorType>(body.getArgument(i % count).getType());
    if (!argument)
      return op.error() << "the body of '" << op.name()
                        << "' has an argument of type "
                        << body.getArgument(i % count).getType();
    Type element = argument.getElementType();
    Parts parts = op.operands[i];
    if (element != op.operandElement(i) &&
        failed(buildConvert(op, {op.operands[i], op.operandElement(i)}, element,
                            parts)))
      return failure();
    llvm::append_range(i < count ? inputs : inits, parts);
  }
  return success();
}

static void takeResults(ImportedOp &op, Operation *built) {
  unsigned next = 0;
  for (auto [types, parts] : llvm::zip_equal(op.resultTypes, op.results))
    for (unsigned i = 0; i < types.size(); ++i)
      parts.push_back(built->getResult(next++));
}

static SmallVector<Type> flatTypes(ImportedOp &op) {
  SmallVector<Type> types;
  for (ArrayRef<Type> parts : op.resultTypes)
    llvm::append_range(types, parts);
  return types;
}

static LogicalResult importReduce(ImportedOp &op) {
  ImportedOp::Integers dims;
  SmallVector<Value> inputs, inits;
  if (failed(op.read("dimensions", dims)) ||
      failed(promoteInputs(op, inputs, inits)))
    return failure();
  auto reduce = graph::ReduceOp::create(op.builder, op.loc, flatTypes(op),
                                        inputs, inits, dims);
  if (failed(op.importer.importClosedRegion(op.op->getRegion(0),
                                            reduce.getBody(),
                                            /*isIsolated=*/true, op.loc)))
    return failure();
  takeResults(op, reduce);
  return success();
}

void reader::addReductionImports(ImportTable &table) {
  table["stablehlo.dot"] = importDot;
  table["stablehlo.dot_general"] = importDotGeneral;
  table["stablehlo.reduce"] = importReduce;
}
