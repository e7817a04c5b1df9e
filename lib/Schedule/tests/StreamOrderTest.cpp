//===- StreamOrderTest.cpp - Which events are needed ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Schedule/StreamOrder.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"
#include <random>

using namespace cleave;

namespace {

/// Numbers works as they are made; storages are letters.
class Builder {
public:
  /// `work(0, "a", "b")` reads a and writes b on stream 0.
  StreamNode work(unsigned stream, llvm::StringRef reads,
                  llvm::StringRef writes) {
    return StreamNode::makeWork(next++, stream, accesses(reads, writes));
  }
  StreamNode read(llvm::StringRef reads) {
    return StreamNode::makeRead(next++, 0, accesses(reads, ""));
  }

private:
  llvm::SmallVector<StreamAccess> accesses(llvm::StringRef reads,
                                           llvm::StringRef writes) {
    llvm::SmallVector<StreamAccess> result;
    for (char c : reads)
      result.push_back({unsigned(c), false});
    for (char c : writes)
      result.push_back({unsigned(c), true});
    return result;
  }
  unsigned next = 0;
};

/// The program with the events of a plan but for one wait.
StreamBlock insertBut(const StreamBlock &program, EventPlan plan,
                      unsigned dropped) {
  plan.waits.erase(plan.waits.begin() + dropped);
  return insertEvents(program, plan);
}

/// `W<-R`: before work W a wait for the event after work R.
std::vector<std::string> format(const EventPlan &plan) {
  std::vector<std::string> result;
  for (const EventPlan::Wait &wait : plan.waits)
    result.push_back(std::to_string(wait.before) + "<-" +
                     std::to_string(plan.recordAfter[wait.event]));
  return result;
}

/// The plan orders everything, and no wait of it can be spared.
EventPlan checkedPlan(const StreamBlock &program) {
  EventPlan plan = planEvents(program);
  EXPECT_FALSE(findConflict(insertEvents(program, plan)));
  for (size_t i = 0; i < plan.waits.size(); ++i)
    EXPECT_TRUE(findConflict(insertBut(program, plan, i)))
        << format(plan)[i] << " is not needed";
  return plan;
}

using Waits = std::vector<std::string>;

TEST(StreamOrder, NothingToOrder) {
  EXPECT_TRUE(planEvents({}).waits.empty());
  Builder b;
  StreamBlock program = {b.work(0, "a", "b"), b.work(0, "b", "c"),
                         b.work(1, "x", "y"), b.work(1, "y", "z")};
  EXPECT_TRUE(checkedPlan(program).waits.empty());
}

TEST(StreamOrder, SharedReadsNeedNoOrder) {
  Builder b;
  StreamBlock program = {b.work(0, "w", "a"), b.work(1, "w", "b"),
                         b.work(0, "w", "c")};
  EXPECT_TRUE(checkedPlan(program).waits.empty());
}

TEST(StreamOrder, ChainThroughTheOtherStream) {
  Builder b;
  StreamBlock program = {b.work(0, "x", "a"), b.work(1, "a", "b"),
                         b.work(0, "x", "c"), b.work(0, "bc", "d")};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"1<-0", "3<-1"}));
}

TEST(StreamOrder, OneWaitCoversWhatIsBefore) {
  Builder b;
  // 4 reads what 1 and 3 made; 3 also needs 2.
  StreamBlock program = {b.work(0, "x", "a"), b.work(1, "a", "b"),
                         b.work(0, "x", "c"), b.work(1, "c", "d"),
                         b.work(0, "bd", "e")};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"1<-0", "3<-2", "4<-3"}));
}

TEST(StreamOrder, OverwritingWaitsForReaders) {
  Builder b;
  StreamBlock program = {b.work(0, "x", "a"), b.work(1, "a", "b"),
                         b.work(0, "x", "a")};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"1<-0", "2<-1"}));
}

TEST(StreamOrder, OrderIsTransitive) {
  Builder b;
  // Work 2 waits for 1, which waited for 0, so that 3 on stream 2 that waits
  // for 2 has waited for 0 too.
  StreamBlock program = {b.work(0, "x", "a"), b.work(1, "a", "b"),
                         b.work(2, "b", "c"), b.work(2, "a", "d")};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"1<-0", "2<-1"}));
}

TEST(StreamOrder, HostReadsOrderIterations) {
  Builder b;
  // Work 2 overwrites c, which 3 read in the iteration before; the host has
  // waited for that since.
  StreamBlock condition = {b.work(0, "i", "p"), b.read("p")};
  StreamBlock body = {b.work(1, "w", "c"), b.work(0, "c", "i")};
  StreamBlock program = {StreamNode::makeLoop(condition, body)};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"3<-2"}));
}

TEST(StreamOrder, LoopsWaitForTheIterationBefore) {
  Builder b;
  StreamBlock body = {b.work(1, "w", "c"), b.work(0, "c", "i")};
  StreamBlock program = {StreamNode::makeLoop({}, body)};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"0<-1", "1<-0"}));
}

