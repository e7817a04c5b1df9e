//===- Session.h - The ranks of one run -------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_SESSION_SESSION_H
#define CLEAVE_RUNTIME_SESSION_SESSION_H

#include "runtime/communicators/processes/Processes.h"
#include "runtime/core/Blocks.h"
#include "runtime/session/Program.h"
#include "runtime/session/Rank.h"

#include <functional>
#include <thread>

namespace cleave::rt {

class TensorFile;

/// Where the ranks live and how they talk and compute.
struct Backend {
  CommunicatorFactory createCommunicator;
  DeviceFactory createDevice;
};

/// The ranks of one run that live in this process, each a thread with its
/// shards and arena: all, or the one that is the process. Every rank allocates
/// and fills its own memory. Failures throw Error.
///
/// With one process per rank all processes call the same functions in the same
/// order, and only rank 0 gets whole tensors and figures of all ranks.
class Session : public std::enable_shared_from_this<Session> {
public:
  /// Throws unless the numbers in the options fit the program; fills in that of
  /// ranks.
  static cleave_rt_session_options
  checkOptions(cleave_rt_session_options options, const Manifest &manifest);

  /// The shared pointer lets a thread that cannot be stopped keep what it uses.
  static std::shared_ptr<Session>
  create(const cleave_rt_program &program,
         const cleave_rt_session_options &options, const Backend &backend);
  ~Session();

  /// Stops the ranks. Afterwards only the destructor may be called.
  void close();

  const Manifest &getManifest() const { return *manifest; }
  const TensorSpec &getInput(int32_t index) const;
  const TensorSpec &getOutput(int32_t index) const;

  void setInput(int32_t index, const void *data, int64_t bytes);
  void loadInput(int32_t index, TensorFile &file, int32_t tensor);
  void setRandomInput(int32_t index, uint64_t seed);
  void copyInput(int32_t index, void *data, int64_t bytes);
  void copyOutput(int32_t index, void *data, int64_t bytes) const;
  /// Null if there is no such shard in this process.
  const void *getOutputShard(int32_t index, int32_t rank) const;

  void run(int32_t steps, double *seconds);

  /// Null if all ranks live in this process.
  Processes *getProcesses() const { return communicator->getProcesses(); }
  /// Whether this process gets the results.
  bool isRoot() const { return !getProcesses() || !getProcesses()->getRank(); }
  /// Lets rank 0 know the counts and events of the ranks of other processes.
  void gatherFigures();

  int64_t getCount(int32_t collective) const;
  int64_t getBytes(int32_t collective) const {
    return communicator->getBytes(collective);
  }
  int64_t getScratchBytes() const;
  std::string formatTrace() const;

private:
  struct RankThread;
  /// What figures are made of.
  struct RankFigures {
    std::vector<int64_t> collectiveCounts;
    int64_t scratchBytes = 0;
    std::vector<Event> events[CLEAVE_RT_NUM_STREAMS];
  };
  using Task = std::function<void(RankThread &)>;
  /// Fills the owned box of a shard.
  using Fill = std::function<void(const Rect &owned, void *shard)>;

  Session(const cleave_rt_program &program,
          const cleave_rt_session_options &options, const Backend &backend);
  void start(const Backend &backend);
  bool mayRecordSteps();

  /// Runs `task` on every rank's thread; throws the first exception in rank
  /// order.
  void runOnRanks(Task task);
  void dispatch(Task task);
  void waitForRanks();
  void work(RankThread &thread);

  void fillInput(int32_t index, const Fill &fill);
  void assemble(const TensorSpec &spec,
                const std::function<const void *(int32_t rank)> &getShard,
                bool checkReplicas, void *data) const;
  const void *fetchShard(const TensorSpec &spec, int32_t rank,
                         const std::vector<const void *> &shards,
                         std::vector<char> &received) const;
  double runStep(int32_t step);
  void poisonArena(RankThread &thread) const;
  void throwRankErrorsIfAny();
  int32_t getFirstRank() const {
    return getProcesses() ? getProcesses()->getRank() : 0;
  }

  std::shared_ptr<const Manifest> manifest;
  cleave_rt_step step;
  cleave_rt_session_options options;
  RunState state;
  std::unique_ptr<Communicator> communicator;
  std::vector<std::unique_ptr<RankThread>> ranks;
  Clock::time_point origin = Clock::now();
  /// Of other processes, by rank; empty before gatherFigures.
  std::vector<RankFigures> gathered;
  int32_t numSteps = 0;
  bool hasFailed = false;
  bool isClosed = false;

  // The task that ranks run.
  std::mutex mutex;
  std::condition_variable started, finished;
  Task task;
  uint64_t generation = 0;
  int32_t numRunning = 0;
  bool isStopping = false;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_SESSION_SESSION_H
