//===- WindowExchangeTest.cpp - Elements of a line on other ranks ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowExchange.h"
#include "gtest/gtest.h"

using namespace cleave;

TEST(WindowExchange, CountsWhatOthersHave) {
  WindowExchange exchange{{{0, 4, 0}, {4, 3, 1}}, {{0, 2, 0}, {2, 4, 0}}};
  EXPECT_EQ(exchange.received(), 2);
  exchange.windows[1] = {4, 9, 0};
  EXPECT_EQ(exchange.received(), 0);
  exchange.windows[0] = {-3, 20, 0};
  EXPECT_EQ(exchange.received(), 3);
  exchange.windows[0] = {5, 0, 0};
  EXPECT_EQ(exchange.received(), 0);
}

TEST(WindowExchange, FindsFaults) {
  auto faultOf = [](LineSegment block, LineSegment window) {
    return WindowExchange{{{0, 4, 0}, block}, {{0, 2, 0}, window}}.findFault(
        2, 4, 3);
  };
  EXPECT_EQ(faultOf({4, 3, 1}, {-1, 3, 0}), "");
  EXPECT_EQ(faultOf({0, 0, 4}, {0, 0, 3}), "");
  EXPECT_EQ(faultOf({3, 2, 0}, {0, 1, 0}), "two blocks have element 3");
  EXPECT_EQ(faultOf({4, 3, 2}, {0, 1, 0}),
            "blocks lie within an extent of 4, not 3 elements at 2");
  EXPECT_EQ(faultOf({4, 3, 0}, {0, -1, 0}),
            "windows lie within an extent of 3, not -1 elements at 0");
  EXPECT_EQ(faultOf({int64_t(1) << 41, 1, 0}, {0, 1, 0}),
            "blocks begin within 1099511627776 of 0, not at 2199023255552");
  EXPECT_EQ(WindowExchange().findFault(2, 4, 3), "lists 0 blocks for 2 ranks");
}

TEST(WindowExchange, SegmentsAreListsOfNumbers) {
  llvm::SmallVector<int64_t> numbers{0, 4, 1, 4, 3, 0};
  auto segments = toSegments(numbers);
  ASSERT_EQ(segments.size(), 2u);
  EXPECT_EQ(segments[1], (LineSegment{4, 3, 0}));
  EXPECT_EQ(flatten(segments), numbers);
}
