//===- FailureTest.cpp - Deadlines and failing ranks ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Processes.h"
#include "runtime/conformance/Harness.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace cleave::rt;

namespace {
/// Four ranks in a row; collectives 0 to 4 are of every communicating kind over
/// all of them, 5 is an all_reduce over pairs, 6 a permute between 0 and 1, 7
/// one from 3 to 1, 8 one from 2 to 3.
class FailureTest : public testing::TestWithParam<Harness *> {
protected:
  FailureTest() {
    manifest.mesh.axes = {{"x", 2}, {"y", 2}};
    for (CollectiveKind kind :
         {CollectiveKind::AllGather, CollectiveKind::AllReduce,
          CollectiveKind::ReduceScatter, CollectiveKind::AllToAll,
          CollectiveKind::CollectivePermute})
      manifest.collectives.push_back(makeSpec(kind));
    CollectiveSpec pairs = makeSpec(CollectiveKind::AllReduce);
    pairs.axes = {{1, 1, 2}};
    manifest.collectives.push_back(pairs);
    CollectiveSpec permute = makeSpec(CollectiveKind::CollectivePermute);
    permute.pairs = {{0, 1}, {1, 0}};
    manifest.collectives.push_back(permute);
    permute.pairs = {{3, 1}};
    manifest.collectives.push_back(permute);
    permute.pairs = {{2, 3}};
    manifest.collectives.push_back(permute);
  }

  static CollectiveSpec makeSpec(CollectiveKind kind) {
    CollectiveSpec spec{};
    spec.kind = kind;
    spec.dtype = DType::F32;
    spec.axes = {{0, 1, 2}, {1, 1, 2}};
    spec.location = "f.mlir:1:2";
    spec.axisNames = "x,y";
    spec.operandShape = spec.resultShape = {4, 4};
    if (kind == CollectiveKind::AllGather)
      spec.operandShape = {1, 4};
    if (kind == CollectiveKind::ReduceScatter)
      spec.resultShape = {1, 4};
    if (kind == CollectiveKind::AllToAll) {
      spec.operandShape = {4, 1};
      spec.resultShape = {1, 4};
      spec.concatDim = 1;
    }
    spec.pairs = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    return spec;
  }

  /// What rank runs in turn, after so many seconds; after it, the phase that
  /// `last` gives. Ranks that are processes then end the step if told.
  void run(double deadline, const std::vector<std::vector<int32_t>> &sequences,
           const std::vector<Phase> &last,
           const std::vector<double> &delays = {0, 0, 0, 0},
           bool endsStep = false) {
    RunState state(manifest, deadline);
    std::unique_ptr<Communicator> communicator = GetParam()->create(state);
    errors.assign(4, "");
    auto begin = std::chrono::steady_clock::now();
    GetParam()->runRanks(4, [&](int32_t rank) {
      std::vector<float> operand(16), result(16);
      std::this_thread::sleep_for(std::chrono::duration<double>(delays[rank]));
      for (int32_t id : sequences[rank]) {
        state.setCollective(rank, id);
        if (!communicator->run(rank, id, operand.data(), result.data(),
                               errors[rank])) {
          state.setPhase(rank, Phase::Failed);
          communicator->phaseChanged();
          return;
        }
        state.setCollective(rank, -1);
      }
      state.setPhase(rank, last[rank]);
      communicator->phaseChanged();
      if (endsStep && last[rank] == Phase::Finished)
        errors[rank] = endStep(*communicator);
    });
    seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
            .count();
    GetParam()->collect(errors);
  }

  static std::string endStep(Communicator &communicator) {
    try {
      communicator.getProcesses()->endStep();
      return "";
    } catch (const std::exception &error) {
      return error.what();
    }
  }

  /// Whether `rank` cannot go on without `missing`.
  bool needs(int32_t id, int32_t rank, int32_t missing) const {
    const CollectiveSpec &spec = manifest.collectives[id];
    if (spec.kind != CollectiveKind::CollectivePermute ||
        GetParam()->permutesMeet())
      return true;
    for (auto [source, target] : spec.pairs)
      if (source == missing && target == rank)
        return true;
    return false;
  }

  Manifest manifest{};
  std::vector<std::string> errors;
  double seconds = 0;
};
} // namespace

constexpr Phase running = Phase::Running, finished = Phase::Finished,
                failed = Phase::Failed;

