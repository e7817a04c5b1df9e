//===- EvaluateCollective.cpp - Reference semantics of collectives --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As docs/manifest.md defines them, from whole operands and without any of the
// plans that the runtime makes.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Spmd/RankEvaluation.h"
#include <limits>

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;
using graph::Evaluator;
using graph::Literal;

Literal spmd::unspecified(RankedTensorType type) {
  Literal literal(type);
  if (literal.isFloat()) {
    llvm::fill(literal.mutableFloats(),
               std::numeric_limits<double>::quiet_NaN());
    return literal;
  }
  int64_t filler = graph::wrapToType(0x5a5a5a5a5a5a5a5a, type.getElementType());
  llvm::fill(literal.mutableInts(), filler);
  return literal;
}

/// A tensor of one number.
static Literal splatLiteral(RankedTensorType type, TypedAttr number) {
  Literal literal(type);
  if (auto value = dyn_cast<FloatAttr>(number)) {
    llvm::fill(literal.mutableFloats(), value.getValueAsDouble());
    return literal;
  }
  APInt bits = cast<IntegerAttr>(number).getValue();
  llvm::fill(literal.mutableInts(),
             graph::wrapToType(bits.zextOrTrunc(64).getZExtValue(),
                               type.getElementType()));
  return literal;
}

Literal spmd::neutralLiteral(RankedTensorType type, ReductionKind kind) {
  return splatLiteral(type, graph::neutralElement(type.getElementType(), kind));
}

Literal spmd::reduceLiterals(const Evaluator &evaluator, ReductionKind kind,
                             ArrayRef<Literal> values) {
  Literal result = values.front();
  Type element = result.elementType();
  if (result.isFloat()) {
    bool inFloat32 = evaluator.accumulationType(element).isF32();
    for (const Literal &value : values.drop_front())
      for (auto [to, from] :
           llvm::zip_equal(result.mutableFloats(), value.floats())) {
        double sum = graph::combineElements(kind, to, from);
        to = inFloat32 ? static_cast<float>(sum) : sum;
      }
    evaluator.round(result);
    return result;
  }
  graph::IntegerSemantics semantics(element);
  for (const Literal &value : values.drop_front())
    for (auto [to, from] : llvm::zip_equal(result.mutableInts(), value.ints()))
      to = graph::wrapToType(graph::combineElements(kind, to, from, semantics),
                             element);
  return result;
}

/// The pieces of the operands next to one another, cut off at the end of
/// `type`, the last one perhaps before it.
static Literal gatherPieces(ArrayRef<Literal> pieces, int64_t dim,
                            RankedTensorType type) {
  Literal result = unspecified(type);
  SmallVector<int64_t> from(type.getRank(), 0), to(type.getRank(), 0);
  for (auto [position, piece] : llvm::enumerate(pieces)) {
    int64_t block = piece.shape()[dim];
    to[dim] = position * block;
    SmallVector<int64_t> sizes(piece.shape());
    sizes[dim] = std::clamp<int64_t>(type.getDimSize(dim) - to[dim], 0, block);
    if (sizes[dim] > 0)
      result.insert(piece.slice(from, sizes), to);
  }
  return result;
}

/// Piece `position` of a dimension; padding beyond its end.
static Literal takePiece(const Literal &whole, int64_t dim, int64_t position,
                         RankedTensorType type) {
  Literal result = unspecified(type);
  SmallVector<int64_t> from(type.getRank(), 0), to(type.getRank(), 0);
  SmallVector<int64_t> sizes(type.getShape());
  from[dim] = position * sizes[dim];
  sizes[dim] =
      std::clamp<int64_t>(whole.shape()[dim] - from[dim], 0, sizes[dim]);
  if (sizes[dim] > 0)
    result.insert(whole.slice(from, sizes), to);
  return result;
}