TEST(StreamOrder, CarriedCollectiveIsAwaitedInTheNextIteration) {
  Builder b;
  // Work 2 reads what 4 made in the iteration before; 3 overlaps with it.
  StreamBlock condition = {b.work(0, "i", "p"), b.read("p")};
  StreamBlock body = {b.work(0, "w", "x"), b.work(0, "g", "a"),
                      b.work(1, "a", "g")};
  StreamBlock program = {StreamNode::makeLoop(condition, body),
                         b.work(0, "g", "y")};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"3<-4", "4<-3", "5<-4"}));
  std::vector<Overlap> overlaps =
      findOverlaps(insertEvents(program, checkedPlan(program)));
  // Beside the condition and work 2 of the next iteration.
  EXPECT_EQ(overlaps[4].first, 0u);
  EXPECT_EQ(overlaps[4].last, 2u);
}

TEST(StreamOrder, BranchesAreUnited) {
  Builder b;
  StreamNode first = b.work(0, "x", "a");
  StreamBlock taken = {b.work(1, "a", "b")}, other = {b.work(0, "x", "b")};
  StreamBlock program = {first, StreamNode::makeBranch({taken, other}),
                         b.work(0, "b", "c")};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"1<-0", "3<-1"}));
}

TEST(StreamOrder, HostReadsOrderWhatFollows) {
  Builder b;
  // After the host has read p it starts work 3, which may overwrite a.
  StreamBlock program = {b.work(0, "x", "a"), b.work(0, "a", "p"), b.read("p"),
                         b.work(1, "x", "a"), b.read("a")};
  EXPECT_EQ(format(checkedPlan(program)), (Waits{"4<-3"}));
}

TEST(StreamOrder, OverlapIsWhatNoEventOrders) {
  Builder b;
  StreamBlock program = {b.work(0, "x", "a"), b.work(0, "x", "k"),
                         b.work(1, "a", "b"), b.work(0, "k", "l"),
                         b.work(0, "b", "c"), b.work(0, "c", "d")};
  StreamBlock ordered = insertEvents(program, checkedPlan(program));
  std::vector<Overlap> overlaps = findOverlaps(ordered);
  ASSERT_EQ(overlaps.size(), 6u);
  // Work 1 precedes in program order, but the collective waits for 0 only.
  EXPECT_EQ(overlaps[2].first, 1u);
  EXPECT_EQ(overlaps[2].last, 3u);
  for (unsigned other : {0, 1, 3, 4, 5})
    EXPECT_TRUE(overlaps[other].isEmpty()) << other;
}

/// Programs with loops and branches at random.
class RandomProgram {
public:
  explicit RandomProgram(unsigned seed) : random(seed) {}

  StreamBlock make(unsigned depth, unsigned size) {
    StreamBlock block;
    for (unsigned i = 0; i < size; ++i) {
      unsigned kind = depth ? pick(8) : 2;
      if (kind == 0)
        block.push_back(StreamNode::makeLoop(make(0, pick(3)),
                                             make(depth - 1, 1 + pick(5))));
      else if (kind == 1)
        block.push_back(StreamNode::makeBranch(
            {make(depth - 1, pick(4)), make(depth - 1, pick(4))}));
      else if (pick(8) == 0)
        block.push_back(b.read(letters(1)));
      else
        block.push_back(b.work(pick(3) == 0, letters(pick(3)), letters(1)));
    }
    return block;
  }

private:
  unsigned pick(unsigned count) { return random() % count; }
  std::string letters(unsigned count) {
    std::string result;
    for (unsigned i = 0; i < count; ++i)
      result += char('a' + pick(6));
    return result;
  }
  std::mt19937 random;
  Builder b;
};

TEST(StreamOrder, RandomProgramsAreOrdered) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    StreamBlock program = RandomProgram(seed).make(2, 12);
    EXPECT_FALSE(findConflict(insertEvents(program, planEvents(program))))
        << seed;
  }
}

/// Loops in one another, each with works on both streams before and after the
/// next.
StreamBlock makeDeepLoops(Builder &b, unsigned depth) {
  if (depth == 0)
    return {b.work(0, "x", "a"), b.work(1, "a", "b")};
  StreamBlock block = {b.work(1, "b", "c")};
  StreamBlock condition = {b.work(0, "i", "p"), b.read("p")};
  block.push_back(StreamNode::makeLoop(condition, makeDeepLoops(b, depth - 1)));
  block.push_back(b.work(0, "c", "x"));
  block.push_back(b.work(1, "x", "a"));
  return block;
}

TEST(StreamOrder, EachLevelOfLoopsTookTwiceTheTime) {
  constexpr unsigned depth = 60;
  Builder b;
  StreamBlock program = makeDeepLoops(b, depth);
  EventPlan plan = planEvents(program);
  EXPECT_GT(plan.waits.size(), depth);
  StreamBlock ordered = insertEvents(program, plan);
  EXPECT_FALSE(findConflict(ordered));
  EXPECT_EQ(findOverlaps(ordered).size(), 2 + 5 * depth);
}

TEST(StreamOrder, StraightProgramsHaveNoSpareWaits) {
  for (unsigned seed = 0; seed < 100; ++seed)
    checkedPlan(RandomProgram(seed).make(0, 30));
}

} // namespace
