//===- MpiStartTest.cpp - Processes that come late or never ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/mpi/MpiStart.h"

#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace cleave::rt;

TEST(MpiKeeper, OneThreadRunsAllTasks) {
  MpiKeeper keeper;
  std::thread::id first, second;
  EXPECT_TRUE(
      keeper.run([&] { first = std::this_thread::get_id(); }, 60, [] {}));
  EXPECT_TRUE(
      keeper.run([&] { second = std::this_thread::get_id(); }, 60, [] {}));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(MpiKeeper, GivesUpWhatDoesNotEnd) {
  // Owned by the task, which outlives this test.
  auto isReleased = std::make_shared<std::atomic<bool>>(false);
  int numLooks = 0;
  {
    MpiKeeper keeper;
    EXPECT_FALSE(keeper.run(
        [isReleased] {
          while (!*isReleased)
            std::this_thread::yield();
        },
        0.25, [&] { ++numLooks; }));
    EXPECT_FALSE(
        keeper.run([] { FAIL() << "behind one that hangs"; }, 0.1, [] {}));
  }
  EXPECT_GE(numLooks, 1);
  *isReleased = true;
}

/// What a launcher tells rank `rank` of three.
static MpiLaunch makeLaunch(int32_t rank, int32_t numLocal) {
  MpiLaunch launch;
  launch.isLaunched = true;
  launch.rank = rank;
  launch.size = 3;
  launch.numLocal = numLocal;
  launch.job = "test " + std::to_string(::getpid());
  return launch;
}

TEST(MpiArrivals, WhoHasNotComeIsNamed) {
  MpiArrivals own(makeLaunch(1, 3));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing ranks 0, 2");
  {
    MpiArrivals other(makeLaunch(0, 3));
    own.look();
  }
  // One that was there and has gone has come.
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing rank 2");
  MpiArrivals last(makeLaunch(2, 3));
  last.look();
  EXPECT_EQ(last.describeMissing(), "missing rank 0");
  own.look();
  EXPECT_EQ(own.describeMissing(), "all ranks have come, but not all go on");
}

TEST(MpiArrivals, OtherRunsAreNotMistakenForThisOne) {
  MpiLaunch launch = makeLaunch(0, 3);
  launch.job += " another";
  MpiArrivals stranger(launch), own(makeLaunch(1, 3));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing ranks 0, 2");
}

TEST(MpiArrivals, OfOtherMachinesOnlyTheNumberIsKnown) {
  MpiArrivals own(makeLaunch(1, 2));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing 1 of the 2 ranks of this machine");
  MpiArrivals other(makeLaunch(2, 2));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing ranks of other machines");
  MpiLaunch unknown = makeLaunch(1, 0);
  unknown.job = "";
  MpiArrivals blind(unknown);
  blind.look();
  EXPECT_EQ(blind.describeMissing(), "not all ranks have come");
}
