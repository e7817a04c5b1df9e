//===- AllocationTest.cpp - No allocation after step one ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces malloc and mmap in this test program, so that every allocation of
// the process is seen, whoever makes it.
//
//===----------------------------------------------------------------------===//

#include "runtime/tests/OtherThreads.h"
#include "runtime/tests/TestProgram.h"

#include <atomic>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace cleave::rt;

// Sanitizers have their own malloc.
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)

static std::atomic<bool> isCounting{false};
static std::atomic<int64_t> numAllocations{0};

static void count() {
  if (isCounting.load(std::memory_order_relaxed))
    ++numAllocations;
}

extern "C" {
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *data, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) {
  count();
  return __libc_malloc(size);
}
void *calloc(size_t number, size_t size) {
  count();
  return __libc_calloc(number, size);
}
void *realloc(void *data, size_t size) {
  count();
  return __libc_realloc(data, size);
}
void *memalign(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  count();
  return __libc_memalign(alignment, size);
}
void *mmap(void *address, size_t size, int protection, int flags, int file,
           off_t offset) {
  count();
  return reinterpret_cast<void *>(
      ::syscall(SYS_mmap, address, size, protection, flags, file, offset));
}
int posix_memalign(void **data, size_t alignment, size_t size) {
  count();
  *data = __libc_memalign(alignment, size);
  return *data ? 0 : 12;
}
}

/// Allocations of all ranks during the second step, within the step function. A
/// product that is first run in that step is among its work. Collectives run on
/// `stream`.
static int64_t countInSecondStep(const std::string &gemmType, int32_t stream) {
  waitForOtherThreads();
  Json manifest = makeManifest({2, 2});
  Json kinds = Json::array();
  for (const char *kind :
       {"all_gather", "all_slice", "all_reduce", "reduce_scatter", "all_to_all",
        "collective_permute"}) {
    Json collective = makeAllReduce(manifest, "f32", {64, 64}, {0, 1});
    std::string name = kind;
    collective["kind"] = kind;
    collective["dim"] = collective["split_dim"] = 0;
    collective["concat_dim"] = 1;
    collective["pairs"] = {{0, 1}, {2, 3}};
    if (name == "all_gather")
      collective["operand_shape"][0] = 16;
    if (name == "all_slice" || name == "reduce_scatter" || name == "all_to_all")
      collective["result_shape"][0] = 16;
    if (name == "all_to_all")
      collective["operand_shape"][1] = 16;
    manifest["collectives"].push_back(collective);
  }
  Json gemm = makeGemm(64, 64, 64);
  gemm["dtype"] = gemmType;
  gemm["accumulate"] = gemmType == "bf16" ? "f32" : gemmType;
  gemm["activation"] = gemmType == "i32" ? "relu" : "gelu_erf";
  gemm["bias"] = "n";
  // The same with a weight, in the second step only.
  Json weighted = gemm;
  weighted["b_input"] = 0;
  manifest["inputs"] = {
      makeTensor(manifest, "w", gemmType, {64, 64}, {{}, {}})};
  manifest["gemms"] = {gemm, weighted};
  Json convolution = makeConvolution(64, 30, 40);
  convolution["dtype"] = gemm["dtype"];
  convolution["accumulate"] = gemm["accumulate"];
  manifest["convolutions"] = {convolution};
  manifest["events"] = 1;
  manifest["arena_bytes"] = 4 * 64 * 64 * 8;
  std::atomic<int> ready{0}, done{0};
  std::atomic<int64_t> step{0};
  TestProgram program(manifest, [&](cleave_rt_rank *rank, void *arena,
                                    const void *const *inputs, void *const *) {
    char *a = static_cast<char *>(arena), *b = a + 64 * 64 * 8,
         *c = b + 64 * 64 * 8;
    // Counting starts when all ranks are inside the step.
    ++ready;
    while (ready % 4)
      std::this_thread::yield();
    if (step == 1)
      isCounting = true;
    int32_t status = 0;
    for (int32_t id = 0; id < 6 && !status; ++id)
      status = cleave_rt_collective(rank, stream, id, a, b);
    status |= cleave_rt_record(rank, 0, CLEAVE_RT_COMMUNICATION);
    status |= cleave_rt_wait(rank, 0, CLEAVE_RT_COMPUTE);
    status |= cleave_rt_gemm(rank, 0, a, a, a, nullptr, c);
    if (step == 1)
      status |= cleave_rt_gemm(rank, 1, a, inputs[0], a, nullptr, c);
    status |= cleave_rt_convolution(rank, 0, a, a, nullptr, nullptr, c);
    void *buffers[] = {a};
    status |= cleave_rt_launch(
        rank, [](void *const *, int64_t, int64_t) {}, buffers, 100);
    status |= cleave_rt_copy(rank, a, b, 64);
    ++done;
    while (done % 4)
      std::this_thread::yield();
    isCounting = false;
    return status;
  });
  program.start(
      [](cleave_rt_session_options &options) { options.threads_per_rank = 2; });
  EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr), CLEAVE_RT_OK)
      << cleave_rt_last_error();
  step = 1;
  numAllocations = 0;
  EXPECT_EQ(cleave_rt_session_run(program.session, 1, nullptr), CLEAVE_RT_OK);
  return numAllocations;
}

TEST(Allocation, SecondStepMakesNone) {
  for (const char *dtype : {"f32", "bf16", "f64", "i32"})
    EXPECT_EQ(countInSecondStep(dtype, CLEAVE_RT_COMPUTE), 0) << dtype;
}

TEST(Allocation, CommunicationStreamMakesNone) {
  EXPECT_EQ(countInSecondStep("f32", CLEAVE_RT_COMMUNICATION), 0);
}

#endif
