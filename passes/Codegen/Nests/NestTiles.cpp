//===- NestTiles.cpp - Transposes in tiles --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where results are contiguous along one loop and an operand along another,
// neither can be made of vectors alone. In a square tile of both loops the
// operand is loaded along its contiguous loop and transposed in registers; the
// rest of the body then sees lanes along the other. Tiles become smaller
// towards the ends of the loops; what is left at last is scalar.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Nests/NestEmitter.h"

using namespace mlir;
using namespace cleave::codegen;

/// Smaller ones are not worth their shuffles.
static constexpr int64_t smallestTile = 4;
/// Registers of a tile, and the copies of the body in it.
static constexpr int64_t largestTile = 16;
static constexpr int64_t maxBodyOps = 32;

/// Contiguous along the rows of a tile, and not along its lanes.
static bool isTransposed(const NestAccess &access, int64_t rows,
                         int64_t lanes) {
  return access.buffer && access.coefficients[rows] == 1 &&
         access.coefficients[lanes] > 1;
}

std::optional<VectorChoice> cleave::codegen::chooseTile(const LoopNest &nest,
                                                        int64_t vectorBits) {
  int64_t loop = nest.numParallel - 1;
  if (nest.isReduction() || nest.isScan || loop < 1)
    return std::nullopt;
  Block::OpListType &ops = nest.body()->getOperations();
  if (static_cast<int64_t>(ops.size()) > maxBodyOps ||
      llvm::any_of(ops, [](Operation &op) { return isa<memref::LoadOp>(op); }))
    return std::nullopt;
  for (const NestAccess &output : nest.outputs())
    if (output.coefficients[loop] != 1)
      return std::nullopt;
  int64_t lanes = std::min(largestTile, vectorBits / 8 / widestElement(nest));
  for (int64_t rows = 0; rows < loop; ++rows) {
    if (std::min({lanes, nest.extents[rows], nest.extents[loop]}) <
        smallestTile)
      continue;
    if (llvm::any_of(nest.inputs(), [&](const NestAccess &input) {
          return isTransposed(input, rows, loop);
        }))
      return VectorChoice{loop, lanes, 0, rows};
  }
  return std::nullopt;
}

/// The vectors whose lane i is the lane of the same number as theirs of vector
/// i: each of the log2(n) steps interleaves vector i with vector i + n/2.
static SmallVector<Value> transpose(ImplicitLocOpBuilder &b,
                                    SmallVector<Value> vectors) {
  int64_t size = vectors.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < size; ++i) {
    low.push_back(i / 2 + (i % 2) * size);
    high.push_back(low.back() + size / 2);
  }
  for (int64_t step = 1; step < size; step *= 2) {
    SmallVector<Value> next;
    for (int64_t i = 0; i < size / 2; ++i)
      for (ArrayRef<int64_t> lanes : {ArrayRef(low), ArrayRef(high)})
        next.push_back(vector::ShuffleOp::create(b, vectors[i],
                                                 vectors[i + size / 2], lanes));
    vectors = std::move(next);
  }
  return vectors;
}

/// The loops around tiles.
void NestEmitter::emitAroundTiles(int64_t at) {
  if (at == choice.loop || at == choice.tileLoop)
    return emitAroundTiles(at + 1);
  if (at < nest.numParallel) {
    loop(indexConstant(0), extentOf(at), 1, {}, [&](Value index, ValueRange) {
      setIndex(at, index);
      emitAroundTiles(at + 1);
      return Values();
    });
    return;
  }
  int64_t columns = nest.extents[choice.loop];
  if (!position.dynamicSize)
    return emitTiles(0, position.blockSize, 0, columns);
  // The last block of rows is shorter.
  Value isWhole =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, position.dynamicSize,
                            indexConstant(position.blockSize));
  auto either = scf::IfOp::create(b, isWhole, /*withElseRegion=*/true);
  b.setInsertionPointToStart(either.thenBlock());
  emitTiles(0, position.blockSize, 0, columns);
  b.setInsertionPointToStart(either.elseBlock());
  emitTiles(0, nest.extents[choice.tileLoop] % position.blockSize, 0, columns);
  b.setInsertionPointAfter(either);
}

/// All of a rectangle, in tiles of at most the chosen size.
void NestEmitter::emitTiles(int64_t firstRow, int64_t rows, int64_t firstColumn,
                            int64_t columns) {
  if (rows == 0 || columns == 0)
    return;
  VectorChoice outer = choice;
  while (choice.lanes > std::min(rows, columns))
    choice.lanes /= 2;
  int64_t size = choice.lanes;
  auto overTiles = [&](int64_t first, int64_t count, int64_t step,
                       llvm::function_ref<void(Value)> body) {
    loop(indexConstant(first), indexConstant(first + count), step, {},
         [&](Value index, ValueRange) {
           body(index);
           return Values();
         });
  };
  if (size < smallestTile) {
    choice.lanes = 1;
    choice.loop = -1;
    overTiles(firstRow, rows, 1, [&](Value row) {
      setIndex(outer.tileLoop, row);
      overTiles(firstColumn, columns, 1, [&](Value column) {
        setIndex(outer.loop, column);
        emitStrip({});
      });
    });
    choice = outer;
    return;
  }
  int64_t wholeRows = rows / size * size, wholeColumns = columns / size * size;
  overTiles(firstColumn, wholeColumns, size, [&](Value column) {
    overTiles(firstRow, wholeRows, size,
              [&](Value row) { emitTile(row, column); });
  });
  emitTiles(firstRow + wholeRows, rows - wholeRows, firstColumn, columns);
  emitTiles(firstRow, wholeRows, firstColumn + wholeColumns,
            columns - wholeColumns);
  choice = outer;
}

void NestEmitter::emitTile(Value row, Value column) {
  int64_t size = choice.lanes;
  auto moveTo = [&](int64_t i, int64_t j) {
    setIndex(choice.tileLoop, add(row, indexConstant(i)));
    setIndex(choice.loop, add(column, indexConstant(j)));
  };
  rowsOfTile.assign(nest.numInputs(), {});
  for (auto [input, rows] : llvm::zip_equal(nest.inputs(), rowsOfTile)) {
    if (!isTransposed(input, choice.tileLoop, choice.loop))
      continue;
    VectorType type = vectorType(input.buffer->type.getElementType());
    Values columns;
    for (int64_t j = 0; j < size; ++j) {
      moveTo(0, j);
      columns.push_back(vector::LoadOp::create(b, type, input.buffer->flat,
                                               flatIndex(input)));
    }
    rows = transpose(b, columns);
  }
  for (tileRow = 0; tileRow < size; ++tileRow) {
    moveTo(tileRow, 0);
    Values results = emitBody({}, Value());
    for (auto [output, result] : llvm::zip_equal(nest.outputs(), results))
      store(output, result, Value());
  }
  rowsOfTile.clear();
}
