//===- AttentionTiles.cpp - Tiles of scores over threads ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/Blocks/AttentionTiles.h"

using namespace mlir;

namespace cleave::codegen {

int64_t featuresAtOnce(int64_t features, int64_t elementBytes, int64_t bytes) {
  int64_t count = bytes / elementBytes;
  while (features % count != 0)
    count /= 2;
  return count;
}

Value AttentionTiles::placeOfRow(const AttentionItem &item, Value row,
                                 int64_t features) {
  Value number = k.add(item.firstRow, row);
  Value position =
      k.add(k.scale(item.batch, shape.s), k.divide(number, shape.r));
  Value head =
      k.add(k.scale(item.group, shape.r), k.remainder(number, shape.r));
  return k.scale(k.add(k.scale(position, shape.groups * shape.r), head),
                 features);
}

Value AttentionTiles::isRow(const AttentionItem &item, Value row) {
  if (shape.rows() % (rowsOfWarp * getNumWarps()) == 0)
    return Value();
  return k.isBelow(k.add(item.firstRow, row), k.index(shape.rows()));
}

Value AttentionTiles::placeOfKey(const AttentionItem &item, Value number,
                                 int64_t features) {
  Value position = k.add(k.scale(item.batch, shape.t), number);
  return k.scale(k.add(k.scale(position, shape.groups), item.group), features);
}

Value AttentionTiles::isKey(Value number) {
  return shape.t % keys == 0 ? Value() : k.isBelow(number, k.index(shape.t));
}

Value AttentionTiles::isFeature(Value feature, int64_t features,
                                int64_t padded) {
  return features == padded ? Value() : k.isBelow(feature, k.index(features));
}

} // namespace cleave::codegen
