//===- HostDevice.cpp - The processor as a device -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/HostDevice.h"
#include "runtime/core/StreamCopy.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

using namespace cleave::rt;

static bool havePackedAlike(const GemmSpec &x, const GemmSpec &y) {
  return x.dtype == y.dtype && x.n == y.n && x.k == y.k && x.batch == y.batch &&
         x.b.batch == y.b.batch && x.b.row == y.b.row && x.b.col == y.b.col;
}

HostDevice::HostDevice(const Manifest &manifest, int32_t threads)
    : pool(threads), events(manifest.numEvents) {
  if (!manifest.collectives.empty())
    communication = std::make_unique<StreamThread>();
  const Kernels &kernels =
      manifest.isStepwise ? *getKernels("stepwise") : getKernels();
  for (const GemmSpec &spec : manifest.gemms) {
    gemms.emplace_back(spec, kernels);
    scratchBytes = std::max(scratchBytes, gemms.back().getScratchBytes());
    packedOfGemm.push_back(findPacked(spec));
  }
  for (const ConvolutionSpec &spec : manifest.convolutions) {
    convolutions.emplace_back(spec, kernels);
    scratchBytes =
        std::max(scratchBytes, convolutions.back().getScratchBytes());
    sharedBytes = std::max(sharedBytes, convolutions.back().getSharedBytes());
  }
  shared = static_cast<char *>(allocate(sharedBytes));
  for (int32_t i = 0; i < threads; ++i)
    scratch.push_back(static_cast<char *>(allocate(scratchBytes)));
}

HostDevice::~HostDevice() {
  for (char *data : scratch)
    free(data, scratchBytes);
  free(shared, sharedBytes);
  for (const Packed &operand : packed)
    free(operand.data, operand.bytes);
}

int32_t HostDevice::findPacked(const GemmSpec &spec) {
  int64_t bytes = gemms.back().getPackedBytes();
  if (!spec.isBKept() || bytes == 0)
    return -1;
  for (size_t i = 0; i < packed.size() && spec.bInput >= 0; ++i)
    if (packed[i].spec->bInput == spec.bInput &&
        havePackedAlike(*packed[i].spec, spec))
      return static_cast<int32_t>(i);
  // Memory is taken where it is touched, so a product that is never run costs
  // none.
  packed.push_back({&spec, bytes, allocate(bytes)});
  return static_cast<int32_t>(packed.size() - 1);
}

void *HostDevice::allocate(int64_t bytes) {
  // Anonymous mappings are zero, page-aligned, and take memory only where they
  // are touched; an empty buffer still needs an address of its own.
  void *data =
      ::mmap(nullptr, std::max<int64_t>(bytes, 1), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED)
    throw std::bad_alloc();
  ::madvise(data, std::max<int64_t>(bytes, 1), MADV_HUGEPAGE);
  return data;
}

void HostDevice::free(void *data, int64_t bytes) {
  ::munmap(data, std::max<int64_t>(bytes, 1));
}

void HostDevice::launch(cleave_rt_kernel kernel, void *const *buffers,
                        int64_t extent) {
  pool.split(extent, [=](int32_t, int64_t begin, int64_t end) {
    kernel(buffers, begin, end);
  });
}

void HostDevice::gemm(int32_t id, const void *a, const void *b,
                      const void *bias, const void *residual, void *out) {
  const void *packedB = nullptr;
  if (packedOfGemm[id] >= 0) {
    Packed &operand = packed[packedOfGemm[id]];
    if (operand.source != b)
      gemms[id].pack(pool, b, operand.data);
    operand.source = b;
    packedB = operand.data;
  }
  gemms[id].run(pool, scratch.data(), {a, b, bias, residual, out}, packedB);
}

void HostDevice::inputChanged(int32_t index) {
  for (Packed &operand : packed)
    if (operand.spec->bInput == index)
      operand.source = nullptr;
}

void HostDevice::convolve(int32_t id, const void *lhs, const void *kernel,
                          const void *bias, const void *residual, void *out) {
  convolutions[id].run(pool, scratch.data(), shared,
                       {lhs, kernel, bias, residual, out});
}

void HostDevice::copy(const void *from, void *to, int64_t bytes) {
  if (bytes > 0)
    copyBytes(to, from, bytes);
}

bool HostDevice::readCondition(const void *condition) {
  return *static_cast<const char *>(condition) != 0;
}

void HostDevice::start(int32_t, const StreamWork &work) {
  communication->start(work);
}

void HostDevice::record(int32_t event, int32_t stream) {
  if (communication && stream == CLEAVE_RT_COMMUNICATION)
    events[event] = communication->getNumStarted();
}

void HostDevice::wait(int32_t event, int32_t stream) {
  if (communication && stream == CLEAVE_RT_COMPUTE)
    communication->waitFor(events[event]);
}

void HostDevice::synchronize() {
  if (communication)
    communication->waitFor(communication->getNumStarted());
}

void HostDevice::cancel() {
  if (communication)
    communication->cancel();
}

int64_t HostDevice::getScratchBytes() const {
  int64_t bytes =
      scratchBytes * static_cast<int64_t>(scratch.size()) + sharedBytes;
  for (const Packed &operand : packed)
    bytes += operand.bytes;
  return bytes;
}

std::unique_ptr<Device>
cleave::rt::createHostDevice(const Manifest &manifest,
                             const DeviceOptions &options) {
  return std::make_unique<HostDevice>(manifest, options.threads);
}
