//===- ConvolutionBenchmark.cpp - Speed of convolutions -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Times the convolutions of ResNet-50, channels last, on one thread and by
// processor time, best of several runs, and those of oneDNN on the same sizes,
// whose kernel is in an order of its choice: the time to bring it there is
// given apart. `cleave-rt-convolution-benchmark [BATCH [f32|bf16]]`.
//
//===----------------------------------------------------------------------===//

#include "runtime/benchmark/ProcessorTime.h"
#include "runtime/core/ThreadPool.h"
#include "runtime/devices/host/Convolution.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <oneapi/dnnl/dnnl.hpp>

using namespace cleave::rt;

namespace {
struct Layer {
  int64_t features, size, outputs, taps, stride, padding;
  int64_t getCount() const { return (size + 2 * padding - taps) / stride + 1; }
};

struct Times {
  double convolution, reorder;
};
} // namespace

static const Layer layers[] = {
    {3, 224, 64, 7, 2, 3},   {64, 56, 64, 1, 1, 0},    {64, 56, 64, 3, 1, 1},
    {64, 56, 256, 1, 1, 0},  {256, 56, 64, 1, 1, 0},   {256, 56, 128, 1, 2, 0},
    {128, 56, 128, 3, 2, 1}, {128, 28, 128, 3, 1, 1},  {512, 28, 128, 1, 1, 0},
    {256, 14, 256, 3, 1, 1}, {256, 14, 1024, 1, 1, 0}, {1024, 14, 512, 1, 1, 0},
    {512, 7, 512, 3, 1, 1},  {512, 7, 2048, 1, 1, 0}};

static double timeOurs(const Layer &layer, int64_t batch, DType dtype) {
  int64_t count = layer.getCount();
  ConvolutionSpec spec{};
  spec.dtype = dtype;
  spec.batch = batch;
  spec.groups = 1;
  spec.features = layer.features;
  spec.outputs = layer.outputs;
  WindowSpec window{layer.size,    count, layer.taps, layer.stride,
                    layer.padding, 1,     1,          false};
  spec.windows = {window, window};
  spec.lhs = {layer.size * layer.size * layer.features,
              0,
              1,
              {layer.size * layer.features, layer.features}};
  spec.kernel = {0,
                 1,
                 layer.outputs,
                 {layer.taps * layer.features * layer.outputs,
                  layer.features * layer.outputs}};
  spec.out = {count * count * layer.outputs,
              0,
              1,
              {count * layer.outputs, layer.outputs}};
  Convolution convolution(spec, getKernels());
  ThreadPool pool(1);
  auto allocate = [](int64_t bytes) {
    char *data = static_cast<char *>(
        std::aligned_alloc(4096, (bytes / 4096 + 1) * 4096));
    std::fill_n(data, bytes, 0);
    return data;
  };
  int64_t size = getSize(dtype);
  char *lhs = allocate(batch * spec.lhs.batch * size);
  char *kernel =
      allocate(layer.taps * layer.taps * layer.features * layer.outputs * size);
  char *out = allocate(batch * spec.out.batch * size);
  char *scratch = allocate(convolution.getScratchBytes());
  char *shared = allocate(convolution.getSharedBytes());
  double seconds = measure([&] {
    convolution.run(pool, &scratch, shared,
                    {lhs, kernel, nullptr, nullptr, out});
  });
  for (char *data : {lhs, kernel, out, scratch, shared})
    std::free(data);
  return seconds;
}

static Times timeOneDnn(const Layer &layer, int64_t batch, DType dtype) {
  using namespace dnnl;
  static engine cpu(engine::kind::cpu, 0);
  static stream queue(cpu);
  auto type =
      dtype == DType::F32 ? memory::data_type::f32 : memory::data_type::bf16;
  using Tag = memory::format_tag;
  int64_t count = layer.getCount();
  memory::dims kernelDims = {layer.outputs, layer.features, layer.taps,
                             layer.taps};
  memory::desc source({batch, layer.features, layer.size, layer.size}, type,
                      Tag::nhwc);
  memory::desc target({batch, layer.outputs, count, count}, type, Tag::nhwc);
  convolution_forward::primitive_desc chosen({prop_kind::forward_inference,
                                              algorithm::convolution_direct,
                                              source,
                                              {kernelDims, type, Tag::any},
                                              target,
                                              {layer.stride, layer.stride},
                                              {layer.padding, layer.padding},
                                              {layer.padding, layer.padding}},
                                             cpu);
  convolution_forward convolution(chosen);
  memory from(source, cpu), to(target, cpu),
      plain({kernelDims, type, Tag::hwio}, cpu),
      kernel(chosen.weights_desc(), cpu);
  reorder bring(plain, kernel);
  return {measure([&] {
            convolution.execute(queue, {{DNNL_ARG_SRC, from},
                                        {DNNL_ARG_WEIGHTS, kernel},
                                        {DNNL_ARG_DST, to}});
          }),
          measure([&] { bring.execute(queue, plain, kernel); })};
}

int main(int argc, char **argv) {
  int64_t batch = argc > 1 ? std::atoll(argv[1]) : 1;
  DType dtype =
      argc > 2 && std::string(argv[2]) == "bf16" ? DType::BF16 : DType::F32;
  if (batch < 1) {
    std::fprintf(stderr, "error: the batch must be a number of at least 1\n");
    return 2;
  }
  // oneDNN brings OpenMP; one thread is compared.
  using SetNumThreads = void (*)(int);
  if (void *symbol = ::dlsym(RTLD_DEFAULT, "omp_set_num_threads"))
    reinterpret_cast<SetNumThreads>(symbol)(1);
  std::printf("batch %lld, %s, kernels: %s\n", static_cast<long long>(batch),
              getName(dtype), getKernels().name);
  std::printf("%-26s %10s %8s %12s %10s %7s\n", "layer", "us", "GFLOP/s",
              "oneDNN us", "reorder us", "ratio");
  double ours = 0, theirs = 0;
  for (const Layer &layer : layers) {
    double time = timeOurs(layer, batch, dtype);
    Times other = timeOneDnn(layer, batch, dtype);
    ours += time;
    theirs += other.convolution;
    int64_t count = layer.getCount();
    double operations = 2.0 * batch * count * count * layer.outputs *
                        layer.features * layer.taps * layer.taps;
    char name[64];
    std::snprintf(
        name, sizeof(name), "%lldx%lld %lld -> %lld, %lldx%lld / %lld",
        static_cast<long long>(layer.size), static_cast<long long>(layer.size),
        static_cast<long long>(layer.features),
        static_cast<long long>(layer.outputs),
        static_cast<long long>(layer.taps), static_cast<long long>(layer.taps),
        static_cast<long long>(layer.stride));
    std::printf("%-26s %10.1f %8.1f %12.1f %10.1f %7.2f\n", name, time * 1e6,
                operations / time * 1e-9, other.convolution * 1e6,
                other.reorder * 1e6, time / other.convolution);
  }
  std::printf("%-26s %10.1f %8s %12.1f %10s %7.2f\n", "all", ours * 1e6, "",
              theirs * 1e6, "", ours / theirs);
  return 0;
}
