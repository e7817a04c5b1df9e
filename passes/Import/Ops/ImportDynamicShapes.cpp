//===- ImportDynamicShapes.cpp - Import of shapes that are values ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Programs of static shape may still compute shapes: ops whose shape operands
// are constants, or follow from constants, are the static ones.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// Elements above which a value is not taken for a shape.
static constexpr int64_t largestShape = 1024;

/// The value that ops on constants give; none if something else is in it.
static std::optional<graph::Literal> evaluateConstant(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  Operation *op = value.getDefiningOp();
  auto evaluable = dyn_cast_or_null<EvaluableOpInterface>(op);
  if (!type || type.getNumElements() > largestShape || !evaluable ||
      op->getNumRegions())
    return std::nullopt;
  SmallVector<graph::Literal> operands, results;
  for (Value operand : op->getOperands()) {
    std::optional<graph::Literal> literal = evaluateConstant(operand);
    if (!literal)
      return std::nullopt;
    operands.push_back(std::move(*literal));
  }
  // What cannot be evaluated is reported as no constant.
  ScopedDiagnosticHandler quiet(op->getContext(),
                                [](Diagnostic &) { return success(); });
  graph::Evaluator evaluator(graph::Evaluator::Mode::Rounded);
  if (failed(evaluable.evaluate(evaluator, operands, results)))
    return std::nullopt;
  return results[cast<OpResult>(value).getResultNumber()];
}

/// Integers that operand `index` must be.
static LogicalResult readShape(ImportedOp &op, unsigned index,
                               ImportedOp::Integers &values) {
  std::optional<graph::Literal> literal = evaluateConstant(op.operand(index));
  if (!literal || literal->isFloat())
    return op.unsupported()
           << "'" << op.name() << "' with operand " << index
           << " that is no constant is not supported; shapes must be static";
  values.assign(literal->ints().begin(), literal->ints().end());
  return success();
}

/// The result has the shape that the operand says.
static LogicalResult checkShape(ImportedOp &op, unsigned index) {
  ImportedOp::Integers shape;
  if (failed(readShape(op, index, shape)))
    return failure();
  if (ArrayRef(shape) != op.resultType().getShape())
    return op.error() << "'" << op.name() << "' has a result of type "
                      << op.op->getResult(0).getType()
                      << "; its operand says another shape";
  return success();
}

/// Imports `op` as the static op `name`, with some attributes and the first
/// operands.
static LogicalResult
importAsStatic(ImportedOp &op, StringRef name, unsigned operandCount,
               ArrayRef<std::pair<StringRef, ArrayRef<int64_t>>> attributes) {
  NamedAttrList all(op.op->getAttrDictionary());
  for (auto [attribute, values] : attributes)
    all.set(attribute, op.builder.getDenseI64ArrayAttr(values));
  return op.importAs(name, operandCount, std::move(all));
}

static LogicalResult importDynamicBroadcast(ImportedOp &op) {
  if (failed(checkShape(op, 1)))
    return failure();
  return importAsStatic(op, "stablehlo.broadcast_in_dim", 1, {});
}

static LogicalResult importDynamicIota(ImportedOp &op) {
  if (failed(checkShape(op, 0)))
    return failure();
  return importAsStatic(op, "stablehlo.iota", 0, {});
}

static LogicalResult importDynamicReshape(ImportedOp &op) {
  if (failed(checkShape(op, 1)))
    return failure();
  return importAsStatic(op, "stablehlo.reshape", 1, {});
}

static LogicalResult importDynamicPad(ImportedOp &op) {
  ImportedOp::Integers low, high, interior;
  if (failed(readShape(op, 2, low)) || failed(readShape(op, 3, high)) ||
      failed(readShape(op, 4, interior)))
    return failure();
  return importAsStatic(op, "stablehlo.pad", 2,
                        {{"edge_padding_low", low},
                         {"edge_padding_high", high},
                         {"interior_padding", interior}});
}

static LogicalResult importDynamicGather(ImportedOp &op) {
  ImportedOp::Integers sizes;
  if (failed(readShape(op, 2, sizes)))
    return failure();
  return importAsStatic(op, "stablehlo.gather", 2, {{"slice_sizes", sizes}});
}

static LogicalResult importDynamicConv(ImportedOp &op) {
  ImportedOp::Integers padding;
  if (failed(readShape(op, 2, padding)))
    return failure();
  return importAsStatic(op, "stablehlo.convolution", 2, {{"padding", padding}});
}

static LogicalResult importRealDynamicSlice(ImportedOp &op) {
  ImportedOp::Integers starts, limits, strides;
  if (failed(readShape(op, 1, starts)) || failed(readShape(op, 2, limits)) ||
      failed(readShape(op, 3, strides)))
    return failure();
  return importAsStatic(op, "stablehlo.slice", 1,
                        {{"start_indices", starts},
                         {"limit_indices", limits},
                         {"strides", strides}});
}

static LogicalResult importGetDimensionSize(ImportedOp &op) {
  int64_t dim;
  if (failed(op.read("dimension", dim)))
    return failure();
  RankedTensorType type = op.operandType(0);
  if (dim < 0 || dim >= type.getRank())
    return op.error() << "no dimension " << dim << " in "
                      << op.op->getOperand(0).getType();
  op.results[0] = {graph::splatInt(op.builder, op.loc, op.resultType(),
                                   type.getDimSize(dim))};
  return success();
}

/// Only a size that changes nothing has a static shape.
static LogicalResult importSetDimensionSize(ImportedOp &op) {
  int64_t dim;
  ImportedOp::Integers size;
  if (failed(op.read("dimension", dim)) || failed(readShape(op, 1, size)))
    return failure();
  RankedTensorType type = op.operandType(0);
  if (size.size() != 1 || dim < 0 || dim >= type.getRank() ||
      size[0] != type.getDimSize(dim))
    return op.unsupported()
           << "'" << op.name()
           << "' that changes a size is not supported; shapes must be static";
  op.results[0] = op.operands[0];
  return success();
}

void reader::addDynamicShapeImports(ImportTable &table) {
  table["stablehlo.dynamic_broadcast_in_dim"] = importDynamicBroadcast;
  table["stablehlo.dynamic_conv"] = importDynamicConv;
  table["stablehlo.dynamic_gather"] = importDynamicGather;
  table["stablehlo.dynamic_iota"] = importDynamicIota;
  table["stablehlo.dynamic_pad"] = importDynamicPad;
  table["stablehlo.dynamic_reshape"] = importDynamicReshape;
  table["stablehlo.get_dimension_size"] = importGetDimensionSize;
  table["stablehlo.real_dynamic_slice"] = importRealDynamicSlice;
  table["stablehlo.set_dimension_size"] = importSetDimensionSize;
}
