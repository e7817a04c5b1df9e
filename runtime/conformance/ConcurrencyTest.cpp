//===- ConcurrencyTest.cpp - Several collectives at a time ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank can communicate on threads of their own while it computes on another.
//
//===----------------------------------------------------------------------===//

#include "runtime/conformance/Harness.h"

#include <chrono>
#include <gtest/gtest.h>
#include <thread>

using namespace cleave::rt;

namespace {
constexpr int32_t numRanks = 4;

/// Ranks in two rows of two. Of each of `sizes` there are the collectives of
/// every communicating kind over the row and over the column.
class ConcurrencyTest : public testing::TestWithParam<Harness *> {
protected:
  ConcurrencyTest() {
    manifest.mesh.axes = {{"row", 2}, {"column", 2}};
    for (int64_t size : {3, 1000, 70000})
      for (int32_t axis : {1, 0})
        for (CollectiveKind kind :
             {CollectiveKind::AllReduce, CollectiveKind::AllGather,
              CollectiveKind::ReduceScatter, CollectiveKind::AllToAll})
          add(kind, axis, size);
  }

  void add(CollectiveKind kind, int32_t axis, int64_t size) {
    CollectiveSpec spec{};
    spec.kind = kind;
    spec.dtype = DType::I32;
    spec.axes = {{axis, 1, 2}};
    spec.location = "f.mlir:1:2";
    spec.axisNames = manifest.mesh.axes[axis].name;
    spec.operandShape = spec.resultShape = {2 * size};
    if (kind == CollectiveKind::AllGather)
      spec.operandShape = {size};
    if (kind == CollectiveKind::ReduceScatter)
      spec.resultShape = {size};
    if (kind == CollectiveKind::AllToAll) {
      spec.operandShape = {2, size};
      spec.resultShape = {1, 2 * size};
      spec.concatDim = 1;
    }
    byAxis[axis].push_back(static_cast<int32_t>(manifest.collectives.size()));
    manifest.collectives.push_back(spec);
  }

  /// Each rank calls body(rank, run), and run(id, error) there runs a
  /// collective; then checks the results of all that are in `ids`.
  using Run = std::function<bool(int32_t, std::string &)>;
  void check(const std::vector<int32_t> &ids,
             const std::function<void(int32_t, const Run &)> &body);

  Manifest manifest{};
  std::vector<int32_t> byAxis[2];
};
} // namespace

void ConcurrencyTest::check(
    const std::vector<int32_t> &ids,
    const std::function<void(int32_t, const Run &)> &body) {
  size_t count = manifest.collectives.size();
  std::vector<std::vector<model::Buffer>> operands(count), results(count);
  for (size_t id = 0; id < count; ++id)
    for (int32_t rank = 0; rank < numRanks; ++rank) {
      const CollectiveSpec &spec = manifest.collectives[id];
      operands[id].emplace_back(getBytes(spec.operandShape, spec.dtype));
      results[id].emplace_back(getBytes(spec.resultShape, spec.dtype));
      for (size_t i = 0; i < operands[id].back().size(); ++i)
        operands[id].back()[i] = static_cast<uint8_t>(7 * i + 31 * rank + id);
    }
  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = GetParam()->create(state);
  std::vector<std::string> errors(numRanks);
  GetParam()->runRanks(numRanks, [&](int32_t rank) {
    body(rank, [&](int32_t id, std::string &error) {
      return communicator->run(rank, id, operands[id][rank].data(),
                               results[id][rank].data(), error);
    });
  });
  GetParam()->collect(results);
  if (!GetParam()->isChecking())
    return;
  for (int32_t id : ids) {
    const CollectiveSpec &spec = manifest.collectives[id];
    std::vector<model::Expected> expected =
        model::run(spec, manifest.mesh, operands[id]);
    for (int32_t rank = 0; rank < numRanks; ++rank)
      ASSERT_EQ(results[id][rank], expected[rank].bytes)
          << getName(spec.kind) << " " << id << " on rank " << rank;
  }
}

/// Runs collectives in turn, all of them several times.
static void runAll(const std::vector<int32_t> &ids,
                   const std::function<bool(int32_t, std::string &)> &run) {
  std::string error;
  for (int round = 0; round < 10; ++round)
    for (int32_t id : ids)
      ASSERT_TRUE(run(id, error)) << error;
}

TEST_P(ConcurrencyTest, DisjointGroupsGoTheirOwnWays) {
  // One row in one order, the other backwards.
  std::vector<int32_t> backwards(byAxis[1].rbegin(), byAxis[1].rend());
  check(byAxis[1], [&](int32_t rank, const Run &run) {
    runAll(rank < 2 ? byAxis[1] : backwards, run);
  });
}

TEST_P(ConcurrencyTest, RowsAndColumnsAtATime) {
  std::vector<int32_t> ids = byAxis[0];
  ids.insert(ids.end(), byAxis[1].begin(), byAxis[1].end());
  check(ids, [&](int32_t, const Run &run) {
    std::thread columns([&] { runAll(byAxis[0], run); });
    runAll(byAxis[1], run);
    columns.join();
  });
}

TEST_P(ConcurrencyTest, ComputesBesideCommunication) {
  check(byAxis[1], [&](int32_t, const Run &run) {
    std::atomic<bool> isDone{false};
    std::thread communication([&] {
      runAll(byAxis[1], run);
      isDone = true;
    });
    // At least once, and as long as there is something to be beside.
    std::vector<double> values(5000);
    int64_t rounds = 0;
    for (; rounds == 0 || !isDone; ++rounds)
      for (size_t i = 0; i < values.size(); ++i)
        values[i] += static_cast<double>(i);
    communication.join();
    for (size_t i = 0; i < values.size(); ++i)
      ASSERT_EQ(values[i], static_cast<double>(i) * rounds);
  });
}

// A kernel fails while another thread of the rank waits in a collective: 3
// waits for 2, 2 for 0, 0 for 1 and 1 for 3.
TEST_P(ConcurrencyTest, RankFailsBesideCommunication) {
  RunState state(manifest, 60);
  std::unique_ptr<Communicator> communicator = GetParam()->create(state);
  std::vector<std::string> errors(numRanks);
  auto begin = std::chrono::steady_clock::now();
  GetParam()->runRanks(numRanks, [&](int32_t rank) {
    std::vector<int32_t> operand(6), result(6);
    int32_t id = byAxis[rank == 0 || rank == 3 ? 1 : 0][0];
    std::thread communication([&] {
      state.setCollective(rank, id);
      if (!communicator->run(rank, id, operand.data(), result.data(),
                             errors[rank])) {
        state.setPhase(rank, Phase::Failed);
        communicator->phaseChanged();
      }
    });
    if (rank == 3) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      state.setPhase(rank, Phase::Failed);
      communicator->phaseChanged();
    }
    communication.join();
  });
  double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin)
          .count();
  GetParam()->collect(errors);
  if (!GetParam()->isChecking())
    return;
  for (const std::string &error : errors)
    EXPECT_NE(error, "");
  EXPECT_NE(errors[1].find("missing rank 3 (failed"), std::string::npos)
      << errors[1];
  EXPECT_LT(seconds, 20);
}

INSTANTIATE_TEST_SUITE_P(Communicators, ConcurrencyTest,
                         testing::Values(&Harness::get()),
                         [](const auto &info) {
                           return info.param->getName();
                         });
