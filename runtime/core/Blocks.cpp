//===- Blocks.cpp - Shards of uneven dimensions ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Blocks.h"

#include <algorithm>

using namespace cleave::rt;

bool Rect::isEmpty() const {
  return std::find(size.begin(), size.end(), 0) != size.end();
}

int64_t cleave::rt::getBlockSize(int64_t dim, const AxisList &axes) {
  for (const AxisRef &ref : axes)
    dim = ceilDiv(dim, ref.size);
  return dim;
}

Rect cleave::rt::getOwned(const Mesh &mesh, int32_t rank, const Shape &shape,
                          const std::vector<AxisList> &sharding) {
  Rect rect;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t begin = 0, end = shape[i], block = shape[i];
    for (const AxisRef &ref : sharding[i]) {
      block = ceilDiv(block, ref.size);
      begin += mesh.getCoordinate(rank, ref) * block;
      end = std::min(end, begin + block);
    }
    rect.begin.push_back(std::min(begin, shape[i]));
    rect.size.push_back(std::max<int64_t>(0, end - begin));
  }
  return rect;
}
