//===- TextNestingTest.cpp - How deeply IR text is nested -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/TextNesting.h"
#include "gtest/gtest.h"
#include <string>

using namespace cleave;

static std::string repeat(const std::string &text, unsigned count) {
  std::string result;
  while (count-- > 0)
    result += text;
  return result;
}

/// The least limit that allows the text.
static unsigned depthOf(const std::string &text) {
  unsigned limit = 0;
  while (findDeepNesting(text, limit))
    ++limit;
  return limit;
}

TEST(TextNesting, BothSidesOfTheLimitOfEachBracket) {
  for (const char *pair : {"()", "[]", "{}", "<>"})
    for (unsigned depth : {999, 1000, 1001, 100000}) {
      std::string text =
          "a = " + repeat({pair[0]}, depth) + repeat({pair[1]}, depth) + "\n";
      std::optional<TextPlace> place = findDeepNesting(text);
      ASSERT_EQ(place.has_value(), depth > maxTextNesting) << pair << depth;
      if (place) {
        EXPECT_EQ(place->line, 1u);
        EXPECT_EQ(place->column, 4u + 1001u);
      }
    }
}

TEST(TextNesting, SaysWhere) {
  std::optional<TextPlace> place = findDeepNesting("(a)\n  [(b,\n {c}])", 2);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, 3u);
  EXPECT_EQ(place->column, 2u);
}

TEST(TextNesting, StringsAndCommentsHaveNone) {
  EXPECT_EQ(depthOf("\"((((\" // [[[[\n{}"), 1u);
  EXPECT_EQ(depthOf("(\"\\\"[[[\", \"\\\\\", [x])"), 2u);
  EXPECT_EQ(depthOf("@\"a<<<\"(\"//\" (x))"), 2u);
  // What never ends, ends with its line.
  EXPECT_EQ(depthOf("\"(((\n(\"\\"), 1u);
}

TEST(TextNesting, ArrowsAndComparisonsAreNoBrackets) {
  EXPECT_EQ(depthOf("(a) -> ((b) -> c)"), 2u);
  EXPECT_EQ(depthOf(repeat("<(d0) -> (d0)>, ", 5000)), 2u);
  EXPECT_EQ(depthOf(repeat("a <= b, c >= d ", 5000)), 0u);
}

TEST(TextNesting, SiblingsAddNothing) {
  EXPECT_EQ(depthOf(repeat("{ %0 = op(%a) : tensor<4xf32> }\n", 5000)), 2u);
  EXPECT_EQ(depthOf("[" + repeat("-1, ", 5000) + "-1]"), 2u);
  EXPECT_EQ(depthOf("{" + repeat("%0 = constant -1 : i32\n", 5000) + "}"), 1u);
  EXPECT_EQ(depthOf("(" + repeat("%a-b, ", 5000) + ")"), 1u);
}

TEST(TextNesting, ChainsOfOperatorsAreNested) {
  EXPECT_EQ(depthOf("(d0 + d1 * 2 - 1)"), 4u);
  EXPECT_EQ(depthOf("(" + repeat("-", 500) + "d0)"), 501u);
  EXPECT_EQ(depthOf("(d0 mod 2 floordiv 3 ceildiv 4, d0 + (d1 + d2))"), 4u);
}

TEST(TextNesting, AliasesAreAsDeepAsWhatTheyStandFor) {
  std::string text = "#a0 = 1\n!a0 = i32\n";
  for (unsigned i = 0; i < 20; ++i)
    text +=
        "#a" + std::to_string(i + 1) + " = [[#a" + std::to_string(i) + "]]\n";
  EXPECT_EQ(depthOf(text), 40u);
  EXPECT_EQ(depthOf(text + "{a = #a20, b = !a0}"), 41u);
  // The last one ends before what uses it, again and again.
  EXPECT_EQ(depthOf("#m = <1>\n" + repeat("{a = #m}\n", 5000)), 2u);
}

TEST(TextNesting, UnbalancedTextIsTaken) {
  EXPECT_EQ(depthOf(repeat(")]}>", 1000)), 0u);
  EXPECT_EQ(depthOf(repeat("(<", 20)), 40u);
  EXPECT_EQ(depthOf(repeat("(<)", 5000)), 2u);
  EXPECT_EQ(depthOf(""), 0u);
}
