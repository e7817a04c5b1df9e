//===- MainTest.cpp - The command line of executables ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/main.h"
#include "runtime/tests/TestProgram.h"

#include <filesystem>

using namespace cleave::rt;

namespace {
struct Result {
  int status;
  std::string out, err;
};

/// y = x + w elementwise, over 2 ranks.
class Main : public testing::Test {
protected:
  Main() {
    manifest = makeManifest({2});
    for (const char *name : {"x", "w"})
      manifest["inputs"].push_back(
          makeTensor(manifest, name, "f32", {3, 2}, {{0}, {}}));
    manifest["outputs"] = {makeTensor(manifest, "y", "f32", {3, 2}, {{0}, {}})};
    manifest["arena_bytes"] = 128;
    currentStep = [](cleave_rt_rank *rank, void *, const void *const *inputs,
                     void *const *outputs) {
      void *buffers[] = {const_cast<void *>(inputs[0]),
                         const_cast<void *>(inputs[1]), outputs[0]};
      return cleave_rt_launch(
          rank,
          [](void *const *buffers, int64_t begin, int64_t end) {
            for (int64_t i = begin; i < end; ++i)
              static_cast<float *>(buffers[2])[i] =
                  static_cast<float *>(buffers[0])[i] +
                  static_cast<float *>(buffers[1])[i];
          },
          buffers, 4);
    };
    weights = getTemporaryPath("w.safetensors");
    x = getTemporaryPath("x.npy");
    save({{"w", {3, 2}}}, weights);
    save("", {3, 2}, x);
  }

  static cleave_rt_file_tensor makeTensorOf(const std::string &name,
                                            const std::vector<int64_t> &shape) {
    static float values[100] = {1, 2, 3, 4, 5, 6};
    int64_t bytes = 4;
    for (int64_t dim : shape)
      bytes *= dim;
    return {name.c_str(), "f32",  static_cast<int32_t>(shape.size()),
            shape.data(), values, bytes};
  }
  static void
  save(const std::vector<std::pair<std::string, std::vector<int64_t>>> &all,
       const std::string &path) {
    std::vector<cleave_rt_file_tensor> tensors;
    for (const auto &[name, shape] : all)
      tensors.push_back(makeTensorOf(name, shape));
    ASSERT_EQ(cleave_rt_save_safetensors(path.c_str(), tensors.data(),
                                         tensors.size()),
              CLEAVE_RT_OK);
  }
  static void save(const std::string &name, const std::vector<int64_t> &shape,
                   const std::string &path) {
    cleave_rt_file_tensor tensor = makeTensorOf(name, shape);
    ASSERT_EQ(cleave_rt_save_npy(path.c_str(), &tensor), CLEAVE_RT_OK);
  }

  Result run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "/bin/prog");
    std::vector<char *> argv;
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    argv.push_back(nullptr);
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int status = cleave_rt_main(arguments.size(), argv.data(),
                                manifest.dump().c_str(), callCurrentStep);
    return {status, testing::internal::GetCapturedStdout(),
            testing::internal::GetCapturedStderr()};
  }

  Json manifest;
  std::string weights, x;
};
} // namespace

