//===- Device.h - Where ranks compute ---------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_DEVICE_H
#define CLEAVE_RUNTIME_DEVICES_DEVICE_H

#include "cleave-rt/gpu.h"
#include "runtime/core/Error.h"
#include "runtime/core/Manifest.h"

#include <cstring>
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
  int32_t stream = CLEAVE_RT_COMPUTE;
};

/// The device of one rank, used from the rank's thread only. launch, gemm,
/// convolve, copy and storeIndex are the work of the compute stream. After
/// construction nothing between two calls of synchronize allocates. What gemm
/// makes of inputs that the program never writes, a device may keep until they
/// change.
class Device {
public:
  virtual ~Device() = default;

  /// Memory aligned to 64 bytes. Zeroed. Throws std::bad_alloc, or an Error
  /// that says which memory is full; guard() makes a failed run of either.
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

  //===--------------------------------------------------------------------===//
  // Devices with a memory and streams of their own
  //===--------------------------------------------------------------------===//

  /// Whether allocate gives memory that the host reads and writes, and all work
  /// is done when a call returns: then nothing below needs to be called.
  virtual bool isHostMemory() const { return true; }

  /// Memory of the host that transfers are fast with.
  virtual void *allocateStaging(int64_t bytes) { return allocate(bytes); }
  virtual void freeStaging(void *data, int64_t bytes) { free(data, bytes); }
  /// Wait until all is done.
  virtual void upload(const void *host, void *data, int64_t bytes) {
    copy(host, data, bytes);
  }
  virtual void download(const void *data, void *host, int64_t bytes) {
    copy(data, host, bytes);
  }
  virtual void fill(void *data, uint8_t byte, int64_t bytes, int32_t) {
    if (bytes > 0)
      std::memset(data, byte, bytes);
  }

  /// Copies `count` runs of `bytes`, so many bytes apart. Between memory of the
  /// device, and staging.
  virtual void copyRuns(void *, int64_t, const void *, int64_t, int64_t,
                        int64_t, int32_t) {
    failKind();
  }
  /// Waits for all work of a stream. A failed kernel is noticed here; `where`
  /// says what was waited for.
  virtual void finish(int32_t, const std::string &) {}

  /// Around the operations of a step. A device may record what one step does
  /// and do it again: then beginStep starts it and is true, and nothing else is
  /// to be done.
  virtual bool beginStep() { return false; }
  virtual void endStep() {}
  /// Whether operations are recorded now, and whether the next step will be
  /// started as a whole.
  virtual bool isRecording() const { return false; }
  virtual bool hasRecording() const { return false; }

  virtual void launchKernel(const cleave_rt_gpu_kernel &, void *const *,
                            const char *) {
    failKind();
  }
  /// The copy of constant data of the program.
  virtual const void *getConstant(const void *data, int64_t) { return data; }

private:
  [[noreturn]] static void failKind() {
    throwRunFailed("the program is for another kind of device");
  }
};

/// For one rank.
struct DeviceOptions {
  int32_t threads; ///< of the host, at least 1
  int32_t rank;
  /// Collectives are work that the device does in the order of its streams:
  /// see Communicator::isAsynchronous.
  bool hasAsynchronousCollectives;
  /// Steps may be recorded: nobody wants to know when each operation runs, and
  /// collectives can be recorded, too (Communicator::canBeRecorded).
  bool mayRecord;
};

/// Called on the rank's thread. `manifest` outlives the device.
using DeviceFactory = std::unique_ptr<Device> (*)(const Manifest &manifest,
                                                  const DeviceOptions &options);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_DEVICE_H
