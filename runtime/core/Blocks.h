//===- Blocks.h - Shards of uneven dimensions -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Blocks nest: over axes [a, b] a dimension of n is cut into blocks of
// ceil(n / a), each of which is cut into blocks of ceil(that / b).
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_BLOCKS_H
#define CLEAVE_RUNTIME_CORE_BLOCKS_H

#include "runtime/core/DType.h"
#include "runtime/core/Mesh.h"

namespace cleave::rt {

inline int64_t ceilDiv(int64_t n, int64_t d) { return (n + d - 1) / d; }

/// A box inside a tensor; a dimension of size 0 makes it empty.
struct Rect {
  Shape begin;
  Shape size;

  bool isEmpty() const;
};

/// Length of every rank's block, padding included.
int64_t getBlockSize(int64_t dim, const AxisList &axes);

/// What `rank` owns of a global tensor. It sits at the origin of the shard; the
/// rest of the shard is padding.
Rect getOwned(const Mesh &mesh, int32_t rank, const Shape &shape,
              const std::vector<AxisList> &sharding);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_BLOCKS_H
