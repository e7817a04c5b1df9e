//===- TcpTransport.cpp - Messages over sockets ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/tcp/TcpTransport.h"
#include "runtime/core/Error.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <deque>
#include <memory>
#include <sys/socket.h>
#include <unistd.h>

using namespace cleave::rt;

namespace {
struct Header {
  int32_t channel, tag;
  int64_t bytes;
};

/// A message that has been begun, until it was seen to be done.
struct Request {
  bool isReceive;
  Header header;
  char *data;
  int32_t peer; ///< -1: any
  bool isDone = false;
};

/// A message that came before anyone wanted it.
struct Arrived {
  Header header;
  int32_t peer;
  std::vector<char> data;
};

/// The connection to one rank.
struct Peer {
  int socket = -1;
  bool isLost = false;
  struct Outgoing {
    Header header;
    const char *data;
    int64_t numSent = 0; ///< of header and data
    std::shared_ptr<Request> request;
  };
  std::deque<Outgoing> outgoing;
  // The message that is coming in.
  Header header;
  int64_t numRead = 0; ///< of header and data
  std::shared_ptr<Request> target;
  std::vector<char> buffer;
};

class TcpWorld {
public:
  TcpWorld(const Launch &launch, double seconds, int32_t &sharers)
      : rank(launch.rank), peers(launch.numRanks) {
    std::vector<int> sockets = connectTcpRanks(launch, seconds, sharers);
    for (int32_t i = 0; i < launch.numRanks; ++i)
      peers[i].socket = sockets[i];
  }
  ~TcpWorld() {
    for (Peer &peer : peers)
      if (peer.socket >= 0)
        ::close(peer.socket);
  }

  std::shared_ptr<Request> send(const Header &header, const void *data,
                                int32_t to);
  std::shared_ptr<Request> receive(const Header &header, void *data,
                                   int32_t from);
  void cancel(const std::shared_ptr<Request> &request);
  void progress();
  bool isLost(int32_t peer) const { return peer >= 0 && peers[peer].isLost; }

private:
  void writeTo(Peer &peer);
  void readFrom(int32_t from);
  void deliver(int32_t from);
  static bool matches(const Request &request, const Header &header,
                      int32_t from) {
    return request.header.channel == header.channel &&
           request.header.tag == header.tag &&
           (request.peer < 0 || request.peer == from);
  }
  void lose(Peer &peer) { peer.isLost = true; }

  int32_t rank;
  std::vector<Peer> peers;
  std::deque<Arrived> arrived;
  std::deque<std::shared_ptr<Request>> wanted;
};
} // namespace

std::shared_ptr<Request> TcpWorld::send(const Header &header, const void *data,
                                        int32_t to) {
  auto request = std::make_shared<Request>(Request{
      false, header, static_cast<char *>(const_cast<void *>(data)), to});
  if (to == rank) {
    const char *bytes = static_cast<const char *>(data);
    Peer &self = peers[rank];
    self.header = header;
    self.buffer.assign(bytes, bytes + header.bytes);
    deliver(rank);
    request->isDone = true;
    return request;
  }
  peers[to].outgoing.push_back(
      {header, static_cast<const char *>(data), 0, request});
  writeTo(peers[to]);
  return request;
}

/// Hands what came on to who wants it, or keeps it.
void TcpWorld::deliver(int32_t from) {
  Peer &peer = peers[from];
  if (peer.target) {
    peer.target->isDone = true;
    peer.target->peer = from;
    peer.target = nullptr;
    return;
  }
  for (auto it = wanted.begin(); it != wanted.end(); ++it)
    if (matches(**it, peer.header, from)) {
      std::copy(peer.buffer.begin(), peer.buffer.end(), (*it)->data);
      (*it)->isDone = true;
      (*it)->peer = from;
      wanted.erase(it);
      return;
    }
  arrived.push_back({peer.header, from, std::move(peer.buffer)});
}

std::shared_ptr<Request> TcpWorld::receive(const Header &header, void *data,
                                           int32_t from) {
  auto request = std::make_shared<Request>(
      Request{true, header, static_cast<char *>(data), from});
  for (auto it = arrived.begin(); it != arrived.end(); ++it)
    if (matches(*request, it->header, it->peer)) {
      std::copy(it->data.begin(), it->data.end(), request->data);
      request->isDone = true;
      request->peer = it->peer;
      arrived.erase(it);
      return request;
    }
  wanted.push_back(request);
  return request;
}

void TcpWorld::cancel(const std::shared_ptr<Request> &request) {
  auto it = std::find(wanted.begin(), wanted.end(), request);
  if (it != wanted.end())
    wanted.erase(it);
  for (Peer &peer : peers)
    if (peer.target == request) {
      // The rest comes in all the same.
      peer.buffer.assign(peer.header.bytes, 0);
      peer.target = nullptr;
    }
}

