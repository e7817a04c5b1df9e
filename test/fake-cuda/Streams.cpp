//===- Streams.cpp - Streams, events and graphs ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <deque>
#include <map>
#include <set>
#include <thread>
#include <vector>

using namespace cleave::fake;

namespace {
/// A graph that is being recorded, or has been: work with what must be done
/// before each.
struct Graph {
  struct Node {
    TaskMaker make;
    std::vector<size_t> before;
    /// What each launch records; null for other works.
    cudaEvent_t event = nullptr;
  };
  std::vector<Node> nodes;
  /// As long as it can be launched.
  std::shared_ptr<void> isAlive = std::make_shared<int>();
  int numHandles = 0;
};
using SharedGraph = std::shared_ptr<Graph>;

/// One execution of a graph.
struct Launch {
  explicit Launch(SharedGraph launched)
      : graph(std::move(launched)), isDone(graph->nodes.size()) {
    for (const Graph::Node &node : graph->nodes)
      tasks.push_back(node.make());
  }
  bool run();

  SharedGraph graph;
  std::vector<Task> tasks;
  std::vector<bool> isDone;
};

struct Recording {
  SharedGraph graph = std::make_shared<Graph>();
  void *origin = nullptr;
  std::thread::id thread = std::this_thread::get_id();
  bool isSpoilt = false;
};

struct Stream {
  std::deque<Task> tasks;
  uint64_t numIssued = 0, numDone = 0;
  /// Works are done when they are issued, if they can be.
  bool isEager = false;
  std::shared_ptr<Recording> recording;
  /// Nodes that the next one follows.
  std::vector<size_t> before;

  /// Does the first `point` of all works; false if that cannot be done yet.
  bool run(uint64_t point) {
    while (numDone < point) {
      if (!tasks.front()())
        return false;
      tasks.pop_front();
      ++numDone;
    }
    return true;
  }
};

struct Event {
  std::shared_ptr<Stream> stream;
  uint64_t point = 0;
  std::shared_ptr<Recording> recording;
  std::vector<size_t> nodes;
  /// If a graph records it: the execution that did last, and where.
  std::shared_ptr<Launch> launch;
  size_t node = 0;

  /// Does what comes before it, if that can be done.
  bool run() const {
    return stream->run(point) || (launch && launch->isDone[node]);
  }
};

struct State {
  std::map<void *, std::shared_ptr<Stream>> streams;
  std::set<cudaEvent_t> events;
  std::string fault;
};
} // namespace

static State &getState() {
  static State state;
  return state;
}

static thread_local std::vector<std::shared_ptr<Recording>> recordings;

bool cleave::fake::spoilsRecording() {
  for (const std::shared_ptr<Recording> &recording : recordings)
    recording->isSpoilt = true;
  return !recordings.empty();
}

void cleave::fake::setFault(const std::string &text) {
  std::string &fault = getState().fault;
  if (fault.empty())
    std::fprintf(stderr, "fake-cuda: %s\n", text.c_str());
  if (fault.empty())
    fault = text;
}

bool cleave::fake::hasFault() { return !getState().fault.empty(); }

static cudaError_t getStatus() {
  return hasFault() ? cudaErrorIllegalAddress : cudaSuccess;
}

/// Null, with a fault, for what is no stream.
static std::shared_ptr<Stream> findStream(void *stream) {
  auto it = getState().streams.find(stream);
  if (it != getState().streams.end())
    return it->second;
  setFault("a stream that does not exist is used");
  return nullptr;
}

/// Adds a work to the graph that a stream is recorded to.
static Graph::Node &addNode(Stream &stream, TaskMaker make) {
  std::vector<Graph::Node> &nodes = stream.recording->graph->nodes;
  nodes.push_back({std::move(make), stream.before});
  stream.before = {nodes.size() - 1};
  return nodes.back();
}

static Task doNothing() {
  return [] { return true; };
}

void cleave::fake::enqueueMade(void *handle, TaskMaker make) {
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream)
    return;
  if (stream->recording) {
    addNode(*stream, std::move(make));
    return;
  }
  stream->tasks.push_back(make());
  ++stream->numIssued;
  if (stream->isEager)
    stream->run(stream->numIssued);
}

void cleave::fake::enqueue(void *handle, Task task) {
  enqueueMade(handle, [task] { return task; });
}

std::weak_ptr<void> cleave::fake::getRecordedGraph(void *handle) {
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream || !stream->recording)
    return {};
  return stream->recording->graph->isAlive;
}

void cleave::fake::runAll() {
  for (auto &[handle, stream] : getState().streams)
    stream->run(stream->numIssued);
}

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

