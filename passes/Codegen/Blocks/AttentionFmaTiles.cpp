//===- AttentionFmaTiles.cpp - Attention without tensor cores -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp has 16 rows; thread 8 y + x of it has rows y, y + 4, y + 8 and y + 12,
// keys x, x + 8, ... of a tile, and features 4 x to 4 x + 3, 4 x + 32, ... of
// the result. Queries, keys and values lie in shared memory, 4 elements longer
// per row than they are, so that the lanes of a warp read different banks.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Blocks/AttentionTiles.h"
#include "passes/Codegen/GPU/GPUMapping.h"

using namespace mlir;
using namespace cleave::codegen;

/// Lanes of a row, and rows of a thread.
static constexpr int64_t lanes = 8, rowsOfThread = 4;
/// Elements of one access.
static constexpr int64_t width = 4;

static int64_t paddedDepth(const AttentionShape &shape) {
  return llvm::alignTo(shape.d, width);
}
static int64_t alignedFeatures(const AttentionShape &shape) {
  return llvm::alignTo(shape.e, lanes * width);
}

namespace {

class FmaTiles : public AttentionTiles {
public:
  FmaTiles(BlockKernel &kernel, const AttentionShape &shape,
           AttentionTileSize size)
      : AttentionTiles(kernel, shape, size.keys), depth(paddedDepth(shape)),
        features(alignedFeatures(shape)), depthStride(depth + width),
        featureStride(features + width) {
    Type f32 = b.getF32Type();
    queries = k.sharedArray(size.warps * rowsOfWarp * depthStride, f32);
    keyTile = k.sharedArray(keys * depthStride, f32);
    valueTile = k.sharedArray(keys * featureStride, f32);
    x = k.remainder(k.lane, lanes);
    y = k.divide(k.lane, lanes);
  }

  int64_t lanesOfRow() const override { return lanes; }
  Values rows() override;
  Values columns() override;
  SmallVector<Columns> resultColumns() override;
  void loadQuery(const AttentionItem &item) override;
  void loadTile(const AttentionItem &item, Value first) override;
  Values scores() override;
  Values accumulate(ValueRange weights, ValueRange sums) override;

protected:
  int64_t paddedFeatures() const override { return features; }

private:
  int64_t columnsOfThread() const { return keys / lanes; }
  /// Rows 0 to `count` - 1 of `buffer` into an array, and zeros around them.
  void copy(const KernelBuffer &buffer, Value array, int64_t count,
            int64_t length, int64_t padded, int64_t stride,
            llvm::function_ref<std::pair<Value, Value>(Value)> placeOf);
  Values loadFour(Value array, Value place);

  int64_t depth, features, depthStride, featureStride;
  Value queries, keyTile, valueTile, x, y;
};

} // namespace

AttentionTiles::Values FmaTiles::rows() {
  Values rows;
  for (int64_t i = 0; i < rowsOfThread; ++i)
    rows.push_back(k.add(k.scale(k.warp, rowsOfWarp),
                         k.add(y, k.index(i * rowsOfWarp / rowsOfThread))));
  return rows;
}

AttentionTiles::Values FmaTiles::columns() {
  Values columns;
  for (int64_t j = 0; j < columnsOfThread(); ++j)
    columns.push_back(k.add(x, k.index(j * lanes)));
  return columns;
}

