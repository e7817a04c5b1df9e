//===- NcclCommunicator.h - One GPU per rank --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_NCCL_NCCLCOMMUNICATOR_H
#define CLEAVE_RUNTIME_COMMUNICATORS_NCCL_NCCLCOMMUNICATOR_H

#include "runtime/communicators/Communicator.h"
#include "runtime/communicators/nccl/NcclApi.h"
#include "runtime/communicators/processes/Peers.h"
#include "runtime/communicators/processes/Processes.h"
#include "runtime/devices/cuda/CudaDevice.h"

#include <deque>
#include <map>

namespace cleave::rt {

/// What a collective's algorithm sees of one execution on this rank. All that
/// it does is put on the stream.
struct NcclExecution {
  const CleaveNcclApi &api;
  void *communicator; ///< of the group; null if that is the rank alone
  const CollectiveSpec &spec;
  const CollectivePlan &plan;
  /// By member, the part of the own operand that goes to its result; for
  /// reductions its part of every operand.
  const std::vector<const CopyPlan *> &sends;
  const void *operand;
  void *result;
  char *scratch; ///< of getNcclScratchBytes
  char *staging; ///< memory of the host, of getNcclStagingBytes
  CudaDevice &device;
  int32_t stream;

  void *getStream() const { return device.getStream(stream); }
  size_t getCount() const { return plan.group.size(); }
};

// One per file; they throw Error. k is the size of the group, S the bytes of
// the whole buffer.

/// all_gather, all_to_all, collective_permute, broadcast and the exchanges: one
/// send and one receive per pair of members with data, packed only if it is
/// strided; NCCL's own form of all_gather and broadcast where it has one.
void exchangePieces(const NcclExecution &execution);
/// NCCL's all_reduce and reduce_scatter, (k-1)/k S received, or twice that.
void reduceByNccl(const NcclExecution &execution);
/// What NCCL does not reduce as the manifest says: all operands are gathered
/// and reduced on the host, (k-1) S received; waits.
void reduceOnHost(const NcclExecution &execution);

/// Whether NCCL has the type and the reduction: not for 16-bit integers, bits,
/// and maximum and minimum of floats, which lose NaN there. Sums of f16 and
/// bf16 are rounded after each step.
bool isForNccl(const CollectiveSpec &spec);
/// Whether a collective is one that reduceOnHost does.
bool isReducedOnHost(const CollectiveSpec &spec);

/// Bytes of the device's and of the host's memory for one execution.
int64_t getNcclScratchBytes(const CollectiveSpec &spec,
                            const CollectivePlan &plan,
                            const std::vector<const CopyPlan *> &sends);
int64_t getNcclStagingBytes(const CollectiveSpec &spec,
                            const CollectivePlan &plan);

/// This process is one rank, and has a GPU of its own. Collectives are work of
/// the device. While the host waits for it, it looks whether NCCL or a peer has
/// failed or a collective is late; then all communicators are aborted. A step
/// in which the host reduces nothing can be recorded.
class NcclCommunicator : public Communicator {
public:
  /// `world` is null for a mesh of one rank.
  NcclCommunicator(World *world, RunState &state);

  bool isAsynchronous() const override { return true; }
  bool canBeRecorded() const override;
  void attach(int32_t rank, Device &device) override;
  void detach(int32_t rank) override;
  void phaseChanged() override;
  Processes *getProcesses() override { return processes.get(); }

protected:
  bool communicate(int32_t rank, int32_t id, const void *operand, void *result,
                   std::string &error, int32_t stream) override;

private:
  using Clock = std::chrono::steady_clock;
  /// A collective that has been put on a stream.
  struct Pending {
    int32_t id;
    void *event;
    bool isRecorded; ///< the event belongs to a recorded step
  };

  CleaveNcclId agreeOnId();
  /// The communicator of each collective's groups, split from all ranks.
  void makeGroups();
  /// Waits until what was begun on a communicator is.
  void settle(void *communicator);
  /// Throws if something has failed or is late.
  void watch();
  void retire();
  void forget(const Pending &done);
  void *takeEvent();
  /// All collectives of the recorded step have been put on streams again.
  void repeatRecorded();
  [[noreturn]] void fail(int32_t id, bool isLate, const std::string &reason);
  void abortAll();

  const CleaveNcclApi &api;
  World *world;
  std::unique_ptr<Peers> peers;
  std::unique_ptr<Processes> processes;
  int32_t own;
  CudaDevice *device = nullptr;
  void *all = nullptr; ///< of all ranks
  /// By color and key of each rank.
  std::map<std::vector<std::pair<int32_t, int32_t>>, void *> parts;
  std::vector<void *> groupOf; ///< by collective
  std::vector<std::vector<const CopyPlan *>> sends;
  char *scratch = nullptr, *staging = nullptr;
  int64_t scratchBytes = 0, stagingBytes = 0;
  std::deque<Pending> pending;
  std::vector<Pending> recorded;
  std::vector<void *> freeEvents;
  Clock::time_point since; ///< when the first of `pending` could begin
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_NCCL_NCCLCOMMUNICATOR_H
