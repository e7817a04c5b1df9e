//===- SessionTest.cpp - Sessions -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tests/TestProgram.h"

#include <cmath>
#include <cstring>

using namespace cleave::rt;

/// y = x w with the contracted dimension over axis b and rows over axis a.
static Json makeMatmul(const std::vector<int64_t> &mesh, int64_t rows) {
  Json manifest = makeManifest(mesh);
  Json x = makeTensor(manifest, "x", "f32", {rows, 12}, {{0}, {1}});
  Json w = makeTensor(manifest, "w", "f32", {12, 5}, {{1}, {}});
  Json y = makeTensor(manifest, "y", "f32", {rows, 5}, {{0}, {}});
  int64_t m = x["local_shape"][0], k = x["local_shape"][1];
  manifest["inputs"] = {x, w};
  manifest["outputs"] = {y};
  manifest["gemms"] = {makeGemm(m, 5, k)};
  manifest["collectives"] = {makeAllReduce(manifest, "f32", {m, 5}, {1})};
  manifest["arena_bytes"] = (m * 5 * 4 + 63) / 64 * 64;
  manifest["axis_lists"] = {makeAxes(manifest, {0}),
                            makeAxes(manifest, {1, 0})};
  return manifest;
}

static int32_t runMatmul(cleave_rt_rank *rank, void *arena,
                         const void *const *inputs, void *const *outputs) {
  if (int32_t status = cleave_rt_gemm(rank, 0, inputs[0], inputs[1], nullptr,
                                      nullptr, arena))
    return status;
  return cleave_rt_collective(rank, CLEAVE_RT_COMPUTE, 0, arena, outputs[0]);
}

static std::vector<float> makeValues(size_t count, int64_t step) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>((i * step) % 17) - 8;
  return values;
}

/// y = x + 1 where x is; what the second donated input held is destroyed.
static int32_t overwrite(cleave_rt_rank *, void *, const void *const *inputs,
                         void *const *outputs) {
  if (inputs[0] != outputs[0] || inputs[1] == outputs[1])
    return 1;
  float *y = static_cast<float *>(outputs[0]);
  float *scratch = static_cast<float *>(const_cast<void *>(inputs[1]));
  float *z = static_cast<float *>(outputs[1]);
  for (int i = 0; i < 4; ++i) {
    y[i] += 1;
    scratch[i] *= 2;
    z[i] = scratch[i];
  }
  return 0;
}

TEST(Session, DonatedInputsAreRestored) {
  Json manifest = makeManifest({2});
  auto tensor = [&](const char *name) {
    return makeTensor(manifest, name, "f32", {7}, {{0}});
  };
  manifest["inputs"] = {tensor("x"), tensor("s")};
  manifest["outputs"] = {tensor("y"), tensor("z")};
  manifest["inputs"][0]["donated"] = manifest["inputs"][1]["donated"] = true;
  manifest["outputs"][0]["input"] = 0;
  for (int poison : {0, 1}) {
    TestProgram program(manifest, overwrite);
    program.start([&](cleave_rt_session_options &options) {
      options.poison_padding = poison;
    });
    std::vector<float> x = makeValues(7, 5), s = makeValues(7, 3);
    program.setInput(0, x);
    program.setInput(1, s);
    for (int steps : {1, 3}) {
      ASSERT_EQ(cleave_rt_session_run(program.session, steps, nullptr),
                CLEAVE_RT_OK)
          << cleave_rt_last_error();
      std::vector<float> y = program.getOutput<float>(0, 7);
      std::vector<float> z = program.getOutput<float>(1, 7);
      for (int i = 0; i < 7; ++i) {
        EXPECT_EQ(y[i], x[i] + 1);
        EXPECT_EQ(z[i], 2 * s[i]);
      }
      std::vector<float> back(7);
      ASSERT_EQ(
          cleave_rt_session_get_input(program.session, 0, back.data(), 28),
          CLEAVE_RT_OK);
      EXPECT_EQ(back, x);
    }
  }
}

