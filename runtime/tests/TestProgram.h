//===- TestProgram.h - Programs without a compiler --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_TESTS_TESTPROGRAM_H
#define CLEAVE_RUNTIME_TESTS_TESTPROGRAM_H

#include "cleave-rt/session.h"

#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace cleave::rt {

using Json = nlohmann::json;
using StepFunction = std::function<int32_t(cleave_rt_rank *, void *,
                                           const void *const *, void *const *)>;

/// A manifest without tensors and operations on a mesh of the given axis sizes,
/// which are called a, b, ....
Json makeManifest(const std::vector<int64_t> &mesh);
/// An axis list of whole axes.
Json makeAxes(const Json &manifest, const std::vector<int32_t> &axes);
/// A tensor; `sharding` names the axes of each dimension.
Json makeTensor(const Json &manifest, const std::string &name,
                const std::string &dtype, const std::vector<int64_t> &shape,
                const std::vector<std::vector<int32_t>> &sharding);
/// An all_reduce over whole axes.
Json makeAllReduce(const Json &manifest, const std::string &dtype,
                   const std::vector<int64_t> &shape,
                   const std::vector<int32_t> &axes);
/// A plain row-major f32 product.
Json makeGemm(int64_t m, int64_t n, int64_t k);
/// f32, one dimension of `size` elements, 3 taps, channels last.
Json makeConvolution(int64_t size, int64_t features, int64_t outputs);

/// A program and a session of it; the step function is called on every rank.
class TestProgram {
public:
  TestProgram(const Json &manifest, StepFunction step);
  ~TestProgram();

  /// Creates the session; expects success.
  void start(const std::function<void(cleave_rt_session_options &)> &change =
                 [](cleave_rt_session_options &) {});

  template <typename T> void setInput(int32_t index, const std::vector<T> &v) {
    ASSERT_EQ(cleave_rt_session_set_input(session, index, v.data(),
                                          v.size() * sizeof(T)),
              CLEAVE_RT_OK)
        << cleave_rt_last_error();
  }
  template <typename T> std::vector<T> getOutput(int32_t index, size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(cleave_rt_session_get_output(session, index, values.data(),
                                           count * sizeof(T)),
              CLEAVE_RT_OK)
        << cleave_rt_last_error();
    return values;
  }

  cleave_rt_program *program = nullptr;
  cleave_rt_session *session = nullptr;
};

/// The step function that the programs of a test share; one program at a time.
extern StepFunction currentStep;
int32_t callCurrentStep(cleave_rt_rank *rank, void *arena,
                        const void *const *inputs, void *const *outputs);

/// A file name in a folder of this test run, removed at its end.
std::string getTemporaryPath(const std::string &name);
void writeFile(const std::string &path, const std::string &content);
std::string readFile(const std::string &path);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_TESTS_TESTPROGRAM_H
