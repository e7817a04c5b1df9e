//===- ImportMovement.cpp - Import of sources and data movement -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "passes/Import/Ops/Elementwise.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

//===----------------------------------------------------------------------===//
// Sources
//===----------------------------------------------------------------------===//

/// Real (0) or imaginary (1) parts.
static DenseElementsAttr takePart(DenseElementsAttr value,
                                  RankedTensorType type, unsigned part) {
  SmallVector<APFloat> numbers;
  for (std::complex<APFloat> number : value.getValues<std::complex<APFloat>>())
    numbers.push_back(part ? number.imag() : number.real());
  return DenseElementsAttr::get(type, numbers);
}

/// The values in the type that keeps them: integers of 2 and 4 bits extended,
/// floats exactly in f32.
static DenseElementsAttr widen(DenseElementsAttr value, RankedTensorType type) {
  Type element = value.getElementType();
  if (element == type.getElementType())
    return value;
  if (isa<FloatType>(element)) {
    SmallVector<APFloat> numbers;
    for (APFloat number : value.getValues<APFloat>()) {
      bool losesInfo;
      number.convert(cast<FloatType>(type.getElementType()).getFloatSemantics(),
                     APFloat::rmNearestTiesToEven, &losesInfo);
      numbers.push_back(number);
    }
    return DenseElementsAttr::get(type, numbers);
  }
  SmallVector<APInt> numbers;
  unsigned width = type.getElementTypeBitWidth();
  for (const APInt &number : value.getValues<APInt>())
    numbers.push_back(element.isUnsignedInteger() ? number.zextOrTrunc(width)
                                                  : number.sextOrTrunc(width));
  return DenseElementsAttr::get(type, numbers);
}

/// The elements as one list, if there are any to list. A resource, which may be
/// large, stays what it is where `isKept`.
static DenseElementsAttr makeDense(ElementsAttr value, RankedTensorType type,
                                   bool isKept) {
  if (auto sparse = dyn_cast<SparseElementsAttr>(value);
      sparse && !isComplex(type.getElementType()))
    return DenseElementsAttr::get(
        type, llvm::to_vector(sparse.getValues<Attribute>()));
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  AsmResourceBlob *blob =
      resource && !isKept ? resource.getRawHandle().getBlob() : nullptr;
  bool isSplat;
  if (blob &&
      DenseElementsAttr::isValidRawBuffer(type, blob->getData(), isSplat))
    return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  return dyn_cast<DenseElementsAttr>(value);
}

static LogicalResult importConstant(ImportedOp &op) {
  auto value = op.op->getAttrOfType<ElementsAttr>("value");
  auto source = dyn_cast<RankedTensorType>(op.op->getResult(0).getType());
  if (!value || !source || value.getShapedType() != source)
    return op.error() << "'" << op.name()
                      << "' has a value of another type than its result";
  DenseElementsAttr dense =
      makeDense(value, source, /*isKept=*/op.resultType() == source);
  for (unsigned part = 0; part < op.resultTypes[0].size(); ++part) {
    RankedTensorType type = RankedTensorType::get(
        source.getShape(), op.resultType(0, part).getElementType());
    ElementsAttr number = value;
    if (dense && isComplex(source.getElementType()))
      number = takePart(dense, type, part);
    else if (dense)
      number = widen(dense, type);
    else if (type != source)
      return op.unsupported() << "a value of type " << source << " in " << value
                              << " is not supported";
    Value constant = graph::ConstantOp::create(op.builder, op.loc, number);
    // In a map a scalar stands for a tensor.
    op.results[0].push_back(graph::broadcastTo(
        op.builder, op.loc, constant, op.resultType(0, part).getShape(),
        graph::dimRange(source.getRank())));
  }
  return success();
}

static LogicalResult importIota(ImportedOp &op) {
  int64_t dim;
  if (failed(op.read("iota_dimension", dim)))
    return failure();
  RankedTensorType type = op.resultType();
  Type element = op.resultElement();
  if (graph::isSmallFloat(element) || isNarrowFloat(element)) {
    RankedTensorType integers =
        graph::withElement(type, op.builder.getI64Type());
    Value index = graph::iota(op.builder, op.loc, integers, dim);
    return buildConvert(op, {{index}, integers.getElementType()}, element,
                        op.results[0]);
  }
  op.results[0] = {graph::IotaOp::create(op.builder, op.loc, type, dim)};
  if (isNarrowInteger(element))
    return buildConvert(op, {op.results[0], type.getElementType()}, element,
                        op.results[0]);
  if (isComplex(element))
    op.results[0].push_back(graph::splat(op.builder, op.loc, type, 0));
  return success();
}

//===----------------------------------------------------------------------===//
// Movement: the same for each part
//===----------------------------------------------------------------------===//

/// Calls `build` with the values of each part of the operands.
static LogicalResult
buildParts(ImportedOp &op,
           function_ref<Value(ArrayRef<Value>, RankedTensorType)> build) {
  for (unsigned part = 0; part < op.resultTypes[0].size(); ++part) {
    SmallVector<Value> values;
    for (const Parts &parts : op.operands) {
      // Indices have one part.
      values.push_back(parts[std::min<size_t>(part, parts.size() - 1)]);
    }
    op.results[0].push_back(build(values, op.resultType(0, part)));
  }
  return success();
}

