//===- WindowTest.cpp - Tests of windows along one dimension --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/Window.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <vector>

using namespace cleave;

namespace {

/// The elements of all windows, by writing the padded operand down.
std::vector<std::vector<int64_t>> expected(const WindowDim &dim) {
  std::vector<int64_t> padded;
  for (int64_t i = 0; i < dim.size; ++i) {
    padded.push_back(i);
    if (i + 1 < dim.size)
      padded.insert(padded.end(), dim.baseDilation - 1, -1);
  }
  auto pad = [&](bool front, int64_t amount) {
    for (; amount > 0; --amount)
      padded.insert(front ? padded.begin() : padded.end(), -1);
    for (; amount < 0 && !padded.empty(); ++amount)
      padded.erase(front ? padded.begin() : padded.end() - 1);
  };
  pad(true, dim.low);
  pad(false, dim.high);
  std::vector<std::vector<int64_t>> windows;
  int64_t extent = dim.extent(), length = padded.size();
  for (int64_t at = 0; at + extent <= length && length > 0; at += dim.stride) {
    std::vector<int64_t> taps;
    for (int64_t k = 0; k < dim.window; ++k)
      taps.push_back(padded[at + k * dim.windowDilation]);
    if (dim.isReversed)
      std::reverse(taps.begin(), taps.end());
    windows.push_back(taps);
  }
  return windows;
}

TEST(WindowTest, ElementsOfAllWindows) {
  WindowDim dim;
  for (dim.size = 0; dim.size < 6; ++dim.size)
    for (dim.window = 0; dim.window < 4; ++dim.window)
      for (dim.stride = 1; dim.stride < 4; ++dim.stride)
        for (dim.low = -2; dim.low < 4; ++dim.low)
          for (dim.high = -2; dim.high < 4; ++dim.high)
            for (dim.baseDilation = 1; dim.baseDilation < 4; ++dim.baseDilation)
              for (dim.windowDilation = 1; dim.windowDilation < 3;
                   ++dim.windowDilation)
                for (bool isReversed : {false, true}) {
                  dim.isReversed = isReversed;
                  // More is left out than there is.
                  if (dim.dilatedSize() + std::min<int64_t>(dim.low, 0) < 0 ||
                      dim.dilatedSize() + dim.low + dim.high < 0)
                    continue;
                  auto windows = expected(dim);
                  ASSERT_EQ(dim.count(), int64_t(windows.size()))
                      << dim.describe();
                  for (size_t w = 0; w < windows.size(); ++w)
                    for (int64_t k = 0; k < dim.window; ++k)
                      ASSERT_EQ(dim.element(w, k), windows[w][k])
                          << dim.describe() << ", window " << w;
                }
}

TEST(WindowTest, TooManyPositions) {
  WindowDim dim;
  dim.size = 3;
  dim.low = INT64_MAX - 2;
  EXPECT_EQ(dim.count(), std::nullopt);
  dim.low = 0;
  dim.baseDilation = INT64_MAX;
  EXPECT_EQ(dim.count(), std::nullopt);
  dim.baseDilation = 1;
  dim.window = 2;
  dim.windowDilation = INT64_MAX;
  EXPECT_EQ(dim.count(), std::nullopt);
}

TEST(WindowTest, SpecialForms) {
  WindowDim dim;
  dim.size = 4;
  EXPECT_TRUE(dim.isPointwise());
  dim.window = 4;
  EXPECT_TRUE(dim.isWhole());
  EXPECT_FALSE(dim.isScan(false));
  dim.low = 3;
  EXPECT_TRUE(dim.isScan(false));
  EXPECT_FALSE(dim.isScan(true));
  std::swap(dim.low, dim.high);
  EXPECT_TRUE(dim.isScan(true));
  EXPECT_EQ(dim.describe(), "4 elements, padded to 7, with windows of 4");
}

} // namespace
