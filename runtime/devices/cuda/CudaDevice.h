//===- CudaDevice.h - A GPU as a device -------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_CUDA_CUDADEVICE_H
#define CLEAVE_RUNTIME_DEVICES_CUDA_CUDADEVICE_H

#include "runtime/devices/StreamThread.h"
#include "runtime/devices/cuda/CudaLibrary.h"
#include "runtime/devices/cuda/CudaProduct.h"

#include <functional>
#include <map>
#include <unordered_map>

namespace cleave::rt {

/// A GPU of NVIDIA, or the part that a rank has of it: a stream to compute on
/// and one to communicate on, memory, kernels and matrix products. Failures
/// throw Error with the place in the source that asked for the work; a kernel
/// that fails while it runs is noticed by what waits next.
///
/// If collectives are work of the device, events are its own. Otherwise the
/// communication stream is a thread of the host, which waits on the device's
/// one: an event of it is the number of works before it, and who waits for that
/// blocks.
///
/// Where it may, and the host reads no condition, it records the second step as
/// a graph of both streams, which is all that later steps launch.
class CudaDevice : public Device {
public:
  /// GPU `number` of this machine, modulo how many there are.
  CudaDevice(const Manifest &manifest, int32_t number,
             const DeviceOptions &options);
  ~CudaDevice() override;

  void *allocate(int64_t bytes) override;
  void free(void *data, int64_t bytes) override;
  void launch(cleave_rt_kernel kernel, void *const *buffers,
              int64_t extent) override;
  void gemm(int32_t id, const void *a, const void *b, const void *bias,
            const void *residual, void *out) override;
  void convolve(int32_t id, const void *lhs, const void *kernel,
                const void *bias, const void *residual, void *out) override;
  void inputChanged(int32_t) override {}
  void copy(const void *from, void *to, int64_t bytes) override;
  void storeIndex(int32_t index, int32_t *to) override;
  bool readCondition(const void *condition) override;
  void start(int32_t stream, const StreamWork &work) override;
  void record(int32_t event, int32_t stream) override;
  void wait(int32_t event, int32_t stream) override;
  void synchronize() override;
  void cancel() override;
  int64_t getScratchBytes() const override { return scratchBytes; }

  bool isHostMemory() const override { return false; }
  void *allocateStaging(int64_t bytes) override;
  void freeStaging(void *data, int64_t bytes) override;
  void upload(const void *host, void *data, int64_t bytes) override;
  void download(const void *data, void *host, int64_t bytes) override;
  void fill(void *data, uint8_t byte, int64_t bytes, int32_t stream) override;
  void copyRuns(void *to, int64_t toStride, const void *from,
                int64_t fromStride, int64_t bytes, int64_t count,
                int32_t stream) override;
  void finish(int32_t stream, const std::string &where) override;
  /// Who put work on streams is called while the host waits for one, which may
  /// throw, and when a recorded step, with that work, has been started.
  void setWatch(std::function<void()> newWatch,
                std::function<void()> newStarted) {
    watch = std::move(newWatch);
    recordingStarted = std::move(newStarted);
  }
  /// Forgets the recorded step; no later one is recorded. To be called while
  /// what it uses is there: NCCL waits for the end of graphs with its work.
  void dropRecording();
  /// For libraries that put work on it.
  void *getStream(int32_t stream) const { return streams[stream]; }

  bool beginStep() override;
  void endStep() override;
  bool isRecording() const override { return recording; }
  bool hasRecording() const override { return graph != nullptr; }
  void launchKernel(const cleave_rt_gpu_kernel &kernel, void *const *buffers,
                    const char *location) override;
  const void *getConstant(const void *data, int64_t bytes) override;

private:
  /// A matrix product, prepared when it is first run.
  struct Product {
    std::optional<CudaProduct> plan;
    void *prepared = nullptr;
  };

  void *findKernel(const cleave_rt_gpu_kernel &kernel);
  void *loadCode(const cleave_rt_gpu_code &code);
  void prepare(Product &product, const void *bias);
  void reserveScratch(int64_t bytes);
  void beginRecording();
  void startRecording();
  /// The calling thread's: the communication stream may be another one.
  void setDevice() { checkCuda(api.setDevice(number)); }
  void *getComputeStream() const { return getStream(CLEAVE_RT_COMPUTE); }

  struct Event {
    void *event = nullptr;
    /// Works of the communication stream before it, if that is a thread.
    int64_t numWorks = 0;
  };
  static void awaitEvent(const StreamWork &work);

  const CleaveCudaApi &api;
  const Manifest &manifest;
  int32_t number = 0;
  void *streams[CLEAVE_RT_NUM_STREAMS] = {};
  std::vector<Event> events;
  std::unique_ptr<StreamThread> communication;
  std::function<void()> watch, recordingStarted;
  bool mayRecord, recording = false;
  int64_t numSteps = 0;
  void *graph = nullptr;  ///< of a step
  void *forked = nullptr; ///< event by which streams join a recording
  void *products = nullptr;
  std::vector<Product> gemms;
  void *scratch = nullptr;
  int64_t scratchBytes = 0;
  std::map<const cleave_rt_gpu_code *, void *> codes;
  std::unordered_map<const cleave_rt_gpu_kernel *, void *> kernels;
  std::unordered_map<const void *, void *> constants;
  /// Numbers that were stored, at addresses that do not change.
  std::map<int32_t, int32_t> indices;
  std::vector<void *> arguments;
};

std::unique_ptr<Device> createCudaDevice(const Manifest &manifest,
                                         const DeviceOptions &options);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_CUDA_CUDADEVICE_H
