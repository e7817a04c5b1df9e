//===- WindowShards.h - Windows over a dimension that is cut ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What each rank needs of a dimension that windows walk over. Windows, or the
// taps of one, are cut over the same axes as the elements, in blocks of their
// own size, so that the elements which a rank needs begin at another distance
// from the start of its block than those of its neighbour. A halo exchange
// makes all of them present on each rank, and a slice takes the needed ones.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_WINDOWSHARDS_H
#define CLEAVE_PARTITION_WINDOWSHARDS_H

#include "cleave/Partition/Sharding.h"
#include "cleave/Partition/Window.h"

namespace cleave {

/// What a block that starts at number i of `total` windows (or taps) needs:
/// `length` positions from slope * i + base on, counted from that of element 0.
struct WindowDemand {
  int64_t total = 1;
  int64_t slope = 1, base = 0;
  int64_t length = 1;
};

/// Each rank computes the results of its own block of windows.
WindowDemand demandOfWindows(const WindowDim &dim,
                             llvm::ArrayRef<AxisRef> axes);
/// Each rank computes a term of all results, from its own block of taps.
WindowDemand demandOfTaps(const WindowDim &dim, llvm::ArrayRef<AxisRef> axes);

struct WindowShards {
  WindowDemand demand;
  /// Amounts of the halo exchange: its result, from start - low on, has what
  /// every rank needs.
  int64_t low = 0, high = 0;
  /// Elements that a rank needs, from first(i) on if its block starts at i.
  int64_t count = 0;
  int64_t baseDilation = 1;
  /// Whether first(i) lies at different places in that result, so that the
  /// slice depends on the rank. Otherwise it is the whole result.
  bool isShifted = false;
  /// Positions from element first(i) to the first needed one, if that is the
  /// same on all ranks.
  std::optional<int64_t> phase;
  /// Whether a valid result reads padding.
  bool needsFill = false;
  /// Whether valid results read only valid elements of the rank's own block,
  /// within the amounts: a slice does, without an exchange.
  bool isLocal = false;

  int64_t first(int64_t i) const;
  /// The windows on one rank's elements, when the phase is the same everywhere
  /// (or the elements have been dilated and sliced before: then it is 0 and
  /// `size` that number of positions).
  WindowDim local(const WindowDim &dim, int64_t taps) const;
};

/// Requires axes and a dimension with elements, windows and taps.
WindowShards shardWindows(const WindowDim &dim, const WindowDemand &demand,
                          llvm::ArrayRef<AxisRef> axes);

} // namespace cleave

#endif // CLEAVE_PARTITION_WINDOWSHARDS_H
