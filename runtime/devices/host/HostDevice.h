//===- HostDevice.h - The processor as a device -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_HOSTDEVICE_H
#define CLEAVE_RUNTIME_DEVICES_HOST_HOSTDEVICE_H

#include "runtime/devices/StreamThread.h"
#include "runtime/devices/host/Convolution.h"
#include "runtime/devices/host/Gemm.h"

namespace cleave::rt {

/// Memory from the system; kernels, matrix products and convolutions on the
/// rank's threads. The compute stream is the caller, whose work is done when a
/// call returns, so that nobody waits for its events; the communication stream
/// is a thread of its own, if there are collectives.
class HostDevice : public Device {
public:
  HostDevice(const Manifest &manifest, int32_t threads);
  ~HostDevice() override;

  void *allocate(int64_t bytes) override;
  void free(void *data, int64_t bytes) override;
  void launch(cleave_rt_kernel kernel, void *const *buffers,
              int64_t extent) override;
  void gemm(int32_t id, const void *a, const void *b, const void *bias,
            const void *residual, void *out) override;
  void convolve(int32_t id, const void *lhs, const void *kernel,
                const void *bias, const void *residual, void *out) override;
  void inputChanged(int32_t index) override;
  void copy(const void *from, void *to, int64_t bytes) override;
  void storeIndex(int32_t index, int32_t *to) override { *to = index; }
  bool readCondition(const void *condition) override;
  void start(int32_t stream, const StreamWork &work) override;
  void record(int32_t event, int32_t stream) override;
  void wait(int32_t event, int32_t stream) override;
  void synchronize() override;
  void cancel() override;
  int64_t getScratchBytes() const override;

private:
  /// Operand b of a matrix product in packed form.
  struct Packed {
    const GemmSpec *spec;
    int64_t bytes;
    void *data;
    const void *source = nullptr; ///< what it was packed from; null if outdated
  };

  /// Position of the packed form of b for the last of `gemms`, which may be
  /// that of another product; -1 if there is none to keep.
  int32_t findPacked(const GemmSpec &spec);

  ThreadPool pool;
  std::unique_ptr<StreamThread> communication;
  /// By event: works of the communication stream that precede it.
  std::vector<int64_t> events;
  std::vector<Gemm> gemms;
  std::vector<Convolution> convolutions;
  /// One per thread, and one for all of them, for every product.
  std::vector<char *> scratch;
  char *shared = nullptr;
  int64_t scratchBytes = 0, sharedBytes = 0;
  std::vector<Packed> packed;
  std::vector<int32_t> packedOfGemm;
};

std::unique_ptr<Device> createHostDevice(const Manifest &manifest,
                                         const DeviceOptions &options);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_HOSTDEVICE_H
