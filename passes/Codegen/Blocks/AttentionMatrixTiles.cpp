//===- AttentionMatrixTiles.cpp - Attention on tensor cores ---- -*- C++
//-*-===//
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
// where the weights of the second product must be: two of its registers hold
// neighbouring keys. Queries stay in registers; keys and values lie in shared
// memory, in words of 32 bits whose rows are so long that the lanes of a warp
// read different banks.
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

/// What both element widths have in common.
class MatrixTiles : public AttentionTiles {
public:
  MatrixTiles(BlockKernel &kernel, const AttentionShape &shape, int64_t keys,
              MatrixElement element)
      : AttentionTiles(kernel, shape, keys), element(element),
        depth(llvm::alignTo(shape.d, 16)), features(llvm::alignTo(shape.e, 16)),
        g(k.divide(k.lane, 4)), t(k.remainder(k.lane, 4)) {}

  int64_t lanesOfRow() const override { return 4; }
  Values rows() override {
    Value first = k.add(k.scale(k.warp, rowsOfWarp), g);
    return {first, k.add(first, k.index(8))};
  }
  Values columns() override;
  SmallVector<Columns> resultColumns() override;
  void loadQuery(const AttentionItem &item) override;
  Values scores() override;
  Values accumulate(ValueRange weights, ValueRange sums) override;

protected:
  int64_t paddedFeatures() const override { return features; }
  /// Register of a query at `row`, from feature `first` on.
  virtual Value queryAt(const AttentionItem &item, Value row, Value first) = 0;
  /// Registers of a product's right operand, from a key and feature on.
  virtual Values keysAt(int64_t firstKey, int64_t firstFeature) = 0;
  virtual Values valuesAt(int64_t firstKey, int64_t firstFeature) = 0;
  /// Registers of a product's left operand: the weights of 2 rows from key
  /// `first` on. `weightAt(i, j)` is row i, column j of the thread.
  virtual Values
  weightsAt(int64_t firstKey,
            llvm::function_ref<Value(int64_t, int64_t)> weightAt) = 0;

  Value wordAt(Value array, Value place) {
    return memref::LoadOp::create(b, array, place);
  }
  void storeWords(Value words, Value array, Value place, int64_t count) {
    vector::StoreOp::create(b, words, array, place, /*nontemporal=*/false,
                            llvm::MaybeAlign(std::min<int64_t>(count, 4) * 4));
  }
  /// Features and registers of the query per word and register.
  int64_t numbersOfWord() const {
    return element == MatrixElement::TF32 ? 1 : 2;
  }

  MatrixElement element;
  int64_t depth, features;
  Value g, t;
  SmallVector<Values> queries;
};

} // namespace

AttentionTiles::Values MatrixTiles::columns() {
  Values columns;
  for (int64_t first = 0; first < keys; first += 8)
    for (int64_t i = 0; i < 2; ++i)
      columns.push_back(k.add(k.scale(t, 2), k.index(first + i)));
  return columns;
}

SmallVector<AttentionTiles::Columns> MatrixTiles::resultColumns() {
  SmallVector<Columns> groups;
  for (int64_t first = 0; first < features; first += 8)
    groups.push_back({k.add(k.scale(t, 2), k.index(first)), 2, first / 4});
  return groups;
}

void MatrixTiles::loadQuery(const AttentionItem &item) {
  queries.clear();
  int64_t step = matrixDepth(element), half = step / 2;
  for (int64_t first = 0; first < depth; first += step) {
    Values registers;
    for (int64_t offset : {first, first + half})
      for (Value row : rows())
        registers.push_back(queryAt(
            item, row, k.add(k.scale(t, numbersOfWord()), k.index(offset))));
    queries.push_back(registers);
  }
}

/// Registers of a product are (row g: 2 columns; row g + 8: 2 columns).
AttentionTiles::Values MatrixTiles::scores() {
  int64_t numColumns = keys / 4, step = matrixDepth(element);
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
  int64_t numColumns = keys / 4, numSums = features / 4;
  auto weightAt = [&](int64_t row, int64_t column) {
    return weights[row * numColumns + column];
  };
  Values next = llvm::to_vector(sums);
  for (int64_t key = 0; key < keys; key += matrixDepth(element)) {
    Values left = weightsAt(key, weightAt);
    for (int64_t first = 0; first < features; first += 8) {
      auto at = [&](int64_t i) -> Value & {
        return next[i / 2 * numSums + first / 4 + i % 2];
      };
      Values product = multiplyMatrices(b, element, left, valuesAt(key, first),
                                        {at(0), at(1), at(2), at(3)});
      for (int64_t i = 0; i < 4; ++i)
        at(i) = product[i];
    }
  }
  return next;
}

//===----------------------------------------------------------------------===//
// 16 bits
//===----------------------------------------------------------------------===//

