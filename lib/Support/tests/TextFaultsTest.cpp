//===- TextFaultsTest.cpp - IR text that the parser does not survive ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/TextFaults.h"
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
  while (findTextFault(text, limit))
    ++limit;
  return limit;
}

TEST(TextFaults, BothSidesOfTheLimitOfEachBracket) {
  for (const char *pair : {"()", "[]", "{}", "<>"})
    for (unsigned depth : {999, 1000, 1001, 100000}) {
      std::string text =
          "a = " + repeat({pair[0]}, depth) + repeat({pair[1]}, depth) + "\n";
      std::optional<TextFault> fault = findTextFault(text);
      ASSERT_EQ(fault.has_value(), depth > maxTextNesting) << pair << depth;
      if (fault) {
        EXPECT_EQ(fault->line, 1u);
        EXPECT_EQ(fault->column, 4u + 1001u);
      }
    }
}

TEST(TextFaults, SaysWhere) {
  std::optional<TextFault> fault = findTextFault("(a)\n  [(b,\n {c}])", 2);
  ASSERT_TRUE(fault);
  EXPECT_EQ(fault->line, 3u);
  EXPECT_EQ(fault->column, 2u);
}

TEST(TextFaults, StringsAndCommentsHaveNone) {
  EXPECT_EQ(depthOf("\"((((\" // [[[[\n{}"), 1u);
  EXPECT_EQ(depthOf("(\"\\\"[[[\", \"\\\\\", [x])"), 2u);
  EXPECT_EQ(depthOf("@\"a<<<\"(\"//\" (x))"), 2u);
  // What never ends, ends with its line.
  EXPECT_EQ(depthOf("\"(((\n(\"\\"), 1u);
}

TEST(TextFaults, ArrowsAndComparisonsAreNoBrackets) {
  EXPECT_EQ(depthOf("(a) -> ((b) -> c)"), 2u);
  EXPECT_EQ(depthOf(repeat("<(d0) -> (d0)>, ", 5000)), 2u);
  EXPECT_EQ(depthOf(repeat("a <= b, c >= d ", 5000)), 0u);
}

TEST(TextFaults, SiblingsAddNothing) {
  EXPECT_EQ(depthOf(repeat("{ %0 = op(%a) : tensor<4xf32> }\n", 5000)), 2u);
  EXPECT_EQ(depthOf("[" + repeat("-1, ", 5000) + "-1]"), 2u);
  EXPECT_EQ(depthOf("{" + repeat("%0 = constant -1 : i32\n", 5000) + "}"), 1u);
  EXPECT_EQ(depthOf("(" + repeat("%a-b, ", 5000) + ")"), 1u);
}

TEST(TextFaults, ChainsOfOperatorsAreNested) {
  EXPECT_EQ(depthOf("(d0 + d1 * 2 - 1)"), 4u);
  EXPECT_EQ(depthOf("(" + repeat("-", 500) + "d0)"), 501u);
  EXPECT_EQ(depthOf("(d0 mod 2 floordiv 3 ceildiv 4, d0 + (d1 + d2))"), 4u);
}

TEST(TextFaults, AliasesAreAsDeepAsWhatTheyStandFor) {
  std::string text = "#a0 = 1\n!a0 = i32\n";
  for (unsigned i = 0; i < 20; ++i)
    text +=
        "#a" + std::to_string(i + 1) + " = [[#a" + std::to_string(i) + "]]\n";
  EXPECT_EQ(depthOf(text), 40u);
  EXPECT_EQ(depthOf(text + "{a = #a20, b = !a0}"), 41u);
  // The last one ends before what uses it, again and again.
  EXPECT_EQ(depthOf("#m = <1>\n" + repeat("{a = #m}\n", 5000)), 2u);
}

TEST(TextFaults, UnbalancedTextIsTaken) {
  EXPECT_EQ(depthOf(repeat(")]}>", 1000)), 0u);
  EXPECT_EQ(depthOf(repeat("(<", 20)), 40u);
  EXPECT_EQ(depthOf(repeat("(<)", 5000)), 2u);
  EXPECT_EQ(depthOf(""), 0u);
}

TEST(TextFaults, ResultsOfNoOp) {
  for (const char *text :
       {"f(%0#65536)", "f(%0 #2147483647)", "f(%0#99999999999999999999)"}) {
    std::optional<TextFault> fault = findTextFault(text);
    ASSERT_TRUE(fault) << text;
    EXPECT_EQ(text[fault->column - 1], '#');
    EXPECT_NE(fault->message.find("expected at most 65535"), std::string::npos);
  }
  EXPECT_FALSE(findTextFault("f(%0#65535, %x#0, #a99999999, \"%0#99999999\")"));
}

TEST(TextFaults, ArraysOfIndices) {
  for (const char *text :
       {"array<index: 2>", "array< index>", "array // of\n <index: 2>"})
    EXPECT_TRUE(findTextFault(text)) << text;
  for (const char *text :
       {"array<i64: 2>", "tensor<2xindex>", "array<i64: 2>, index",
        "array<index.a>", "(index) -> index", "memref<index>"})
    EXPECT_FALSE(findTextFault(text)) << text;
}
