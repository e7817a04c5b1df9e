//===- HaloExchange.h - Windows of a cut dimension --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A halo exchange gives each rank the window [start - low, start + block +
// high) of a dimension of which it has the block at `start`.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_HALOEXCHANGE_H
#define CLEAVE_PARTITION_HALOEXCHANGE_H

#include "cleave/Partition/Sharding.h"
#include <vector>

namespace cleave {

/// Where the blocks of a dimension of `size` elements start and how many of
/// their elements are valid, by position along `axes`. Unlike those of blockOf,
/// starts are not cut off at the end of the dimension: they are what ranks
/// compute from their coordinates.
std::vector<BlockExtent> blocksAlong(int64_t size,
                                     llvm::ArrayRef<AxisRef> axes);

struct HaloExchange {
  /// Global size of the dimension.
  int64_t size = 0;
  AxisList axes;
  /// Elements below and above the block; negative ones are left out.
  int64_t low = 0, high = 0;

  /// Extent of the result.
  int64_t extent() const { return blockSize(size, axes) + low + high; }
  /// Most elements along the dimension that a rank gets from others.
  int64_t received() const;
};

} // namespace cleave

#endif // CLEAVE_PARTITION_HALOEXCHANGE_H
