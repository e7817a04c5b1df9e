//===- TcpConnect.cpp - How processes find each other ---------------------===//
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
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace cleave::rt;
using Clock = std::chrono::steady_clock;

namespace {
/// What a process tells rank 0, and rank 0 tells all.
struct Greeting {
  char magic[8];
  int32_t rank, size;
  char host[64];
  sockaddr_storage address; ///< where it listens
  socklen_t length;
};
constexpr char greetingMagic[8] = "cleave1";

/// How much longer the others wait for what rank 0 tells at its deadline.
constexpr std::chrono::seconds graceOfOthers(1);
static_assert(graceOfOthers.count() < tcpGraceSeconds);

class Connector {
public:
  Connector(const Launch &launch, double seconds)
      : launch(launch), sockets(launch.numRanks, -1), seconds(seconds),
        end(Clock::now() + std::chrono::duration_cast<Clock::duration>(
                               std::chrono::duration<double>(seconds))) {}
  ~Connector() {
    if (listener >= 0)
      ::close(listener);
    for (int socket : sockets)
      if (socket >= 0)
        ::close(socket);
    for (const Visitor &visitor : visitors)
      ::close(visitor.socket);
  }

  std::vector<int> connect(int32_t &sharers);

private:
  [[noreturn]] void fail(const std::string &what) {
    throwRunFailed("rank " + std::to_string(launch.rank) + ": cannot join " +
                   std::to_string(launch.numRanks) + " ranks at " +
                   launch.address + ":" + launch.port + ": " + what);
  }
  [[noreturn]] void failErrno(const char *call) {
    fail(std::string(call) + ": " + std::strerror(errno));
  }
  [[noreturn]] void failLate(const std::string &whom) {
    char number[32];
    std::snprintf(number, sizeof(number), "%g", seconds);
    fail(std::string("the deadline of ") + number + " s passed; missing " +
         whom);
  }
  bool isLate() const { return Clock::now() >= end; }
  /// Waits until one of them is ready; false if none is by the deadline.
  bool awaitAny(std::vector<pollfd> &wanted);
  /// Waits until `socket` is ready for `events`.
  void await(int socket, short events, const std::string &whom);
  void readAll(int socket, void *data, size_t bytes, const std::string &whom);
  void writeAll(int socket, const void *data, size_t bytes);
  void listen(const sockaddr *address, socklen_t length);
  int accept(const std::string &whom);
  int connectTo(const sockaddr *address, socklen_t length,
                const std::string &whom);
  Greeting makeGreeting();
  std::string describeMissing() const;
  /// Someone who has connected to rank 0, and what it has told so far.
  struct Visitor {
    int socket;
    size_t numRead = 0;
    Greeting greeting{};
  };
  /// Reads what a visitor tells; whether it is a rank now. Who is none has no
  /// socket any more.
  bool admit(Visitor &visitor);
  /// Tells those that have come who has not, and fails.
  [[noreturn]] void tellMissing();
  void meetAsFirst();
  void meetAsOther();

  const Launch &launch;
  std::vector<int> sockets;
  std::vector<Greeting> all; ///< of those that have come
  std::vector<Visitor> visitors;
  double seconds;
  Clock::time_point end;
  int listener = -1;
};
} // namespace

bool Connector::awaitAny(std::vector<pollfd> &wanted) {
  while (true) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        end - Clock::now());
    if (left.count() <= 0)
      return false;
    int ready = ::poll(wanted.data(), wanted.size(),
                       std::min<int64_t>(left.count(), INT_MAX));
    if (ready > 0)
      return true;
    if (ready < 0 && errno != EINTR)
      failErrno("poll");
  }
}

void Connector::await(int socket, short events, const std::string &whom) {
  std::vector<pollfd> wanted{{socket, events, 0}};
  if (!awaitAny(wanted))
    failLate(whom);
}

void Connector::readAll(int socket, void *data, size_t bytes,
                        const std::string &whom) {
  for (size_t done = 0; done < bytes;) {
    await(socket, POLLIN, whom);
    ssize_t got =
        ::read(socket, static_cast<char *>(data) + done, bytes - done);
    if (got == 0)
      fail("another rank has given up");
    if (got < 0 && errno != EINTR && errno != EAGAIN)
      failErrno("read");
    done += std::max<ssize_t>(got, 0);
  }
}

