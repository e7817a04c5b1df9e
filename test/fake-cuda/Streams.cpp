//===- Streams.cpp - Streams, events and graphs ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime_api.h>
#include <deque>
#include <map>
#include <thread>
#include <vector>

using namespace cleave::fake;

namespace {
/// A graph that is being recorded, or has been: work with what must be done
/// before each.
struct Graph {
  struct Node {
    Task task;
    std::vector<size_t> before;
  };
  std::vector<Node> nodes;
};

struct Recording {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>();
};

struct Stream {
  std::deque<Task> tasks;
  uint64_t numIssued = 0, numDone = 0;
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
};

struct State {
  std::map<void *, std::shared_ptr<Stream>> streams;
  std::string fault;
};
} // namespace

static State &getState() {
  static State state;
  return state;
}

static thread_local int numRecordings = 0;
bool cleave::fake::isRecording() { return numRecordings > 0; }

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

void cleave::fake::enqueue(void *handle, Task task) {
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream)
    return;
  if (stream->recording) {
    std::vector<Graph::Node> &nodes = stream->recording->graph->nodes;
    nodes.push_back({std::move(task), stream->before});
    stream->before = {nodes.size() - 1};
    return;
  }
  stream->tasks.push_back(std::move(task));
  ++stream->numIssued;
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
    if (stream->recording || isRecording())
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
  if (stream->recording)
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
  if (mustFail("cudaEventCreateWithFlags"))
    return cudaErrorUnknown;
  *handle = reinterpret_cast<cudaEvent_t>(new Event);
  return getStatus();
}

FAKE_API cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  if (mustFail("cudaEventDestroy"))
    return cudaErrorUnknown;
  delete asEvent(handle);
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
  event = {stream, stream->numIssued, stream->recording, stream->before};
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
  // One that was never recorded is no point to wait for.
  if (!event.stream)
    return getStatus();
  if (event.recording) {
    // The stream joins the graph.
    if (stream->recording && stream->recording != event.recording)
      return cudaErrorStreamCaptureMerge;
    stream->recording = event.recording;
    stream->before.insert(stream->before.end(), event.nodes.begin(),
                          event.nodes.end());
    return getStatus();
  }
  if (stream->recording)
    return cudaErrorStreamCaptureIsolation;
  enqueue(handle, [before = event.stream, point = event.point] {
    return before->run(point);
  });
  return getStatus();
}

static cudaError_t waitForEvent(cudaEvent_t handle, bool waits) {
  std::shared_ptr<Stream> stream;
  uint64_t point = 0;
  {
    std::lock_guard<std::recursive_mutex> lock(getMutex());
    const Event &event = *asEvent(handle);
    if (event.recording)
      return cudaErrorStreamCaptureUnsupported;
    stream = event.stream;
    point = event.point;
  }
  while (stream && !isDone(stream, point)) {
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

using SharedGraph = std::shared_ptr<Graph>;

FAKE_API cudaError_t cudaStreamBeginCapture(cudaStream_t handle,
                                            cudaStreamCaptureMode) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaStreamBeginCapture"))
    return cudaErrorUnknown;
  std::shared_ptr<Stream> stream = findStream(handle);
  if (!stream || stream->recording)
    return cudaErrorIllegalState;
  stream->recording = std::make_shared<Recording>();
  stream->before.clear();
  ++numRecordings;
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
  bool joined = isJoined(*recording->graph, stream->before);
  for (auto &[other, member] : getState().streams)
    if (member->recording == recording) {
      member->recording = nullptr;
      member->before.clear();
    }
  --numRecordings;
  if (!joined)
    return cudaErrorStreamCaptureUnjoined;
  *graph = reinterpret_cast<cudaGraph_t>(new SharedGraph(recording->graph));
  return getStatus();
}

FAKE_API cudaError_t cudaGraphInstantiate(cudaGraphExec_t *executable,
                                          cudaGraph_t graph,
                                          unsigned long long) {
  if (mustFail("cudaGraphInstantiate"))
    return cudaErrorUnknown;
  *executable = reinterpret_cast<cudaGraphExec_t>(
      new SharedGraph(*reinterpret_cast<SharedGraph *>(graph)));
  return getStatus();
}

FAKE_API cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete reinterpret_cast<SharedGraph *>(graph);
  return mustFail("cudaGraphDestroy") ? cudaErrorUnknown : getStatus();
}

FAKE_API cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  delete reinterpret_cast<SharedGraph *>(graph);
  return mustFail("cudaGraphExecDestroy") ? cudaErrorUnknown : getStatus();
}

/// Does the works of a graph, the last that may be done first: so nothing but
/// what the graph says orders them.
static bool runGraph(const Graph &graph, std::vector<bool> &done) {
  for (bool changes = true; changes;) {
    changes = false;
    for (size_t i = graph.nodes.size(); i-- > 0 && !changes;) {
      bool isReady = !done[i];
      for (size_t before : graph.nodes[i].before)
        isReady = isReady && done[before];
      if (isReady && graph.nodes[i].task())
        changes = done[i] = true;
    }
  }
  for (bool isNodeDone : done)
    if (!isNodeDone)
      return false;
  return true;
}

FAKE_API cudaError_t cudaGraphLaunch(cudaGraphExec_t executable,
                                     cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("cudaGraphLaunch"))
    return cudaErrorUnknown;
  SharedGraph graph = *reinterpret_cast<SharedGraph *>(executable);
  auto done = std::make_shared<std::vector<bool>>(graph->nodes.size());
  enqueue(stream, [graph, done] { return runGraph(*graph, *done); });
  return getStatus();
}
