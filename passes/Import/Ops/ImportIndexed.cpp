//===- ImportIndexed.cpp - Import of scatter, sort and selections ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Ops/Elementwise.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

static LogicalResult importScatter(ImportedOp &op) {
  stablehlo::RecordAttr dims;
  ImportedOp::Integers window, inserted, batching, indicesBatching, map;
  int64_t vectorDim;
  bool isUnique;
  if (failed(op.read("scatter_dimension_numbers", dims)) ||
      failed(op.read(dims, "update_window_dims", window)) ||
      failed(op.read(dims, "inserted_window_dims", inserted)) ||
      failed(op.read(dims, "input_batching_dims", batching)) ||
      failed(op.read(dims, "scatter_indices_batching_dims", indicesBatching)) ||
      failed(op.read(dims, "scatter_dims_to_operand_dims", map)) ||
      failed(op.read(dims, "index_vector_dim", vectorDim)) ||
      failed(op.read("unique_indices", isUnique, false)))
    return failure();
  unsigned count = op.operands.size() / 2;
  SmallVector<Value> inputs, updates;
  for (unsigned i = 0; i < count; ++i) {
    llvm::append_range(inputs, op.operands[i]);
    llvm::append_range(updates, op.operands[count + 1 + i]);
  }
  auto scatter = graph::ScatterOp::create(
      op.builder, op.loc, op.flatTypes(), inputs, op.operand(count), updates,
      window, inserted, batching, indicesBatching, map, vectorDim, isUnique);
  if (failed(op.importer.importClosedRegion(op.op->getRegion(0),
                                            scatter.getBody(),
                                            /*isIsolated=*/true, op.loc)))
    return failure();
  op.takeResults(scatter);
  return success();
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

/// The arguments of a comparator, (left, right) for each part of each input, as
/// (left, right) for each input.
static SmallVector<Parts> addComparatorArguments(ImportedOp &op, Block &block) {
  SmallVector<Parts> arguments;
  for (const Parts &parts : op.operands) {
    Parts left, right;
    for (Value part : parts) {
      Type scalar = graph::withShape(graph::typeOf(part), {});
      left.push_back(block.addArgument(scalar, op.loc));
      right.push_back(block.addArgument(scalar, op.loc));
    }
    arguments.push_back(left);
    arguments.push_back(right);
  }
  return arguments;
}

static LogicalResult importSort(ImportedOp &op) {
  int64_t dim;
  if (op.operands.empty())
    return op.error() << "'" << op.name() << "' has no operands";
  if (failed(op.read("dimension", dim, -1)))
    return failure();
  int64_t rank = op.operandType(0).getRank();
  auto sort =
      graph::SortOp::create(op.builder, op.loc, op.flatTypes(),
                            op.flatOperands(), dim < 0 ? dim + rank : dim);
  Block &body = sort.getBody().emplaceBlock();
  SmallVector<Parts> results;
  if (failed(op.importer.importRegion(op.op->getRegion(0), body,
                                      addComparatorArguments(op, body),
                                      /*isIsolated=*/true, results)))
    return failure();
  OpBuilder::InsertionGuard guard(op.builder);
  op.builder.setInsertionPointToEnd(&body);
  SmallVector<Value> yielded;
  for (const Parts &parts : results)
    llvm::append_range(yielded, parts);
  graph::ReturnOp::create(op.builder, op.loc, yielded);
  op.takeResults(sort);
  return success();
}

/// The first k of (value, index), sorted by descending value; floats in total
/// order, so that NaN comes first, and equal values by index.
static LogicalResult importTopK(ImportedOp &op) {
  int64_t k;
  bool isLargest;
  if (failed(op.read("k", k)) || failed(op.read("largest", isLargest, true)))
    return failure();
  Type element = op.operandElement(0);
  RankedTensorType type = op.operandType(0);
  int64_t last = type.getRank() - 1;
  if (last < 0 || isComplex(element))
    return op.unsupported()
           << "'" << op.name() << "' of " << type << " is not supported";
  RankedTensorType indexType =
      graph::withElement(type, op.resultType(1).getElementType());
  Value index = graph::iota(op.builder, op.loc, indexType, last);
  auto sort =
      graph::SortOp::create(op.builder, op.loc, TypeRange{type, indexType},
                            ValueRange{op.operand(0), index}, last);
  {
    OpBuilder::InsertionGuard guard(op.builder);
    Block &body = sort.getBody().emplaceBlock();
    for (RankedTensorType input : {type, indexType})
      for (unsigned i = 0; i < 2; ++i)
        body.addArgument(graph::withShape(input, {}), op.loc);
    op.builder.setInsertionPointToEnd(&body);
    Parts isFirst;
    if (failed(buildCompare(op, {{body.getArgument(0)}, element},
                            {{body.getArgument(1)}, element},
                            isLargest ? "GT" : "LT", "TOTALORDER", isFirst)))
      return failure();
    graph::ReturnOp::create(op.builder, op.loc, isFirst);
  }
  for (unsigned i = 0; i < 2; ++i)
    op.results[i] = {
        graph::sliceDim(op.builder, op.loc, sort->getResult(i), last, 0, k)};
  return success();
}

//===----------------------------------------------------------------------===//
// Select and scatter
//===----------------------------------------------------------------------===//

namespace {
/// Dimensions along which windows are single elements, and the others.
struct WindowDims {
  SmallVector<int64_t> single, wide;

  /// All of them, the single ones first.
  SmallVector<int64_t> order() const {
    return llvm::to_vector(llvm::concat<const int64_t>(single, wide));
  }
  /// The single dimensions of `shape`, then the product of the others.
  SmallVector<int64_t> flatten(ArrayRef<int64_t> shape) const {
    SmallVector<int64_t> result;
    for (int64_t dim : single)
      result.push_back(shape[dim]);
    result.push_back(1);
    for (int64_t dim : wide)
      result.back() *= shape[dim];
    return result;
  }
};
} // namespace

/// The element that `select` picks in each window, as its position along the
/// wide dimensions; -1 where a window has none. A window is reduced over
/// (element, index), from an index of -1, which padding has, too.
static FailureOr<Value> selectInWindows(ImportedOp &op, const WindowDims &dims,
                                        ArrayRef<int64_t> windows,
                                        ArrayRef<int64_t> strides,
                                        ArrayRef<int64_t> padding) {
  RankedTensorType type = op.operandType(0);
  RankedTensorType indexType =
      graph::withElement(type, op.builder.getI64Type());
  SmallVector<int64_t> extents = llvm::map_to_vector(
      dims.wide, [&](int64_t dim) { return type.getDimSize(dim); });
  RankedTensorType flat =
      graph::withShape(indexType, dims.flatten(type.getShape()).back());
  Value index = graph::reshapeTo(
      op.builder, op.loc, graph::iota(op.builder, op.loc, flat, 0), extents);
  index =
      graph::broadcastTo(op.builder, op.loc, index, type.getShape(), dims.wide);
  RankedTensorType scalarIndex = graph::withShape(indexType, {});
  Parts inputs = op.operands[0], inits = op.operands[2];
  inputs.push_back(index);
  inits.push_back(graph::splatInt(op.builder, op.loc, scalarIndex, -1));
  SmallVector<Type> types, scalars;
  for (Value input : inputs) {
    types.push_back(
        graph::withShape(graph::typeOf(input), op.operandType(1).getShape()));
    scalars.push_back(graph::withShape(graph::typeOf(input), {}));
  }
  ImportedOp::Integers ones(type.getRank(), 1);
  auto reduce =
      graph::ReduceWindowOp::create(op.builder, op.loc, types, inputs, inits,
                                    windows, strides, ones, ones, padding);
  OpBuilder::InsertionGuard guard(op.builder);
  Block &body = reduce.getBody().emplaceBlock();
  Parts kept, element;
  for (Parts *parts : {&kept, &element})
    for (Type scalar : scalars)
      parts->push_back(body.addArgument(scalar, op.loc));
  Value keptIndex = kept.pop_back_val();
  Value elementIndex = element.pop_back_val();
  SmallVector<Parts> isKept;
  if (failed(op.importer.importRegion(op.op->getRegion(0), body,
                                      {kept, element}, /*isIsolated=*/true,
                                      isKept)))
    return failure();
  if (isKept.size() != 1 || isKept[0].size() != 1)
    return op.error() << "the selection of '" << op.name()
                      << "' should have one result";
  // kept if the element is padding, or if there is something to keep and
  // `select` prefers it.
  op.builder.setInsertionPointToEnd(&body);
  auto isPadding = [&](Value index) {
    Value zero = graph::splatInt(op.builder, op.loc, scalarIndex, 0);
    return graph::compare(op.builder, op.loc, graph::ComparisonDirection::LT,
                          index, zero);
  };
  Value isSet = graph::NotOp::create(op.builder, op.loc, isPadding(keptIndex));
  Value keep = graph::OrOp::create(
      op.builder, op.loc, isPadding(elementIndex),
      graph::AndOp::create(op.builder, op.loc, isSet, isKept[0][0]));
  kept.push_back(keptIndex);
  element.push_back(elementIndex);
  Parts yielded;
  buildSelect(op, keep, kept, element, yielded);
  graph::ReturnOp::create(op.builder, op.loc, yielded);
  return Value(reduce->getResults().back());
}

/// Single dimensions are batches of the scatter, so that they may be cut.
static LogicalResult importSelectAndScatter(ImportedOp &op) {
  RankedTensorType type = op.operandType(0), source = op.operandType(1);
  ImportedOp::Integers ones(type.getRank(), 1), windows, strides, padding;
  if (failed(op.read("window_dimensions", windows, ones)) ||
      failed(op.read("window_strides", strides, ones)) ||
      failed(op.read("padding", padding,
                     ImportedOp::Integers(2 * type.getRank(), 0))))
    return failure();
  if (source.getRank() != type.getRank() ||
      op.resultType().getShape() != type.getShape())
    return op.error() << "'" << op.name()
                      << "' has operand, source and result of ranks or shapes "
                         "that do not fit";
  WindowDims dims;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    bool isSingle = windows[dim] == 1 && strides[dim] == 1 &&
                    padding[2 * dim] == 0 && padding[2 * dim + 1] == 0;
    (isSingle ? dims.single : dims.wide).push_back(dim);
  }
  FailureOr<Value> index = selectInWindows(op, dims, windows, strides, padding);
  if (failed(index))
    return failure();
  SmallVector<int64_t> order = dims.order();
  SmallVector<int64_t> size = dims.flatten(type.getShape());
  SmallVector<int64_t> count = dims.flatten(source.getShape());
  auto flatten = [&](Value value, ArrayRef<int64_t> shape) {
    value = graph::transpose(op.builder, op.loc, value, order);
    return graph::reshapeTo(op.builder, op.loc, value, shape);
  };
  SmallVector<Value> inputs, updates;
  SmallVector<Type> types;
  for (unsigned part = 0; part < op.operands[0].size(); ++part) {
    Value init = op.operands[2][part];
    inputs.push_back(graph::broadcastTo(op.builder, op.loc, init, size, {}));
    updates.push_back(flatten(op.operands[1][part], count));
    types.push_back(inputs.back().getType());
  }
  // An index of -1 is out of bounds and has no effect.
  SmallVector<int64_t> indexShape = count;
  indexShape.push_back(1);
  Value indices = flatten(*index, indexShape);
  int64_t numSingle = dims.single.size();
  auto batches = llvm::to_vector(llvm::seq<int64_t>(0, numSingle));
  auto scatter = graph::ScatterOp::create(
      op.builder, op.loc, types, inputs, indices, updates,
      /*update_window_dims=*/ArrayRef<int64_t>(),
      /*inserted_window_dims=*/ArrayRef<int64_t>(numSingle),
      /*input_batching_dims=*/batches,
      /*scatter_indices_batching_dims=*/batches,
      /*scatter_dims_to_operand_dims=*/ArrayRef<int64_t>(numSingle),
      /*index_vector_dim=*/numSingle + 1, /*unique_indices=*/false);
  if (failed(op.importer.importClosedRegion(op.op->getRegion(1),
                                            scatter.getBody(),
                                            /*isIsolated=*/true, op.loc)))
    return failure();
  SmallVector<int64_t> ordered, back(order.size());
  for (auto [position, dim] : llvm::enumerate(order)) {
    ordered.push_back(type.getDimSize(dim));
    back[dim] = position;
  }
  for (Value result : scatter->getResults()) {
    result = graph::reshapeTo(op.builder, op.loc, result, ordered);
    op.results[0].push_back(graph::transpose(op.builder, op.loc, result, back));
  }
  return success();
}

void reader::addIndexedImports(ImportTable &table) {
  table["chlo.top_k"] = importTopK;
  table["stablehlo.scatter"] = importScatter;
  table["stablehlo.select_and_scatter"] = reduction(importSelectAndScatter);
  table["stablehlo.sort"] = importSort;
}
