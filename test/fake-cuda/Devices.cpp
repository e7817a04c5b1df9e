//===- Devices.cpp - GPUs that there are not ------------------------------===//
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

using namespace cleave::fake;

static int countDevices() {
  const char *text = std::getenv("CLEAVE_FAKE_CUDA_DEVICES");
  return text ? std::atoi(text) : 1;
}

FAKE_API cudaError_t cudaGetDeviceCount(int *count) {
  if (mustFail("cudaGetDeviceCount"))
    return cudaErrorUnknown;
  *count = countDevices();
  return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}

FAKE_API cudaError_t cudaSetDevice(int device) {
  if (mustFail("cudaSetDevice"))
    return cudaErrorUnknown;
  return device >= 0 && device < countDevices() ? cudaSuccess
                                                : cudaErrorInvalidDevice;
}

FAKE_API cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
  if (mustFail("cudaGetDeviceProperties"))
    return cudaErrorUnknown;
  std::memset(properties, 0, sizeof(*properties));
  std::strcpy(properties->name, "Fake GPU");
  return cudaSuccess;
}

FAKE_API cudaError_t cudaGetLastError() { return cudaSuccess; }

FAKE_API const char *cudaGetErrorString(cudaError_t status) {
  switch (status) {
  case cudaErrorMemoryAllocation:
    return "out of memory";
  case cudaErrorNoDevice:
    return "no CUDA-capable device is detected";
  case cudaErrorIllegalAddress:
    return "an illegal memory access was encountered";
  case cudaErrorInvalidKernelImage:
    return "device kernel image is invalid";
  case cudaErrorStreamCaptureUnsupported:
    return "operation not permitted when stream is capturing";
  case cudaErrorStreamCaptureInvalidated:
    return "operation failed due to a previous error during capture";
  case cudaErrorStreamCaptureUnjoined:
    return "capturing stream has unjoined work";
  case cudaErrorStreamCaptureIsolation:
    return "dependency created on uncaptured work in another stream";
  case cudaErrorStreamCaptureMerge:
    return "operation would result in a merge of separate capture sequences";
  default:
    return "unknown error";
  }
}
