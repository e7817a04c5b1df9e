//===- Window.h - Windows along one dimension -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How reduce_window and convolution read one dimension of their operand. The
// operand's elements stand `baseDilation` positions apart, with `low` positions
// before the first and `high` after the last (negative numbers leave positions
// out); window number w starts at position w * stride and has `window` taps
// that are `windowDilation` positions apart. Positions without an element hold
// the padding value. The formulas are those of the StableHLO specification,
// "reduce_window" and "convolution".
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_WINDOW_H
#define CLEAVE_PARTITION_WINDOW_H

#include <cstdint>
#include <optional>
#include <string>

namespace cleave {

struct WindowDim {
  /// Elements of the operand, at least 0.
  int64_t size = 1;
  /// Taps of a window, at least 0.
  int64_t window = 1;
  int64_t stride = 1;
  int64_t low = 0, high = 0;
  int64_t baseDilation = 1, windowDilation = 1;
  /// The first tap of the window is its last in memory.
  bool isReversed = false;

  /// Positions from the first element to the last.
  int64_t dilatedSize() const {
    return size == 0 ? 0 : (size - 1) * baseDilation + 1;
  }
  /// Positions from the first tap of a window to the last.
  int64_t extent() const {
    return window == 0 ? 0 : (window - 1) * windowDilation + 1;
  }
  /// Number of windows, the size of the result. None if a number of positions
  /// overflows; the other members must then not be used.
  std::optional<int64_t> count() const;

  /// The position, relative to that of element 0, of tap `tap` of window
  /// `number`.
  int64_t position(int64_t number, int64_t tap) const {
    int64_t at = isReversed ? window - 1 - tap : tap;
    return number * stride + at * windowDilation - low;
  }
  /// The element there; -1 where there is padding.
  int64_t element(int64_t number, int64_t tap) const;

  /// Whether each result is the element of the same number, and no more.
  bool isPointwise() const {
    return window == 1 && stride == 1 && low == 0 && high == 0 &&
           baseDilation == 1;
  }
  /// Whether the only window has the elements as its taps, each once.
  bool isWhole() const {
    return window == size && low == 0 && high == 0 && baseDilation == 1 &&
           windowDilation == 1 && size > 0;
  }
  /// Whether window w has the elements up to w (`isReverse`: from w on) and
  /// otherwise padding: a scan.
  bool isScan(bool isReverse) const {
    return window == size && size > 1 && stride == 1 && baseDilation == 1 &&
           windowDilation == 1 && low == (isReverse ? 0 : size - 1) &&
           high == (isReverse ? size - 1 : 0);
  }

  /// What the number of windows follows from, for diagnostics.
  std::string describe() const;
};

/// The dimension along which a reduce_window is a scan.
struct ScanDim {
  int64_t dim = 0;
  bool isReverse = false;
};

} // namespace cleave

#endif // CLEAVE_PARTITION_WINDOW_H
