//===- Collectives.cpp - NCCL among processes by files --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The id of a communicator is the name of a folder. A message is a file in it
// that is renamed when it is whole, and removed by who receives it. Collectives
// are messages between all members, reduced in the order of ranks.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"
#include "runtime/core/Half.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <nccl.h>
#include <sstream>
#include <unistd.h>
#include <vector>

using namespace cleave::fake;
using namespace cleave::rt;

namespace {
struct Communicator {
  std::string folder, name;
  int rank, size;
  int64_t numSplits = 0;
  bool isAborted = false;
  /// With collectives of this communicator.
  std::vector<std::weak_ptr<void>> graphs;
  /// Messages so far, by peer.
  std::map<int, int64_t> sent, received;

  /// Of all ranks; each has a file in the folder as long as it is there, so
  /// that only the last one can remove the folder.
  bool isWorld() const { return name == "world"; }
  std::string getMemberFile() const {
    return folder + "/" + std::to_string(rank);
  }
  ~Communicator() {
    if (!isWorld())
      return;
    ::unlink(getMemberFile().c_str());
    ::rmdir(folder.c_str());
  }

  std::string fileOf(int from, int to, int64_t number) const {
    return folder + "/" + name + "-" + std::to_string(from) + "-" +
           std::to_string(to) + "-" + std::to_string(number);
  }
  void send(int peer, const char *data, size_t bytes) {
    std::string file = fileOf(rank, peer, sent[peer]++);
    std::ofstream(file + ".part", std::ios::binary).write(data, bytes);
    std::rename((file + ".part").c_str(), file.c_str());
  }
  /// False if the message is not there yet.
  bool receive(int peer, std::vector<char> &data) {
    std::string file = fileOf(peer, rank, received[peer]);
    std::ifstream stream(file, std::ios::binary);
    if (!stream)
      return false;
    std::stringstream content;
    content << stream.rdbuf();
    std::string text = content.str();
    data.assign(text.begin(), text.end());
    ++received[peer];
    ::unlink(file.c_str());
    return true;
  }
};

/// A collective in the making: every member sends something to each, and gets
/// something of each. Before the data goes whether a graph does it.
struct Exchange {
  std::shared_ptr<Communicator> comm;
  std::function<bool(Exchange &)> send; ///< false after a fault
  std::function<void(Exchange &)> finish;
  std::vector<int> sources;
  bool isOfGraph = false;
  std::map<int, std::vector<char>> received;
  bool isSent = false;

  void sendTo(int peer, const char *data, size_t bytes) {
    std::vector<char> message(1 + bytes, isOfGraph);
    std::copy(data, data + bytes, message.begin() + 1);
    comm->send(peer, message.data(), message.size());
  }
  bool run() {
    if (comm->isAborted)
      return true;
    if (!isSent && !send(*this))
      return true;
    isSent = true;
    for (int source : sources)
      if (!received.count(source)) {
        std::vector<char> data;
        if (!comm->receive(source, data))
          return false;
        if (data.empty() || data.front() != isOfGraph)
          setFault("NCCL: some members run a graph and others do not");
        else
          received[source].assign(data.begin() + 1, data.end());
        if (hasFault())
          return true;
      }
    finish(*this);
    return true;
  }
};
} // namespace

static std::map<ncclComm_t, std::shared_ptr<Communicator>> &getCommunicators() {
  static std::map<ncclComm_t, std::shared_ptr<Communicator>> communicators;
  return communicators;
}

static ncclComm_t add(std::shared_ptr<Communicator> comm) {
  auto handle = reinterpret_cast<ncclComm_t>(comm.get());
  getCommunicators()[handle] = std::move(comm);
  return handle;
}

static std::shared_ptr<Communicator> find(ncclComm_t handle) {
  return getCommunicators().at(handle);
}

static ncclResult_t getStatus() {
  return hasFault() ? ncclUnhandledCudaError : ncclSuccess;
}

//===----------------------------------------------------------------------===//
// Communicators
//===----------------------------------------------------------------------===//

FAKE_API const char *ncclGetErrorString(ncclResult_t) {
  return "fake system error";
}
FAKE_API const char *ncclGetLastError(ncclComm_t) { return ""; }