TEST(Session, MatmulIsExactOnEveryMesh) {
  for (std::vector<int64_t> mesh : std::vector<std::vector<int64_t>>{
           {1, 1}, {2, 1}, {1, 3}, {2, 2}, {3, 4}, {4, 6}}) {
    TestProgram program(makeMatmul(mesh, 7), runMatmul);
    program.start(
        [](cleave_rt_session_options &options) { options.poison_padding = 1; });
    std::vector<float> x = makeValues(7 * 12, 5), w = makeValues(12 * 5, 3);
    program.setInput(0, x);
    program.setInput(1, w);
    double seconds[2];
    ASSERT_EQ(cleave_rt_session_run(program.session, 2, seconds), CLEAVE_RT_OK)
        << cleave_rt_last_error();
    EXPECT_GT(seconds[0], 0);
    std::vector<float> y = program.getOutput<float>(0, 35);
    for (int64_t i = 0; i < 7; ++i)
      for (int64_t j = 0; j < 5; ++j) {
        float sum = 0;
        for (int64_t l = 0; l < 12; ++l)
          sum += x[i * 12 + l] * w[l * 5 + j];
        ASSERT_EQ(y[i * 5 + j], sum);
      }
    cleave_rt_collective_counters counters;
    ASSERT_EQ(cleave_rt_session_collective(program.session, 0, &counters),
              CLEAVE_RT_OK);
    EXPECT_EQ(counters.count, 2);
    int64_t bytes = (7 + mesh[0] - 1) / mesh[0] * 5 * 4;
    EXPECT_EQ(counters.bytes,
              (2 * (mesh[1] - 1) * bytes + mesh[1] - 1) / mesh[1]);
  }
}

TEST(Session, WeightsMayChangeBetweenSteps) {
  // What the runtime made of the old weight must not outlive it; both products
  // have the same weight, one of them in a layout of its own.
  Json manifest = makeMatmul({2, 1}, 7);
  manifest["gemms"][0]["b_input"] = 1;
  manifest["outputs"].push_back(manifest["outputs"][0]);
  manifest["outputs"][1]["name"] = "z";
  manifest["gemms"].push_back(manifest["gemms"][0]);
  manifest["gemms"][1]["b"] = {
      {"batch", Json::array()}, {"row", 1}, {"col", 12}};
  TestProgram program(manifest, [](cleave_rt_rank *rank, void *,
                                   const void *const *inputs,
                                   void *const *outputs) {
    int32_t status = 0;
    for (int32_t id = 0; id < 2 && !status; ++id)
      status = cleave_rt_gemm(rank, id, inputs[0], inputs[1], nullptr, nullptr,
                              outputs[id]);
    return status;
  });
  program.start();
  std::vector<float> x = makeValues(7 * 12, 5);
  program.setInput(0, x);
  for (int64_t step : {3, 3, 4, 7}) {
    std::vector<float> w = makeValues(12 * 5, step);
    program.setInput(1, w);
    for (int repeat = 0; repeat < 2; ++repeat) {
      ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr),
                CLEAVE_RT_OK);
      std::vector<float> y = program.getOutput<float>(0, 35),
                         z = program.getOutput<float>(1, 35);
      for (int64_t i = 0; i < 7; ++i)
        for (int64_t j = 0; j < 5; ++j) {
          float sum = 0, transposed = 0;
          for (int64_t l = 0; l < 12; ++l) {
            sum += x[i * 12 + l] * w[l * 5 + j];
            transposed += x[i * 12 + l] * w[j * 12 + l];
          }
          ASSERT_EQ(y[i * 5 + j], sum);
          ASSERT_EQ(z[i * 5 + j], transposed);
        }
    }
  }
}