namespace {

/// Words hold two features of a key, or two keys of a feature of a value.
class HalfTiles : public MatrixTiles {
public:
  HalfTiles(BlockKernel &kernel, const AttentionShape &shape, int64_t keys,
            MatrixElement element)
      : MatrixTiles(kernel, shape, keys, element), keyStride(depth / 2 + 4),
        valueStride(features + 8) {
    keyTile = k.sharedArray(keys * keyStride, b.getI32Type());
    valueTile = k.sharedArray(keys / 2 * valueStride, b.getI32Type());
  }
  void loadTile(const AttentionItem &item, Value first) override;

protected:
  Value queryAt(const AttentionItem &item, Value row, Value first) override;
  Values keysAt(int64_t firstKey, int64_t firstFeature) override;
  Values valuesAt(int64_t firstKey, int64_t firstFeature) override;
  Values
  weightsAt(int64_t firstKey,
            llvm::function_ref<Value(int64_t, int64_t)> weightAt) override;

private:
  Value loadWords(const KernelBuffer &buffer, Value place, Value feature,
                  int64_t length, int64_t padded, int64_t count, Value isRow);
  Value toWords(Value halves);
  Value interleave(Value low, Value high);

  int64_t keyStride, valueStride;
  Value keyTile, valueTile;
};

} // namespace

Value HalfTiles::toWords(Value halves) {
  int64_t count = cast<VectorType>(halves.getType()).getNumElements() / 2;
  return vector::BitCastOp::create(b, VectorType::get({count}, b.getI32Type()),
                                   halves);
}

/// Words of one element of each, the first one in the low half.
Value HalfTiles::interleave(Value low, Value high) {
  return toWords(vector::InterleaveOp::create(b, low, high));
}

/// `count` features from an even one on, two per word; a row of an odd length
/// starts anywhere.
Value HalfTiles::loadWords(const KernelBuffer &buffer, Value place,
                           Value feature, int64_t length, int64_t padded,
                           int64_t count, Value isRow) {
  auto load = [&](Value at, int64_t lanes) {
    return k.loadVector(buffer, k.add(place, at), lanes,
                        k.both(isRow, isFeature(at, length, padded)));
  };
  if (length % 2 == 0)
    return toWords(load(feature, count));
  return interleave(load(feature, 1), load(k.add(feature, k.index(1)), 1));
}

Value HalfTiles::queryAt(const AttentionItem &item, Value row, Value first) {
  Value word = loadWords(query(), placeOfRow(item, row, shape.d), first,
                         shape.d, depth, 2, isRow(item, row));
  return vector::ExtractOp::create(b, word, 0);
}

void HalfTiles::loadTile(const AttentionItem &item, Value first) {
  int64_t step = std::max<int64_t>(featuresAtOnce(shape.d, 2), 2);
  k.share(keys * depth / step, [&](Value unit) {
    Value row = k.divide(unit, depth / step);
    Value feature = k.scale(k.remainder(unit, depth / step), step);
    Value number = k.add(first, row);
    Value words = loadWords(key(), placeOfKey(item, number, shape.d), feature,
                            shape.d, depth, step, isKey(number));
    storeWords(words, keyTile,
               k.add(k.scale(row, keyStride), k.divide(feature, 2)), step / 2);
  });
  step = featuresAtOnce(shape.e, 2);
  k.share(keys / 2 * features / step, [&](Value unit) {
    Value pair = k.divide(unit, features / step);
    Value feature = k.scale(k.remainder(unit, features / step), step);
    Values halves;
    for (int64_t i = 0; i < 2; ++i) {
      Value number = k.add(first, k.add(k.scale(pair, 2), k.index(i)));
      halves.push_back(k.loadVector(
          value(), k.add(placeOfKey(item, number, shape.e), feature), step,
          k.both(isKey(number), isFeature(feature, shape.e, features))));
    }
    storeWords(interleave(halves[0], halves[1]), valueTile,
               k.add(k.scale(pair, valueStride), feature), step);
  });
}

AttentionTiles::Values HalfTiles::keysAt(int64_t firstKey,
                                         int64_t firstFeature) {
  Value row = k.scale(k.add(g, k.index(firstKey)), keyStride);
  Value place = k.add(row, k.add(t, k.index(firstFeature / 2)));
  return {wordAt(keyTile, place), wordAt(keyTile, k.add(place, k.index(4)))};
}

AttentionTiles::Values HalfTiles::valuesAt(int64_t firstKey,
                                           int64_t firstFeature) {
  Value row = k.scale(k.add(t, k.index(firstKey / 2)), valueStride);
  Value place = k.add(row, k.add(g, k.index(firstFeature)));
  return {wordAt(valueTile, place),
          wordAt(valueTile, k.add(place, k.index(4 * valueStride)))};
}

AttentionTiles::Values
HalfTiles::weightsAt(int64_t firstKey,
                     llvm::function_ref<Value(int64_t, int64_t)> weightAt) {
  Values registers;
  for (int64_t column : {firstKey / 4, firstKey / 4 + 2})
    for (int64_t row = 0; row < 2; ++row)
      registers.push_back(packHalves(b, element, weightAt(row, column),
                                     weightAt(row, column + 1)));
  return registers;
}

