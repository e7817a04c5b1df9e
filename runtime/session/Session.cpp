//===- Session.cpp - The ranks of one run ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/Session.h"
#include "runtime/core/CopyPlan.h"
#include "runtime/core/Error.h"
#include "runtime/session/RankThread.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <pthread.h>
#include <sched.h>

using namespace cleave::rt;

/// How long a failed run waits for a rank that is not in a collective.
constexpr std::chrono::seconds gracePeriod(5);

/// Cores this process may use, which a container can limit.
static int32_t countCores() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0)
    return CPU_COUNT(&set);
  return std::max(1u, std::thread::hardware_concurrency());
}

cleave_rt_session_options
Session::checkOptions(cleave_rt_session_options options,
                      const Manifest &manifest) {
  int32_t numRanks = manifest.mesh.getSize();
  if (options.ranks != 0 && options.ranks != numRanks)
    throwBadInput("the program is compiled for a mesh of " +
                  std::to_string(numRanks) + " ranks, not " +
                  std::to_string(options.ranks));
  options.ranks = numRanks;
  if (options.threads_per_rank < 0 || options.threads_per_rank > 1024)
    throwBadInput("threads per rank must be from 1 to 1024");
  if (!(options.deadline_seconds > 0) || options.deadline_seconds > 1e8)
    throwBadInput("the deadline must be a positive number of seconds");
  if (!(options.link_bandwidth >= 0) || !(options.link_latency >= 0) ||
      options.link_latency > 1e6)
    throwBadInput("bandwidth and latency of links must not be negative");
  return options;
}

Session::Session(const cleave_rt_program &program,
                 const cleave_rt_session_options &options,
                 const Backend &backend)
    : manifest(program.manifest), step(program.step),
      options(checkOptions(options, *manifest)),
      state(*manifest, this->options.deadline_seconds,
            {this->options.link_bandwidth, this->options.link_latency}),
      communicator(backend.createCommunicator(state)) {}

std::shared_ptr<Session>
Session::create(const cleave_rt_program &program,
                const cleave_rt_session_options &options,
                const Backend &backend) {
  std::shared_ptr<Session> session(new Session(program, options, backend));
  try {
    session->start(backend);
  } catch (...) {
    session->close();
    throw;
  }
  return session;
}

void Session::start(const Backend &backend) {
  Fault fault = getFaultFromEnvironment();
  Processes *processes = getProcesses();
  if (options.threads_per_rank == 0) {
    int32_t sharers = processes ? processes->getNumSharers() : options.ranks;
    options.threads_per_rank = std::max(1, countCores() / sharers);
  }
  for (int32_t i = 0; i < (processes ? 1 : options.ranks); ++i) {
    ranks.push_back(std::make_unique<RankThread>());
    cleave_rt_rank &rank = ranks.back()->rank;
    rank.number = getFirstRank() + i;
    rank.manifest = manifest.get();
    rank.communicator = communicator.get();
    rank.state = &state;
    rank.fault = fault;
    rank.isTracing = options.trace;
    if (manifest->checksStreams)
      rank.checker = std::make_unique<StreamChecker>(
          manifest->numEvents, getIgnoredEventFromEnvironment(*manifest));
  }
  for (std::unique_ptr<RankThread> &thread : ranks)
    thread->thread = std::thread(
        [self = shared_from_this(), &thread = *thread] { self->work(thread); });
  bool mayRecord = mayRecordSteps();
  runOnRanks([&](RankThread &thread) {
    cleave_rt_rank &rank = thread.rank;
    rank.device = backend.createDevice(
        *manifest, {options.threads_per_rank, rank.number,
                    communicator->isAsynchronous(), mayRecord});
    communicator->attach(rank.number, *rank.device);
    thread.allocate(*manifest);
  });
  if (processes) {
    // Clocks of several machines: all begin to count when all are there.
    processes->getMaximum(0);
    origin = Clock::now();
  }
}

/// The same on all ranks: a collective is recorded by all or by none.
bool Session::mayRecordSteps() {
  bool mayRecord = !options.trace && communicator->canBeRecorded() &&
                   mayRecordByEnvironment();
  bool mustAgree = getProcesses() && communicator->isAsynchronous();
  return mustAgree ? getProcesses()->getMaximum(!mayRecord) == 0 : mayRecord;
}

void Session::close() {
  if (isClosed)
    return;
  isClosed = true;
  {
    std::lock_guard<std::mutex> lock(mutex);
    isStopping = true;
  }
  started.notify_all();
  for (std::unique_ptr<RankThread> &thread : ranks) {
    if (!thread->thread.joinable())
      continue;
    bool isStuck;
    {
      std::lock_guard<std::mutex> lock(mutex);
      isStuck = thread->isRunning;
    }
    // A stuck thread keeps the session alive through its shared pointer.
    if (isStuck)
      thread->thread.detach();
    else
      thread->thread.join();
  }
}

