//===- ArenaPlanTest.cpp - Where buffers lie ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/ArenaPlan.h"
#include "llvm/Support/MathExtras.h"
#include "gtest/gtest.h"
#include <random>

using namespace cleave;

namespace {

/// Buffers in use together are apart, aligned and inside the arena.
void expectValid(llvm::ArrayRef<LiveRange> ranges, const ArenaPlan &plan) {
  ASSERT_EQ(plan.offsets.size(), ranges.size());
  int64_t end = 0;
  for (size_t i = 0; i < ranges.size(); ++i) {
    EXPECT_EQ(plan.offsets[i] % 64, 0);
    if (!ranges[i].isEmpty())
      end = std::max<int64_t>(end, plan.offsets[i] +
                                       llvm::alignTo(ranges[i].bytes, 64));
    for (size_t j = 0; j < i; ++j) {
      if (!ranges[i].overlaps(ranges[j]))
        continue;
      EXPECT_TRUE(plan.offsets[i] + ranges[i].bytes <= plan.offsets[j] ||
                  plan.offsets[j] + ranges[j].bytes <= plan.offsets[i])
          << i << " and " << j;
    }
  }
  EXPECT_EQ(plan.bytes, end);
  EXPECT_GE(plan.bytes, peakLiveBytes(ranges));
}

TEST(ArenaPlan, Empty) {
  ArenaPlan plan = planArena({});
  EXPECT_EQ(plan.bytes, 0);
  EXPECT_TRUE(plan.offsets.empty());
}

TEST(ArenaPlan, EmptyBuffersTakeNothing) {
  LiveRange ranges[] = {{0, 0, 5}, {100, 3, 2}};
  ArenaPlan plan = planArena(ranges);
  EXPECT_EQ(plan.bytes, 0);
  EXPECT_EQ(peakLiveBytes(ranges), 0);
}

TEST(ArenaPlan, ChainReusesTwoSlots) {
  LiveRange ranges[] = {{100, 0, 1}, {100, 1, 2}, {100, 2, 3}, {100, 3, 4}};
  ArenaPlan plan = planArena(ranges);
  expectValid(ranges, plan);
  EXPECT_EQ(plan.bytes, 256);
}

TEST(ArenaPlan, FillsGaps) {
  LiveRange ranges[] = {{1000, 0, 1}, {64, 2, 5}, {512, 2, 3}, {448, 2, 3}};
  ArenaPlan plan = planArena(ranges);
  expectValid(ranges, plan);
  EXPECT_EQ(plan.bytes, 1024);
}

TEST(ArenaPlan, RandomPlansAreValidAndNearTheBound) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    llvm::SmallVector<LiveRange> ranges;
    int count = 1 + random() % 40;
    for (int i = 0; i < count; ++i) {
      int64_t first = random() % 50;
      ranges.push_back({int64_t(random() % 5000), first,
                        first + int64_t(random() % 10) - 1});
    }
    ArenaPlan plan = planArena(ranges);
    expectValid(ranges, plan);
    EXPECT_LE(plan.bytes, 2 * peakLiveBytes(ranges));
  }
}

TEST(LiveRangeBuilder, StraightLine) {
  LiveRangeBuilder builder;
  auto a = builder.declare(8);
  auto b = builder.declare(8);
  auto unused = builder.declare(8);
  builder.use(a); // 0
  builder.nextOperation();
  builder.use(a); // 1
  builder.use(b);
  builder.nextOperation();
  builder.use(b); // 2
  EXPECT_EQ(builder.getRanges()[a].first, 0);
  EXPECT_EQ(builder.getRanges()[a].last, 1);
  EXPECT_EQ(builder.getRanges()[b].first, 1);
  EXPECT_EQ(builder.getRanges()[b].last, 2);
  EXPECT_TRUE(builder.getRanges()[unused].isEmpty());
}

TEST(GuardedArena, BuffersEndWhereTheirPagesDo) {
  // 100 bytes, nothing, a page and a byte, a page, one that is never used.
  std::vector<LiveRange> ranges = {
      {100, 0, 1}, {0, 0, 1}, {4097, 1, 2}, {4096, 0, 0}, {8, 3, 2}};
  ArenaPlan plan = planGuardedArena(ranges, 4096);
  // Page 1; pages 3 and 4; page 6; a page without buffer around each.
  EXPECT_EQ(plan.offsets,
            (llvm::SmallVector<int64_t>{2 * 4096 - 128, 0, 5 * 4096 - 4160,
                                        6 * 4096, 0}));
  EXPECT_EQ(plan.bytes, 8 * 4096);
}

TEST(LiveRangeBuilder, LoopsExtendWhatTheyCapture) {
  LiveRangeBuilder builder;
  auto outer = builder.declare(8);
  builder.nextOperation();
  builder.enterLoop(); // 1
  builder.nextOperation();
  auto middle = builder.declare(8);
  builder.nextOperation();
  builder.enterLoop(); // 3
  builder.nextOperation();
  auto inner = builder.declare(8);
  builder.use(outer); // 4
  builder.use(middle);
  builder.use(inner);
  builder.nextOperation();
  builder.exitLoop(); // 5
  builder.nextOperation();
  builder.exitLoop(); // 6
  llvm::ArrayRef<LiveRange> ranges = builder.getRanges();
  EXPECT_EQ(ranges[outer].first, 1);
  EXPECT_EQ(ranges[outer].last, 6);
  EXPECT_EQ(ranges[middle].first, 3);
  EXPECT_EQ(ranges[middle].last, 5);
  EXPECT_EQ(ranges[inner].first, 4);
  EXPECT_EQ(ranges[inner].last, 4);
}

} // namespace