//===----------------------------------------------------------------------===//
// f32 as TF32
//===----------------------------------------------------------------------===//

namespace {

/// Words hold one number. The order of keys in the second product is another
/// one than in memory, the same for weights and values: t and t + 4 are keys
/// 2 t and 2 t + 1 of eight, as the scores have them.
class SingleTiles : public MatrixTiles {
public:
  SingleTiles(BlockKernel &kernel, const AttentionShape &shape, int64_t keys)
      : MatrixTiles(kernel, shape, keys, MatrixElement::TF32),
        keyStride(depth + 4), valueStride(features + 4) {
    keyTile = k.sharedArray(keys * keyStride, b.getI32Type());
    valueTile = k.sharedArray(keys * valueStride, b.getI32Type());
  }
  void loadTile(const AttentionItem &item, Value first) override;

protected:
  Value queryAt(const AttentionItem &item, Value row, Value first) override;
  Values keysAt(int64_t firstKey, int64_t firstFeature) override;
  Values valuesAt(int64_t firstKey, int64_t firstFeature) override;
  Values
  weightsAt(int64_t firstKey,
            llvm::function_ref<Value(int64_t, int64_t)> weightAt) override;

private:
  void copy(const AttentionItem &item, Value first, const KernelBuffer &buffer,
            int64_t length, int64_t padded, Value array, int64_t stride);
  Value round(Value numbers);

  int64_t keyStride, valueStride;
  Value keyTile, valueTile;
};

} // namespace

Value SingleTiles::round(Value numbers) {
  auto type = cast<VectorType>(numbers.getType());
  Values rounded;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    rounded.push_back(floatToTf32(b, vector::ExtractOp::create(b, numbers, i)));
  return vector::FromElementsOp::create(b, type.clone(b.getI32Type()), rounded);
}

Value SingleTiles::queryAt(const AttentionItem &item, Value row, Value first) {
  Value place = k.add(placeOfRow(item, row, shape.d), first);
  Value number =
      k.loadVector(query(), place, 1,
                   k.both(isRow(item, row), isFeature(first, shape.d, depth)));
  return vector::ExtractOp::create(b, round(number), 0);
}

void SingleTiles::copy(const AttentionItem &item, Value first,
                       const KernelBuffer &buffer, int64_t length,
                       int64_t padded, Value array, int64_t stride) {
  int64_t step = featuresAtOnce(length, 4);
  k.share(keys * padded / step, [&](Value unit) {
    Value row = k.divide(unit, padded / step);
    Value feature = k.scale(k.remainder(unit, padded / step), step);
    Value number = k.add(first, row);
    Value numbers = k.loadVector(
        buffer, k.add(placeOfKey(item, number, length), feature), step,
        k.both(isKey(number), isFeature(feature, length, padded)));
    storeWords(round(numbers), array, k.add(k.scale(row, stride), feature),
               step);
  });
}

void SingleTiles::loadTile(const AttentionItem &item, Value first) {
  copy(item, first, key(), shape.d, depth, keyTile, keyStride);
  copy(item, first, value(), shape.e, features, valueTile, valueStride);
}

AttentionTiles::Values SingleTiles::keysAt(int64_t firstKey,
                                           int64_t firstFeature) {
  Value row = k.scale(k.add(g, k.index(firstKey)), keyStride);
  Value place = k.add(row, k.add(t, k.index(firstFeature)));
  return {wordAt(keyTile, place), wordAt(keyTile, k.add(place, k.index(4)))};
}

AttentionTiles::Values SingleTiles::valuesAt(int64_t firstKey,
                                             int64_t firstFeature) {
  Value row = k.scale(k.add(k.scale(t, 2), k.index(firstKey)), valueStride);
  Value place = k.add(row, k.add(g, k.index(firstFeature)));
  return {wordAt(valueTile, place),
          wordAt(valueTile, k.add(place, k.index(valueStride)))};
}

AttentionTiles::Values
SingleTiles::weightsAt(int64_t firstKey,
                       llvm::function_ref<Value(int64_t, int64_t)> weightAt) {
  Values registers;
  for (int64_t column : {firstKey / 4, firstKey / 4 + 1})
    for (int64_t row = 0; row < 2; ++row)
      registers.push_back(floatToTf32(b, weightAt(row, column)));
  return registers;
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

AttentionTileSize
cleave::codegen::chooseMatrixTileSize(const AttentionShape &shape) {
  int64_t warps = llvm::divideCeil(shape.rows(), AttentionTiles::rowsOfWarp);
  return {std::clamp<int64_t>(warps, 1, 4), 32};
}

std::unique_ptr<AttentionTiles> cleave::codegen::makeMatrixTiles(
    BlockKernel &kernel, const AttentionShape &shape, AttentionTileSize size) {
  Type element = kernel.operand(0).type.getElementType();
  if (element.isF32())
    return std::make_unique<SingleTiles>(kernel, shape, size.keys);
  return std::make_unique<HalfTiles>(kernel, shape, size.keys,
                                     element.isF16() ? MatrixElement::F16
                                                     : MatrixElement::BF16);
}
