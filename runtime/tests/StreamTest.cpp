//===- StreamTest.cpp - Communication beside computation ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/StreamThread.h"
#include "runtime/tests/TestProgram.h"

#include <atomic>
#include <cstdlib>
#include <map>
#include <stdexcept>

using namespace cleave::rt;

namespace {
/// Works that note the order in which they run; work 3 throws if told to.
struct Log {
  std::vector<int64_t> numbers;
  bool throwsAtThree = false;

  StreamWork makeWork(int64_t number) {
    StreamWork work{};
    work.run = [](const StreamWork &work) {
      Log &log = *static_cast<Log *>(work.context);
      if (log.throwsAtThree && work.number == 3)
        throw std::runtime_error("three");
      log.numbers.push_back(work.number);
    };
    work.context = this;
    work.number = number;
    return work;
  }
};
} // namespace

TEST(StreamThread, RunsInOrderHoweverManyWait) {
  Log log;
  StreamThread stream;
  // More than the queue holds.
  constexpr int64_t count = 2000;
  for (int64_t i = 0; i < count; ++i) {
    stream.start(log.makeWork(i));
    if (i % 100 == 50)
      stream.waitFor(i - 20);
  }
  stream.waitFor(count);
  ASSERT_EQ(log.numbers.size(), size_t(count));
  for (int64_t i = 0; i < count; ++i)
    EXPECT_EQ(log.numbers[i], i);
}

TEST(StreamThread, RunsWithoutAWait) {
  std::atomic<bool> hasRun{false};
  StreamWork work{};
  work.run = [](const StreamWork &work) {
    *static_cast<std::atomic<bool> *>(work.context) = true;
  };
  work.context = &hasRun;
  StreamThread stream;
  stream.start(work);
  while (!hasRun)
    std::this_thread::yield();
}

TEST(StreamThread, DropsWhatFollowsAFailure) {
  Log log;
  log.throwsAtThree = true;
  StreamThread stream;
  for (int64_t i = 0; i < 6; ++i)
    stream.start(log.makeWork(i));
  EXPECT_THROW(stream.waitFor(6), std::runtime_error);
  EXPECT_EQ(log.numbers, (std::vector<int64_t>{0, 1, 2}));
  // It stays failed.
  stream.start(log.makeWork(7));
  EXPECT_THROW(stream.waitFor(7), std::runtime_error);
  EXPECT_EQ(log.numbers.size(), 3u);
}

TEST(StreamThread, CancelDropsWhatHasNotBegun) {
  std::atomic<bool> hasBegun{false}, mayEnd{false};
  struct Context {
    std::atomic<bool> &hasBegun, &mayEnd;
  } context{hasBegun, mayEnd};
  StreamWork work{};
  work.run = [](const StreamWork &work) {
    Context &context = *static_cast<Context *>(work.context);
    context.hasBegun = true;
    while (!context.mayEnd)
      std::this_thread::yield();
  };
  work.context = &context;
  Log log;
  StreamThread stream;
  stream.start(work);
  while (!hasBegun)
    std::this_thread::yield();
  stream.start(log.makeWork(1));
  std::thread release([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    mayEnd = true;
  });
  stream.cancel();
  EXPECT_TRUE(mayEnd);
  release.join();
  stream.waitFor(2);
  EXPECT_TRUE(log.numbers.empty());
}

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// Two ranks, two collectives on the communication stream.
static Json makeOverlapped() {
  Json manifest = makeManifest({2});
  manifest["inputs"] = {makeTensor(manifest, "x", "f32", {5}, {{}})};
  manifest["outputs"] = {makeTensor(manifest, "y", "f32", {5}, {{}})};
  manifest["collectives"] = {makeAllReduce(manifest, "f32", {5}, {0}),
                             makeAllReduce(manifest, "f32", {5}, {0})};
  manifest["arena_bytes"] = 64;
  manifest["events"] = 2;
  return manifest;
}

static int32_t startBoth(cleave_rt_rank *rank, void *arena,
                         const void *const *inputs, void *const *outputs) {
  int32_t stream = CLEAVE_RT_COMMUNICATION;
  return cleave_rt_collective(rank, stream, 0, inputs[0], arena) |
         cleave_rt_collective(rank, stream, 1, arena, outputs[0]) |
         cleave_rt_record(rank, 0, stream);
}

