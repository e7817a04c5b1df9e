//===- Communicator.h - How ranks talk --------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_COMMUNICATOR_H
#define CLEAVE_RUNTIME_COMMUNICATORS_COMMUNICATOR_H

#include "runtime/communicators/CollectivePlan.h"
#include "runtime/communicators/RunState.h"
#include "runtime/devices/Device.h"

namespace cleave::rt {

class Processes;

/// Executes the collectives of a manifest among the ranks of one run. One
/// object serves all ranks that live in this process, each called from its own
/// thread.
class Communicator {
public:
  /// `state` outlives the communicator.
  explicit Communicator(RunState &state);
  virtual ~Communicator() = default;

  /// Runs collective `id` on `rank`. `operand` and `result` have the manifest's
  /// local shapes and do not overlap. Returns true when the result may be read
  /// and the operand overwritten; otherwise `error` says why. Allocates nothing
  /// on success. Buffers in a device's memory are those of the device that was
  /// attached; then `stream` is what the work is ordered by.
  bool run(int32_t rank, int32_t id, const void *operand, void *result,
           std::string &error, int32_t stream = CLEAVE_RT_COMPUTE);

  /// Whether run() only starts what the device then does in the order of its
  /// streams.
  virtual bool isAsynchronous() const { return false; }

  /// Whether a device may record all that run() starts, and do it again without
  /// another call. The same on all ranks.
  virtual bool canBeRecorded() const {
    return state.getManifest().collectives.empty();
  }

  /// The device of a rank of this process, on its thread, until detach().
  virtual void attach(int32_t rank, Device &device) { devices[rank] = &device; }
  virtual void detach(int32_t rank) { devices[rank] = nullptr; }

  /// Bytes that collective `id` receives per execution, maximum over ranks.
  int64_t getBytes(int32_t id) const;

  /// Null if all ranks live in this process.
  virtual Processes *getProcesses() { return nullptr; }

  /// Wakes waiting ranks after the phase of a rank has changed.
  virtual void phaseChanged() = 0;

protected:
  /// As run(), for collectives that communicate.
  virtual bool communicate(int32_t rank, int32_t id, const void *operand,
                           void *result, std::string &error,
                           int32_t stream) = 0;

  /// Null before attach().
  Device *getDevice(int32_t rank) const { return devices[rank]; }

  const CollectiveSpec &getSpec(int32_t id) const {
    return state.getManifest().collectives[id];
  }
  const CollectivePlan &getPlan(int32_t rank, int32_t id) const {
    return plans[id][rank];
  }

  RunState &state;

private:
  std::vector<std::vector<CollectivePlan>> plans; ///< by collective and rank
  std::vector<Device *> devices;                  ///< by rank
};

using CommunicatorFactory = std::unique_ptr<Communicator> (*)(RunState &state);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_COMMUNICATOR_H
