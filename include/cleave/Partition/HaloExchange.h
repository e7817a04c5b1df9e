//===- HaloExchange.h - Windows of a cut dimension --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A halo exchange gives each rank the window [start - low, start + block +
// high) of a dimension of which it has the block at `start` (blocksOf).
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_HALOEXCHANGE_H
#define CLEAVE_PARTITION_HALOEXCHANGE_H

#include "cleave/Partition/Sharding.h"

namespace cleave {

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
