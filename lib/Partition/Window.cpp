//===- Window.cpp - Windows along one dimension ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/Window.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cleave {

/// One more than `gaps` times `step`, or 0 for no points at all.
static bool spread(int64_t points, int64_t step, int64_t &result) {
  if (points == 0) {
    result = 0;
    return true;
  }
  return !MulOverflow(points - 1, step, result) &&
         !AddOverflow(result, int64_t(1), result);
}

std::optional<int64_t> WindowDim::count() const {
  int64_t dilated, padded, taps, last;
  if (!spread(size, baseDilation, dilated) ||
      !spread(window, windowDilation, taps) ||
      AddOverflow(dilated, low, padded) || AddOverflow(padded, high, padded))
    return std::nullopt;
  // So that positions of taps do not overflow either.
  if (MulOverflow(padded, int64_t(4), last) ||
      MulOverflow(taps, int64_t(4), last) ||
      MulOverflow(low, int64_t(4), last) || MulOverflow(high, int64_t(4), last))
    return std::nullopt;
  if (padded <= 0 || taps > padded)
    return 0;
  return (padded - taps) / stride + 1;
}

int64_t WindowDim::element(int64_t number, int64_t tap) const {
  int64_t at = position(number, tap);
  if (at < 0 || at % baseDilation != 0)
    return -1;
  int64_t index = at / baseDilation;
  return index < size ? index : -1;
}

std::string WindowDim::describe() const {
  std::string text;
  raw_string_ostream os(text);
  os << size << " elements";
  if (baseDilation != 1)
    os << ", dilated to " << dilatedSize();
  if (low != 0 || high != 0)
    os << ", padded to " << dilatedSize() + low + high;
  os << ", with windows of " << window;
  if (windowDilation != 1)
    os << ", dilated to " << extent();
  if (stride != 1)
    os << ", " << stride << " apart";
  return text;
}

} // namespace cleave
