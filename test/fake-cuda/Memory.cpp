//===- Memory.cpp - Memory that the host cannot use -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>
#include <map>
#include <new>

using namespace cleave::fake;

/// Added to an address of the host to make one of the device, which no
/// instruction of the host can use.
static constexpr uint64_t deviceBit = uint64_t(0x0d) << 56;
static constexpr size_t alignment = 256;

static std::map<uint64_t, size_t> &getAllocations() {
  static std::map<uint64_t, size_t> allocations;
  return allocations;
}

static bool isOfDevice(const void *address) {
  return (reinterpret_cast<uint64_t>(address) & deviceBit) == deviceBit;
}

char *cleave::fake::fromDevice(const void *address, size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  uint64_t at = reinterpret_cast<uint64_t>(address) & ~deviceBit;
  auto next = getAllocations().upper_bound(at);
  if (!isOfDevice(address) || next == getAllocations().begin())
    return nullptr;
  auto [begin, size] = *std::prev(next);
  return at - begin <= size && bytes <= size - (at - begin)
             ? reinterpret_cast<char *>(at)
             : nullptr;
}

char *cleave::fake::fromAny(const void *address, size_t bytes) {
  if (isOfDevice(address))
    return fromDevice(address, bytes);
  return static_cast<char *>(const_cast<void *>(address));
}

FAKE_API cudaError_t cudaMalloc(void **data, size_t bytes) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaMalloc"))
    return cudaErrorMemoryAllocation;
  if (spoilsRecording())
    return cudaErrorStreamCaptureUnsupported;
  void *memory = std::aligned_alloc(alignment, (bytes + alignment) / alignment *
                                                   alignment);
  if (!memory)
    return cudaErrorMemoryAllocation;
  // Bytes that look like no result.
  std::memset(memory, 0xcb, bytes);
  uint64_t address = reinterpret_cast<uint64_t>(memory);
  getAllocations()[address] = bytes;
  *data = reinterpret_cast<void *>(address | deviceBit);
  return hasFault() ? cudaErrorIllegalAddress : cudaSuccess;
}

FAKE_API cudaError_t cudaFree(void *data) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaFree"))
    return cudaErrorUnknown;
  if (spoilsRecording())
    return cudaErrorStreamCaptureUnsupported;
  runAll();
  uint64_t address = reinterpret_cast<uint64_t>(data) & ~deviceBit;
  if (!getAllocations().erase(address)) {
    setFault("cudaFree of what cudaMalloc did not give");
    return cudaErrorInvalidValue;
  }
  std::free(reinterpret_cast<void *>(address));
  return hasFault() ? cudaErrorIllegalAddress : cudaSuccess;
}

FAKE_API cudaError_t cudaMallocHost(void **data, size_t bytes) {
  if (mustFail("cudaMallocHost"))
    return cudaErrorMemoryAllocation;
  if (spoilsRecording())
    return cudaErrorStreamCaptureUnsupported;
  *data = std::malloc(bytes);
  return *data ? cudaSuccess : cudaErrorMemoryAllocation;
}

FAKE_API cudaError_t cudaFreeHost(void *data) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaFreeHost"))
    return cudaErrorUnknown;
  if (spoilsRecording())
    return cudaErrorStreamCaptureUnsupported;
  runAll();
  std::free(data);
  return cudaSuccess;
}

static cudaError_t enqueueCopy(void *to, size_t toStride, const void *from,
                               size_t fromStride, size_t bytes, size_t count,
                               cudaMemcpyKind kind, cudaStream_t stream) {
  if (toStride < bytes || fromStride < bytes || kind != cudaMemcpyDefault)
    return cudaErrorInvalidValue;
  enqueue(stream, [=] {
    for (size_t i = 0; i < count && bytes; ++i) {
      char *target = fromAny(static_cast<char *>(to) + i * toStride, bytes);
      char *source =
          fromAny(static_cast<const char *>(from) + i * fromStride, bytes);
      if (!target || !source) {
        setFault("copy beyond an allocation");
        return true;
      }
      std::memmove(target, source, bytes);
    }
    return true;
  });
  return hasFault() ? cudaErrorIllegalAddress : cudaSuccess;
}

FAKE_API cudaError_t cudaMemcpy2DAsync(void *to, size_t toStride,
                                       const void *from, size_t fromStride,
                                       size_t bytes, size_t count,
                                       cudaMemcpyKind kind,
                                       cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  return mustFail("cudaMemcpy2DAsync")
             ? cudaErrorUnknown
             : enqueueCopy(to, toStride, from, fromStride, bytes, count, kind,
                           stream);
}

FAKE_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes,
                                     cudaMemcpyKind kind, cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  return mustFail("cudaMemcpyAsync")
             ? cudaErrorUnknown
             : enqueueCopy(to, bytes, from, bytes, bytes, 1, kind, stream);
}

FAKE_API cudaError_t cudaMemsetAsync(void *data, int byte, size_t bytes,
                                     cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaMemsetAsync"))
    return cudaErrorUnknown;
  enqueue(stream, [=] {
    if (char *target = fromDevice(data, bytes))
      std::memset(target, byte, bytes);
    else
      setFault("fill beyond an allocation");
    return true;
  });
  return hasFault() ? cudaErrorIllegalAddress : cudaSuccess;
}