void Connector::writeAll(int socket, const void *data, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    ssize_t sent = ::send(socket, static_cast<const char *>(data) + done,
                          bytes - done, MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR)
      failErrno("send");
    done += std::max<ssize_t>(sent, 0);
  }
}

void Connector::listen(const sockaddr *address, socklen_t length) {
  int on = 1;
  listener = ::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listener < 0)
    failErrno("socket");
  ::setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  if (::bind(listener, address, length) < 0)
    failErrno("bind");
  if (::listen(listener, launch.numRanks) < 0)
    failErrno("listen");
}

int Connector::accept(const std::string &whom) {
  await(listener, POLLIN, whom);
  int socket = ::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket < 0)
    failErrno("accept");
  return socket;
}

/// Tries again while nobody listens there.
int Connector::connectTo(const sockaddr *address, socklen_t length,
                         const std::string &whom) {
  while (true) {
    int socket = ::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (socket < 0)
      failErrno("socket");
    // A machine that does not answer would be waited for for minutes.
    auto left = std::chrono::duration_cast<std::chrono::microseconds>(
        end - Clock::now());
    timeval limit{std::max<time_t>(left.count() / 1000000, 0),
                  std::max<suseconds_t>(left.count() % 1000000, 1)};
    ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
    if (::connect(socket, address, length) == 0) {
      limit = {};
      ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
      return socket;
    }
    int error = errno == EINPROGRESS ? ETIMEDOUT : errno;
    ::close(socket);
    if (isLate())
      failLate(whom + " (" + std::strerror(error) + ")");
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Greeting Connector::makeGreeting() {
  Greeting greeting{};
  std::memcpy(greeting.magic, greetingMagic, sizeof(greeting.magic));
  greeting.rank = launch.rank;
  greeting.size = launch.numRanks;
  ::gethostname(greeting.host, sizeof(greeting.host) - 1);
  return greeting;
}

/// Empty if nobody is.
std::string Connector::describeMissing() const {
  std::string text;
  int32_t count = 0;
  for (int32_t rank = 1; rank < launch.numRanks; ++rank)
    if (!all[rank].magic[0])
      text += (count++ ? ", " : " ") + std::to_string(rank);
  return count ? (count == 1 ? "rank" : "ranks") + text : "";
}

void Connector::tellMissing() {
  // Greetings of those that have not come are empty.
  for (int socket : sockets)
    if (socket >= 0)
      ::send(socket, all.data(), all.size() * sizeof(Greeting),
             MSG_NOSIGNAL | MSG_DONTWAIT);
  failLate(describeMissing());
}

bool Connector::admit(Visitor &visitor) {
  Greeting &greeting = visitor.greeting;
  ssize_t got = ::recv(visitor.socket,
                       reinterpret_cast<char *>(&greeting) + visitor.numRead,
                       sizeof(greeting) - visitor.numRead, MSG_DONTWAIT);
  if (got < 0 && (errno == EINTR || errno == EAGAIN))
    return false;
  visitor.numRead += std::max<ssize_t>(got, 0);
  // Other programs connect to ports, too, to see what is there.
  size_t numCompared = std::min(visitor.numRead, sizeof(greetingMagic));
  if (got <= 0 ||
      std::memcmp(greeting.magic, greetingMagic, numCompared) != 0) {
    ::close(std::exchange(visitor.socket, -1));
    return false;
  }
  if (visitor.numRead < sizeof(greeting))
    return false;
  std::string who = "rank " + std::to_string(greeting.rank);
  if (greeting.size != launch.numRanks)
    fail(who + " came, which was told of " + std::to_string(greeting.size) +
         " ranks");
  if (greeting.rank <= 0 || greeting.rank >= launch.numRanks ||
      sockets[greeting.rank] >= 0)
    fail(who + " came twice");
  // The port is the one that it told, the address where it comes from.
  sockaddr_storage peer;
  socklen_t length = sizeof(peer);
  ::getpeername(visitor.socket, reinterpret_cast<sockaddr *>(&peer), &length);
  auto *told = reinterpret_cast<sockaddr_in *>(&greeting.address);
  if (peer.ss_family == AF_INET6)
    reinterpret_cast<sockaddr_in6 *>(&peer)->sin6_port = told->sin_port;
  else
    reinterpret_cast<sockaddr_in *>(&peer)->sin_port = told->sin_port;
  greeting.address = peer;
  greeting.length = length;
  sockets[greeting.rank] = std::exchange(visitor.socket, -1);
  all[greeting.rank] = greeting;
  return true;
}

void Connector::meetAsFirst() {
  all.resize(launch.numRanks);
  all[0] = makeGreeting();
  for (int32_t numMissing = launch.numRanks - 1; numMissing > 0;) {
    std::vector<pollfd> wanted{{listener, POLLIN, 0}};
    for (const Visitor &visitor : visitors)
      wanted.push_back({visitor.socket, POLLIN, 0});
    if (!awaitAny(wanted))
      tellMissing();
    // One that says nothing does not keep others from being heard.
    for (size_t i = 0; i < visitors.size(); ++i)
      if (wanted[i + 1].revents && admit(visitors[i]))
        --numMissing;
    visitors.erase(
        std::remove_if(visitors.begin(), visitors.end(),
                       [](const Visitor &v) { return v.socket < 0; }),
        visitors.end());
    if (wanted[0].revents)
      visitors.push_back({accept(describeMissing())});
  }
  for (int32_t rank = 1; rank < launch.numRanks; ++rank)
    writeAll(sockets[rank], all.data(), all.size() * sizeof(Greeting));
}

void Connector::meetAsOther() {
  Greeting own = makeGreeting();
  sockaddr_storage bound;
  socklen_t length = sizeof(bound);
  ::getsockname(listener, reinterpret_cast<sockaddr *>(&bound), &length);
  // The port lies at the same place in both families.
  std::memcpy(&own.address, &bound, sizeof(bound));
  writeAll(sockets[0], &own, sizeof(own));
  all.resize(launch.numRanks);
  // Rank 0 tells as much of them as it knows when it gives up.
  end += graceOfOthers;
  readAll(sockets[0], all.data(), all.size() * sizeof(Greeting),
          "ranks that rank 0 waits for");
  if (!describeMissing().empty())
    failLate(describeMissing());
  for (int32_t rank = 1; rank < launch.rank; ++rank) {
    sockets[rank] = connectTo(reinterpret_cast<sockaddr *>(&all[rank].address),
                              all[rank].length, "rank " + std::to_string(rank));
    writeAll(sockets[rank], &launch.rank, sizeof(launch.rank));
  }
  for (int32_t i = launch.rank + 1; i < launch.numRanks; ++i) {
    int socket = accept("ranks above");
    int32_t rank = -1;
    readAll(socket, &rank, sizeof(rank), "ranks above");
    if (rank <= launch.rank || rank >= launch.numRanks || sockets[rank] >= 0) {
      ::close(socket);
      fail("something else connected, or a rank twice");
    }
    sockets[rank] = socket;
  }
}

std::vector<int> Connector::connect(int32_t &sharers) {
  if (launch.rank >= launch.numRanks)
    fail("there is no such rank");
  addrinfo hints{}, *found = nullptr;
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_family = AF_UNSPEC;
  if (int status = ::getaddrinfo(launch.address.c_str(), launch.port.c_str(),
                                 &hints, &found))
    fail(::gai_strerror(status));
  sockaddr_storage master{};
  socklen_t length = found->ai_addrlen;
  std::memcpy(&master, found->ai_addr, length);
  ::freeaddrinfo(found);

  sockaddr_storage any{};
  any.ss_family = master.ss_family;
  if (launch.rank == 0)
    std::memcpy(
        reinterpret_cast<char *>(&any) + offsetof(sockaddr_in, sin_port),
        reinterpret_cast<char *>(&master) + offsetof(sockaddr_in, sin_port),
        sizeof(in_port_t));
  if (launch.numRanks > 1)
    listen(reinterpret_cast<sockaddr *>(&any), length);
  if (launch.rank == 0) {
    meetAsFirst();
  } else {
    sockets[0] =
        connectTo(reinterpret_cast<sockaddr *>(&master), length, "rank 0");
    meetAsOther();
  }
  sharers = 0;
  for (const Greeting &greeting : all)
    sharers += std::strcmp(greeting.host, all[launch.rank].host) == 0;
  int on = 1;
  for (int socket : sockets)
    if (socket >= 0)
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  return std::exchange(sockets, {});
}

std::vector<int> cleave::rt::connectTcpRanks(const Launch &launch,
                                             double seconds, int32_t &sharers) {
  return Connector(launch, seconds).connect(sharers);
}