SmallVector<AttentionTiles::Columns> FmaTiles::resultColumns() {
  SmallVector<Columns> groups;
  for (int64_t first = 0; first < features; first += lanes * width)
    groups.push_back(
        {k.add(k.scale(x, width), k.index(first)), width, first / lanes});
  return groups;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

void FmaTiles::copy(
    const KernelBuffer &buffer, Value array, int64_t count, int64_t length,
    int64_t padded, int64_t stride,
    llvm::function_ref<std::pair<Value, Value>(Value)> placeOf) {
  int64_t step = featuresAtOnce(length, sizeof(float));
  k.share(count * padded / step, [&](Value unit) {
    Value row = k.divide(unit, padded / step);
    Value column = k.scale(k.remainder(unit, padded / step), step);
    auto [place, isRow] = placeOf(row);
    Value elements =
        k.loadVector(buffer, k.add(place, column), step,
                     k.both(isRow, isFeature(column, length, padded)));
    vector::StoreOp::create(
        b, elements, array, k.add(k.scale(row, stride), column),
        /*nontemporal=*/false, llvm::MaybeAlign(sizeof(float) * step));
  });
}

void FmaTiles::loadQuery(const AttentionItem &item) {
  copy(query(), queries, getNumWarps() * rowsOfWarp, shape.d, depth,
       depthStride, [&](Value row) {
         return std::pair(placeOfRow(item, row, shape.d), isRow(item, row));
       });
}

void FmaTiles::loadTile(const AttentionItem &item, Value first) {
  auto copyKeys = [&](const KernelBuffer &buffer, Value array, int64_t length,
                      int64_t padded, int64_t stride) {
    copy(buffer, array, keys, length, padded, stride, [&](Value row) {
      Value number = k.add(first, row);
      return std::pair(placeOfKey(item, number, length), isKey(number));
    });
  };
  copyKeys(key(), keyTile, shape.d, depth, depthStride);
  copyKeys(value(), valueTile, shape.e, features, featureStride);
}

AttentionTiles::Values FmaTiles::loadFour(Value array, Value place) {
  Value vector = vector::LoadOp::create(
      b, VectorType::get({width}, b.getF32Type()), array, place,
      /*nontemporal=*/false, llvm::MaybeAlign(sizeof(float) * width));
  Values elements;
  for (int64_t i = 0; i < width; ++i)
    elements.push_back(vector::ExtractOp::create(b, vector, i));
  return elements;
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

AttentionTiles::Values FmaTiles::scores() {
  Values mine = rows(), others = columns();
  Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
  Values start(mine.size() * others.size(), zero);
  return k.carry(
      k.index(0), k.index(depth), width, start,
      [&](Value at, ValueRange carried) {
        SmallVector<Values> left, right;
        for (Value row : mine)
          left.push_back(
              loadFour(queries, k.add(k.scale(row, depthStride), at)));
        for (Value column : others)
          right.push_back(
              loadFour(keyTile, k.add(k.scale(column, depthStride), at)));
        Values sums;
        for (size_t i = 0; i < left.size(); ++i)
          for (size_t j = 0; j < right.size(); ++j) {
            Value sum = carried[sums.size()];
            for (int64_t n = 0; n < width; ++n)
              sum = math::FmaOp::create(b, left[i][n], right[j][n], sum);
            sums.push_back(sum);
          }
        return sums;
      });
}

/// The weights of a row are with its lanes, which hand them round.
AttentionTiles::Values FmaTiles::accumulate(ValueRange weights,
                                            ValueRange sums) {
  int64_t numColumns = columnsOfThread(), numSums = features / lanes;
  return k.carry(
      k.index(0), k.index(lanes), 1, sums,
      [&](Value source, ValueRange carried) {
        Values next = llvm::to_vector(carried);
        for (int64_t j = 0; j < numColumns; ++j) {
          Value row = k.scale(k.add(source, k.index(j * lanes)), featureStride);
          Values shared;
          for (int64_t i = 0; i < rowsOfThread; ++i)
            shared.push_back(
                k.shuffleFrom(weights[i * numColumns + j], source, lanes));
          for (const Columns &group : resultColumns()) {
            Values elements = loadFour(valueTile, k.add(row, group.first));
            for (int64_t i = 0; i < rowsOfThread; ++i)
              for (int64_t n = 0; n < width; ++n) {
                Value &sum = next[i * numSums + group.position + n];
                sum = math::FmaOp::create(b, shared[i], elements[n], sum);
              }
          }
        }
        return next;
      });
}

AttentionTileSize
cleave::codegen::chooseFmaTileSize(const AttentionShape &shape) {
  int64_t depthStride = paddedDepth(shape) + width;
  int64_t featureStride = alignedFeatures(shape) + width;
  const AttentionTileSize sizes[] = {{4, 32}, {4, 16}, {2, 16}, {1, 16}};
  int64_t warps = llvm::divideCeil(shape.rows(), AttentionTiles::rowsOfWarp);
  for (AttentionTileSize size : sizes) {
    int64_t floats = size.warps * AttentionTiles::rowsOfWarp * depthStride +
                     size.keys * (depthStride + featureStride);
    // Warps without rows would have nothing to do.
    if (floats * int64_t(sizeof(float)) <= maxSharedBytes &&
        (size.warps < 2 * warps || size.warps == 1))
      return {std::min(size.warps, warps), size.keys};
  }
  return sizes[3];
}

std::unique_ptr<AttentionTiles>
cleave::codegen::makeFmaTiles(BlockKernel &kernel, const AttentionShape &shape,
                              AttentionTileSize size) {
  return std::make_unique<FmaTiles>(kernel, shape, size);
}
