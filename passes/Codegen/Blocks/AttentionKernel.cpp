//===- AttentionKernel.cpp - Attention in one kernel ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Scores are never stored. A block has some rows and goes through the keys tile
// by tile, keeping for each row the maximum m of its scores so far, the sum l
// of exp(score - m) and the sum of these weights times values. A new maximum
// scales both sums by exp(old m - new m): the online softmax of M. Milakov and
// N. Gimelshein, "Online normalizer calculation for softmax", 2018; the order
// of loops is that of T. Dao, "FlashAttention-2", 2023. Tiles that causality
// hides from all rows of a block are left out.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "passes/Codegen/Blocks/AttentionTiles.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace cleave::codegen;
using cleave::graph::AttentionOp;

namespace {

class AttentionWriter {
public:
  AttentionWriter(BlockKernel &kernel, AttentionOp op,
                  const AttentionShape &shape, AttentionTiles &tiles)
      : k(kernel), b(kernel.b), op(op), shape(shape), tiles(tiles),
        rowsOfBlock(AttentionTiles::rowsOfWarp * tiles.getNumWarps()),
        rows(tiles.rows()), columns(tiles.columns()),
        resultColumns(tiles.resultColumns()) {
    numSums = 0;
    for (const AttentionTiles::Columns &group : resultColumns)
      numSums += group.count;
  }

  void write();

private:
  using Values = SmallVector<Value>;

