//===- MpiCommunicator.h - One process per rank -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPICOMMUNICATOR_H
#define CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPICOMMUNICATOR_H

#include "runtime/communicators/Communicator.h"
#include "runtime/communicators/processes/Peers.h"
#include "runtime/communicators/processes/Processes.h"

namespace cleave::rt {

/// As many sets of messages as an algorithm can wait for apart.
constexpr int numMpiSets = 12;

/// What a collective's algorithm sees of one execution on this rank.
struct MpiExecution {
  const CollectiveSpec &spec;
  const CollectivePlan &plan;
  /// By member, the part of the own operand that goes to its result; for
  /// all_reduce as in the plan.
  const std::vector<const CopyPlan *> &sends;
  const void *operand;
  void *result;
  char *scratch;                       ///< of getMpiScratchBytes
  std::vector<const void *> &operands; ///< one per member, to fill in
  int32_t tag;                         ///< and tag + 1
  Peers &peers;
  Messages *messages; ///< numMpiSets, all empty
  Peers::Clock::time_point deadline;
  Peers::Failure &failure;

  bool wait(Messages &some) const {
    return peers.wait(some, deadline, failure);
  }
};

// One per file. Each moves what the plan says by non-blocking messages between
// members, reduces in group order, as `local` does, and so gives the same bits.
// They return false with the failure filled in. k is the size of the group, S
// the bytes of the whole buffer.

/// all_gather, all_to_all, collective_permute, broadcast, halo_exchange: one
/// message per pair of members with data, packed only if it is strided.
bool exchangePieces(const MpiExecution &execution);
/// Every member gets its piece of all operands and reduces it: (k-1)/k S; in
/// segments if no piece is strided.
bool reduceScatter(const MpiExecution &execution);
/// Small buffers go whole to everyone. Of large ones every member reduces a
/// part and sends it to the others, 2 (k-1)/k S, in segments.
bool allReduce(const MpiExecution &execution);

/// Scratch of one execution.
int64_t getMpiExchangeScratchBytes(const CollectivePlan &plan,
                                   const std::vector<const CopyPlan *> &sends);
int64_t
getMpiReduceScatterScratchBytes(const CollectivePlan &plan,
                                const std::vector<const CopyPlan *> &sends);
int64_t getMpiAllReduceScratchBytes(const CollectiveSpec &spec,
                                    const CollectivePlan &plan);

/// This process is one rank of the world; the mesh has its first ranks. Several
/// threads may run different collectives at a time.
class MpiCommunicator : public Communicator {
public:
  MpiCommunicator(World &world, RunState &state);

  void phaseChanged() override { peers.tellPhase(); }
  Processes *getProcesses() override { return processes.get(); }

protected:
  bool communicate(int32_t rank, int32_t id, const void *operand, void *result,
                   std::string &error, int32_t stream) override;

private:
  /// What an execution needs for itself.
  struct Workspace {
    std::vector<char> scratch;
    std::vector<const void *> operands;
    std::vector<Messages> messages;
  };
  std::unique_ptr<Workspace> makeWorkspace() const;
  std::unique_ptr<Workspace> takeWorkspace();
  void giveBack(std::unique_ptr<Workspace> workspace);

  Peers peers;
  std::unique_ptr<Processes> processes;
  std::vector<std::vector<const CopyPlan *>> sends; ///< by collective
  int64_t scratchBytes = 0;                         ///< of any collective
  size_t largestGroup = 0;
  std::mutex mutex; ///< guards `idle`
  /// As many as collectives have run at the same time.
  std::vector<std::unique_ptr<Workspace>> idle;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_MPI_MPICOMMUNICATOR_H
