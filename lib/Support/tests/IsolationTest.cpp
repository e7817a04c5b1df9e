//===- IsolationTest.cpp - Run work in child processes --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Support/Isolation.h"
#include "gtest/gtest.h"
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <map>
#include <unistd.h>

using namespace cleave;

static std::map<uint64_t, IsolatedResult>
runAll(uint64_t first, uint64_t count, const IsolationOptions &options,
       const std::function<std::string(uint64_t)> &run) {
  std::map<uint64_t, IsolatedResult> results;
  runIsolated(first, count, options, run,
              [&](uint64_t number, IsolatedResult result) {
                EXPECT_TRUE(results.emplace(number, result).second)
                    << "number " << number << " is done twice";
              });
  return results;
}

TEST(Isolation, EveryNumberIsDoneOnce) {
  for (unsigned jobs : {1, 3})
    for (unsigned batch : {0, 1, 4, 100}) {
      auto results = runAll(5, 17, {jobs, batch, 60}, [](uint64_t number) {
        return std::to_string(number * number);
      });
      ASSERT_EQ(results.size(), 17u);
      EXPECT_EQ(results.begin()->first, 5u);
      for (const auto &[number, result] : results) {
        EXPECT_EQ(result.status, IsolatedResult::Done);
        EXPECT_EQ(result.data, std::to_string(number * number));
      }
    }
}

TEST(Isolation, NothingToDo) {
  EXPECT_TRUE(runAll(0, 0, {}, [](uint64_t) { return ""; }).empty());
}

TEST(Isolation, ACrashCostsItsNumberOnly) {
  auto results = runAll(0, 10, {2, 5, 60}, [](uint64_t number) {
    if (number == 3) {
      std::fprintf(stderr, "\nsomething is wrong\nmore\n");
      std::raise(SIGSEGV);
    }
    if (number == 4)
      ::_exit(7);
    std::fprintf(stderr, "of an earlier number\n");
    return std::string("fine");
  });
  ASSERT_EQ(results.size(), 10u);
  EXPECT_EQ(results[3].status, IsolatedResult::Crashed);
  EXPECT_EQ(results[3].data, "Segmentation fault: something is wrong");
  EXPECT_EQ(results[4].status, IsolatedResult::Crashed);
  EXPECT_EQ(results[4].data, "exit status 7");
  for (uint64_t number : {0, 1, 2, 5, 6, 7, 8, 9})
    EXPECT_EQ(results[number].data, "fine");
}

TEST(Isolation, AHangCostsItsNumberOnly) {
  auto results = runAll(0, 4, {1, 4, 0.3}, [](uint64_t number) {
    while (number == 1)
      ::pause();
    return std::string("fine");
  });
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[1].status, IsolatedResult::TimedOut);
  for (uint64_t number : {0, 2, 3})
    EXPECT_EQ(results[number].data, "fine");
}

/// Uses the processor for so long.
static void spin(double seconds) {
  std::clock_t start = std::clock();
  while (std::clock() - start < seconds * CLOCKS_PER_SEC)
    ;
}

// Of a child that waits for a processor, the clock counts only as of one that
// sleeps.
TEST(Isolation, OnlyProcessorTimeCounts) {
  auto results = runAll(0, 4, {1, 4, 60, 0.4}, [](uint64_t number) {
    if (number == 1)
      ::usleep(1500000);
    // What earlier numbers used is not this one's.
    spin(0.2);
    return std::string("fine");
  });
  ASSERT_EQ(results.size(), 4u);
  for (uint64_t number : {0, 1, 2, 3})
    EXPECT_EQ(results[number].data, "fine");
}

TEST(Isolation, WhatSpinsUsesUpItsProcessorTime) {
  auto start = std::chrono::steady_clock::now();
  auto results = runAll(0, 4, {1, 4, 600, 0.3}, [](uint64_t number) {
    if (number == 1)
      spin(1e6);
    return std::string("fine");
  });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::minutes(5));
  ASSERT_EQ(results.size(), 4u);
  EXPECT_EQ(results[1].status, IsolatedResult::TimedOut);
  for (uint64_t number : {0, 2, 3})
    EXPECT_EQ(results[number].data, "fine");
}

TEST(Isolation, WhatSleepsUsesUpItsTimeAlthoughItLeavesTheProcessorAlone) {
  auto results = runAll(0, 3, {1, 3, 0.3, 60}, [](uint64_t number) {
    while (number == 1)
      ::pause();
    return std::string("fine");
  });
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[1].status, IsolatedResult::TimedOut);
  for (uint64_t number : {0, 2})
    EXPECT_EQ(results[number].data, "fine");
}

TEST(Isolation, DataMayBeLarge) {
  auto results = runAll(0, 3, {2, 1, 60}, [](uint64_t number) {
    return std::string(3000000 + number, 'x');
  });
  for (uint64_t number : {0, 1, 2})
    EXPECT_EQ(results[number].data.size(), 3000000 + number);
}