  Value number(double value) {
    return arith::ConstantOp::create(b, b.getF32FloatAttr(value));
  }
  Value times(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value plus(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value exponential(Value x, Value maximum) {
    return math::ExpOp::create(b, arith::SubFOp::create(b, x, maximum));
  }
  Value overRow(Value value, llvm::function_ref<Value(Value, Value)> combine);

  int64_t numItems() const {
    return shape.batch * shape.groups *
           llvm::divideCeil(shape.rows(), rowsOfBlock);
  }
  void writeItem(Value number);
  Value keyLimit(const AttentionItem &item);
  void prepareRows(const AttentionItem &item);
  Value applyMask(Value score, Value mask);
  void finishScores(Value firstKey, MutableArrayRef<Value> scores);
  Values writeTile(const AttentionItem &item, Value firstKey,
                   ValueRange carried);
  void storeRows(const AttentionItem &item, ValueRange state);

  BlockKernel &k;
  ImplicitLocOpBuilder &b;
  AttentionOp op;
  const AttentionShape &shape;
  AttentionTiles &tiles;
  int64_t rowsOfBlock;
  Values rows, columns;
  SmallVector<AttentionTiles::Columns> resultColumns;
  int64_t numSums;
  /// Of each row of the current item.
  Values positions, maskRows;
};

} // namespace

//===----------------------------------------------------------------------===//
// Scores
//===----------------------------------------------------------------------===//

/// Keys that some row of the item sees.
Value AttentionWriter::keyLimit(const AttentionItem &item) {
  if (!op.getCausal())
    return k.index(shape.t);
  Value last = k.minimum(k.add(item.firstRow, k.index(rowsOfBlock - 1)),
                         k.index(shape.rows() - 1));
  Value seen = k.add(k.divide(last, shape.r), k.index(shape.t - shape.s + 1));
  return k.minimum(k.maximum(seen, k.index(0)), k.index(shape.t));
}

/// Positions, and where the masks of the rows start. Rows that do not exist
/// read the mask of the last one.
void AttentionWriter::prepareRows(const AttentionItem &item) {
  positions.clear();
  maskRows.clear();
  for (Value row : rows) {
    Value number =
        k.minimum(k.add(item.firstRow, row), k.index(shape.rows() - 1));
    positions.push_back(k.divide(number, shape.r));
    if (!op.getMask())
      continue;
    ArrayRef<int64_t> sizes = op.getMask().getType().getShape();
    Value head =
        k.add(k.scale(item.group, shape.r), k.remainder(number, shape.r));
    Value place = k.index(0);
    for (auto [size, at] : llvm::zip_equal(
             sizes.drop_back(), Values{item.batch, head, positions.back()}))
      place = k.add(k.scale(place, size), size == 1 ? k.index(0) : at);
    maskRows.push_back(k.scale(place, sizes.back()));
  }
}

/// A score with its element of the mask added, or replaced if that is false.
Value AttentionWriter::applyMask(Value score, Value mask) {
  if (op.hasSelectingMask())
    return arith::SelectOp::create(b, mask, score, number(op.getHiddenScore()));
  return plus(score, convertScalar(b, mask, mask.getType(), b.getF32Type()));
}

/// Scales, applies the mask, and hides what is out of sight.
void AttentionWriter::finishScores(Value firstKey,
                                   MutableArrayRef<Value> scores) {
  double scale = op.getScale() ? op.getScale()->convertToDouble()
                               : 1 / std::sqrt(double(shape.d));
  Value factor = number(scale);
  Value hidden = number(-std::numeric_limits<double>::infinity());
  Value ahead = k.index(shape.t - shape.s);
  bool hasEdge = shape.t % tiles.getNumKeys() != 0;
  for (auto [i, position] : llvm::enumerate(positions))
    for (auto [j, column] : llvm::enumerate(columns)) {
      Value &score = scores[i * columns.size() + j];
      Value key = k.add(firstKey, column);
      score = times(score, factor);
      if (op.getMask()) {
        Value existing = hasEdge ? k.minimum(key, k.index(shape.t - 1)) : key;
        Value mask = k.load(k.operand(3), k.add(maskRows[i], existing));
        score = applyMask(score, mask);
      }
      // The last position sees all keys, so that causality is enough.
      Value isSeen;
      if (op.getCausal())
        isSeen = arith::CmpIOp::create(b, arith::CmpIPredicate::sle, key,
                                       k.add(position, ahead));
      else if (hasEdge)
        isSeen = k.isBelow(key, k.index(shape.t));
      if (isSeen)
        score = arith::SelectOp::create(b, isSeen, score, hidden);
    }
}

/// Combines what the lanes of a row have.
Value AttentionWriter::overRow(
    Value value, llvm::function_ref<Value(Value, Value)> combine) {
  for (int64_t mask = 1; mask < tiles.lanesOfRow(); mask *= 2)
    value = combine(value, k.shuffleXor(value, mask));
  return value;
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

/// What is carried from tile to tile: the maximum of each row; the part of its
/// sum that this thread has; the sums of the result.
AttentionWriter::Values AttentionWriter::writeTile(const AttentionItem &item,
                                                   Value firstKey,
                                                   ValueRange carried) {
  tiles.loadTile(item, firstKey);
  k.barrier();
  Values scores = tiles.scores();
  finishScores(firstKey, scores);

  size_t numRows = rows.size(), numColumns = columns.size();
  Values maxima, totals;
  Values sums = llvm::to_vector(carried.drop_front(2 * numRows));
  Value low = number(-std::numeric_limits<double>::infinity());
  auto larger = [&](Value x, Value y) -> Value {
    return arith::MaxNumFOp::create(b, x, y);
  };
  for (size_t i = 0; i < numRows; ++i) {
    MutableArrayRef<Value> row =
        MutableArrayRef(scores).slice(i * numColumns, numColumns);
    Value maximum = row[0];
    for (Value score : row.drop_front())
      maximum = larger(maximum, score);
    maximum = larger(carried[i], overRow(maximum, larger));
    // A row that sees nothing yet: exp(-inf - 0) is 0, exp(-inf + inf) is not.
    Value isEmpty =
        arith::CmpFOp::create(b, arith::CmpFPredicate::OEQ, maximum, low);
    Value base = arith::SelectOp::create(b, isEmpty, number(0), maximum);
    Value change = exponential(carried[i], base);
    Value total = times(carried[numRows + i], change);
    for (Value &score : row) {
      score = exponential(score, base);
      total = plus(total, score);
    }
    for (int64_t j = 0; j < numSums; ++j)
      sums[i * numSums + j] = times(sums[i * numSums + j], change);
    maxima.push_back(maximum);
    totals.push_back(total);
  }
  Values state(maxima);
  llvm::append_range(state, totals);
  llvm::append_range(state, tiles.accumulate(scores, sums));
  // The next tile, or item, overwrites this one.
  k.barrier();
  return state;
}

void AttentionWriter::storeRows(const AttentionItem &item, ValueRange state) {
  const KernelBuffer &result = k.result(0);
  auto add = [&](Value x, Value y) { return plus(x, y); };
  for (auto [i, row] : llvm::enumerate(rows)) {
    Value total = overRow(state[rows.size() + i], add);
    Value share = arith::DivFOp::create(b, number(1), total);
    ValueRange sums =
        state.drop_front(2 * rows.size() + i * numSums).take_front(numSums);
    Value place = tiles.placeOfRow(item, row, shape.e);
    Value isRow = tiles.isRow(item, row);
    for (const AttentionTiles::Columns &group : resultColumns) {
      int64_t step = featuresAtOnce(shape.e, 1, group.count);
      for (int64_t first = 0; first < group.count; first += step) {
        Value column = k.add(group.first, k.index(first));
        k.ifTrue(k.both(isRow, tiles.isResultColumn(column)), [&] {
          Values numbers;
          for (Value sum : sums.slice(group.position + first, step))
            numbers.push_back(times(sum, share));
          k.storeVector(result, k.add(place, column), numbers);
        });
      }
    }
  }
}

void AttentionWriter::writeItem(Value item) {
  int64_t parts = llvm::divideCeil(shape.rows(), rowsOfBlock);
  Value both = k.divide(item, parts);
  AttentionItem at = {k.divide(both, shape.groups),
                      k.remainder(both, shape.groups),
                      k.scale(k.remainder(item, parts), rowsOfBlock)};
  tiles.loadQuery(at);
  prepareRows(at);
  Values start(rows.size(), number(-std::numeric_limits<double>::infinity()));
  start.append(rows.size() * (1 + numSums), number(0));
  Values state = k.carry(k.index(0), keyLimit(at), tiles.getNumKeys(), start,
                         [&](Value firstKey, ValueRange carried) {
                           return writeTile(at, firstKey, carried);
                         });
  storeRows(at, state);
}

void AttentionWriter::write() {
  k.loopOverBlocks(numItems(), [&](Value item) { writeItem(item); });
  k.finish(usefulBlocks(numItems()));
}

LogicalResult
cleave::codegen::writeAttention(GPUModuleBuilder &functions,
                                func::FuncOp kernel, AttentionOp op,
                                const BlockKernelOptions &options) {
  ArrayRef<int64_t> query = op.getQuery().getType().getShape();
  ArrayRef<int64_t> value = op.getValue().getType().getShape();
  AttentionShape shape = {query[0], query[1], value[2], query[2] / value[2],
                          query[3], value[1], value[3]};
  Type element = op.getType().getElementType();
  for (Value operand : op->getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    bool isMask = op.hasSelectingMask() && operand == op.getMask();
    if ((!isMask && type.getElementType() != element) ||
        type.getNumElements() == 0)
      return op.emitOpError("in a kernel must have elements, of one type");
  }
  bool isF32 = element.isF32();
  constexpr int64_t maxFeatures = 128;
  if ((!isF32 && !element.isF16() && !element.isBF16()) ||
      std::max(shape.d, shape.e) > maxFeatures)
    return op.emitOpError("in a kernel must be of f32, f16 or bf16 and have at "
                          "most ")
           << maxFeatures << " features";
  bool usesFma = isF32 && !options.tf32;
  AttentionTileSize size =
      usesFma ? chooseFmaTileSize(shape) : chooseMatrixTileSize(shape);
  FailureOr<BlockKernel> k =
      BlockKernel::start(functions, kernel, op, 32 * size.warps);
  if (failed(k))
    return failure();
  std::unique_ptr<AttentionTiles> tiles =
      usesFma ? makeFmaTiles(*k, shape, size)
              : makeMatrixTiles(*k, shape, size);
  AttentionWriter(*k, op, shape, *tiles).write();
  return success();
}
