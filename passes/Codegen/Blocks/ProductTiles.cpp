//===- ProductTiles.cpp - Tiles of a matrix product -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Blocks/ProductTiles.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Blocks/TensorCore.h"

using namespace mlir;
using namespace cleave::codegen;

static SmallVector<Value> elementsOf(ImplicitLocOpBuilder &b, Value vector) {
  SmallVector<Value> elements;
  for (int64_t i = 0; i < cast<VectorType>(vector.getType()).getNumElements();
       ++i)
    elements.push_back(vector::ExtractOp::create(b, vector, i));
  return elements;
}

//===----------------------------------------------------------------------===//
// Multiply-add
//===----------------------------------------------------------------------===//

namespace {

/// Both sides lie depth by depth, so that a thread reads its 4 rows and its 4
/// columns at once.
class FmaProduct : public ProductTiles {
public:
  explicit FmaProduct(BlockKernel &kernel)
      : ProductTiles(kernel, /*depth=*/16) {
    left = k.sharedArray(depth * stride, b.getF32Type());
    right = k.sharedArray(depth * stride, b.getF32Type());
    firstRow = k.scale(k.divide(k.thread, size / width), width);
    firstColumn = k.scale(k.remainder(k.thread, size / width), width);
  }

  void put(Side side, Value line, Value at, Value elements,
           bool alongDepth) override;
  Values multiply(ValueRange sums) override;
  Values rows() override {
    Values rows;
    for (int64_t i = 0; i < width; ++i)
      rows.push_back(k.add(firstRow, k.index(i)));
    return rows;
  }
  SmallVector<Columns> columns() override { return {{firstColumn, width}}; }

private:
  static constexpr int64_t width = 4, stride = size + width;
  Values loadFour(Value array, Value place) {
    return elementsOf(
        b, vector::LoadOp::create(b, VectorType::get({width}, b.getF32Type()),
                                  array, place, /*nontemporal=*/false,
                                  llvm::MaybeAlign(sizeof(float) * width)));
  }
  Value left, right, firstRow, firstColumn;
};

} // namespace

void FmaProduct::put(Side side, Value line, Value at, Value elements,
                     bool alongDepth) {
  Value array = side == Side::Left ? left : right;
  for (auto [i, number] : llvm::enumerate(elementsOf(b, elements))) {
    Value row = alongDepth ? k.add(at, k.index(i)) : at;
    Value column = alongDepth ? line : k.add(line, k.index(i));
    memref::StoreOp::create(b, number, array,
                            k.add(k.scale(row, stride), column));
  }
}

ProductTiles::Values FmaProduct::multiply(ValueRange sums) {
  return k.carry(
      k.index(0), k.index(depth), 1, sums, [&](Value at, ValueRange carried) {
        Value row = k.scale(at, stride);
        Values x = loadFour(left, k.add(row, firstRow));
        Values y = loadFour(right, k.add(row, firstColumn));
        Values next;
        for (int64_t i = 0; i < width; ++i)
          for (int64_t j = 0; j < width; ++j)
            next.push_back(
                math::FmaOp::create(b, x[i], y[j], carried[next.size()]));
        return next;
      });
}

//===----------------------------------------------------------------------===//
// Tensor cores
//===----------------------------------------------------------------------===//

namespace {

/// Four warps have 16 rows each, and all columns. Both sides lie with
/// neighbours in depth side by side, which are pairs in registers; lines are so
/// long that the lanes of a warp read different banks.
class MatrixProduct : public ProductTiles {
public:
  MatrixProduct(BlockKernel &kernel, Type element)
      : ProductTiles(kernel, /*depth=*/32),
        element(element.isF16() ? MatrixElement::F16 : MatrixElement::BF16),
        g(k.divide(k.lane, 4)), t(k.remainder(k.lane, 4)) {
    left = k.sharedArray(size * stride, b.getI16Type());
    right = k.sharedArray(size * stride, b.getI16Type());
  }

  void put(Side side, Value line, Value at, Value elements,
           bool alongDepth) override;
  Values multiply(ValueRange sums) override;
  Values rows() override {
    Value first = k.add(k.scale(k.warp, 16), g);
    return {first, k.add(first, k.index(8))};
  }
  SmallVector<Columns> columns() override {
    SmallVector<Columns> columns;
    for (int64_t first = 0; first < size; first += 8)
      columns.push_back({k.add(k.scale(t, 2), k.index(first)), 2});
    return columns;
  }

private:
  static constexpr int64_t stride = 32 + 8;
  /// Two neighbours in depth.
  Value loadPair(Value array, Value line, int64_t at) {
    Value place =
        k.add(k.scale(line, stride), k.add(k.scale(t, 2), k.index(at)));
    Value pair = vector::LoadOp::create(
        b, VectorType::get({2}, b.getI16Type()), array, place,
        /*nontemporal=*/false, llvm::MaybeAlign(4));
    Value word = vector::BitCastOp::create(
        b, VectorType::get({1}, b.getI32Type()), pair);
    return vector::ExtractOp::create(b, word, 0);
  }
  MatrixElement element;
  Value g, t, left, right;
};

} // namespace

void MatrixProduct::put(Side side, Value line, Value at, Value elements,
                        bool alongDepth) {
  Value array = side == Side::Left ? left : right;
  if (alongDepth) {
    int64_t count = cast<VectorType>(elements.getType()).getNumElements();
    vector::StoreOp::create(b, elements, array,
                            k.add(k.scale(line, stride), at),
                            /*nontemporal=*/false, llvm::MaybeAlign(2 * count));
    return;
  }
  for (auto [i, stored] : llvm::enumerate(elementsOf(b, elements)))
    memref::StoreOp::create(
        b, stored, array, k.add(k.scale(k.add(line, k.index(i)), stride), at));
}

ProductTiles::Values MatrixProduct::multiply(ValueRange sums) {
  constexpr int64_t numColumns = size / 4;
  Values next = llvm::to_vector(sums), mine = rows();
  for (int64_t at = 0; at < depth; at += 16) {
    Values x;
    for (int64_t offset : {at, at + 8})
      for (Value row : mine)
        x.push_back(loadPair(left, row, offset));
    for (int64_t first = 0; first < size; first += 8) {
      Value column = k.add(g, k.index(first));
      Values y = {loadPair(right, column, at), loadPair(right, column, at + 8)};
      auto sum = [&](int64_t i) -> Value & {
        return next[i / 2 * numColumns + first / 4 + i % 2];
      };
      Values product =
          multiplyMatrices(b, element, x, y, {sum(0), sum(1), sum(2), sum(3)});
      for (int64_t i = 0; i < 4; ++i)
        sum(i) = product[i];
    }
  }
  return next;
}

std::unique_ptr<ProductTiles>
cleave::codegen::makeFmaProduct(BlockKernel &kernel) {
  return std::make_unique<FmaProduct>(kernel);
}
std::unique_ptr<ProductTiles>
cleave::codegen::makeMatrixProduct(BlockKernel &kernel, Type element) {
  return std::make_unique<MatrixProduct>(kernel, element);
}