Session::~Session() {
  for (std::unique_ptr<RankThread> &thread : ranks)
    if (thread->rank.device)
      thread->release();
}

//===----------------------------------------------------------------------===//
// Tasks
//===----------------------------------------------------------------------===//

void Session::work(RankThread &thread) {
  // For debuggers and tests.
  ::pthread_setname_np(::pthread_self(),
                       ("rank " + std::to_string(thread.rank.number)).c_str());
  uint64_t seen = 0;
  while (true) {
    {
      std::unique_lock<std::mutex> lock(mutex);
      started.wait(lock, [&] { return generation != seen || isStopping; });
      if (generation == seen)
        return;
      seen = generation;
    }
    thread.exception = nullptr;
    try {
      task(thread);
    } catch (...) {
      thread.exception = std::current_exception();
    }
    {
      std::lock_guard<std::mutex> lock(mutex);
      thread.isRunning = false;
      --numRunning;
    }
    finished.notify_one();
  }
}

void Session::dispatch(Task newTask) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    task = std::move(newTask);
    for (std::unique_ptr<RankThread> &thread : ranks)
      thread->isRunning = true;
    numRunning = static_cast<int32_t>(ranks.size());
    ++generation;
  }
  started.notify_all();
}

void Session::waitForRanks() {
  std::unique_lock<std::mutex> lock(mutex);
  Clock::time_point giveUp = Clock::time_point::max();
  while (numRunning > 0) {
    // Ranks that only simulate a hang are released once they are alone. Those
    // of other processes are ended by their peers.
    if (!getProcesses() && state.getNumHanging() == numRunning)
      state.abandon();
    bool anyFailed = false;
    for (size_t rank = 0; rank < ranks.size(); ++rank)
      anyFailed |= state.getPhase(rank) == Phase::Failed;
    if (anyFailed && giveUp == Clock::time_point::max())
      giveUp = Clock::now() + gracePeriod;
    if (Clock::now() >= giveUp)
      return;
    // Woken when a rank ends; a simulated hang begins without a signal.
    finished.wait_for(lock, std::chrono::milliseconds(50));
  }
}

