//===- OnDevice.h - Collectives between buffers of a device -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CONFORMANCE_DEVICE_ONDEVICE_H
#define CLEAVE_RUNTIME_CONFORMANCE_DEVICE_ONDEVICE_H

#include "runtime/communicators/Communicator.h"

namespace cleave::rt {

/// Lets a test with buffers of the host use a communicator between buffers of a
/// GPU: each collective is run on copies there, which are copied back.
class OnDevice : public Communicator {
public:
  OnDevice(RunState &state, std::unique_ptr<Communicator> inner);
  ~OnDevice() override;

  void phaseChanged() override { inner->phaseChanged(); }
  Processes *getProcesses() override { return inner->getProcesses(); }

protected:
  bool communicate(int32_t rank, int32_t id, const void *operand, void *result,
                   std::string &error, int32_t stream) override;

private:
  std::unique_ptr<Communicator> inner;
  std::vector<std::unique_ptr<Device>> devices; ///< by rank, made on first use
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CONFORMANCE_DEVICE_ONDEVICE_H
