//===- EmbeddingTest.cpp - What a host program asks of the C interface ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tests/TestProgram.h"

using namespace cleave::rt;

/// y = 2 x, with 5 rows over two ranks, and x as it is.
static Json makeDoubling() {
  Json manifest = makeManifest({2});
  manifest["inputs"] = {makeTensor(manifest, "x", "f32", {5, 2}, {{0}, {}})};
  manifest["outputs"] = {makeTensor(manifest, "y", "f32", {5, 2}, {{0}, {}}),
                         makeTensor(manifest, "z", "f32", {5, 2}, {{0}, {}})};
  manifest["arena_bytes"] = 192;
  return manifest;
}

static int32_t doubleShard(cleave_rt_rank *, void *, const void *const *inputs,
                           void *const *outputs) {
  for (int i = 0; i < 6; ++i) {
    float x = static_cast<const float *>(inputs[0])[i];
    static_cast<float *>(outputs[0])[i] = 2 * x;
    static_cast<float *>(outputs[1])[i] = x;
  }
  return 0;
}

static std::vector<float> makeRows() { return {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}; }

TEST(Embedding, AProgramSaysWhatItIs) {
  TestProgram test(makeDoubling(), doubleShard);
  const cleave_rt_program *program = test.program;
  EXPECT_STREQ(cleave_rt_program_name(program), "test");
  EXPECT_EQ(cleave_rt_program_num_ranks(program), 2);
  EXPECT_EQ(cleave_rt_program_num_inputs(program), 1);
  EXPECT_EQ(cleave_rt_program_num_outputs(program), 2);
  EXPECT_EQ(cleave_rt_program_arena_bytes(program), 192);
  EXPECT_EQ(cleave_rt_program_find_input(program, "x"), 0);
  EXPECT_EQ(cleave_rt_program_find_input(program, "y"), -1);
  EXPECT_EQ(cleave_rt_program_find_output(program, "z"), 1);
  EXPECT_EQ(cleave_rt_program_find_output(program, ""), -1);

  cleave_rt_tensor_info info;
  ASSERT_EQ(cleave_rt_program_output(program, 1, &info), CLEAVE_RT_OK);
  EXPECT_STREQ(info.name, "z");
  EXPECT_STREQ(info.dtype, "f32");
  ASSERT_EQ(info.rank, 2);
  EXPECT_EQ(info.shape[0], 5);
  EXPECT_EQ(info.local_shape[0], 3);
  EXPECT_EQ(info.bytes, 40);
  EXPECT_STREQ(info.location, "t:1:1");
  EXPECT_EQ(cleave_rt_program_output(program, 2, &info), CLEAVE_RT_BAD_INPUT);
  EXPECT_STREQ(cleave_rt_last_error(), "there is no output 2");
}

TEST(Embedding, ShardsOfOutputs) {
  TestProgram test(makeDoubling(), doubleShard);
  test.start();
  EXPECT_EQ(cleave_rt_session_arena_bytes(test.session), 192);
  // There is no matrix product.
  EXPECT_EQ(cleave_rt_session_scratch_bytes(test.session), 0);
  test.setInput(0, makeRows());
  ASSERT_EQ(cleave_rt_session_run(test.session, 1, nullptr), CLEAVE_RT_OK);
  for (int32_t rank = 0; rank < 2; ++rank) {
    auto *shard = static_cast<const float *>(
        cleave_rt_session_output_shard(test.session, 0, rank));
    ASSERT_NE(shard, nullptr);
    // The last row of the second shard is padding.
    for (int i = 0; i < (rank == 0 ? 6 : 4); ++i)
      EXPECT_EQ(shard[i], 2 * (6 * rank + i));
  }
  for (auto [output, rank] : {std::pair(2, 0), {-1, 0}, {0, 2}, {0, -1}})
    EXPECT_EQ(cleave_rt_session_output_shard(test.session, output, rank),
              nullptr);
}

TEST(Embedding, InputsComeFromFiles) {
  std::vector<float> rows = makeRows();
  int64_t shape[] = {5, 2}, turned[] = {2, 5};
  const cleave_rt_file_tensor tensors[] = {
      {"x", "f32", 2, shape, rows.data(), 40},
      {"other", "f32", 2, turned, rows.data(), 40}};
  std::string npy = getTemporaryPath("rows.npy");
  std::string npz = getTemporaryPath("rows.npz");
  std::string safetensors = getTemporaryPath("rows.safetensors");
  ASSERT_EQ(cleave_rt_save_npy(npy.c_str(), tensors), CLEAVE_RT_OK);
  ASSERT_EQ(cleave_rt_save_npz(npz.c_str(), tensors, 2), CLEAVE_RT_OK);
  ASSERT_EQ(cleave_rt_save_safetensors(safetensors.c_str(), tensors, 2),
            CLEAVE_RT_OK);
  for (const std::string &path : {npy, npz, safetensors})
    for (const char *name : {static_cast<const char *>(nullptr), "x"}) {
      TestProgram test(makeDoubling(), doubleShard);
      test.start();
      ASSERT_EQ(
          cleave_rt_session_load_input(test.session, 0, path.c_str(), name),
          CLEAVE_RT_OK)
          << cleave_rt_last_error();
      ASSERT_EQ(cleave_rt_session_run(test.session, 1, nullptr), CLEAVE_RT_OK);
      EXPECT_EQ(test.getOutput<float>(1, 10), rows) << path;
    }

  TestProgram test(makeDoubling(), doubleShard);
  test.start();
  auto load = [&](int32_t index, const std::string &path, const char *name) {
    return cleave_rt_session_load_input(test.session, index, path.c_str(),
                                        name);
  };
  EXPECT_EQ(load(1, npy, nullptr), CLEAVE_RT_BAD_INPUT);
  EXPECT_EQ(load(0, npy + "x", nullptr), CLEAVE_RT_BAD_INPUT);
  EXPECT_EQ(load(0, npz, "absent"), CLEAVE_RT_BAD_INPUT);
  // Of another shape, although of as many elements.
  EXPECT_EQ(load(0, safetensors, "other"), CLEAVE_RT_BAD_INPUT);
}
