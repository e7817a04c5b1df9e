//===- ImportReductions.cpp - Import of contractions and reductions -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "passes/Import/Ops/Elementwise.h"

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
  if (isComplex(element) || isComplex(sum) ||
      isa<FloatType>(element) != isa<FloatType>(sum) ||
      element.isUnsignedInteger() != sum.isUnsignedInteger())
    return false;
  return sum.getIntOrFloatBitWidth() > element.getIntOrFloatBitWidth();
}

/// Both operands in one element type, in which products are made, and the type
/// in which they are summed up; both are in terms of the source.
static LogicalResult
unifyOperands(ImportedOp &op, SmallVectorImpl<Tensor> &operands, Type &sum) {
  operands = tensorsOf(op);
  sum = op.resultElement();
  for (Tensor &operand : operands)
    if (isNarrowFloat(operand.element))
      operand.element = op.builder.getF32Type();
  bool isSmall = false, hasZero = true;
  for (const Tensor &operand : operands)
    if (auto small = graph::getSmallFloat(operand.element)) {
      isSmall = true;
      hasZero &= small->hasSign();
    }
  // Sums of products of 8 bits are rounded in the end. f16 does not hold all
  // operands.
  if (graph::isSmallFloat(sum) || isNarrowFloat(sum) ||
      (isSmall && sum.isF16()))
    sum = op.builder.getF32Type();
  if (operands[0].element == operands[1].element && hasZero) {
    Type element = operands[0].element;
    if (canSumIn(element, sum))
      return success();
    // A result of less precision is rounded in the end.
    if (isa<FloatType>(element) && isa<FloatType>(sum)) {
      sum = element;
      return success();
    }
  }
  for (Tensor &operand : operands) {
    Parts converted;
    if (failed(buildConvert(op, operand, sum, converted)))
      return failure();
    operand = {std::move(converted), sum};
  }
  return success();
}