TEST(Streams, CollectiveRunsBesideTheProgram) {
  // The second rank comes only when the first has gone on.
  std::atomic<int> count{0};
  std::atomic<bool> hasGoneOn{false};
  TestProgram program(makeOverlapped(), [&](cleave_rt_rank *rank, void *arena,
                                            const void *const *inputs,
                                            void *const *outputs) {
    bool isFirst = count++ == 0;
    while (!isFirst && !hasGoneOn)
      std::this_thread::yield();
    int32_t status = startBoth(rank, arena, inputs, outputs);
    hasGoneOn = true;
    return status | cleave_rt_wait(rank, 0, CLEAVE_RT_COMPUTE);
  });
  program.start();
  program.setInput<float>(0, {0, 1, 2, 3, 4});
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr), CLEAVE_RT_OK)
      << cleave_rt_last_error();
  EXPECT_EQ(program.getOutput<float>(0, 5),
            (std::vector<float>{0, 4, 8, 12, 16}));
}

TEST(Streams, StepEndsWhenBothStreamsHave) {
  TestProgram program(makeOverlapped(), startBoth);
  program.start();
  program.setInput<float>(0, {0, 1, 2, 3, 4});
  ASSERT_EQ(cleave_rt_session_run(program.session, 3, nullptr), CLEAVE_RT_OK)
      << cleave_rt_last_error();
  EXPECT_EQ(program.getOutput<float>(0, 5),
            (std::vector<float>{0, 4, 8, 12, 16}));
}

TEST(Streams, FailureIsThatOfTheCollective) {
  setenv("CLEAVE_RT_FAULT", "rank=1,collective=1,mode=fail", 1);
  TestProgram program(makeOverlapped(), startBoth);
  program.start();
  unsetenv("CLEAVE_RT_FAULT");
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(
      cleave_rt_last_error(),
      "rank 0: all_reduce at model.mlir:7:3 over a: missing rank 1 (failed)\n"
      "rank 1: all_reduce at model.mlir:7:3 over a: stopped by "
      "CLEAVE_RT_FAULT");
}

TEST(Streams, DeadlineHoldsOnTheCommunicationStream) {
  setenv("CLEAVE_RT_FAULT", "rank=1,collective=0,mode=hang", 1);
  TestProgram program(makeOverlapped(), startBoth);
  program.start([](cleave_rt_session_options &options) {
    options.deadline_seconds = 0.2;
  });
  unsetenv("CLEAVE_RT_FAULT");
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_NE(std::string(cleave_rt_last_error())
                .find("rank 0: all_reduce at model.mlir:7:3 over a: the "
                      "deadline of 0.2 s passed; missing rank 1"),
            std::string::npos)
      << cleave_rt_last_error();
}

TEST(Streams, FailureOfTheProgramEndsACollectiveUnderWay) {
  TestProgram program(makeOverlapped(), [](cleave_rt_rank *rank, void *arena,
                                           const void *const *inputs,
                                           void *const *outputs) {
    static std::atomic<int> count{0};
    // One of the ranks comes to no collective.
    if (count++ == 0)
      return 7;
    int32_t status = startBoth(rank, arena, inputs, outputs);
    return status ? status : 8;
  });
  program.start();
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
            CLEAVE_RT_RUN_FAILED);
  std::string error = cleave_rt_last_error();
  EXPECT_NE(error.find("the program returned status 7"), std::string::npos)
      << error;
  EXPECT_NE(error.find("the program returned status 8"), std::string::npos)
      << error;
}

TEST(Streams, TraceHasARowForEach) {
  TestProgram program(makeOverlapped(), startBoth);
  program.start([](cleave_rt_session_options &options) { options.trace = 1; });
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr), CLEAVE_RT_OK);
  std::string path = getTemporaryPath("streams.json");
  ASSERT_EQ(cleave_rt_session_write_trace(program.session, path.c_str()),
            CLEAVE_RT_OK);
  std::map<std::string, int> rows;
  std::map<int, int> collectives;
  Json trace = Json::parse(readFile(path));
  for (const Json &event : trace["traceEvents"]) {
    if (event["name"] == "thread_name")
      rows[event["args"]["name"]] = event["tid"];
    if (event.value("cat", "") == "collective")
      ++collectives[event["tid"]];
  }
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows["rank 1"], 1);
  EXPECT_EQ(collectives,
            (std::map<int, int>{{rows["rank 0 communication"], 2},
                                {rows["rank 1 communication"], 2}}));
}
