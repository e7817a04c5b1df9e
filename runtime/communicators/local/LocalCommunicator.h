//===- LocalCommunicator.h - Ranks as threads -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_LOCAL_LOCALCOMMUNICATOR_H
#define CLEAVE_RUNTIME_COMMUNICATORS_LOCAL_LOCALCOMMUNICATOR_H

#include "runtime/communicators/Communicator.h"
#include "runtime/communicators/local/Rendezvous.h"

namespace cleave::rt {

/// What a collective's algorithm sees of one execution on one rank.
struct LocalExecution {
  const CollectiveSpec &spec;
  const CollectivePlan &plan;
  Rendezvous &meeting;
  const void *operand;
  void *result;
  /// Where buffers lie that the host cannot read, and the stream to use; null
  /// otherwise.
  Device *device = nullptr;
  int32_t stream = CLEAVE_RT_COMPUTE;
  void *staging = nullptr; ///< of getDeviceStagingBytes
};

// One per file. Each publishes its buffers, meets its peers, moves every byte
// once, straight between the members' buffers, and meets them again. They
// return false with an error text when a meeting fails.

/// all_gather, all_to_all, collective_permute, broadcast and the exchanges:
/// pull each peer's piece; of an all_gather that is not short write the own one
/// to all. 2 meetings.
bool exchangePieces(const LocalExecution &execution, std::string &error);
/// Reduces the own piece of the result from all operands. 2 meetings.
bool reduceScatter(const LocalExecution &execution, std::string &error);
/// Every member reduces one part into the results of all; of small buffers
/// everything for itself. 2 meetings.
bool allReduce(const LocalExecution &execution, std::string &error);

/// Any of them, between buffers in a device's memory. 2 meetings.
bool exchangeOnDevice(const LocalExecution &execution, std::string &error);
/// Bytes of the host's memory that it needs.
int64_t getDeviceStagingBytes(const CollectiveSpec &spec,
                              const CollectivePlan &plan);

/// All ranks are threads of this process. A link model adds one meeting.
class LocalCommunicator : public Communicator {
public:
  explicit LocalCommunicator(RunState &state);

  void phaseChanged() override;
  void attach(int32_t rank, Device &device) override;
  void detach(int32_t rank) override;

protected:
  bool communicate(int32_t rank, int32_t id, const void *operand, void *result,
                   std::string &error, int32_t stream) override;

private:
  static bool execute(const LocalExecution &execution, std::string &error);

  /// Memory of the host for transfers, by rank.
  struct Staging {
    void *data = nullptr;
    int64_t bytes = 0;
  };
  std::vector<Staging> stagings;
  std::vector<std::unique_ptr<Rendezvous>> meetings;
  /// By collective and rank; owned by `meetings`.
  std::vector<std::vector<Rendezvous *>> meetingOf;
};

std::unique_ptr<Communicator> createLocalCommunicator(RunState &state);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_LOCAL_LOCALCOMMUNICATOR_H