/// (a + bi)(c + di) from four products of real tensors.
static LogicalResult buildProduct(ImportedOp &op, ProductBuilder build) {
  SmallVector<Tensor> operands;
  Type sum;
  if (failed(unifyOperands(op, operands, sum)))
    return failure();
  SmallVector<Type> types;
  if (failed(op.importer.convertType(
          RankedTensorType::get(op.resultType().getShape(), sum), op.loc,
          types)))
    return failure();
  auto type = cast<RankedTensorType>(types[0]);
  const Parts &lhs = operands[0].parts, &rhs = operands[1].parts;
  Parts product = {build(lhs[0], rhs[0], type)};
  if (isComplex(sum)) {
    Value imaginary = build(lhs[1], rhs[1], type);
    product = {
        graph::SubtractOp::create(op.builder, op.loc, product[0], imaginary),
        graph::AddOp::create(op.builder, op.loc, build(lhs[0], rhs[1], type),
                             build(lhs[1], rhs[0], type))};
  }
  // Integers of 2 and 4 bits have been summed up in 8.
  if (isNarrowInteger(sum))
    sum = type.getElementType();
  return buildConvert(op, {product, sum}, op.resultElement(), op.results[0]);
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

/// (low, high) for each dimension, zeros unless given.
static LogicalResult readPadding(ImportedOp &op, int64_t rank,
                                 ImportedOp::Integers &padding) {
  return op.read("padding", padding, ImportedOp::Integers(2 * rank, 0));
}

static LogicalResult importConvolution(ImportedOp &op) {
  stablehlo::RecordAttr dims;
  ImportedOp::Integers strides, padding, lhsDilation, rhsDilation, reversal;
  ImportedOp::Integers inputSpatial, kernelSpatial, outputSpatial;
  int64_t inputBatch, inputFeature, kernelInput, kernelOutput, outputBatch,
      outputFeature, featureGroups, batchGroups;
  if (failed(op.read("dimension_numbers", dims)) ||
      failed(op.read(dims, "input_spatial_dimensions", inputSpatial)) ||
      failed(op.read(dims, "kernel_spatial_dimensions", kernelSpatial)) ||
      failed(op.read(dims, "output_spatial_dimensions", outputSpatial)) ||
      failed(op.read(dims, "input_batch_dimension", inputBatch)) ||
      failed(op.read(dims, "input_feature_dimension", inputFeature)) ||
      failed(op.read(dims, "kernel_input_feature_dimension", kernelInput)) ||
      failed(op.read(dims, "kernel_output_feature_dimension", kernelOutput)) ||
      failed(op.read(dims, "output_batch_dimension", outputBatch)) ||
      failed(op.read(dims, "output_feature_dimension", outputFeature)))
    return failure();
  int64_t rank = inputSpatial.size();
  ImportedOp::Integers ones(rank, 1), zeros(rank, 0);
  if (failed(op.read("window_strides", strides, ones)) ||
      failed(op.read("lhs_dilation", lhsDilation, ones)) ||
      failed(op.read("rhs_dilation", rhsDilation, ones)) ||
      failed(op.read("window_reversal", reversal, zeros)) ||
      failed(readPadding(op, rank, padding)) ||
      failed(op.read("feature_group_count", featureGroups, 1)) ||
      failed(op.read("batch_group_count", batchGroups, 1)))
    return failure();
  SmallVector<bool> isReversed(reversal.begin(), reversal.end());
  return buildProduct(op, [&](Value lhs, Value rhs, RankedTensorType type) {
    return graph::ConvolutionOp::create(
        op.builder, op.loc, type, lhs, rhs, strides, padding, lhsDilation,
        rhsDilation, isReversed, inputBatch, inputFeature, inputSpatial,
        kernelInput, kernelOutput, kernelSpatial, outputBatch, outputFeature,
        outputSpatial, featureGroups, batchGroups);
  });
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

static LogicalResult importReduce(ImportedOp &op) {
  ImportedOp::Integers dims;
  SmallVector<Value> inputs, inits;
  if (failed(op.read("dimensions", dims)) ||
      failed(promoteInputs(op, inputs, inits)))
    return failure();
  auto reduce = graph::ReduceOp::create(op.builder, op.loc, op.flatTypes(),
                                        inputs, inits, dims);
  if (failed(op.importer.importClosedRegion(op.op->getRegion(0),
                                            reduce.getBody(),
                                            /*isIsolated=*/true, op.loc)))
    return failure();
  op.takeResults(reduce);
  return success();
}

static LogicalResult importReduceWindow(ImportedOp &op) {
  if (op.operands.empty())
    return op.error() << "'" << op.name() << "' has no operands";
  int64_t rank = op.operandType(0).getRank();
  ImportedOp::Integers ones(rank, 1), sizes, strides, base, window, padding;
  SmallVector<Value> inputs, inits;
  if (failed(op.read("window_dimensions", sizes)) ||
      failed(op.read("window_strides", strides, ones)) ||
      failed(op.read("base_dilations", base, ones)) ||
      failed(op.read("window_dilations", window, ones)) ||
      failed(readPadding(op, rank, padding)) ||
      failed(promoteInputs(op, inputs, inits)))
    return failure();
  auto reduce = graph::ReduceWindowOp::create(
      op.builder, op.loc, op.flatTypes(), inputs, inits, sizes, strides, base,
      window, padding);
  if (failed(op.importer.importClosedRegion(op.op->getRegion(0),
                                            reduce.getBody(),
                                            /*isIsolated=*/true, op.loc)))
    return failure();
  op.takeResults(reduce);
  return success();
}

void reader::addReductionImports(ImportTable &table) {
  table["stablehlo.dot"] = importDot;
  table["stablehlo.dot_general"] = importDotGeneral;
  table["stablehlo.convolution"] = importConvolution;
  table["stablehlo.reduce"] = reduction(importReduce);
  table["stablehlo.reduce_window"] = reduction(importReduceWindow);
}