FAKE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *handle, unsigned) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaStreamCreateWithFlags"))
    return cudaErrorUnknown;
  auto stream = std::make_shared<Stream>();
  stream->isEager =
      std::getenv("CLEAVE_FAKE_CUDA_EAGER") && !getState().streams.empty();
  getState().streams[stream.get()] = stream;
  *handle = reinterpret_cast<cudaStream_t>(stream.get());
  return getStatus();
}

FAKE_API cudaError_t cudaStreamDestroy(cudaStream_t handle) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaStreamDestroy"))
    return cudaErrorUnknown;
  if (std::shared_ptr<Stream> stream = findStream(handle))
    stream->run(stream->numIssued);
  getState().streams.erase(handle);
  return getStatus();
}

/// Whether nothing may wait for or query what is being recorded to `recording`,
/// which then is lost, or anything at all on this thread.
static bool isForbidden(const std::shared_ptr<Recording> &recording) {
  if (recording)
    recording->isSpoilt = true;
  return spoilsRecording() || recording;
}

/// Whether all works of a stream up to a point are done, or cannot be.
static bool isDone(const std::shared_ptr<Stream> &stream, uint64_t point) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  return hasFault() || stream->run(point);
}

FAKE_API cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  std::shared_ptr<Stream> stream;
  {
    std::lock_guard<std::recursive_mutex> lock(getMutex());
    if (mustFail("cudaStreamSynchronize"))
      return cudaErrorUnknown;
    stream = findStream(handle);
    if (!stream)
      return cudaErrorInvalidResourceHandle;
    if (isForbidden(stream->recording))
      return cudaErrorStreamCaptureUnsupported;
  }
  while (!isDone(stream, stream->numIssued))
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  return getStatus();
}

FAKE_API cudaError_t cudaStreamQuery(cudaStream_t handle) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaStreamQuery"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (isForbidden(stream->recording))
    return cudaErrorStreamCaptureUnsupported;
  bool done = isDone(stream, stream->numIssued);
  return hasFault() ? getStatus() : done ? cudaSuccess : cudaErrorNotReady;
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static Event *asEvent(cudaEvent_t handle) {
  return reinterpret_cast<Event *>(handle);
}

FAKE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *handle, unsigned) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaEventCreateWithFlags"))
    return cudaErrorUnknown;
  *handle = reinterpret_cast<cudaEvent_t>(new Event);
  getState().events.insert(*handle);
  return getStatus();
}

FAKE_API cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaEventDestroy"))
    return cudaErrorUnknown;
  if (getState().events.erase(handle))
    delete asEvent(handle);
  else
    setFault("an event that does not exist is destroyed");
  return getStatus();
}

FAKE_API cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t on) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaEventRecord"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(on);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  Event &event = *asEvent(handle);
  event = {stream,         stream->numIssued, stream->recording,
           stream->before, nullptr,           0};
  return getStatus();
}

FAKE_API cudaError_t cudaEventRecordWithFlags(cudaEvent_t handle,
                                              cudaStream_t on, unsigned flags) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaEventRecordWithFlags"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(on);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  if (flags != cudaEventRecordExternal || !stream->recording)
    return cudaErrorInvalidValue;
  addNode(*stream, doNothing).event = handle;
  return getStatus();
}

FAKE_API cudaError_t cudaStreamWaitEvent(cudaStream_t handle,
                                         cudaEvent_t waited, unsigned) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaStreamWaitEvent"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream)
    return cudaErrorInvalidResourceHandle;
  const Event &event = *asEvent(waited);
  if (event.recording) {
    if (stream->recording && stream->recording != event.recording)
      return cudaErrorStreamCaptureMerge;
    bool joins = !stream->recording;
    stream->recording = event.recording;
    stream->before.insert(stream->before.end(), event.nodes.begin(),
                          event.nodes.end());
    // Another stream in the graph must be waited for, even if it gets no work.
    if (joins)
      addNode(*stream, doNothing);
    return getStatus();
  }
  // Also one that was never recorded: nobody can mean that.
  if (stream->recording) {
    stream->recording->isSpoilt = true;
    return cudaErrorStreamCaptureIsolation;
  }
  // One that was never recorded is no point to wait for.
  if (event.stream)
    enqueue(handle, [event] { return event.run(); });
  return getStatus();
}

static cudaError_t waitForEvent(cudaEvent_t handle, bool waits) {
  Event event;
  {
    std::lock_guard<std::recursive_mutex> lock(getMutex());
    event = *asEvent(handle);
    if (isForbidden(event.recording))
      return cudaErrorStreamCaptureUnsupported;
  }
  auto isOver = [&] {
    std::lock_guard<std::recursive_mutex> lock(getMutex());
    return hasFault() || !event.stream || event.run();
  };
  while (!isOver()) {
    if (!waits)
      return cudaErrorNotReady;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return getStatus();
}

FAKE_API cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  return mustFail("cudaEventSynchronize") ? cudaErrorUnknown
                                          : waitForEvent(handle, true);
}