TEST(Session, AxisIndexFollowsTheList) {
  Json manifest = makeMatmul({2, 3}, 4);
  std::vector<std::pair<int32_t, int32_t>> seen(6);
  TestProgram program(manifest, [&](cleave_rt_rank *rank, void *,
                                    const void *const *inputs, void *const *) {
    int32_t index = static_cast<const float *>(inputs[0])[0];
    return cleave_rt_axis_index(rank, 0, &seen[index].first) |
           cleave_rt_axis_index(rank, 1, &seen[index].second);
  });
  program.start();
  // The first element of each shard is its rank.
  std::vector<float> x(4 * 12);
  for (int32_t rank = 0; rank < 6; ++rank)
    x[rank / 3 * 2 * 12 + rank % 3 * 4] = rank;
  program.setInput(0, x);
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr), CLEAVE_RT_OK);
  for (int32_t rank = 0; rank < 6; ++rank)
    EXPECT_EQ(seen[rank], std::pair(rank / 3, rank % 3 * 2 + rank / 3));
}

TEST(Session, InputsComeBackFromShards) {
  Json manifest = makeManifest({2, 3});
  manifest["inputs"] = {
      makeTensor(manifest, "x", "i16", {7, 5, 2}, {{0, 1}, {}, {}}),
      makeTensor(manifest, "empty", "f64", {0, 4}, {{1}, {0}})};
  TestProgram program(manifest, [](auto...) { return 0; });
  program.start();
  std::vector<int16_t> x(70), back(70);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i * 7;
  program.setInput(0, x);
  program.setInput(1, std::vector<double>());
  ASSERT_EQ(cleave_rt_session_get_input(program.session, 0, back.data(), 140),
            CLEAVE_RT_OK);
  EXPECT_EQ(x, back);
  EXPECT_EQ(cleave_rt_session_set_input(program.session, 0, x.data(), 138),
            CLEAVE_RT_BAD_INPUT);
  EXPECT_STREQ(cleave_rt_last_error(),
               "'x' of 7x5x2xi16 takes 140 bytes, not 138");
  EXPECT_EQ(cleave_rt_session_set_input(program.session, 2, x.data(), 1),
            CLEAVE_RT_BAD_INPUT);
}

TEST(Session, RandomInputsDoNotDependOnTheMesh) {
  std::vector<std::string> dtypes = {
      "f32", "f64", "f16",  "bf16", "i1",   "i8",       "i16",      "i32",
      "i64", "ui8", "ui16", "ui32", "ui64", "f8E4M3FN", "f8E8M0FNU"};
  for (const std::string &dtype : dtypes) {
    std::vector<char> expected(7 * 9 * 8);
    ASSERT_EQ(
        cleave_rt_random_fill(42, "x", dtype.c_str(), 63, expected.data()),
        CLEAVE_RT_OK);
    for (std::vector<int64_t> mesh :
         std::vector<std::vector<int64_t>>{{1, 1}, {2, 3}, {3, 2}}) {
      Json manifest = makeManifest(mesh);
      manifest["inputs"] = {
          makeTensor(manifest, "x", dtype, {7, 9}, {{1}, {0}})};
      TestProgram program(manifest, [](auto...) { return 0; });
      program.start();
      ASSERT_EQ(cleave_rt_session_random_input(program.session, 0, 42),
                CLEAVE_RT_OK);
      cleave_rt_tensor_info info;
      ASSERT_EQ(cleave_rt_program_input(program.program, 0, &info),
                CLEAVE_RT_OK);
      std::vector<char> values(info.bytes);
      ASSERT_EQ(cleave_rt_session_get_input(program.session, 0, values.data(),
                                            info.bytes),
                CLEAVE_RT_OK);
      EXPECT_EQ(std::memcmp(values.data(), expected.data(), info.bytes), 0)
          << dtype;
    }
  }
}

