//===- ParallelCopyTest.cpp - Copies in an order --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/ParallelCopy.h"
#include "gtest/gtest.h"
#include <map>
#include <random>

using namespace cleave;

namespace {

using Copies = llvm::SmallVector<std::pair<unsigned, unsigned>>;

/// Runs the steps on numbered contents and compares with copying at once.
void expectParallel(const Copies &copies) {
  std::map<unsigned, unsigned> expected, actual, temporaries;
  for (unsigned i = 0; i < 16; ++i)
    expected[i] = actual[i] = i;
  for (auto [from, to] : copies)
    expected[to] = from;
  for (const CopyStep &step : orderCopies(copies)) {
    switch (step.kind) {
    case CopyStep::Direct:
      actual[step.to] = actual[step.from];
      break;
    case CopyStep::Save:
      temporaries[step.copy] = actual[step.from];
      break;
    case CopyStep::Restore:
      actual[step.to] = temporaries[step.copy];
      break;
    }
  }
  EXPECT_EQ(expected, actual);
}

TEST(ParallelCopy, NothingToDo) {
  EXPECT_TRUE(orderCopies({}).empty());
  EXPECT_TRUE(orderCopies({{3, 3}}).empty());
}

TEST(ParallelCopy, ChainNeedsNoTemporary) {
  Copies copies = {{0, 1}, {1, 2}, {2, 3}};
  expectParallel(copies);
  for (const CopyStep &step : orderCopies(copies))
    EXPECT_EQ(step.kind, CopyStep::Direct);
}

TEST(ParallelCopy, SwapNeedsOne) {
  Copies copies = {{0, 1}, {1, 0}};
  expectParallel(copies);
  EXPECT_EQ(orderCopies(copies).size(), 3u);
}

TEST(ParallelCopy, Random) {
  std::mt19937 random(3);
  for (int round = 0; round < 1000; ++round) {
    Copies copies;
    for (unsigned to = 0; to < 8; ++to)
      if (random() % 4)
        copies.push_back({unsigned(random() % 10), to});
    expectParallel(copies);
  }
}

} // namespace