static LogicalResult importBroadcastInDim(ImportedOp &op) {
  ImportedOp::Integers dims;
  if (failed(op.read("broadcast_dimensions", dims)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::BroadcastInDimOp::create(op.builder, op.loc, type, values[0],
                                           dims);
  });
}

/// `sizes` become the first dimensions.
static LogicalResult importBroadcast(ImportedOp &op) {
  ImportedOp::Integers sizes, dims;
  if (failed(op.read("broadcast_sizes", sizes)))
    return failure();
  for (int64_t i = 0; i < op.operandType(0).getRank(); ++i)
    dims.push_back(sizes.size() + i);
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::BroadcastInDimOp::create(op.builder, op.loc, type, values[0],
                                           dims);
  });
}

static LogicalResult importReshape(ImportedOp &op) {
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::ReshapeOp::create(op.builder, op.loc, type, values[0]);
  });
}

static LogicalResult importTranspose(ImportedOp &op) {
  ImportedOp::Integers dims;
  if (failed(op.read("permutation", dims)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::TransposeOp::create(op.builder, op.loc, type, values[0],
                                      dims);
  });
}

static LogicalResult importSlice(ImportedOp &op) {
  ImportedOp::Integers starts, limits, strides;
  if (failed(op.read("start_indices", starts)) ||
      failed(op.read("limit_indices", limits)) ||
      failed(op.read("strides", strides)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::SliceOp::create(op.builder, op.loc, type, values[0], starts,
                                  limits, strides);
  });
}

static LogicalResult importPad(ImportedOp &op) {
  ImportedOp::Integers low, high, interior;
  if (failed(op.read("edge_padding_low", low)) ||
      failed(op.read("edge_padding_high", high)) ||
      failed(op.read("interior_padding", interior)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::PadOp::create(op.builder, op.loc, type, values[0], values[1],
                                low, high, interior);
  });
}

static LogicalResult importConcatenate(ImportedOp &op) {
  int64_t dim;
  if (failed(op.read("dimension", dim)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::ConcatenateOp::create(op.builder, op.loc, type, values, dim);
  });
}

static LogicalResult importReverse(ImportedOp &op) {
  ImportedOp::Integers dims;
  if (failed(op.read("dimensions", dims)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::ReverseOp::create(op.builder, op.loc, type, values[0], dims);
  });
}

static LogicalResult importDynamicSlice(ImportedOp &op) {
  ImportedOp::Integers sizes;
  if (failed(op.read("slice_sizes", sizes)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::DynamicSliceOp::create(op.builder, op.loc, type, values[0],
                                         values.drop_front(), sizes);
  });
}

static LogicalResult importDynamicUpdateSlice(ImportedOp &op) {
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::DynamicUpdateSliceOp::create(
        op.builder, op.loc, type, values[0], values[1], values.drop_front(2));
  });
}

static LogicalResult importGather(ImportedOp &op) {
  stablehlo::RecordAttr dims;
  ImportedOp::Integers offset, collapsed, batching, indicesBatching, map, sizes;
  int64_t vectorDim;
  if (failed(op.read("dimension_numbers", dims)) ||
      failed(op.read(dims, "offset_dims", offset)) ||
      failed(op.read(dims, "collapsed_slice_dims", collapsed)) ||
      failed(op.read(dims, "operand_batching_dims", batching)) ||
      failed(op.read(dims, "start_indices_batching_dims", indicesBatching)) ||
      failed(op.read(dims, "start_index_map", map)) ||
      failed(op.read(dims, "index_vector_dim", vectorDim)) ||
      failed(op.read("slice_sizes", sizes)))
    return failure();
  return buildParts(op, [&](ArrayRef<Value> values, RankedTensorType type) {
    return graph::GatherOp::create(op.builder, op.loc, type, values[0],
                                   values[1], offset, collapsed, batching,
                                   indicesBatching, map, vectorDim, sizes);
  });
}

void reader::addMovementImports(ImportTable &table) {
  table["chlo.constant"] = importConstant;
  table["stablehlo.broadcast"] = importBroadcast;
  table["stablehlo.broadcast_in_dim"] = importBroadcastInDim;
  table["stablehlo.concatenate"] = importConcatenate;
  table["stablehlo.constant"] = importConstant;
  table["stablehlo.dynamic_slice"] = importDynamicSlice;
  table["stablehlo.dynamic_update_slice"] = importDynamicUpdateSlice;
  table["stablehlo.gather"] = importGather;
  table["stablehlo.iota"] = importIota;
  table["stablehlo.pad"] = importPad;
  table["stablehlo.reshape"] = importReshape;
  table["stablehlo.reverse"] = importReverse;
  table["stablehlo.slice"] = importSlice;
  table["stablehlo.transpose"] = importTranspose;
}
