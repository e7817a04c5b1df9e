//===- FailureTest.cpp - Sessions that fail -------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/Rank.h"
#include "runtime/tests/TestProgram.h"

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <thread>

using namespace cleave::rt;

namespace {
/// Sets the fault of the sessions that are created meanwhile.
struct ScopedFault {
  explicit ScopedFault(const char *text) { setenv("CLEAVE_RT_FAULT", text, 1); }
  ~ScopedFault() { unsetenv("CLEAVE_RT_FAULT"); }
};

/// Three ranks that meet in two collectives per step.
struct Failing : TestProgram {
  explicit Failing(double deadline = 60)
      : TestProgram(makeManifest(), [](cleave_rt_rank *rank, void *arena,
                                       const void *const *inputs,
                                       void *const *outputs) {
          if (int32_t status = cleave_rt_collective(rank, CLEAVE_RT_COMPUTE, 0,
                                                    inputs[0], arena))
            return status;
          return cleave_rt_collective(rank, CLEAVE_RT_COMPUTE, 1, arena,
                                      outputs[0]);
        }) {
    start([=](cleave_rt_session_options &options) {
      options.deadline_seconds = deadline;
    });
  }
  static Json makeManifest() {
    Json manifest = cleave::rt::makeManifest({3});
    manifest["inputs"] = {makeTensor(manifest, "x", "f32", {5}, {{}})};
    manifest["outputs"] = {makeTensor(manifest, "y", "f32", {5}, {{}})};
    manifest["collectives"] = {makeAllReduce(manifest, "f32", {5}, {0}),
                               makeAllReduce(manifest, "f32", {5}, {0})};
    manifest["arena_bytes"] = 64;
    return manifest;
  }
};
} // namespace

TEST(FailingSession, FailModeNamesTheRank) {
  ScopedFault fault("rank=2,collective=1,mode=fail");
  Failing program;
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(
      cleave_rt_last_error(),
      "rank 0: all_reduce at model.mlir:7:3 over a: missing rank 2 (failed)\n"
      "rank 1: all_reduce at model.mlir:7:3 over a: missing rank 2 (failed)\n"
      "rank 2: all_reduce at model.mlir:7:3 over a: stopped by "
      "CLEAVE_RT_FAULT");
  // The session is of no further use, but says so.
  EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(cleave_rt_last_error(), "the session has failed before");
}

TEST(FailingSession, HangModeMeetsTheDeadline) {
  ScopedFault fault("rank=0,collective=3,mode=hang");
  Failing program(0.2);
  double seconds[2];
  ASSERT_EQ(cleave_rt_session_run(program.session, 2, seconds),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(cleave_rt_last_error(),
               "rank 0: all_reduce at model.mlir:7:3 over a: stopped by "
               "CLEAVE_RT_FAULT\n"
               "rank 1: all_reduce at model.mlir:7:3 over a: the deadline of "
               "0.2 s passed; missing rank 0\n"
               "rank 2: all_reduce at model.mlir:7:3 over a: the deadline of "
               "0.2 s passed; missing rank 0");
}

TEST(FailingSession, MalformedFaultIsAnError) {
  for (const char *text : {"rank=1", "rank=1,collective=0,mode=die",
                           "rank=-1,collective=0,mode=fail",
                           "rank=1,collective=0,mode=failed", "x"}) {
    ScopedFault fault(text);
    TestProgram program(Failing::makeManifest(), [](auto...) { return 0; });
    cleave_rt_session *session = nullptr;
    EXPECT_EQ(cleave_rt_session_create(program.program, nullptr, &session),
              CLEAVE_RT_BAD_INPUT)
        << text;
  }
}

TEST(FailingSession, StatusOfTheProgramIsReported) {
  TestProgram program(makeManifest({1}), [](auto...) { return 7; });
  program.start();
  EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(cleave_rt_last_error(), "rank 0: the program returned status 7");
}

TEST(FailingSession, ExceptionsEndTheRun) {
  TestProgram program(Failing::makeManifest(),
                      [](cleave_rt_rank *rank, void *arena,
                         const void *const *inputs, void *const *) -> int32_t {
                        if (rank->number == 1)
                          throw std::runtime_error("unexpected");
                        return cleave_rt_collective(rank, CLEAVE_RT_COMPUTE, 0,
                                                    inputs[0], arena);
                      });
  program.start();
  EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(
      cleave_rt_last_error(),
      "rank 0: all_reduce at model.mlir:7:3 over a: missing rank 1 (failed)\n"
      "rank 1: the program threw an exception\n"
      "rank 2: all_reduce at model.mlir:7:3 over a: missing rank 1 (failed)");
  float y[5];
  EXPECT_EQ(cleave_rt_session_get_output(program.session, 0, y, 20),
            CLEAVE_RT_RUN_FAILED);
}

TEST(FailingSession, UnknownIdsAreErrors) {
  TestProgram program(makeManifest({1}), [](cleave_rt_rank *rank, auto...) {
    int32_t index;
    EXPECT_NE(cleave_rt_axis_index(rank, 0, &index), 0);
    EXPECT_NE(cleave_rt_record(rank, 0, CLEAVE_RT_COMPUTE), 0);
    EXPECT_NE(cleave_rt_wait(rank, -1, CLEAVE_RT_COMPUTE), 0);
    EXPECT_NE(
        cleave_rt_gemm(rank, -1, nullptr, nullptr, nullptr, nullptr, nullptr),
        0);
    return cleave_rt_collective(rank, CLEAVE_RT_COMPUTE, 0, nullptr, nullptr);
  });
  program.start();
  EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(cleave_rt_last_error(),
               "rank 0: the program asked for axis list 0 of 0");
}

TEST(FailingSession, StuckRankIsLeftBehind) {
  static std::atomic<bool> release{false}, left{false};
  {
    TestProgram program(Failing::makeManifest(),
                        [](cleave_rt_rank *rank, void *arena,
                           const void *const *inputs, void *const *) {
                          static std::atomic<int> count{0};
                          if (count++ == 0) {
                            while (!release)
                              std::this_thread::yield();
                            left = true;
                            return 0;
                          }
                          return cleave_rt_collective(rank, CLEAVE_RT_COMPUTE,
                                                      0, inputs[0], arena);
                        });
    program.start([](cleave_rt_session_options &options) {
      options.deadline_seconds = 0.1;
    });
    EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
              CLEAVE_RT_RUN_FAILED);
    EXPECT_NE(std::string(cleave_rt_last_error()).find("did not stop within"),
              std::string::npos)
        << cleave_rt_last_error();
  }
  // The thread still uses memory of the destroyed session; it must be valid.
  release = true;
  while (!left)
    std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
}