FAKE_API cudaError_t cudaEventQuery(cudaEvent_t handle) {
  return mustFail("cudaEventQuery") ? cudaErrorUnknown
                                    : waitForEvent(handle, false);
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// A handle of a graph or of what is launched: both keep it alive.
template <typename Handle> static Handle makeHandle(const SharedGraph &graph) {
  ++graph->numHandles;
  return reinterpret_cast<Handle>(new SharedGraph(graph));
}

static const SharedGraph &asGraph(void *handle) {
  return *static_cast<SharedGraph *>(handle);
}

static void destroyHandle(void *handle) {
  if (--asGraph(handle)->numHandles == 0)
    asGraph(handle)->isAlive.reset();
  delete static_cast<SharedGraph *>(handle);
}

FAKE_API cudaError_t cudaStreamBeginCapture(cudaStream_t handle,
                                            cudaStreamCaptureMode) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaStreamBeginCapture"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream || stream->recording)
    return cudaErrorIllegalState;
  stream->recording = std::make_shared<Recording>();
  stream->recording->origin = handle;
  stream->before.clear();
  recordings.push_back(stream->recording);
  return getStatus();
}

/// Whether the end of a graph follows all of its works.
static bool isJoined(const Graph &graph, std::vector<size_t> ends) {
  std::vector<bool> seen(graph.nodes.size());
  while (!ends.empty()) {
    size_t node = ends.back();
    ends.pop_back();
    if (seen[node])
      continue;
    seen[node] = true;
    ends.insert(ends.end(), graph.nodes[node].before.begin(),
                graph.nodes[node].before.end());
  }
  for (bool isSeen : seen)
    if (!isSeen)
      return false;
  return true;
}

FAKE_API cudaError_t cudaStreamEndCapture(cudaStream_t handle,
                                          cudaGraph_t *graph) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaStreamEndCapture"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream || !stream->recording)
    return cudaErrorIllegalState;
  std::shared_ptr<Recording> recording = stream->recording;
  if (recording->origin != handle)
    return cudaErrorStreamCaptureUnmatched;
  auto own = std::find(recordings.begin(), recordings.end(), recording);
  if (own == recordings.end())
    return cudaErrorStreamCaptureWrongThread;
  recordings.erase(own);
  bool joined = isJoined(*recording->graph, stream->before);
  for (auto &[other, member] : getState().streams)
    if (member->recording == recording) {
      member->recording = nullptr;
      member->before.clear();
    }
  // Events keep the recording; what nothing holds is no graph.
  if (recording->isSpoilt || !joined)
    recording->graph->isAlive.reset();
  if (recording->isSpoilt)
    return cudaErrorStreamCaptureInvalidated;
  if (!joined)
    return cudaErrorStreamCaptureUnjoined;
  *graph = makeHandle<cudaGraph_t>(recording->graph);
  return getStatus();
}

FAKE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable,
                                          cudaGraph_t graph,
                                          unsigned long long) {
  if (mustFail("cudaGraphInstantiate"))
    return cudaErrorUnknown;
  *executable = makeHandle<cudaGraphExec_t>(asGraph(graph));
  return getStatus();
}

FAKE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  destroyHandle(graph);
  return mustFail("cudaGraphDestroy") ? cudaErrorUnknown : getStatus();
}

FAKE_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  destroyHandle(graph);
  return mustFail("cudaGraphExecDestroy") ? cudaErrorUnknown : getStatus();
}

/// Does the works of a graph, the last that may be done first: so nothing but
/// what the graph says orders them.
bool Launch::run() {
  size_t numLeft = tasks.size();
  for (bool changes = true; changes;) {
    changes = false;
    numLeft = 0;
    for (size_t i = tasks.size(); i-- > 0 && !changes;) {
      bool isReady = !isDone[i];
      numLeft += !isDone[i];
      for (size_t before : graph->nodes[i].before)
        isReady = isReady && isDone[before];
      if (isReady && tasks[i]())
        changes = isDone[i] = true;
    }
  }
  return numLeft == 0;
}

FAKE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable,
                                     cudaStream_t handle) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaGraphLaunch"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream || isForbidden(stream->recording))
    return cudaErrorStreamCaptureUnsupported;
  auto launch = std::make_shared<Launch>(asGraph(executable));
  enqueue(handle, [launch] { return launch->run(); });
  const std::vector<Graph::Node> &nodes = launch->graph->nodes;
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (!nodes[i].event)
      continue;
    if (getState().events.count(nodes[i].event))
      *asEvent(nodes[i].event) = {
          stream, stream->numIssued, nullptr, {}, launch, i};
    else
      setFault("a graph records an event that was destroyed");
  }
  return getStatus();
}
