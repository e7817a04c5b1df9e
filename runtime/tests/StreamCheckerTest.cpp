//===- StreamCheckerTest.cpp - What events order --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/StreamChecker.h"
#include "gtest/gtest.h"

using namespace cleave::rt;

constexpr int32_t compute = CLEAVE_RT_COMPUTE;
constexpr int32_t communication = CLEAVE_RT_COMMUNICATION;

namespace {
/// Accesses to bytes of an arena of 1024.
struct Checked {
  char arena[1024];
  StreamChecker checker;

  explicit Checked(int32_t ignoredEvent = -1) : checker(4, ignoredEvent) {
    checker.begin(arena, sizeof(arena));
  }
  void read(int32_t stream, int begin, int end, const char *what = "reader") {
    checker.access(stream, arena + begin, end - begin, false, what);
  }
  void write(int32_t stream, int begin, int end, const char *what = "writer") {
    checker.access(stream, arena + begin, end - begin, true, what);
  }
  /// Stream `to` waits for an event of what stream `from` did so far.
  void order(int32_t event, int32_t from, int32_t to) {
    checker.record(event, from);
    checker.wait(event, to);
  }
  std::string report() const { return checker.formatReport(); }
};
} // namespace

TEST(StreamChecker, OneStreamOrdersItself) {
  Checked c;
  c.write(compute, 0, 64);
  c.write(compute, 0, 64);
  c.read(compute, 32, 128);
  EXPECT_EQ(c.report(), "");
}

TEST(StreamChecker, ReadersNeedNoOrder) {
  Checked c;
  c.read(compute, 0, 64);
  c.read(communication, 0, 64);
  EXPECT_EQ(c.report(), "");
}

TEST(StreamChecker, ReadAfterWrite) {
  Checked c;
  c.write(compute, 0, 64, "producer");
  c.read(communication, 32, 100, "consumer");
  EXPECT_EQ(c.report(),
            "producer on stream compute writes and consumer on stream "
            "communication reads bytes 32 to 64 of the arena, and no event "
            "orders them");
}

TEST(StreamChecker, WriteAfterReadAndAfterWrite) {
  Checked c;
  c.read(communication, 0, 64, "reader");
  c.write(compute, 0, 8, "writer");
  EXPECT_NE(c.report(), "");
  Checked d;
  d.write(communication, 0, 64);
  d.write(compute, 63, 64);
  EXPECT_NE(d.report(), "");
  Checked e;
  e.write(communication, 0, 64);
  e.write(compute, 64, 65);
  EXPECT_EQ(e.report(), "");
}

TEST(StreamChecker, EventsOrderWhatIsBeforeThem) {
  Checked c;
  c.write(compute, 0, 64);
  c.checker.record(0, compute);
  c.write(compute, 64, 128);
  c.checker.wait(0, communication);
  c.read(communication, 0, 64);
  EXPECT_EQ(c.report(), "");
  c.read(communication, 64, 128);
  EXPECT_NE(c.report(), "");
}

TEST(StreamChecker, TheLastRecordCounts) {
  Checked c;
  c.write(compute, 0, 64);
  c.checker.record(0, compute);
  c.write(compute, 64, 128);
  c.order(0, compute, communication);
  c.read(communication, 0, 128);
  EXPECT_EQ(c.report(), "");
}

TEST(StreamChecker, AWaitBeforeTheRecordOrdersNothing) {
  Checked c;
  c.checker.wait(0, communication);
  c.write(compute, 0, 64);
  c.checker.record(0, compute);
  c.read(communication, 0, 64);
  EXPECT_NE(c.report(), "");
}

TEST(StreamChecker, OrderIsTransitive) {
  Checked c;
  c.write(compute, 0, 64);
  c.order(0, compute, communication);
  c.order(1, communication, compute);
  c.write(communication, 64, 128);
  c.write(compute, 0, 64);
  EXPECT_EQ(c.report(), "");
  c.read(compute, 64, 128);
  EXPECT_NE(c.report(), "");
}

TEST(StreamChecker, TheHostOrdersWhatItStartsLater) {
  Checked c;
  c.write(compute, 0, 64);
  c.checker.synchronize(compute);
  c.read(communication, 0, 64);
  EXPECT_EQ(c.report(), "");
  c.write(compute, 0, 64);
  EXPECT_NE(c.report(), "");
}

TEST(StreamChecker, StepsStartAnew) {
  Checked c;
  c.write(compute, 0, 64);
  c.checker.record(0, compute);
  c.checker.begin(c.arena, sizeof(c.arena));
  c.write(communication, 0, 64);
  EXPECT_EQ(c.report(), "");
  // What the event of the step before had ordered it no longer does.
  c.write(compute, 64, 65);
  c.checker.wait(0, communication);
  c.write(communication, 64, 65);
  EXPECT_NE(c.report(), "");
}

TEST(StreamChecker, AnIgnoredEventOrdersNothing) {
  for (int32_t ignored : {-1, 0, 1}) {
    Checked c(ignored);
    c.write(compute, 0, 64);
    c.order(0, compute, communication);
    c.read(communication, 0, 64);
    EXPECT_EQ(c.report() != "", ignored == 0) << ignored;
  }
}

TEST(StreamChecker, EachPairIsReportedOnce) {
  Checked c;
  for (int i = 0; i < 10; ++i) {
    c.write(compute, 64 * i, 64 * i + 64, "a");
    c.read(communication, 64 * i, 64 * i + 64, "b");
  }
  EXPECT_EQ(c.report().find("more"), std::string::npos);
  c.read(communication, 0, 64, "c");
  EXPECT_NE(c.report().find("(and 1 more)"), std::string::npos);
}

TEST(StreamChecker, MemoryOutsideOfTheArena) {
  Checked c;
  char output[8];
  c.checker.access(communication, output, 8, true, "gather");
  c.checker.access(compute, output, 8, false, "the end of the program");
  EXPECT_EQ(c.report(),
            "gather on stream communication writes and the end of the program "
            "on stream compute reads bytes of an input or output, and no event "
            "orders them");
}
