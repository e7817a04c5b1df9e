//===- WindowExchangeTest.cpp - Elements of a line on other ranks ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/WindowExchange.h"
#include "RandomShardings.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <vector>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

namespace {

/// Elements of a line, in order.
using Elements = std::vector<int64_t>;

/// The position that has an element of a dimension of `size`: in each nested
/// block the coordinate of the piece that the element is in.
int64_t holderOf(int64_t element, int64_t size, ArrayRef<AxisRef> axes) {
  int64_t position = 0;
  for (const AxisRef &axis : axes) {
    size = (size + axis.size - 1) / axis.size;
    position = position * axis.size + element / size;
    element %= size;
  }
  return position;
}

Elements elementsOf(const LineSegment &segment) {
  Elements elements;
  for (int64_t i = 0; i < segment.count; ++i)
    elements.push_back(segment.begin + i);
  return elements;
}

/// Looks at each element of the line on its own.
void checkBlocks(int64_t factorSize, int64_t inner, ArrayRef<AxisRef> axes) {
  int64_t size = factorSize * inner, positions = numShards(axes);
  std::vector<Elements> ofLine(positions), ofFactor(positions);
  for (int64_t element = 0; element < size; ++element) {
    ofLine[holderOf(element, size, axes)].push_back(element);
    ofFactor[holderOf(element / inner, factorSize, axes)].push_back(element);
  }
  for (bool toFactor : {true, false}) {
    const std::vector<Elements> &held = toFactor ? ofLine : ofFactor;
    const std::vector<Elements> &wanted = toFactor ? ofFactor : ofLine;
    WindowExchange exchange = exchangeBlocks(factorSize, inner, axes, toFactor);
    int64_t lineExtent = blockSize(size, axes);
    int64_t factorExtent = blockSize(factorSize, axes) * inner;
    ASSERT_EQ(exchange.findFault(positions,
                                 toFactor ? lineExtent : factorExtent,
                                 toFactor ? factorExtent : lineExtent),
              "");
    int64_t received = 0;
    for (int64_t p = 0; p < positions; ++p) {
      const LineSegment &block = exchange.blocks[p];
      const LineSegment &window = exchange.windows[p];
      ASSERT_EQ(elementsOf(block), held[p]) << "position " << p;
      ASSERT_EQ(elementsOf(window), wanted[p]) << "position " << p;
      // Padding is behind what is valid.
      ASSERT_EQ(block.at, 0);
      ASSERT_EQ(window.at, 0);
      received =
          std::max<int64_t>(received, count_if(wanted[p], [&](int64_t element) {
                              return !is_contained(held[p], element);
                            }));
    }
    ASSERT_EQ(exchange.received(), received);
  }
}

} // namespace

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

TEST(WindowExchange, BlocksOfFactors) {
  std::vector<std::vector<int64_t>> meshes;
  for (int64_t a = 1; a <= 7; ++a) {
    meshes.push_back({a});
    for (int64_t b = 1; b <= 4; ++b)
      meshes.push_back({a, b});
  }
  meshes.push_back({2, 2, 2});
  meshes.push_back({2, 3, 2});
  meshes.push_back({3, 2, 3});
  for (const std::vector<int64_t> &sizes : meshes) {
    Mesh mesh = makeMesh(sizes);
    AxisList axes;
    for (size_t a = 0; a < sizes.size(); ++a)
      axes.push_back(mesh.whole(a));
    for (int64_t factorSize = 1; factorSize <= 9; ++factorSize)
      for (int64_t inner = 1; inner <= 5; ++inner) {
        SCOPED_TRACE(testing::Message() << factorSize << " times " << inner
                                        << " over " << mesh.str(axes));
        checkBlocks(factorSize, inner, axes);
        if (HasFatalFailure())
          return;
      }
  }
}

TEST(WindowExchange, BlocksOfFactorsThatDivideStayWhereTheyAre) {
  AxisList axes{makeMesh({4}).whole(0)};
  EXPECT_EQ(exchangeBlocks(8, 3, axes, true).received(), 0);
  // Blocks of 5, 5, 5 and 3 elements; those of the factor have 6, 6, 6 and
  // none.
  EXPECT_EQ(exchangeBlocks(6, 3, axes, true).received(), 3);
  EXPECT_EQ(exchangeBlocks(6, 3, axes, false).received(), 3);
}
