//===- LaunchTest.cpp - Who started this process --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Launch.h"
#include "runtime/core/Error.h"

#include <gtest/gtest.h>

using namespace cleave::rt;

namespace {
/// Without a launcher until a test sets variables.
class LaunchTest : public testing::Test {
protected:
  LaunchTest() { clear(); }
  ~LaunchTest() override { clear(); }

  static void clear() {
    for (const char *name :
         {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK",
          "OMPI_COMM_WORLD_LOCAL_SIZE", "PMI_SIZE", "PMI_RANK",
          "MPI_LOCALNRANKS", "PMIX_SERVER_TMPDIR", "PMIX_NAMESPACE", "RANK",
          "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT",
          "TORCHELASTIC_USE_AGENT_STORE"})
      ::unsetenv(name);
  }
  static void set(const char *name, const char *value) {
    ::setenv(name, value, /*overwrite=*/1);
  }
  static void setVariables() {
    set("RANK", "2");
    set("WORLD_SIZE", "4");
    set("MASTER_ADDR", "10.0.0.1");
    set("MASTER_PORT", "29500");
  }
  static void setMpi() {
    set("OMPI_COMM_WORLD_RANK", "1");
    set("OMPI_COMM_WORLD_SIZE", "3");
    set("OMPI_COMM_WORLD_LOCAL_SIZE", "2");
    set("PMIX_SERVER_TMPDIR", "/tmp/daemon");
    set("PMIX_NAMESPACE", "7");
  }
  template <typename Body> static std::string getError(Body &&body) {
    try {
      body();
    } catch (const Error &error) {
      EXPECT_EQ(error.getStatus(), CLEAVE_RT_BAD_INPUT);
      return error.what();
    }
    return "";
  }
};
} // namespace

TEST_F(LaunchTest, WithoutLauncherItIsTheFirstAndOnlyProcess) {
  Launch launch = getLaunch();
  EXPECT_FALSE(launch.isLaunched());
  EXPECT_TRUE(launch.isFirst());
  EXPECT_EQ(launch.numRanks, 1);
  EXPECT_EQ(getError([] { checkLaunched(4, "a mesh of"); }), "");
  EXPECT_EQ(getError([] { requireLaunch(4, "nccl"); }),
            "nccl: each of the 4 ranks is a process; start them by mpirun, or "
            "with RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT set");
}

TEST_F(LaunchTest, AllProcessesOfVariablesTookThemselvesForTheFirst) {
  setVariables();
  Launch launch = getLaunch();
  EXPECT_EQ(launch.launcher, Launcher::Variables);
  EXPECT_FALSE(launch.isFirst());
  EXPECT_EQ(launch.rank, 2);
  EXPECT_EQ(launch.numRanks, 4);
  EXPECT_EQ(launch.address, "10.0.0.1");
  EXPECT_EQ(launch.port, "29500");
  set("TORCHELASTIC_USE_AGENT_STORE", "True");
  EXPECT_EQ(getLaunch().port, "29501");
  EXPECT_EQ(getError([] { checkLaunched(4, "a mesh of"); }), "");
  EXPECT_EQ(getError([] { checkLaunched(5, "a mesh of"); }),
            "a mesh of 5 ranks, but the launcher started 4");
  EXPECT_EQ(getError([] { requireLaunch(5, "nccl"); }), "");
}

TEST_F(LaunchTest, MpirunGoesBeforeVariables) {
  setVariables();
  set("WORLD_SIZE", "none");
  EXPECT_FALSE(getLaunch().isLaunched());
  EXPECT_EQ(findMistakeInVariables(),
            "WORLD_SIZE is 'none', expected a number from 1 to 2147483647");
  setMpi();
  Launch launch = getLaunch();
  EXPECT_EQ(launch.launcher, Launcher::Mpi);
  EXPECT_EQ(launch.rank, 1);
  EXPECT_EQ(launch.numRanks, 3);
  EXPECT_EQ(launch.numLocal, 2);
  EXPECT_EQ(launch.job, "/tmp/daemon/7");
  EXPECT_EQ(findMistakeInVariables(), "");
  EXPECT_EQ(getError([] { checkLaunched(4, "a mesh of"); }),
            "a mesh of 4 ranks, but mpirun started 3");
}

TEST_F(LaunchTest, HalfOfWhatALauncherTellsIsNoLaunch) {
  setMpi();
  ::unsetenv("OMPI_COMM_WORLD_RANK");
  Launch launch = getLaunch();
  EXPECT_FALSE(launch.isLaunched());
  EXPECT_EQ(launch.numRanks, 1);
}
