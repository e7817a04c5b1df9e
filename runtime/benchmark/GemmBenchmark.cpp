//===- GemmBenchmark.cpp - Speed of matrix products -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints GFLOP/s of typical products on one thread, by processor time, best of
// several runs; first as they are, then with b packed beforehand.
// `cleave-rt-gemm-benchmark [TYPE] [avx512|avx2|generic]`.
//
//===----------------------------------------------------------------------===//

#include "runtime/benchmark/ProcessorTime.h"
#include "runtime/core/ThreadPool.h"
#include "runtime/devices/host/Gemm.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

using namespace cleave::rt;

static int64_t getExtent(const GemmSpec &spec, const MatrixLayout &layout,
                         int64_t rows, int64_t columns) {
  int64_t extent = 1 + (rows - 1) * layout.row + (columns - 1) * layout.col;
  for (size_t i = 0; i < spec.batch.size(); ++i)
    extent += (spec.batch[i] - 1) * layout.batch[i];
  return extent;
}

static void run(const char *name, const GemmSpec &spec,
                const Kernels &kernels) {
  Gemm gemm(spec, kernels);
  ThreadPool pool(1);
  int64_t size = getSize(spec.dtype);
  std::vector<char> a(getExtent(spec, spec.a, spec.m, spec.k) * size);
  std::vector<char> b(getExtent(spec, spec.b, spec.k, spec.n) * size);
  std::vector<char> out(getExtent(spec, spec.out, spec.m, spec.n) * size);
  std::vector<char> bias(std::max(spec.m, spec.n) * size);
  char *scratch =
      static_cast<char *>(std::aligned_alloc(64, gemm.getScratchBytes()));
  char *packed = static_cast<char *>(
      std::aligned_alloc(64, std::max<int64_t>(gemm.getPackedBytes(), 64)));
  if (gemm.getPackedBytes() > 0)
    gemm.pack(pool, b.data(), packed);
  double operations = 2.0 * spec.m * spec.n * spec.k;
  for (int64_t count : spec.batch)
    operations *= count;
  std::printf("%-28s %-5s", name, getName(spec.dtype));
  for (const char *b2 : {static_cast<const char *>(nullptr),
                         static_cast<const char *>(packed)}) {
    if (b2 && gemm.getPackedBytes() == 0)
      continue;
    double seconds = measure([&] {
      gemm.run(pool, &scratch,
               {a.data(), b.data(), bias.data(), nullptr, out.data()}, b2);
    });
    std::printf(" %10.1f us %8.1f GFLOP/s", seconds * 1e6,
                operations / seconds * 1e-9);
  }
  std::printf("\n");
  std::free(packed);
  std::free(scratch);
}

static GemmSpec makeSpec(DType dtype, int64_t m, int64_t n, int64_t k) {
  return {dtype,      {},         m,          n,          k,
          {{}, k, 1}, {{}, n, 1}, {{}, n, 1}, Bias::None, Activation::None,
          false};
}

int main(int argc, char **argv) {
  const Kernels *kernels = &getKernels();
  std::vector<DType> dtypes = {DType::F32, DType::BF16, DType::F64, DType::I32};
  for (const char *argument : std::vector<const char *>(argv + 1, argv + argc))
    if (std::optional<DType> dtype = parseDType(argument)) {
      dtypes = {*dtype};
    } else if (!(kernels = getKernels(argument))) {
      std::fprintf(stderr,
                   "error: no type and no kernels of this processor "
                   "are called '%s'\n",
                   argument);
      return 2;
    }
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("kernels: %s\n", kernels->name);
  for (DType dtype : dtypes) {
    run("64x2048x512", makeSpec(dtype, 64, 2048, 512), *kernels);
    run("512x512x512", makeSpec(dtype, 512, 512, 512), *kernels);
    run("2048x768x3072", makeSpec(dtype, 2048, 768, 3072), *kernels);
    run("512x384x384", makeSpec(dtype, 512, 384, 384), *kernels);
    run("512x1536x384", makeSpec(dtype, 512, 1536, 384), *kernels);
    run("512x384x1536", makeSpec(dtype, 512, 384, 1536), *kernels);
    run("1x4096x4096", makeSpec(dtype, 1, 4096, 4096), *kernels);
    run("4x4096x4096", makeSpec(dtype, 4, 4096, 4096), *kernels);
    run("4096x1x4096", makeSpec(dtype, 4096, 1, 4096), *kernels);
    run("16x4096x4096", makeSpec(dtype, 16, 4096, 4096), *kernels);
    GemmSpec spec = makeSpec(dtype, 2048, 3072, 768);
    spec.bias = Bias::PerColumn;
    if (isFloat(dtype))
      spec.activation = Activation::GeluErf;
    run("2048x3072x768 bias, gelu", spec, *kernels);
    spec = makeSpec(dtype, 512, 512, 2048);
    spec.a = {{}, 1, 512};
    run("512x512x2048 a transposed", spec, *kernels);
    for (int64_t s : {128, 256, 1024}) {
      // [batch, sequence, heads, width], heads as a batch dimension.
      int64_t h = 8, d = s == 128 ? 32 : 64;
      spec = makeSpec(dtype, s, s, d);
      spec.batch = {2, h};
      spec.a = {{s * h * d, d}, h * d, 1};
      spec.b = {{s * h * d, d}, 1, h * d};
      spec.out = {{h * s * s, s * s}, s, 1};
      run(("attention scores, " + std::to_string(s)).c_str(), spec, *kernels);
      spec = makeSpec(dtype, s, d, s);
      spec.batch = {2, h};
      spec.a = {{h * s * s, s * s}, s, 1};
      spec.b = {{s * h * d, d}, h * d, 1};
      spec.out = {{s * h * d, d}, h * d, 1};
      run(("attention values, " + std::to_string(s)).c_str(), spec, *kernels);
      // One query against a cache of keys and values.
      spec = makeSpec(dtype, 1, s, d);
      spec.batch = {2, h};
      spec.a = {{h * d, d}, h * d, 1};
      spec.b = {{s * h * d, d}, 1, h * d};
      spec.out = {{h * s, s}, s, 1};
      run(("one query's scores, " + std::to_string(s)).c_str(), spec, *kernels);
      spec = makeSpec(dtype, 1, d, s);
      spec.batch = {2, h};
      spec.a = {{h * s, s}, s, 1};
      spec.b = {{s * h * d, d}, h * d, 1};
      spec.out = {{h * d, d}, h * d, 1};
      run(("one query's values, " + std::to_string(s)).c_str(), spec, *kernels);
    }
  }
}
