//===- AttentionMatrixTiles.cpp - Attention on tensor cores ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp multiplies 16 rows by 8 keys, or by 8 features, at a time. With
// g = lane / 4 and t = lane % 4, a thread has rows g and g + 8 of both
// products, at columns 2 t and 2 t + 1 of each 8. Its scores are then just
// where the weights of the second product must be.
//
// Everything is in words of 32 bits, as the registers of a product hold them:
// one number as TF32, or two of 16 bits that follow one another along what the
// product sums over, features in the first and keys in the second. Queries stay
// in registers; keys and values lie in shared memory, in rows so long that the
// lanes of a warp read different banks.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Blocks/AttentionTiles.h"
#include "passes/Codegen/Blocks/TensorCore.h"

using namespace mlir;
using namespace cleave::codegen;

namespace {

class MatrixTiles : public AttentionTiles {
public:
  MatrixTiles(BlockKernel &kernel, const AttentionShape &shape, int64_t keys,
              MatrixElement element)
      : AttentionTiles(kernel, shape, keys), element(element),
        perWord(element == MatrixElement::TF32 ? 1 : 2),
        depth(llvm::alignTo(shape.d, 16)), features(llvm::alignTo(shape.e, 16)),
        keyStride(depth / perWord + 4), valueStride(features + 4 * perWord),
        g(k.divide(k.lane, 4)), t(k.remainder(k.lane, 4)) {
    keyTile = k.sharedArray(keys * keyStride, b.getI32Type());
    valueTile = k.sharedArray(keys / perWord * valueStride, b.getI32Type());
  }

  int64_t lanesOfRow() const override { return 4; }
  Values rows() override {
    Value first = k.add(k.scale(k.warp, rowsOfWarp), g);
    return {first, k.add(first, k.index(8))};
  }
  Values columns() override;
  SmallVector<Columns> resultColumns() override;
  void loadQuery(const AttentionItem &item) override;
  void loadTile(const AttentionItem &item, Value first) override {
    loadKeys(item, first);
    loadValues(item, first);
  }
  Values scores() override;
  Values accumulate(ValueRange weights, ValueRange sums) override;

protected:
  int64_t paddedFeatures() const override { return features; }

private:
  int64_t columnsOfThread() const { return keys / 4; }
  /// The key of a column of the thread, less 2 t.
  static int64_t keyOf(int64_t column) { return column / 2 * 8 + column % 2; }
  int64_t bytesOfNumber() const { return 4 / perWord; }

  Value wordsAlong(Value numbers);
  Value wordsAcross(ValueRange vectors);
  Value loadFeatures(const KernelBuffer &buffer, Value place, Value feature,
                     int64_t count, Value isRow);
  void storeWords(Value words, Value array, Value place);
  void loadKeys(const AttentionItem &item, Value first);
  void loadValues(const AttentionItem &item, Value first);

  Values twoWords(Value array, Value place, int64_t distance);
  Values keysAt(int64_t firstKey, int64_t firstFeature);
  Values valuesAt(int64_t column, int64_t firstFeature);
  Values weightsAt(ValueRange weights, int64_t column);

  MatrixElement element;
  /// Numbers in a word.
  int64_t perWord;
  /// d and e, padded.
  int64_t depth, features;
  /// Words of a key's row, and of a row of `perWord` keys' values.
  int64_t keyStride, valueStride;
  Value g, t, keyTile, valueTile;
  /// Registers of each step of the first product.
  SmallVector<Values> queries;
};

} // namespace

AttentionTiles::Values MatrixTiles::columns() {
  Values columns;
  for (int64_t column = 0; column < columnsOfThread(); ++column)
    columns.push_back(k.add(k.scale(t, 2), k.index(keyOf(column))));
  return columns;
}

