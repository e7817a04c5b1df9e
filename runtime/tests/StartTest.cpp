//===- StartTest.cpp - Processes that come late or never ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Start.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace cleave::rt;

TEST(TransportThread, OneThreadRunsAllTasks) {
  TransportThread keeper;
  std::thread::id first, second;
  EXPECT_TRUE(
      keeper.run([&] { first = std::this_thread::get_id(); }, 60, [] {}));
  EXPECT_TRUE(
      keeper.run([&] { second = std::this_thread::get_id(); }, 60, [] {}));
  EXPECT_EQ(first, second);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(TransportThread, GivesUpWhatDoesNotEnd) {
  // Owned by the task, which outlives this test.
  auto isReleased = std::make_shared<std::atomic<bool>>(false);
  int numLooks = 0;
  {
    TransportThread keeper;
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
static Launch makeLaunch(int32_t rank, int32_t numLocal) {
  Launch launch;
  launch.launcher = Launcher::Mpi;
  launch.rank = rank;
  launch.numRanks = 3;
  launch.numLocal = numLocal;
  launch.job = "test " + std::to_string(::getpid());
  return launch;
}

TEST(Arrivals, WhoHasNotComeIsNamed) {
  Arrivals own(makeLaunch(1, 3));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing ranks 0, 2");
  {
    Arrivals other(makeLaunch(0, 3));
    own.look();
  }
  // One that was there and has gone has come.
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing rank 2");
  Arrivals last(makeLaunch(2, 3));
  last.look();
  EXPECT_EQ(last.describeMissing(), "missing rank 0");
  own.look();
  EXPECT_EQ(own.describeMissing(), "all ranks have come, but not all go on");
}

/// A process that comes as rank 0, and ends when the test does.
struct ChildRank {
  explicit ChildRank(const Launch &launch) {
    int pipe[2];
    EXPECT_EQ(::pipe(pipe), 0);
    process = ::fork();
    if (process == 0) {
      Arrivals arrivals(launch);
      char text = 0;
      ssize_t written = ::write(pipe[1], &text, 1);
      while (written == 1)
        ::pause();
      ::_exit(1);
    }
    char text;
    EXPECT_EQ(::read(pipe[0], &text, 1), 1);
    ::close(pipe[0]);
    ::close(pipe[1]);
  }
  ~ChildRank() {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  pid_t process;
};

TEST(Arrivals, WhoDiedOrWasStoppedAfterItHadComeWasNotNamed) {
  for (int signal : {SIGSTOP, SIGKILL}) {
    Launch launch = makeLaunch(0, 3);
    launch.job += " signal " + std::to_string(signal);
    ChildRank child(launch);
    launch.rank = 1;
    Arrivals own(launch, std::chrono::milliseconds(50));
    launch.rank = 2;
    Arrivals other(launch);
    own.look();
    other.look();
    EXPECT_EQ(own.describeMissing(), "all ranks have come, but not all go on");
    ::kill(child.process, signal);
    std::string missing;
    for (int i = 0; i < 1000 && missing != "missing rank 0"; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      own.look();
      missing = own.describeMissing();
    }
    EXPECT_EQ(missing, "missing rank 0");
    // Who gives up shortly before does not count.
    other.look();
    EXPECT_EQ(other.describeMissing(),
              "all ranks have come, but not all go on");
  }
}

TEST(Arrivals, OtherRunsAreNotMistakenForThisOne) {
  Launch launch = makeLaunch(0, 3);
  launch.job += " another";
  Arrivals stranger(launch), own(makeLaunch(1, 3));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing ranks 0, 2");
}

TEST(Arrivals, OfOtherMachinesOnlyTheNumberIsKnown) {
  Arrivals own(makeLaunch(1, 2));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing 1 of the 2 ranks of this machine");
  Arrivals other(makeLaunch(2, 2));
  own.look();
  EXPECT_EQ(own.describeMissing(), "missing ranks of other machines");
  Launch unknown = makeLaunch(1, 0);
  unknown.job = "";
  Arrivals blind(unknown);
  blind.look();
  EXPECT_EQ(blind.describeMissing(), "not all ranks have come");
}