FAKE_API ncclResult_t ncclGetUniqueId(ncclUniqueId *id) {
  if (mustFail("ncclGetUniqueId"))
    return ncclSystemError;
  const char *folder = std::getenv("TMPDIR");
  // mkdtemp puts other letters in the place of the last six.
  std::string name =
      std::string(folder ? folder : "/tmp") + "/cleave-fake-nccl-XXXXXX";
  if (name.size() >= sizeof(id->internal))
    return ncclSystemError;
  std::strcpy(id->internal, name.c_str());
  return ::mkdtemp(id->internal) ? ncclSuccess : ncclSystemError;
}

FAKE_API ncclResult_t ncclCommInitRankConfig(ncclComm_t *handle, int size,
                                             ncclUniqueId id, int rank,
                                             ncclConfig_t *) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("ncclCommInitRankConfig"))
    return ncclSystemError;
  if (spoilsRecording())
    return ncclInvalidUsage;
  auto comm = std::make_shared<Communicator>();
  comm->folder = id.internal;
  comm->name = "world";
  comm->rank = rank;
  comm->size = size;
  std::ofstream(comm->getMemberFile()).close();
  *handle = add(std::move(comm));
  return ncclSuccess;
}

FAKE_API ncclResult_t ncclCommSplit(ncclComm_t handle, int color, int key,
                                    ncclComm_t *part, ncclConfig_t *) {
  if (mustFail("ncclCommSplit"))
    return ncclSystemError;
  if (spoilsRecording())
    return ncclInvalidUsage;
  std::shared_ptr<Communicator> comm = find(handle);
  int64_t number = comm->numSplits++;
  int mine[2] = {color, key};
  for (int peer = 0; peer < comm->size; ++peer)
    comm->send(peer, reinterpret_cast<char *>(mine), sizeof(mine));
  std::vector<std::pair<int, int>> members; // key, rank
  for (int peer = 0; peer < comm->size; ++peer) {
    std::vector<char> data;
    while (!comm->receive(peer, data))
      ::usleep(100);
    int other[2];
    std::memcpy(other, data.data(), sizeof(other));
    if (other[0] == color)
      members.push_back({other[1], peer});
  }
  *part = nullptr;
  if (color == NCCL_SPLIT_NOCOLOR)
    return ncclSuccess;
  std::sort(members.begin(), members.end());
  auto made = std::make_shared<Communicator>();
  made->folder = comm->folder;
  made->name =
      comm->name + "." + std::to_string(number) + "." + std::to_string(color);
  made->size = static_cast<int>(members.size());
  for (int i = 0; i < made->size; ++i)
    if (members[i].second == comm->rank)
      made->rank = i;
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  *part = add(std::move(made));
  return ncclSuccess;
}

FAKE_API ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t *status) {
  if (mustFail("ncclCommGetAsyncError"))
    return ncclSystemError;
  *status = getStatus();
  return ncclSuccess;
}

/// NCCL waits for the end of all graphs that have work of a communicator.
static void checkUnused(ncclComm_t handle) {
  for (const std::weak_ptr<void> &graph : find(handle)->graphs)
    if (!graph.expired())
      return setFault("a communicator ends before a graph that uses it");
}

FAKE_API ncclResult_t ncclCommAbort(ncclComm_t handle) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  mustFail("ncclCommAbort");
  checkUnused(handle);
  find(handle)->isAborted = true;
  getCommunicators().erase(handle);
  return ncclSuccess;
}

FAKE_API ncclResult_t ncclCommDestroy(ncclComm_t handle) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  mustFail("ncclCommDestroy");
  checkUnused(handle);
  getCommunicators().erase(handle);
  return ncclSuccess;
}

//===----------------------------------------------------------------------===//
// Groups
//===----------------------------------------------------------------------===//

namespace {
/// A send or receive between the start and the end of a group.
struct Message {
  bool isSend;
  char *data;
  size_t bytes;
  int peer;
};
struct Group {
  int depth = 0;
  std::map<std::pair<ncclComm_t, cudaStream_t>, std::vector<Message>> messages;
};
} // namespace

static thread_local Group group;

/// Puts an exchange on a stream; each launch of a graph begins with a copy.
static void enqueueExchange(cudaStream_t stream, Exchange &exchange) {
  std::weak_ptr<void> graph = getRecordedGraph(stream);
  exchange.isOfGraph = !graph.expired();
  if (exchange.isOfGraph)
    exchange.comm->graphs.push_back(graph);
  enqueueMade(stream, [exchange] {
    auto begun = std::make_shared<Exchange>(exchange);
    return [begun] { return begun->run(); };
  });
}