TEST_P(FailureTest, FailedRankIsReportedAtOnceByEverySurvivor) {
  for (int32_t id = 0; id < 5; ++id) {
    run(60, {{id}, {id}, {}, {id}}, {finished, finished, failed, finished});
    if (!GetParam()->isChecking())
      continue;
    std::string expected = std::string(getName(manifest.collectives[id].kind)) +
                           " at f.mlir:1:2 over x,y: missing rank 2 (failed)";
    EXPECT_EQ(errors[2], "");
    for (int32_t rank : {0, 1, 3})
      EXPECT_EQ(errors[rank], needs(id, rank, 2) ? expected : "") << rank;
    EXPECT_LT(seconds, 10);
  }
}

TEST_P(FailureTest, DeadlineIsReportedByEverySurvivor) {
  for (int32_t id = 0; id < 5; ++id) {
    run(0.2, {{id}, {}, {id}, {id}}, {finished, running, finished, finished});
    if (!GetParam()->isChecking())
      continue;
    std::string expected =
        std::string(getName(manifest.collectives[id].kind)) +
        " at f.mlir:1:2 over x,y: the deadline of 0.2 s passed; missing rank 1";
    for (int32_t rank : {0, 2, 3})
      EXPECT_EQ(errors[rank], needs(id, rank, 1) ? expected : "") << rank;
    if (needs(id, 0, 1)) // whose time it is
      EXPECT_GE(seconds, 0.2);
    EXPECT_LT(seconds, 10);
  }
}

TEST_P(FailureTest, SeveralMissingRanksAreListed) {
  run(0.2, {{1}, {}, {}, {1}}, {finished, running, running, finished});
  if (!GetParam()->isChecking())
    return;
  EXPECT_EQ(errors[0], "all_reduce at f.mlir:1:2 over x,y: the deadline of 0.2 "
                       "s passed; missing ranks 1, 2");
  EXPECT_EQ(errors[0], errors[3]);
}

TEST_P(FailureTest, FinishedRankIsMissing) {
  run(60, {{1}, {1}, {1}, {}}, {finished, finished, finished, finished});
  if (!GetParam()->isChecking())
    return;
  EXPECT_EQ(errors[0], "all_reduce at f.mlir:1:2 over x,y: missing rank 3 "
                       "(finished the step)");
}

TEST_P(FailureTest, DifferentOrdersEndInAnError) {
  run(0.2, {{0, 1}, {0, 1}, {1, 0}, {0, 1}},
      {finished, finished, finished, finished});
  if (!GetParam()->isChecking())
    return;
  for (const std::string &error : errors)
    EXPECT_NE(error, "");
  // Rank 2 may have given up first.
  EXPECT_NE(errors[0].find("missing rank 2 ("), std::string::npos) << errors[0];
  EXPECT_NE(errors[0].find("in all_reduce at f.mlir:1:2"), std::string::npos)
      << errors[0];
}

TEST_P(FailureTest, OtherGroupsAreNotDisturbed) {
  run(60, {{5, 6}, {5, 6}, {5}, {}}, {finished, finished, finished, failed});
  if (!GetParam()->isChecking())
    return;
  EXPECT_EQ(errors[0], "");
  EXPECT_EQ(errors[1], "");
  EXPECT_EQ(errors[2],
            "all_reduce at f.mlir:1:2 over x,y: missing rank 3 (failed)");
}

TEST_P(FailureTest, FailureSpreadsWithoutDeadlock) {
  // Rank 3 fails; 2 waits for 3 in a pair; 0 and 1 wait for both.
  run(60, {{5, 1}, {5, 1}, {5, 1}, {}}, {finished, finished, finished, failed});
  if (!GetParam()->isChecking())
    return;
  EXPECT_NE(errors[0], "");
  EXPECT_NE(errors[1], "");
  EXPECT_LT(seconds, 10);
}

// Rank 2 never sends to 3, which begins to wait for it late, and so never sends
// to 1. Rank 1 gives up long before 3 would, and 0, which ends the step, hears
// of it: both could only name rank 3.
TEST_P(FailureTest, WhoIsMissedTellsForWhomItWaits) {
  if (GetParam()->permutesMeet())
    GTEST_SKIP() << "the ranks of a collective_permute meet";
  run(2, {{}, {7}, {}, {8}}, {finished, finished, running, finished},
      {0, 0, 0, 1.5}, /*endsStep=*/true);
  if (!GetParam()->isChecking())
    return;
  std::string reason = "3 (failed in collective_permute at f.mlir:1:2 over x,y";
  for (int32_t rank : {0, 1}) {
    size_t at = errors[rank].find(reason);
    ASSERT_NE(at, std::string::npos) << errors[rank];
    EXPECT_NE(errors[rank].find("missing rank 2)", at), std::string::npos)
        << errors[rank];
  }
}

INSTANTIATE_TEST_SUITE_P(Communicators, FailureTest,
                         testing::Values(&Harness::get()),
                         [](const auto &info) {
                           return info.param->getName();
                         });