TEST(Session, PoisonFillsPaddingAndArena) {
  Json manifest = makeManifest({2});
  manifest["inputs"] = {makeTensor(manifest, "x", "f32", {3}, {{0}}),
                        makeTensor(manifest, "i", "i32", {3}, {{0}})};
  manifest["arena_bytes"] = 64;
  TestProgram program(manifest, [](cleave_rt_rank *, void *arena,
                                   const void *const *inputs, void *const *) {
    bool isSecond = static_cast<const float *>(inputs[0])[0] == 2;
    float padding = static_cast<const float *>(inputs[0])[1];
    int32_t integer = static_cast<const int32_t *>(inputs[1])[1];
    return std::isnan(static_cast<float *>(arena)[15]) &&
                   std::isnan(padding) == isSecond &&
                   (integer == 0x5a5a5a5a) == isSecond
               ? 0
               : 1;
  });
  program.start(
      [](cleave_rt_session_options &options) { options.poison_padding = 1; });
  program.setInput(0, std::vector<float>{0, 1, 2});
  program.setInput(1, std::vector<int32_t>{0, 1, 2});
  EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr), CLEAVE_RT_OK)
      << cleave_rt_last_error();
}

TEST(Session, ReplicasThatDifferAreFound) {
  Json manifest = makeManifest({2});
  manifest["outputs"] = {makeTensor(manifest, "y", "f32", {3}, {{}})};
  manifest["axis_lists"] = {makeAxes(manifest, {0})};
  TestProgram program(manifest, [](cleave_rt_rank *rank, void *,
                                   const void *const *, void *const *outputs) {
    float *y = static_cast<float *>(outputs[0]);
    y[0] = y[1] = 1;
    int32_t index;
    int32_t status = cleave_rt_axis_index(rank, 0, &index);
    y[2] = static_cast<float>(index);
    return status;
  });
  program.start(
      [](cleave_rt_session_options &options) { options.poison_padding = 1; });
  ASSERT_EQ(cleave_rt_session_run(program.session, 1, nullptr), CLEAVE_RT_OK);
  float y[3];
  EXPECT_EQ(cleave_rt_session_get_output(program.session, 0, y, 12),
            CLEAVE_RT_RUN_FAILED);
  EXPECT_STREQ(cleave_rt_last_error(), "output 'y': ranks 0 and 1 hold "
                                       "replicas that are not bitwise equal");
}

TEST(Session, LaunchCoversTheExtentOnce) {
  for (int32_t threads : {1, 3, 8})
    for (int64_t extent : {0, 1, 2, 7, 1000}) {
      Json manifest = makeManifest({1});
      std::vector<int> hits(extent);
      TestProgram program(manifest, [&](cleave_rt_rank *rank, void *,
                                        const void *const *, void *const *) {
        void *buffers[] = {hits.data()};
        return cleave_rt_launch(
            rank,
            [](void *const *buffers, int64_t begin, int64_t end) {
              for (int64_t i = begin; i < end; ++i)
                ++static_cast<int *>(buffers[0])[i];
            },
            buffers, extent);
      });
      program.start([&](cleave_rt_session_options &options) {
        options.threads_per_rank = threads;
      });
      ASSERT_EQ(cleave_rt_session_run(program.session, 3, nullptr),
                CLEAVE_RT_OK);
      EXPECT_EQ(hits, std::vector<int>(extent, 3));
    }
}

TEST(Session, OptionsAreChecked) {
  TestProgram program(makeManifest({2}), [](auto...) { return 0; });
  cleave_rt_session_options options;
  cleave_rt_session_options_init(&options);
  options.ranks = 3;
  cleave_rt_session *session = nullptr;
  EXPECT_EQ(cleave_rt_session_create(program.program, &options, &session),
            CLEAVE_RT_BAD_INPUT);
  EXPECT_STREQ(cleave_rt_last_error(),
               "the program is compiled for a mesh of 2 ranks, not 3");
  options.ranks = 2;
  options.deadline_seconds = 0;
  EXPECT_EQ(cleave_rt_session_create(program.program, &options, &session),
            CLEAVE_RT_BAD_INPUT);
  options.deadline_seconds = 1;
  options.threads_per_rank = -1;
  EXPECT_EQ(cleave_rt_session_create(program.program, &options, &session),
            CLEAVE_RT_BAD_INPUT);
}
