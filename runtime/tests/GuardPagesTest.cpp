//===- GuardPagesTest.cpp - Accesses outside of buffers -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tests/TestProgram.h"

#include <cstring>

using namespace cleave::rt;

namespace {

constexpr int64_t page = 4096;

/// Two buffers on pages 1 and 3 of an arena of 5: of 100 bytes, for operations
/// 0 and 1, and of 4096, for operation 1.
struct GuardedProgram : TestProgram {
  explicit GuardedProgram(StepFunction step)
      : TestProgram(makeManifest(), std::move(step)) {}

  static Json makeManifest() {
    Json manifest = cleave::rt::makeManifest({2});
    manifest["inputs"] = {makeTensor(manifest, "x", "f32", {5}, {{}})};
    manifest["outputs"] = {makeTensor(manifest, "y", "f32", {5}, {{}})};
    manifest["arena_bytes"] = 5 * page;
    manifest["guards"] = {
        {"page_bytes", page},
        {"operations",
         {{{"what", "launch of first"}, {"location", "model.mlir:3:5"}},
          {{"what", "gemm"}, {"location", "model.mlir:4:5"}}}},
        {"buffers",
         {{{"offset", 2 * page - 128},
           {"bytes", 100},
           {"first", 0},
           {"last", 1},
           {"location", "model.mlir:3:5"}},
          {{"offset", 3 * page},
           {"bytes", page},
           {"first", 1},
           {"last", 1},
           {"location", ""}}}}};
    return manifest;
  }

  int32_t run() { return cleave_rt_session_run(session, 1, nullptr); }
};

/// What a rank does to its arena and its shards.
using Access = std::function<void(cleave_rt_rank *, char *arena,
                                  const char *input, char *output)>;

StepFunction makeStep(const Access &access) {
  return [=](cleave_rt_rank *rank, void *arena, const void *const *inputs,
             void *const *outputs) {
    access(rank, static_cast<char *>(arena),
           static_cast<const char *>(inputs[0]),
           static_cast<char *>(outputs[0]));
    return 0;
  };
}

void expectDeath(const Access &access, const char *text) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        GuardedProgram program(makeStep(access));
        program.start();
        program.run();
        std::exit(0);
      },
      testing::ExitedWithCode(CLEAVE_RT_RUN_FAILED), text);
}

} // namespace

TEST(GuardPages, WhatIsInUseIsAccessible) {
  GuardedProgram program(makeStep(
      [](cleave_rt_rank *rank, char *arena, const char *input, char *output) {
        for (int step = 0; step < 2; ++step) {
          cleave_rt_operation(rank, 0);
          std::memset(arena + 2 * page - 128, 1, 100);
          cleave_rt_operation(rank, 1);
          std::memset(arena + 3 * page, 2, page);
          std::memset(arena + 2 * page - 128, 1, 100);
        }
        std::memcpy(output, input, 20);
      }));
  // Poison must not meet guard pages either.
  program.start(
      [](cleave_rt_session_options &options) { options.poison_padding = 1; });
  program.setInput<float>(0, {1, 2, 3, 4, 5});
  ASSERT_EQ(program.run(), CLEAVE_RT_OK) << cleave_rt_last_error();
  EXPECT_EQ(program.getOutput<float>(0, 5),
            (std::vector<float>{1, 2, 3, 4, 5}));
}

TEST(GuardPages, WritePastTheEnd) {
  expectDeath(
      [](cleave_rt_rank *rank, char *arena, const char *, char *) {
        cleave_rt_operation(rank, 0);
        // The last 28 bytes up to a multiple of 64 are nobody's.
        std::memset(arena + 2 * page - 128, 1, 128);
        arena[2 * page] = 1;
      },
      "error: rank [01]: launch of first at model.mlir:3:5 (writes|accesses) "
      "28 bytes past the end of a buffer of 100 bytes \\(model.mlir:3:5\\)");
}

TEST(GuardPages, ReadBeforeTheStart) {
  expectDeath(
      [](cleave_rt_rank *rank, char *arena, const char *, char *output) {
        cleave_rt_operation(rank, 1);
        output[0] = arena[3 * page - 1];
      },
      "error: rank [01]: gemm at model.mlir:4:5 (reads|accesses) 1 bytes "
      "before a buffer of 4096 bytes");
}

TEST(GuardPages, UseBeforeItIsInUse) {
  expectDeath(
      [](cleave_rt_rank *rank, char *arena, const char *, char *) {
        cleave_rt_operation(rank, 0);
        arena[3 * page + 8] = 1;
      },
      "error: rank [01]: launch of first at model.mlir:3:5 (writes|accesses) "
      "byte 8 of a buffer of 4096 bytes, which is not in use");
}

TEST(GuardPages, PastAnOutput) {
  expectDeath([](cleave_rt_rank *, char *, const char *,
                 char *output) { output[64] = 1; },
              "error: rank [01]: something before the first operation "
              "(writes|accesses) 44 bytes past the end of a buffer of 20 bytes "
              "\\(output 'y'\\)");
}

TEST(GuardPages, MalformedManifest) {
  auto expectRefusal = [](const std::function<void(Json &)> &change,
                          const char *text) {
    Json manifest = GuardedProgram::makeManifest();
    change(manifest["guards"]);
    cleave_rt_program *program = nullptr;
    EXPECT_EQ(cleave_rt_program_create(manifest.dump().c_str(), callCurrentStep,
                                       &program),
              CLEAVE_RT_BAD_INPUT);
    EXPECT_NE(std::strstr(cleave_rt_last_error(), text), nullptr)
        << cleave_rt_last_error();
  };
  expectRefusal([](Json &guards) { guards["buffers"][0]["bytes"] = 5 * page; },
                "bytes");
  expectRefusal([](Json &guards) { guards["buffers"][1]["last"] = 2; }, "last");
  expectRefusal([](Json &guards) { guards["page_bytes"] = 0; }, "page_bytes");
}
