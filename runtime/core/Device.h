//===- Device.h - Where ranks compute ---------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_DEVICE_H
#define CLEAVE_RUNTIME_CORE_DEVICE_H

#include "cleave-rt/cleave-rt.h"
#include "runtime/core/Manifest.h"

#include <memory>

namespace cleave::rt {

/// What a stream does: run(*this), which throws if it fails.
struct StreamWork {
  void (*run)(const StreamWork &work);
  void *context;
  int32_t id;
  int64_t number;
  const void *operand;
  void *result;
};

/// The device of one rank, used from the rank's thread only. launch, gemm,
/// convolve, copy and storeIndex are the work of the compute stream. After
/// construction nothing between two calls of synchronize allocates. What gemm
/// makes of inputs that the program never writes, a device may keep until they
/// change.
class Device {
public:
  virtual ~Device() = default;

  /// Memory aligned to 64 bytes; throws std::bad_alloc. Zeroed.
  virtual void *allocate(int64_t bytes) = 0;
  virtual void free(void *data, int64_t bytes) = 0;

  virtual void launch(cleave_rt_kernel kernel, void *const *buffers,
                      int64_t extent) = 0;
  /// Operands of gemm `id` of the manifest as in cleave_rt_gemm.
  virtual void gemm(int32_t id, const void *a, const void *b, const void *bias,
                    const void *residual, void *out) = 0;
  /// Operands of convolution `id` of the manifest as in cleave_rt_convolution.
  virtual void convolve(int32_t id, const void *lhs, const void *kernel,
                        const void *bias, const void *residual, void *out) = 0;
  /// The content of input `index` of the manifest has changed.
  virtual void inputChanged(int32_t index) = 0;
  virtual void copy(const void *from, void *to, int64_t bytes) = 0;
  virtual void storeIndex(int32_t index, int32_t *to) = 0;
  /// Reads an i1 when the compute stream has done its work so far.
  virtual bool readCondition(const void *condition) = 0;

  /// Runs `work` on a stream other than the compute stream.
  virtual void start(int32_t stream, const StreamWork &work) = 0;
  /// As cleave_rt_record and cleave_rt_wait. Throws what the stream waited for
  /// has thrown.
  virtual void record(int32_t event, int32_t stream) = 0;
  virtual void wait(int32_t event, int32_t stream) = 0;
  /// Waits until all streams are empty, and throws what one has thrown.
  virtual void synchronize() = 0;
  /// Drops works that have not begun, and waits for those that have.
  virtual void cancel() = 0;

  /// Bytes outside the arena that matrix products use: scratch and packed
  /// operands.
  virtual int64_t getScratchBytes() const = 0;
};

/// `manifest` outlives the device; `threads` is at least 1.
using DeviceFactory = std::unique_ptr<Device> (*)(const Manifest &manifest,
                                                  int32_t threads);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_DEVICE_H
