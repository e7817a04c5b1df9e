//===- TestProgram.cpp - Programs without a compiler ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tests/TestProgram.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace cleave::rt;

StepFunction cleave::rt::currentStep;

int32_t cleave::rt::callCurrentStep(cleave_rt_rank *rank, void *arena,
                                    const void *const *inputs,
                                    void *const *outputs) {
  return currentStep(rank, arena, inputs, outputs);
}

Json cleave::rt::makeManifest(const std::vector<int64_t> &mesh) {
  Json axes = Json::array();
  for (size_t i = 0; i < mesh.size(); ++i)
    axes.push_back(
        {{"name", std::string(1, char('a' + i))}, {"size", mesh[i]}});
  return {{"version", CLEAVE_RT_VERSION},
          {"name", "test"},
          {"mesh", {{"name", "m"}, {"axes", axes}}},
          {"arena_bytes", 0},
          {"inputs", Json::array()},
          {"outputs", Json::array()},
          {"collectives", Json::array()},
          {"gemms", Json::array()},
          {"axis_lists", Json::array()}};
}

Json cleave::rt::makeAxes(const Json &manifest,
                          const std::vector<int32_t> &axes) {
  Json list = Json::array();
  for (int32_t axis : axes)
    list.push_back({{"axis", axis},
                    {"pre", 1},
                    {"size", manifest["mesh"]["axes"][axis]["size"]}});
  return list;
}

Json cleave::rt::makeTensor(const Json &manifest, const std::string &name,
                            const std::string &dtype,
                            const std::vector<int64_t> &shape,
                            const std::vector<std::vector<int32_t>> &sharding) {
  Json lists = Json::array();
  std::vector<int64_t> local = shape;
  for (size_t i = 0; i < shape.size(); ++i) {
    lists.push_back(makeAxes(manifest, sharding[i]));
    for (int32_t axis : sharding[i]) {
      int64_t size = manifest["mesh"]["axes"][axis]["size"];
      local[i] = (local[i] + size - 1) / size;
    }
  }
  return {{"name", name},         {"dtype", dtype},    {"shape", shape},
          {"local_shape", local}, {"sharding", lists}, {"location", "t:1:1"}};
}

Json cleave::rt::makeAllReduce(const Json &manifest, const std::string &dtype,
                               const std::vector<int64_t> &shape,
                               const std::vector<int32_t> &axes) {
  std::string names;
  for (int32_t axis : axes)
    names += (names.empty() ? "" : ",") +
             manifest["mesh"]["axes"][axis]["name"].get<std::string>();
  return {{"kind", "all_reduce"},
          {"dtype", dtype},
          {"axes", makeAxes(manifest, axes)},
          {"operand_shape", shape},
          {"result_shape", shape},
          {"reduction", "sum"},
          {"location", "model.mlir:7:3"},
          {"cause", "test"},
          {"axis_names", names}};
}

Json cleave::rt::makeConvolution(int64_t size, int64_t features,
                                 int64_t outputs) {
  int64_t count = size - 2;
  Json window = {
      {"size", size},         {"count", count},   {"taps", 3},
      {"stride", 1},          {"low", 0},         {"base_dilation", 1},
      {"window_dilation", 1}, {"reversed", false}};
  return {{"dtype", "f32"},
          {"accumulate", "f32"},
          {"batch", 1},
          {"groups", 1},
          {"features", features},
          {"outputs", outputs},
          {"windows", {window}},
          {"lhs",
           {{"batch", size * features},
            {"group", 0},
            {"feature", 1},
            {"spatial", {features}}}},
          {"kernel",
           {{"group", 0},
            {"output", 1},
            {"feature", outputs},
            {"spatial", {features * outputs}}}},
          {"out",
           {{"batch", count * outputs},
            {"group", 0},
            {"output", 1},
            {"spatial", {outputs}}}},
          {"bias", false},
          {"activation", "none"},
          {"residual", false}};
}

Json cleave::rt::makeGemm(int64_t m, int64_t n, int64_t k) {
  auto layout = [](int64_t row) {
    return Json{{"batch", Json::array()}, {"row", row}, {"col", 1}};
  };
  return {{"dtype", "f32"},
          {"accumulate", "f32"},
          {"batch", Json::array()},
          {"m", m},
          {"n", n},
          {"k", k},
          {"a", layout(k)},
          {"b", layout(n)},
          {"out", layout(n)},
          {"bias", "none"},
          {"activation", "none"},
          {"residual", false}};
}

TestProgram::TestProgram(const Json &manifest, StepFunction step) {
  currentStep = std::move(step);
  EXPECT_EQ(cleave_rt_program_create(manifest.dump().c_str(), callCurrentStep,
                                     &program),
            CLEAVE_RT_OK)
      << cleave_rt_last_error();
}

TestProgram::~TestProgram() {
  cleave_rt_session_destroy(session);
  cleave_rt_program_destroy(program);
}

void TestProgram::start(
    const std::function<void(cleave_rt_session_options &)> &change) {
  cleave_rt_session_options options;
  cleave_rt_session_options_init(&options);
  options.threads_per_rank = 1;
  change(options);
  ASSERT_EQ(cleave_rt_session_create(program, &options, &session), CLEAVE_RT_OK)
      << cleave_rt_last_error();
}

namespace {
struct TemporaryFolder {
  std::filesystem::path path;
  TemporaryFolder() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "cleave-rt-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};
} // namespace

std::string cleave::rt::getTemporaryPath(const std::string &name) {
  static TemporaryFolder folder;
  return (folder.path / name).string();
}

void cleave::rt::writeFile(const std::string &path,
                           const std::string &content) {
  std::ofstream(path, std::ios::binary) << content;
}

std::string cleave::rt::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