/// Puts the valid parts of the blocks together and cuts each rank's window.
static SmallVector<Literal> exchangeHalos(HaloExchangeOp op, const Mesh &mesh,
                                          ArrayRef<Literal> operands) {
  auto type = cast<RankedTensorType>(op.getType());
  HaloExchange exchange = op.getExchange(mesh);
  SmallVector<BlockExtent> blocks = blocksOf(exchange.size, exchange.axes);
  int64_t dim = op.getDim(), extent = type.getDimSize(dim);
  SmallVector<int64_t> shape(type.getShape()), from(shape.size(), 0),
      to(shape.size(), 0), sizes(shape);
  shape[dim] = exchange.size;
  Literal whole(RankedTensorType::get(shape, type.getElementType()));
  for (auto [block, operand] : llvm::zip_equal(blocks, operands)) {
    if (!block.valid)
      continue;
    sizes[dim] = block.valid;
    to[dim] = block.offset;
    whole.insert(operand.slice(from, sizes), to);
  }
  SmallVector<Literal> results;
  for (const BlockExtent &block : blocks) {
    results.push_back(op.getFillAttr() ? splatLiteral(type, op.getFillAttr())
                                       : unspecified(type));
    int64_t start = block.offset - exchange.low;
    from[dim] = std::clamp<int64_t>(start, 0, exchange.size);
    to[dim] = from[dim] - start;
    sizes[dim] = std::min(start + extent, exchange.size) - from[dim];
    if (sizes[dim] > 0)
      results.back().insert(whole.slice(from, sizes), to);
  }
  return results;
}

/// Cuts each rank's window out of everybody's blocks.
static SmallVector<Literal> exchangeWindows(WindowExchangeOp op,
                                            ArrayRef<Literal> operands) {
  auto type = cast<RankedTensorType>(op.getType());
  WindowExchange exchange = op.getExchange();
  int64_t dim = op.getDim();
  SmallVector<int64_t> from(type.getRank(), 0), to(from),
      sizes(type.getShape());
  SmallVector<Literal> results;
  for (const LineSegment &window : exchange.windows) {
    results.push_back(unspecified(type));
    for (auto [block, operand] : llvm::zip_equal(exchange.blocks, operands)) {
      int64_t first = std::max(block.begin, window.begin);
      sizes[dim] = std::min(block.end(), window.end()) - first;
      if (sizes[dim] <= 0)
        continue;
      from[dim] = block.at + first - block.begin;
      to[dim] = window.at + first - window.begin;
      results.back().insert(operand.slice(from, sizes), to);
    }
  }
  return results;
}

SmallVector<Literal> spmd::evaluateOnGroup(CollectiveOpInterface op,
                                           const Mesh &mesh,
                                           const Evaluator &evaluator,
                                           ArrayRef<Literal> operands) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  size_t size = operands.size();
  switch (op.getCollectiveKind()) {
  case CollectiveKind::AllGather:
    return SmallVector<Literal>(
        size, gatherPieces(operands, *op.getCollectiveDim(), type));
  case CollectiveKind::AllSlice: {
    SmallVector<Literal> results;
    for (auto [position, operand] : llvm::enumerate(operands))
      results.push_back(
          takePiece(operand, *op.getCollectiveDim(), position, type));
    return results;
  }
  case CollectiveKind::AllReduce:
    return SmallVector<Literal>(
        size,
        reduceLiterals(evaluator, *op.getCollectiveReduction(), operands));
  case CollectiveKind::ReduceScatter: {
    Literal sum =
        reduceLiterals(evaluator, *op.getCollectiveReduction(), operands);
    SmallVector<Literal> results;
    for (size_t position = 0; position < size; ++position)
      results.push_back(takePiece(sum, *op.getCollectiveDim(), position, type));
    return results;
  }
  case CollectiveKind::AllToAll: {
    int64_t concat = *op.getCollectiveDim(),
            split = *op.getCollectiveSplitDim();
    SmallVector<int64_t> shape(operands.front().shape());
    shape[concat] = type.getDimSize(concat);
    Literal whole = gatherPieces(
        operands, concat, RankedTensorType::get(shape, type.getElementType()));
    SmallVector<Literal> results;
    for (size_t position = 0; position < size; ++position)
      results.push_back(takePiece(whole, split, position, type));
    return results;
  }
  case CollectiveKind::Broadcast:
    return SmallVector<Literal>(
        size, operands[cast<BroadcastOp>(op.getOperation()).getRoot()]);
  case CollectiveKind::HaloExchange:
    return exchangeHalos(cast<HaloExchangeOp>(op.getOperation()), mesh,
                         operands);
  case CollectiveKind::WindowExchange:
    return exchangeWindows(cast<WindowExchangeOp>(op.getOperation()), operands);
  case CollectiveKind::CollectivePermute:
    break;
  }
  llvm_unreachable("a permutation has no positions");
}
