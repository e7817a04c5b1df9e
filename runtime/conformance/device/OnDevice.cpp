//===- OnDevice.cpp - Collectives between buffers of a device -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/conformance/device/OnDevice.h"
#include "runtime/core/Error.h"
#include "runtime/devices/cuda/CudaDevice.h"

using namespace cleave::rt;

OnDevice::OnDevice(RunState &state, std::unique_ptr<Communicator> inner)
    : Communicator(state), inner(std::move(inner)),
      devices(state.getManifest().mesh.getSize()) {}

OnDevice::~OnDevice() {
  for (size_t rank = 0; rank < devices.size(); ++rank)
    if (devices[rank])
      inner->detach(static_cast<int32_t>(rank));
}

bool OnDevice::communicate(int32_t rank, int32_t id, const void *operand,
                           void *result, std::string &error, int32_t stream) {
  const CollectiveSpec &spec = getSpec(id);
  int64_t operandBytes = cleave::rt::getBytes(spec.operandShape, spec.dtype);
  int64_t resultBytes = cleave::rt::getBytes(spec.resultShape, spec.dtype);
  try {
    std::unique_ptr<Device> &device = devices[rank];
    if (!device) {
      device = createCudaDevice(state.getManifest(),
                                {1, rank, inner->isAsynchronous(), false});
      inner->attach(rank, *device);
    }
    void *from = device->allocate(operandBytes);
    void *to = device->allocate(resultBytes);
    device->upload(operand, from, operandBytes);
    device->upload(result, to, resultBytes);
    bool isDone = inner->run(rank, id, from, to, error, stream);
    if (isDone) {
      device->finish(stream, describe(spec));
      device->download(to, result, resultBytes);
    }
    device->free(from, operandBytes);
    device->free(to, resultBytes);
    return isDone;
  } catch (const Error &failure) {
    error = failure.what();
    return false;
  }
}
