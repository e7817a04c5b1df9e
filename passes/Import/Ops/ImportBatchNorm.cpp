//===- ImportBatchNorm.cpp - Import of batch normalization ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The formulas of the specification, with the variance as the mean of squared
// deviations (never a difference of squares), in f32 for f16 and bf16.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Ops/Real.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

namespace {

/// Values of one op, in the type in which it computes.
class BatchNorm {
public:
  explicit BatchNorm(ImportedOp &op) : op(op) {}

  LogicalResult read() {
    auto number = dyn_cast_or_null<FloatAttr>(op.op->getAttr("epsilon"));
    if (!number)
      return op.error() << "attribute 'epsilon' of '" << op.name()
                        << "' should be a float";
    epsilon = number.getValueAsDouble();
    type = op.operandType(0);
    if (failed(op.read("feature_index", feature)))
      return failure();
    if (feature < 0 || feature >= type.getRank() ||
        !isa<FloatType>(op.operandElement(0)) ||
        isNarrowFloat(op.operandElement(0)))
      return op.error() << "'" << op.name() << "' has feature_index " << feature
                        << " on " << op.op->getOperand(0).getType();
    for (int64_t dim : graph::dimRange(type.getRank()))
      if (dim != feature) {
        others.push_back(dim);
        count *= type.getDimSize(dim);
      }
    return success();
  }

  Real operand(unsigned index) {
    Value value = op.operand(index);
    return {&op, graph::convertElement(op.builder, op.loc, value, compute())};
  }
  /// One number per feature, everywhere.
  Real spread(Real x) {
    return {&op, graph::broadcastTo(op.builder, op.loc, x.value,
                                    type.getShape(), {feature})};
  }
  Real sum(Real x) {
    return {&op, graph::reduce(op.builder, op.loc, x.value, others,
                               ReductionKind::Sum)};
  }
  Real mean(Real x) { return sum(x) / static_cast<double>(count); }
  /// 1 / sqrt(variance + epsilon).
  Real inverseDeviation(Real variance) {
    return apply<graph::RsqrtOp>(variance + epsilon);
  }
  void setResult(unsigned index, Real x) {
    op.results[index] = {graph::convertElement(
        op.builder, op.loc, x.value, op.resultType(index).getElementType())};
  }
  int64_t size() const { return count; }

private:
  Type compute() { return graph::accumulationType(type.getElementType()); }

  ImportedOp &op;
  RankedTensorType type;
  double epsilon = 0;
  int64_t feature = 0, count = 1;
  SmallVector<int64_t> others;
};

} // namespace

static LogicalResult importInference(ImportedOp &op) {
  BatchNorm norm(op);
  if (failed(norm.read()))
    return failure();
  Real x = norm.operand(0), scale = norm.operand(1), offset = norm.operand(2),
       mean = norm.operand(3), variance = norm.operand(4);
  Real factor = scale * norm.inverseDeviation(variance);
  norm.setResult(0, (x - norm.spread(mean)) * norm.spread(factor) +
                        norm.spread(offset));
  return success();
}

static LogicalResult importTraining(ImportedOp &op) {
  BatchNorm norm(op);
  if (failed(norm.read()))
    return failure();
  Real x = norm.operand(0), scale = norm.operand(1), offset = norm.operand(2);
  Real mean = norm.mean(x);
  Real centered = x - norm.spread(mean);
  Real variance = norm.mean(centered * centered);
  Real factor = scale * norm.inverseDeviation(variance);
  norm.setResult(0, centered * norm.spread(factor) + norm.spread(offset));
  norm.setResult(1, mean);
  norm.setResult(2, variance);
  return success();
}

static LogicalResult importGradient(ImportedOp &op) {
  BatchNorm norm(op);
  if (failed(norm.read()))
    return failure();
  Real x = norm.operand(0), scale = norm.operand(1), mean = norm.operand(2),
       variance = norm.operand(3), gradient = norm.operand(4);
  Real centered = x - norm.spread(mean);
  Real inverse = norm.inverseDeviation(variance);
  Real offsetGradient = norm.sum(gradient);
  Real product = norm.sum(gradient * centered);
  double count = norm.size();
  Real slope = product * inverse * inverse / count;
  Real inner = gradient - norm.spread(offsetGradient / count) -
               centered * norm.spread(slope);
  norm.setResult(0, norm.spread(scale * inverse) * inner);
  norm.setResult(1, product * inverse);
  norm.setResult(2, offsetGradient);
  return success();
}

void reader::addBatchNormImports(ImportTable &table) {
  table["stablehlo.batch_norm_grad"] = arithmetic(importGradient);
  table["stablehlo.batch_norm_inference"] = arithmetic(importInference);
  table["stablehlo.batch_norm_training"] = arithmetic(importTraining);
}