TEST_F(Main, RunsAndPrintsASummary) {
  std::string folder = getTemporaryPath("out");
  Result result = run({"--weights", weights, "--input=x=" + x, "--output-dir",
                       folder, "--ranks", "2", "--threads-per-rank", "2"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(result.out, "y: 3x2xf32  min 2  max 12  mean 7\n"
                        "arena: 128 bytes per rank\n");
  std::string file = readFile(folder + "/y.npy");
  ASSERT_EQ(file.size(), 128u + 24);
  EXPECT_EQ(reinterpret_cast<const float *>(file.data() + 128)[5], 12);
}

TEST_F(Main, PrintsTimesCountersAndJson) {
  std::string trace = getTemporaryPath("trace.json");
  Result result = run(
      {"--random-inputs", "7", "--time", "3", "--counters", "--trace", trace});
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("step: min "), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("collectives: 0 executed"), std::string::npos);
  Json events = Json::parse(readFile(trace))["traceEvents"];
  // Per rank a name and a place, and per step the step and one launch.
  EXPECT_EQ(events.size(), 2u * (2 + 4 * 2));
  result = run({"--random-inputs", "7", "--json"});
  Json json = Json::parse(result.out);
  EXPECT_EQ(json["outputs"][0]["name"], "y");
  EXPECT_EQ(json["arena_bytes"], 128);
  EXPECT_EQ(json["ranks"], 2);
}

TEST_F(Main, OptionsAreChecked) {
  auto expectError = [&](std::vector<std::string> arguments,
                         const std::string &error) {
    Result result = run(std::move(arguments));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.err, "prog: error: " + error + "\n");
    EXPECT_EQ(result.out, "");
  };
  expectError({"--frobnicate"}, "unknown option '--frobnicate'; see --help");
  expectError({"x"}, "unknown option 'x'; see --help");
  expectError({"--ranks"}, "--ranks: expected N");
  expectError({"--ranks", "two"}, "--ranks: expected N, got 'two'");
  expectError({"--ranks=-2"}, "--ranks: expected N, got '-2'");
  expectError({"--ranks", "0"}, "--ranks: must be from 1 to 65536, got '0'");
  expectError({"--random-inputs", "99999999999999999999"},
              "--random-inputs: must be from 0 to 18446744073709551615, got "
              "'99999999999999999999'");
  expectError({"--deadline", "0"}, "--deadline: expected SECONDS, got '0'");
  expectError({"--deadline", "nan"}, "--deadline: expected SECONDS, got 'nan'");
  expectError({"--input", "x"}, "--input: expected NAME=F.npy, got 'x'");
  expectError({"--input", "x=a", "--input", "x=b"},
              "--input: 'x' is given twice");
  expectError({"--json=1"}, "--json: takes no value");
  expectError({"--random-inputs", "1", "--random-inputs=2"},
              "--random-inputs: is given twice; expected it at most once");
  expectError({"--random-inputs", "1", "--ranks", "3"},
              "the program is compiled for a mesh of 2 ranks, not 3");
  Result help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("--poison-padding"), std::string::npos);
}

TEST_F(Main, WrongInputsAreOneDiagnosticEach) {
  std::string folder = getTemporaryPath("none");
  std::string extra = getTemporaryPath("extra.safetensors");
  save({{"w", {2, 3}}, {"v", {1}}}, extra);
  Result result = run({"--weights", extra, "--output-dir", folder});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err,
            "prog: error: input 'w' is 3x2xf32, but '" + extra +
                "' has 2x3xf32\n"
                "prog: error: '" +
                extra +
                "': the program has no input 'v' (--ignore-extra-weights "
                "allows that)\n"
                "prog: note: missing are 'x'\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder));

  save({{"w", {3, 2}}, {"v", {1}}}, extra);
  EXPECT_EQ(
      run({"--weights", extra, "--ignore-extra-weights", "--input", "x=" + x})
          .status,
      0);
  result =
      run({"--weights", weights, "--weights", weights, "--input", "x=" + x});
  EXPECT_EQ(result.err, "prog: error: '" + weights +
                            "': input 'w' is in another weights file too\n");
  result = run({"--random-inputs", "1", "--input", "z=" + x});
  EXPECT_EQ(result.err, "prog: error: --input: the program has no input 'z'; "
                        "its inputs are 'x', 'w'\n");
  result = run({"--random-inputs", "1", "--weights", "/no/such/file"});
  EXPECT_EQ(result.err, "prog: error: cannot open '/no/such/file': No such "
                        "file or directory\n");
}

TEST_F(Main, FailedRunsWriteNothing) {
  std::string folder = getTemporaryPath("failed");
  currentStep = [](auto...) { return 1; };
  Result result = run({"--random-inputs", "1", "--output-dir", folder});
  EXPECT_EQ(result.status, 3);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "prog: error: rank 0: the program returned status 1\n"
                        "prog: error: rank 1: the program returned status 1\n");
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_EQ(run({"--random-inputs", "1", "--output-dir", x}).status, 2);
}

TEST_F(Main, DamagedManifestIsBadInput) {
  manifest["version"] = 99;
  Result result = run({"--random-inputs", "1"});
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err, "prog: error: the program has version 99, but this "
                        "runtime has version " +
                            std::to_string(CLEAVE_RT_VERSION) + "\n");
}