void TcpWorld::writeTo(Peer &peer) {
  constexpr int64_t headerBytes = sizeof(Header);
  while (!peer.outgoing.empty() && !peer.isLost) {
    Peer::Outgoing &message = peer.outgoing.front();
    int64_t total = headerBytes + message.header.bytes;
    while (message.numSent < total) {
      bool isHeader = message.numSent < headerBytes;
      const char *from = isHeader
                             ? reinterpret_cast<const char *>(&message.header) +
                                   message.numSent
                             : message.data + (message.numSent - headerBytes);
      int64_t bytes = (isHeader ? headerBytes : total) - message.numSent;
      ssize_t sent =
          ::send(peer.socket, from, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
      if (sent < 0 && errno == EINTR)
        continue;
      if (sent < 0 && errno != EAGAIN)
        lose(peer);
      if (sent < 0)
        return;
      message.numSent += sent;
    }
    message.request->isDone = true;
    peer.outgoing.pop_front();
  }
}

void TcpWorld::readFrom(int32_t from) {
  constexpr int64_t headerBytes = sizeof(Header);
  Peer &peer = peers[from];
  while (!peer.isLost) {
    bool isHeader = peer.numRead < headerBytes;
    char *data = peer.target ? peer.target->data : peer.buffer.data();
    char *to = isHeader ? reinterpret_cast<char *>(&peer.header) + peer.numRead
                        : data + (peer.numRead - headerBytes);
    int64_t total = isHeader ? headerBytes : headerBytes + peer.header.bytes;
    if (peer.numRead < total) {
      ssize_t got = ::recv(peer.socket, to, total - peer.numRead, MSG_DONTWAIT);
      if (got < 0 && errno == EINTR)
        continue;
      if (got == 0 || (got < 0 && errno != EAGAIN))
        lose(peer);
      if (got <= 0)
        return;
      peer.numRead += got;
      if (peer.numRead < total)
        continue;
    }
    if (isHeader) {
      // Where the data goes, if that is known already.
      auto it = std::find_if(wanted.begin(), wanted.end(), [&](auto &request) {
        return matches(*request, peer.header, from);
      });
      if (it != wanted.end()) {
        peer.target = *it;
        wanted.erase(it);
      } else {
        peer.buffer.assign(peer.header.bytes, 0);
      }
      if (peer.header.bytes > 0)
        continue;
    }
    peer.numRead = 0;
    deliver(from);
  }
}

void TcpWorld::progress() {
  for (int32_t peer = 0; peer < static_cast<int32_t>(peers.size()); ++peer) {
    if (peer == rank)
      continue;
    writeTo(peers[peer]);
    readFrom(peer);
  }
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

using Handle = std::shared_ptr<Request>;

static std::unique_ptr<TcpWorld> &getWorld() {
  static std::unique_ptr<TcpWorld> world;
  return world;
}

static std::string &getText() {
  static std::string text;
  return text;
}

static const char *start(double seconds, int32_t *rank, int32_t *size,
                         int32_t *sharers) {
  Launch launch = getLaunch();
  *rank = launch.rank;
  *size = launch.numRanks;
  try {
    getWorld() = std::make_unique<TcpWorld>(launch, seconds, *sharers);
  } catch (const Error &error) {
    getText() = error.what();
    return getText().c_str();
  }
  return nullptr;
}

static void stop() { getWorld().reset(); }

/// Those that wait for this rank notice that its connections are gone.
static void abort(int32_t status) { std::_Exit(status); }

static const char *send(int32_t channel, const void *data, int64_t bytes,
                        int32_t peer, int32_t tag, void **request) {
  *request = new Handle(getWorld()->send({channel, tag, bytes}, data, peer));
  return nullptr;
}

static const char *receive(int32_t channel, void *data, int64_t bytes,
                           int32_t peer, int32_t tag, void **request) {
  *request = new Handle(getWorld()->receive({channel, tag, bytes}, data, peer));
  return nullptr;
}

static const char *test(void **handle, int32_t *isDone, int32_t *peer) {
  Request &request = **static_cast<Handle *>(*handle);
  if (!request.isDone)
    getWorld()->progress();
  *isDone = request.isDone;
  if (request.isDone) {
    if (peer)
      *peer = request.peer;
    delete static_cast<Handle *>(*handle);
    *handle = nullptr;
    return nullptr;
  }
  if (!getWorld()->isLost(request.peer))
    return nullptr;
  getText() =
      "the connection to rank " + std::to_string(request.peer) + " is lost";
  return getText().c_str();
}

static void cancel(void **handle) {
  if (!*handle)
    return;
  getWorld()->cancel(*static_cast<Handle *>(*handle));
  delete static_cast<Handle *>(*handle);
  *handle = nullptr;
}

Transport cleave::rt::getTcpTransport() {
  static const CleaveTransport functions = {
      cleaveTransportVersion, start, stop, abort, send, receive, test, cancel};
  return {&functions, "connections", /*errorPrefix=*/"", tcpGraceSeconds};
}
