//===- OverlapScheduleTest.cpp - What runs beside what --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/OverlapSchedule.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <random>

using namespace cleave;

namespace {

constexpr int64_t noLimit = int64_t(1) << 40;

/// Storages are letters of 64 bytes each; capital ones take none.
class Problem : public OverlapProblem {
public:
  Problem() {
    storageBytes.assign(128, 0);
    std::fill(storageBytes.begin() + 'a', storageBytes.begin() + 'z' + 1, 64);
  }
  Problem &add(OverlapOp::Resource resource, double seconds,
               llvm::StringRef reads, llvm::StringRef writes) {
    OverlapOp op;
    op.resource = resource;
    op.seconds = seconds;
    for (char c : reads)
      op.accesses.push_back({unsigned(c), false});
    for (char c : writes)
      op.accesses.push_back({unsigned(c), true});
    ops.push_back(op);
    return *this;
  }
  Problem &compute(double seconds, llvm::StringRef reads,
                   llvm::StringRef writes) {
    return add(OverlapOp::Compute, seconds, reads, writes);
  }
  Problem &communicate(double seconds, llvm::StringRef reads,
                       llvm::StringRef writes) {
    return add(OverlapOp::Communication, seconds, reads, writes);
  }
};

using Order = std::vector<unsigned>;

TEST(OverlapSchedule, Empty) {
  OverlapSchedule schedule = scheduleOverlap(OverlapProblem(), noLimit);
  EXPECT_TRUE(schedule.order.empty());
  EXPECT_EQ(schedule.seconds, 0);
}

TEST(OverlapSchedule, NothingCommunicates) {
  Problem p;
  p.compute(1, "X", "a").compute(1, "X", "b").compute(1, "ab", "Y");
  EXPECT_EQ(scheduleOverlap(p, noLimit).order, (Order{0, 1, 2}));
}

TEST(OverlapSchedule, ConsumerWaitsForIndependentWork) {
  Problem p;
  p.compute(1, "X", "a").communicate(3, "a", "b").compute(1, "b", "Y");
  p.compute(3, "X", "Z");
  EXPECT_EQ(evaluateProgramOrder(p, false).seconds, 8);
  EXPECT_EQ(evaluateProgramOrder(p, true).seconds, 8);
  OverlapSchedule schedule = scheduleOverlap(p, noLimit);
  EXPECT_EQ(schedule.order, (Order{0, 1, 3, 2}));
  EXPECT_EQ(schedule.seconds, 5);
}

TEST(OverlapSchedule, CollectiveStartsRightAfterItsProducer) {
  Problem p;
  p.compute(1, "X", "a").compute(3, "X", "Z").communicate(3, "a", "b");
  p.compute(1, "b", "Y");
  EXPECT_EQ(scheduleOverlap(p, noLimit).order, (Order{0, 2, 1, 3}));
}

TEST(OverlapSchedule, LongestPathFirst) {
  Problem p;
  // The producer of a long collective stands behind work that could fill it.
  p.compute(4, "X", "Y").compute(1, "X", "a").communicate(4, "a", "b");
  p.compute(1, "b", "Z");
  OverlapSchedule schedule = scheduleOverlap(p, noLimit);
  EXPECT_EQ(schedule.order, (Order{1, 2, 0, 3}));
  EXPECT_EQ(schedule.seconds, 6);
}

TEST(OverlapSchedule, ReadersStayBeforeWriters) {
  Problem p;
  // Work 3 overwrites what 2 reads, so it cannot fill the gap.
  p.compute(1, "X", "a").communicate(5, "a", "b").compute(1, "bC", "Y");
  p.compute(5, "X", "C");
  EXPECT_EQ(scheduleOverlap(p, noLimit).order, (Order{0, 1, 2, 3}));
}

TEST(OverlapSchedule, FetchesAheadWithinTheLimit) {
  // Four layers, each with a gathered weight.
  Problem p;
  p.communicate(1, "A", "a").compute(1, "Xa", "p");
  p.communicate(1, "B", "b").compute(1, "pb", "q");
  p.communicate(1, "C", "c").compute(1, "qc", "r");
  p.communicate(1, "D", "d").compute(1, "rd", "Y");
  EXPECT_EQ(evaluateProgramOrder(p, true).seconds, 8);
  EXPECT_EQ(evaluateProgramOrder(p, false).peakBytes, 192);
  OverlapSchedule all = scheduleOverlap(p, noLimit);
  EXPECT_EQ(all.order, (Order{0, 2, 4, 6, 1, 3, 5, 7}));
  EXPECT_EQ(all.seconds, 5);
  EXPECT_EQ(all.peakBytes, 320);
  OverlapSchedule one = scheduleOverlap(p, 256);
  EXPECT_EQ(one.seconds, 5);
  EXPECT_EQ(one.peakBytes, 256);
  OverlapSchedule none = scheduleOverlap(p, 100);
  EXPECT_EQ(none.order, (Order{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(OverlapSchedule, CollectivesHoldTheirBytesUntilAwaited) {
  Problem p;
  p.compute(1, "X", "a").communicate(1, "a", "b").compute(1, "X", "c");
  p.compute(1, "c", "d").compute(1, "bd", "Y");
  // a, b, c and d; without overlap a is free again when c is made.
  EXPECT_EQ(evaluateProgramOrder(p, true).peakBytes, 256);
  EXPECT_EQ(evaluateProgramOrder(p, false).peakBytes, 192);
}

TEST(OverlapSchedule, GradientsAreSummedBesideTheBackwardPass) {
  Problem p;
  // A chain of errors; each link has a gradient that is summed and used last.
  p.compute(1, "X", "a").compute(1, "X", "b").communicate(1.5, "b", "c");
  p.compute(1, "c", "K");
  p.compute(1, "a", "d").compute(1, "a", "e").communicate(1.5, "e", "f");
  p.compute(1, "f", "L");
  p.compute(1, "d", "g").compute(1, "d", "h").communicate(1.5, "h", "i");
  p.compute(1, "i", "M");
  EXPECT_EQ(evaluateProgramOrder(p, false).seconds, 13.5);
  EXPECT_LE(scheduleOverlap(p, noLimit).seconds, 9.5);
}

TEST(OverlapSchedule, RandomOrdersKeepDependences) {
  std::mt19937 random(1);
  auto pick = [&](unsigned count) { return unsigned(random() % count); };
  for (int round = 0; round < 200; ++round) {
    Problem p;
    for (unsigned i = 0, n = pick(40); i < n; ++i) {
      std::string reads;
      for (unsigned j = pick(3); j-- > 0;)
        reads += char('a' + pick(8));
      p.add(OverlapOp::Resource(pick(4) ? pick(2) : 2), 1 + pick(5), reads,
            std::string(1, char('a' + pick(8))));
    }
    OverlapSchedule program = evaluateProgramOrder(p, true);
    OverlapSchedule schedule = scheduleOverlap(p, pick(2) ? noLimit : 300);
    EXPECT_LE(schedule.seconds, program.seconds);
    std::vector<unsigned> position(p.ops.size());
    ASSERT_EQ(schedule.order.size(), p.ops.size());
    for (auto [index, op] : llvm::enumerate(schedule.order))
      position[op] = index;
    for (unsigned later = 0; later < p.ops.size(); ++later)
      for (unsigned earlier = 0; earlier < later; ++earlier)
        for (const StreamAccess &x : p.ops[later].accesses)
          for (const StreamAccess &y : p.ops[earlier].accesses)
            if (x.storage == y.storage && (x.isWrite || y.isWrite))
              EXPECT_LT(position[earlier], position[later]);
  }
}

} // namespace