void Session::runOnRanks(Task newTask) {
  if (hasFailed)
    throwRunFailed("the session has failed before");
  dispatch(std::move(newTask));
  waitForRanks();
  for (std::unique_ptr<RankThread> &thread : ranks)
    if (thread->exception)
      std::rethrow_exception(thread->exception);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

void Session::poisonArena(RankThread &thread) const {
  // Also what outputs hold from the step before, so that nothing stale passes.
  Device &device = *thread.rank.device;
  if (thread.rank.guarded)
    thread.rank.guarded->forEachBuffer(
        [](void *data, int64_t bytes) { poison(data, bytes / 4, DType::F32); });
  else
    device.fill(thread.arena, getPoison(DType::F32), manifest->arenaBytes,
                CLEAVE_RT_COMPUTE);
  for (size_t i = 0; i < thread.outputs.size(); ++i) {
    const TensorSpec &spec = manifest->outputs[i];
    device.fill(thread.outputs[i], getPoison(spec.dtype),
                rt::getBytes(spec.localShape, spec.dtype), CLEAVE_RT_COMPUTE);
  }
  // The other stream does not wait for it.
  device.finish(CLEAVE_RT_COMPUTE, "filling memory with NaN");
}

double Session::runStep(int32_t index) {
  if (options.poison_padding)
    runOnRanks([this](RankThread &thread) { poisonArena(thread); });
  // Each step starts from the inputs as they were set, before the clock does.
  if (std::any_of(manifest->inputs.begin(), manifest->inputs.end(),
                  [](const TensorSpec &spec) { return spec.isDonated; }))
    runOnRanks([](RankThread &thread) { thread.restoreDonated(); });
  Processes *processes = getProcesses();
  if (processes)
    processes->beginStep();
  for (const std::unique_ptr<RankThread> &thread : ranks)
    state.setPhase(thread->rank.number, Phase::Running);
  dispatch([this, index](RankThread &thread) {
    cleave_rt_rank &rank = thread.rank;
    rank.numLaunches = rank.numCopies = 0;
    thread.begin = Clock::now();
    int32_t status = CLEAVE_RT_RUN_FAILED;
    if (rank.checker)
      rank.checker->begin(thread.arena, manifest->arenaBytes);
    try {
      status = thread.runStep(step);
    } catch (...) {
      // Peers must learn of it, so it cannot wait for the end of the task.
      rank.error = "the program threw an exception";
    }
    thread.end = Clock::now();
    // Peers take a rank that has failed to meet them nowhere.
    if (status != CLEAVE_RT_OK)
      rank.device->cancel();
    if (rank.isTracing)
      rank.events[CLEAVE_RT_COMPUTE].push_back(
          {EventKind::Step, index, thread.begin, thread.end});
    if (status != 0 && rank.error.empty())
      rank.error = "the program returned status " + std::to_string(status);
    state.setPhase(rank.number, status ? Phase::Failed : Phase::Finished);
    communicator->phaseChanged();
  });
  waitForRanks();
  throwRankErrorsIfAny();
  if (processes) {
    hasFailed = true;
    processes->endStep();
    hasFailed = false;
    ranks[0]->end = Clock::now();
  }

  Clock::time_point begin = ranks[0]->begin, end = ranks[0]->end;
  for (const std::unique_ptr<RankThread> &thread : ranks) {
    begin = std::min(begin, thread->begin);
    end = std::max(end, thread->end);
  }
  return std::chrono::duration<double>(end - begin).count();
}

void Session::throwRankErrorsIfAny() {
  std::string text;
  std::lock_guard<std::mutex> lock(mutex);
  for (const std::unique_ptr<RankThread> &thread : ranks) {
    std::string line;
    if (thread->isRunning)
      line = "did not stop within " + std::to_string(gracePeriod.count()) +
             " s after another rank failed";
    else if (state.getPhase(thread->rank.number) == Phase::Failed)
      line = thread->rank.error;
    if (!line.empty())
      text += (text.empty() ? "" : "\n") +
              ("rank " + std::to_string(thread->rank.number) + ": " + line);
  }
  if (text.empty())
    return;
  hasFailed = true;
  throwRunFailed(text);
}

void Session::run(int32_t steps, double *seconds) {
  if (hasFailed)
    throwRunFailed("the session has failed before");
  for (int32_t i = 0; i < steps; ++i) {
    double time = runStep(numSteps++);
    if (seconds)
      seconds[i] = time;
  }
  // Where the host can read them, outside of the time.
  if (steps > 0)
    runOnRanks([](RankThread &thread) { thread.fetchOutputs(); });
}

//===----------------------------------------------------------------------===//
// Figures
//===----------------------------------------------------------------------===//

int64_t Session::getCount(int32_t collective) const {
  int64_t count = 0;
  for (const std::unique_ptr<RankThread> &thread : ranks)
    count = std::max(count, thread->rank.collectiveCounts[collective]);
  for (const RankFigures &figures : gathered)
    count = std::max(count, figures.collectiveCounts[collective]);
  return count;
}

int64_t Session::getScratchBytes() const {
  int64_t bytes = 0;
  for (const std::unique_ptr<RankThread> &thread : ranks)
    bytes = std::max(bytes, thread->rank.device->getScratchBytes());
  for (const RankFigures &figures : gathered)
    bytes = std::max(bytes, figures.scratchBytes);
  return bytes;
}

std::string Session::formatTrace() const {
  std::vector<const std::vector<Event> *> events;
  for (const std::unique_ptr<RankThread> &thread : ranks)
    for (const std::vector<Event> &ofStream : thread->rank.events)
      events.push_back(&ofStream);
  for (size_t rank = ranks.size(); rank < gathered.size(); ++rank)
    for (const std::vector<Event> &ofStream : gathered[rank].events)
      events.push_back(&ofStream);
  return rt::formatTrace(*manifest, origin, events);
}

/// Numbers and events of this rank as bytes, and back. All processes run the
/// same program, so that both sides agree on the layout.
void Session::gatherFigures() {
  Processes *processes = getProcesses();
  if (!processes)
    return;
  const cleave_rt_rank &rank = ranks[0]->rank;
  std::string data;
  auto append = [&](int64_t number) {
    data.append(reinterpret_cast<const char *>(&number), sizeof(number));
  };
  for (int64_t count : rank.collectiveCounts)
    append(count);
  append(rank.device->getScratchBytes());
  for (int64_t stream = 0; stream < CLEAVE_RT_NUM_STREAMS; ++stream)
    for (const Event &event : rank.events[stream]) {
      append(stream);
      append(static_cast<int64_t>(event.kind));
      append(event.id);
      append((event.begin - origin).count());
      append((event.end - origin).count());
    }

  gathered.clear();
  for (const std::string &bytes : processes->gather(data)) {
    const char *next = bytes.data(), *end = next + bytes.size();
    auto take = [&] {
      int64_t number;
      std::memcpy(&number, next, sizeof(number));
      next += sizeof(number);
      return number;
    };
    RankFigures &figures = gathered.emplace_back();
    for (size_t id = 0; id < manifest->collectives.size(); ++id)
      figures.collectiveCounts.push_back(take());
    figures.scratchBytes = take();
    while (next < end) {
      int64_t stream = take();
      Event event;
      event.kind = static_cast<EventKind>(take());
      event.id = static_cast<int32_t>(take());
      event.begin = origin + Clock::duration(take());
      event.end = origin + Clock::duration(take());
      figures.events[stream].push_back(event);
    }
  }
}
