//===- CopyPlan.cpp - Prepared strided copies -----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/CopyPlan.h"
#include "runtime/core/StreamCopy.h"

#include <algorithm>
#include <cstring>

using namespace cleave::rt;

CopyPlan::CopyPlan(const Shape &from, const Shape &fromBegin, const Shape &to,
                   const Shape &toBegin, const Shape &size,
                   int64_t elementSize) {
  bytes = elementSize;
  for (int64_t dim : size)
    bytes *= dim;
  if (!bytes)
    return;

  // Innermost dimension first, growing the contiguous run while a dimension is
  // covered whole on both sides, and merging loops that continue each other.
  runBytes = elementSize;
  int64_t fromStride = elementSize, toStride = elementSize;
  for (size_t i = size.size(); i-- > 0;) {
    fromStart += fromBegin[i] * fromStride;
    toStart += toBegin[i] * toStride;
    if (size[i] != 1) {
      if (loops.empty() && fromStride == runBytes && toStride == runBytes) {
        runBytes *= size[i];
      } else if (!loops.empty() &&
                 loops.back().count * loops.back().fromStride == fromStride &&
                 loops.back().count * loops.back().toStride == toStride) {
        loops.back().count *= size[i];
      } else {
        loops.push_back({size[i], fromStride, toStride});
      }
    }
    fromStride *= from[i];
    toStride *= to[i];
  }
  std::reverse(loops.begin(), loops.end());
}

void CopyPlan::run(const void *from, void *to) const {
  const char *source = static_cast<const char *>(from);
  char *target = static_cast<char *>(to);
  forEachRun([=](int64_t fromOffset, int64_t toOffset, int64_t size) {
    copyBytes(target + toOffset, source + fromOffset, size);
  });
}

void CopyPlan::pack(const void *from, void *dense) const {
  const char *source = static_cast<const char *>(from);
  char *target = static_cast<char *>(dense);
  forEachRun([&](int64_t fromOffset, int64_t, int64_t size) {
    copyBytes(target, source + fromOffset, size);
    target += size;
  });
}

void CopyPlan::unpack(const void *dense, void *to) const {
  const char *source = static_cast<const char *>(dense);
  char *target = static_cast<char *>(to);
  forEachRun([&](int64_t, int64_t toOffset, int64_t size) {
    copyBytes(target + toOffset, source, size);
    source += size;
  });
}

void cleave::rt::poison(void *data, int64_t count, DType dtype) {
  std::memset(data, getPoison(dtype), count * getSize(dtype));
}

void cleave::rt::poisonPadding(void *shard, const Shape &shape,
                               const Shape &size, DType dtype) {
  if (size == shape)
    return;
  // One slab per dimension: owned in the dimensions before it, padding in it,
  // everything in the dimensions after it.
  Shape begin(shape.size(), 0);
  for (size_t i = 0; i < shape.size(); ++i) {
    Shape slab = shape;
    std::copy(size.begin(), size.begin() + i, slab.begin());
    slab[i] = shape[i] - size[i];
    begin[i] = size[i];
    CopyPlan plan(shape, begin, shape, begin, slab, getSize(dtype));
    plan.forEachRun([&](int64_t, int64_t offset, int64_t bytes) {
      poison(static_cast<char *>(shard) + offset, bytes / getSize(dtype),
             dtype);
    });
    begin[i] = 0;
  }
}