static void enqueueMessages(ncclComm_t handle, cudaStream_t stream,
                            const std::vector<Message> &messages) {
  Exchange exchange;
  exchange.comm = find(handle);
  for (const Message &message : messages)
    if (!message.isSend)
      exchange.sources.push_back(message.peer);
  exchange.send = [messages](Exchange &exchange) {
    for (const Message &message : messages) {
      if (!message.isSend)
        continue;
      char *data = fromDevice(message.data, message.bytes);
      if (!data) {
        setFault("ncclSend of what is no memory of the device");
        return false;
      }
      exchange.sendTo(message.peer, data, message.bytes);
    }
    return true;
  };
  exchange.finish = [messages](Exchange &exchange) {
    for (const Message &message : messages) {
      if (message.isSend)
        continue;
      const std::vector<char> &got = exchange.received[message.peer];
      char *data = fromDevice(message.data, message.bytes);
      if (!data || got.size() != message.bytes)
        return setFault("ncclRecv of " + std::to_string(message.bytes) +
                        " bytes, where " + std::to_string(got.size()) +
                        " were sent");
      std::memcpy(data, got.data(), got.size());
    }
  };
  enqueueExchange(stream, exchange);
}

FAKE_API ncclResult_t ncclGroupStart() {
  ++group.depth;
  return mustFail("ncclGroupStart") ? ncclSystemError : ncclSuccess;
}

FAKE_API ncclResult_t ncclGroupEnd() {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (--group.depth == 0) {
    for (auto &[key, messages] : group.messages)
      enqueueMessages(key.first, key.second, messages);
    group.messages.clear();
  }
  return mustFail("ncclGroupEnd") ? ncclSystemError : getStatus();
}

static ncclResult_t addMessage(ncclComm_t comm, cudaStream_t stream,
                               const Message &message) {
  ncclGroupStart();
  group.messages[{comm, stream}].push_back(message);
  return ncclGroupEnd();
}

FAKE_API ncclResult_t ncclSend(const void *data, size_t count, ncclDataType_t,
                               int peer, ncclComm_t comm, cudaStream_t stream) {
  if (mustFail("ncclSend"))
    return ncclSystemError;
  return addMessage(
      comm, stream,
      {true, static_cast<char *>(const_cast<void *>(data)), count, peer});
}