SmallVector<AttentionTiles::Columns> MatrixTiles::resultColumns() {
  SmallVector<Columns> groups;
  for (int64_t first = 0; first < features; first += 8)
    groups.push_back({k.add(k.scale(t, 2), k.index(first)), 2, first / 4});
  return groups;
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static Value roundToTf32(ImplicitLocOpBuilder &b, Value numbers) {
  auto type = cast<VectorType>(numbers.getType());
  SmallVector<Value> rounded;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    rounded.push_back(floatToTf32(b, vector::ExtractOp::create(b, numbers, i)));
  return vector::FromElementsOp::create(b, type.clone(b.getI32Type()), rounded);
}

/// Words of neighbours in a vector of stored elements.
Value MatrixTiles::wordsAlong(Value numbers) {
  if (perWord == 1)
    return roundToTf32(b, numbers);
  int64_t count = cast<VectorType>(numbers.getType()).getNumElements() / 2;
  return vector::BitCastOp::create(b, VectorType::get({count}, b.getI32Type()),
                                   numbers);
}

/// Words that have one element of each of `perWord` vectors.
Value MatrixTiles::wordsAcross(ValueRange vectors) {
  if (perWord == 1)
    return wordsAlong(vectors[0]);
  return wordsAlong(vector::InterleaveOp::create(b, vectors[0], vectors[1]));
}

/// Words of `count` features of a query or key whose features start at `place`.
/// Those of an odd number of features start anywhere.
Value MatrixTiles::loadFeatures(const KernelBuffer &buffer, Value place,
                                Value feature, int64_t count, Value isRow) {
  auto load = [&](Value at, int64_t lanes) {
    return k.loadVector(buffer, k.add(place, at), lanes,
                        k.both(isRow, isFeature(at, shape.d, depth)));
  };
  if (shape.d % perWord == 0)
    return wordsAlong(load(feature, count));
  return wordsAcross({load(feature, 1), load(k.add(feature, k.index(1)), 1)});
}

void MatrixTiles::storeWords(Value words, Value array, Value place) {
  int64_t count = cast<VectorType>(words.getType()).getNumElements();
  vector::StoreOp::create(b, words, array, place, /*nontemporal=*/false,
                          llvm::MaybeAlign(std::min<int64_t>(count, 4) * 4));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void MatrixTiles::loadQuery(const AttentionItem &item) {
  queries.clear();
  int64_t step = matrixDepth(element);
  for (int64_t first = 0; first < depth; first += step) {
    Values registers;
    for (int64_t offset : {first, first + step / 2})
      for (Value row : rows()) {
        Value feature = k.add(k.scale(t, perWord), k.index(offset));
        Value word = loadFeatures(query(), placeOfRow(item, row, shape.d),
                                  feature, perWord, isRow(item, row));
        registers.push_back(vector::ExtractOp::create(b, word, 0));
      }
    queries.push_back(registers);
  }
}

void MatrixTiles::loadKeys(const AttentionItem &item, Value first) {
  int64_t step = std::max(featuresAtOnce(shape.d, bytesOfNumber()), perWord);
  k.share(keys * depth / step, [&](Value unit) {
    Value row = k.divide(unit, depth / step);
    Value feature = k.scale(k.remainder(unit, depth / step), step);
    Value number = k.add(first, row);
    Value words = loadFeatures(key(), placeOfKey(item, number, shape.d),
                               feature, step, isKey(number));
    storeWords(words, keyTile,
               k.add(k.scale(row, keyStride), k.divide(feature, perWord)));
  });
}

void MatrixTiles::loadValues(const AttentionItem &item, Value first) {
  int64_t step = featuresAtOnce(shape.e, bytesOfNumber());
  k.share(keys / perWord * features / step, [&](Value unit) {
    Value row = k.divide(unit, features / step);
    Value feature = k.scale(k.remainder(unit, features / step), step);
    Values vectors;
    for (int64_t i = 0; i < perWord; ++i) {
      Value number = k.add(first, k.add(k.scale(row, perWord), k.index(i)));
      vectors.push_back(k.loadVector(
          value(), k.add(placeOfKey(item, number, shape.e), feature), step,
          k.both(isKey(number), isFeature(feature, shape.e, features))));
    }
    storeWords(wordsAcross(vectors), valueTile,
               k.add(k.scale(row, valueStride), feature));
  });
}

//===----------------------------------------------------------------------===//
// Registers: each operand of a product, from a key or column, and a feature, on
//===----------------------------------------------------------------------===//

AttentionTiles::Values MatrixTiles::twoWords(Value array, Value place,
                                             int64_t distance) {
  Values words;
  for (Value at : {place, k.add(place, k.index(distance))})
    words.push_back(memref::LoadOp::create(b, array, at));
  return words;
}

AttentionTiles::Values MatrixTiles::keysAt(int64_t firstKey,
                                           int64_t firstFeature) {
  Value row = k.scale(k.add(g, k.index(firstKey)), keyStride);
  return twoWords(keyTile,
                  k.add(row, k.add(t, k.index(firstFeature / perWord))), 4);
}

/// Those of the columns that `weightsAt` has: with one number in a word, keys
/// are thus multiplied in another order than they have in memory.
AttentionTiles::Values MatrixTiles::valuesAt(int64_t column,
                                             int64_t firstFeature) {
  int64_t first = keyOf(column) / perWord;
  int64_t next = keyOf(column + perWord) / perWord;
  Value row =
      k.scale(k.add(k.scale(t, 2 / perWord), k.index(first)), valueStride);
  return twoWords(valueTile, k.add(row, k.add(g, k.index(firstFeature))),
                  (next - first) * valueStride);
}

AttentionTiles::Values MatrixTiles::weightsAt(ValueRange weights,
                                              int64_t column) {
  Values registers;
  for (int64_t first : {column, column + perWord})
    for (int64_t row = 0; row < 2; ++row) {
      ValueRange word = weights.slice(row * columnsOfThread() + first, perWord);
      registers.push_back(perWord == 1
                              ? floatToTf32(b, word[0])
                              : packHalves(b, element, word[0], word[1]));
    }
  return registers;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// Registers of a product are (row g: 2 columns; row g + 8: 2 columns).
AttentionTiles::Values MatrixTiles::scores() {
  int64_t numColumns = columnsOfThread(), step = matrixDepth(element);
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Values scores(2 * numColumns);
  for (int64_t firstKey = 0; firstKey < keys; firstKey += 8) {
    Values sums(4, zero);
    for (auto [i, registers] : llvm::enumerate(queries))
      sums = multiplyMatrices(b, element, registers,
                              keysAt(firstKey, int64_t(i) * step), sums);
    for (int64_t i = 0; i < 4; ++i)
      scores[i / 2 * numColumns + firstKey / 4 + i % 2] = sums[i];
  }
  return scores;
}

AttentionTiles::Values MatrixTiles::accumulate(ValueRange weights,
                                               ValueRange sums) {
  int64_t numSums = features / 4, columnsOfStep = matrixDepth(element) / 4;
  Values next = llvm::to_vector(sums);
  for (int64_t column = 0; column < columnsOfThread();
       column += columnsOfStep) {
    Values left = weightsAt(weights, column);
    for (int64_t first = 0; first < features; first += 8) {
      auto at = [&](int64_t i) -> Value & {
        return next[i / 2 * numSums + first / 4 + i % 2];
      };
      Values product =
          multiplyMatrices(b, element, left, valuesAt(column, first),
                           {at(0), at(1), at(2), at(3)});
      for (int64_t i = 0; i < 4; ++i)
        at(i) = product[i];
    }
  }
  return next;
}

AttentionTileSize
cleave::codegen::chooseMatrixTileSize(const AttentionShape &shape) {
  int64_t warps = llvm::divideCeil(shape.rows(), AttentionTiles::rowsOfWarp);
  return {std::clamp<int64_t>(warps, 1, 4), 32};
}

std::unique_ptr<AttentionTiles> cleave::codegen::makeMatrixTiles(
    BlockKernel &kernel, const AttentionShape &shape, AttentionTileSize size) {
  Type stored = kernel.operand(0).type.getElementType();
  MatrixElement element = stored.isF32()   ? MatrixElement::TF32
                          : stored.isF16() ? MatrixElement::F16
                                           : MatrixElement::BF16;
  return std::make_unique<MatrixTiles>(kernel, shape, size.keys, element);
}