FAKE_API ncclResult_t ncclRecv(void *data, size_t count, ncclDataType_t,
                               int peer, ncclComm_t comm, cudaStream_t stream) {
  if (mustFail("ncclRecv"))
    return ncclSystemError;
  return addMessage(comm, stream,
                    {false, static_cast<char *>(data), count, peer});
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static size_t getBytes(ncclDataType_t type) {
  switch (type) {
  case ncclInt8:
  case ncclUint8:
    return 1;
  case ncclFloat16:
  case ncclBfloat16:
    return 2;
  case ncclInt64:
  case ncclUint64:
  case ncclFloat64:
    return 8;
  default:
    return 4;
  }
}

template <typename T, typename Get, typename Put>
static void combineAs(char *into, const char *other, size_t count,
                      ncclRedOp_t op, Get get, Put put) {
  T *target = reinterpret_cast<T *>(into);
  const T *source = reinterpret_cast<const T *>(other);
  for (size_t i = 0; i < count; ++i) {
    auto x = get(target[i]), y = get(source[i]);
    target[i] = put(op == ncclSum    ? x + y
                    : op == ncclProd ? x * y
                    : op == ncclMax  ? (x < y ? y : x)
                                     : (y < x ? y : x));
  }
}

template <typename T>
static void combineAs(char *into, const char *other, size_t count,
                      ncclRedOp_t op) {
  auto get = [](T x) { return x; };
  auto put = [](auto x) { return static_cast<T>(x); };
  combineAs<T>(into, other, count, op, get, put);
}

static void combine(char *into, const char *other, size_t count,
                    ncclDataType_t type, ncclRedOp_t op) {
  switch (type) {
  case ncclInt8:
    return combineAs<int8_t>(into, other, count, op);
  case ncclUint8:
    return combineAs<uint8_t>(into, other, count, op);
  case ncclInt32:
    return combineAs<int32_t>(into, other, count, op);
  case ncclUint32:
    return combineAs<uint32_t>(into, other, count, op);
  case ncclInt64:
    return combineAs<int64_t>(into, other, count, op);
  case ncclUint64:
    return combineAs<uint64_t>(into, other, count, op);
  case ncclFloat32:
    return combineAs<float>(into, other, count, op);
  case ncclFloat64:
    return combineAs<double>(into, other, count, op);
  case ncclFloat16:
    return combineAs<F16>(
        into, other, count, op, [](F16 x) { return toFloat(x); },
        [](float x) { return toF16(x); });
  case ncclBfloat16:
    return combineAs<BF16>(
        into, other, count, op, [](BF16 x) { return toFloat(x); },
        [](float x) { return toBF16(x); });
  default:
    setFault("a type that the fake NCCL has not");
  }
}

/// All members send `bytes` from `operand` to all; `finish` gets what came.
static void
everyoneToAll(ncclComm_t handle, cudaStream_t stream, const void *operand,
              size_t bytes,
              std::function<void(std::vector<const char *> &)> finish) {
  Exchange exchange;
  exchange.comm = find(handle);
  int size = exchange.comm->size;
  for (int peer = 0; peer < size; ++peer)
    exchange.sources.push_back(peer);
  exchange.send = [=](Exchange &exchange) {
    char *data = fromDevice(operand, bytes);
    if (!data)
      setFault("NCCL: the operand is no memory of the device");
    for (int peer = 0; data && peer < size; ++peer)
      exchange.sendTo(peer, data, bytes);
    return data != nullptr;
  };
  exchange.finish = [=](Exchange &exchange) {
    std::vector<const char *> all;
    for (int peer = 0; peer < size; ++peer) {
      if (exchange.received[peer].size() != bytes)
        return setFault("NCCL: members give different sizes");
      all.push_back(exchange.received[peer].data());
    }
    finish(all);
  };
  enqueueExchange(stream, exchange);
}

static void store(void *result, size_t offset, const char *data, size_t bytes) {
  char *target = fromDevice(static_cast<char *>(result) + offset, bytes);
  if (target)
    std::memcpy(target, data, bytes);
  else
    setFault("NCCL: the result is no memory of the device");
}

FAKE_API ncclResult_t ncclBroadcast(const void *operand, void *result,
                                    size_t count, ncclDataType_t type, int root,
                                    ncclComm_t comm, cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("ncclBroadcast"))
    return ncclSystemError;
  size_t bytes = count * getBytes(type);
  everyoneToAll(comm, stream, operand, bytes,
                [=](std::vector<const char *> &all) {
                  store(result, 0, all[root], bytes);
                });
  return getStatus();
}

FAKE_API ncclResult_t ncclAllGather(const void *operand, void *result,
                                    size_t count, ncclDataType_t type,
                                    ncclComm_t comm, cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("ncclAllGather"))
    return ncclSystemError;
  size_t bytes = count * getBytes(type);
  everyoneToAll(comm, stream, operand, bytes,
                [=](std::vector<const char *> &all) {
                  for (size_t i = 0; i < all.size(); ++i)
                    store(result, i * bytes, all[i], bytes);
                });
  return getStatus();
}

/// The elements from `begin` on of all operands, combined.
static void reduceInto(void *result, const std::vector<const char *> &all,
                       size_t begin, size_t count, ncclDataType_t type,
                       ncclRedOp_t op) {
  size_t bytes = count * getBytes(type), offset = begin * getBytes(type);
  std::vector<char> sum(all[0] + offset, all[0] + offset + bytes);
  for (size_t i = 1; i < all.size(); ++i)
    combine(sum.data(), all[i] + offset, count, type, op);
  store(result, 0, sum.data(), bytes);
}

FAKE_API ncclResult_t ncclAllReduce(const void *operand, void *result,
                                    size_t count, ncclDataType_t type,
                                    ncclRedOp_t op, ncclComm_t comm,
                                    cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("ncclAllReduce"))
    return ncclSystemError;
  everyoneToAll(comm, stream, operand, count * getBytes(type),
                [=](std::vector<const char *> &all) {
                  reduceInto(result, all, 0, count, type, op);
                });
  return getStatus();
}

FAKE_API ncclResult_t ncclReduceScatter(const void *operand, void *result,
                                        size_t count, ncclDataType_t type,
                                        ncclRedOp_t op, ncclComm_t comm,
                                        cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> lock(getMutex());
  if (mustFail("ncclReduceScatter"))
    return ncclSystemError;
  std::shared_ptr<Communicator> known = find(comm);
  everyoneToAll(comm, stream, operand, count * known->size * getBytes(type),
                [=, rank = known->rank](std::vector<const char *> &all) {
                  reduceInto(result, all, rank * count, count, type, op);
                });
  return getStatus();
}
