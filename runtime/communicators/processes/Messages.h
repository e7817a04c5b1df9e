//===- Messages.h - Messages in flight --------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_MESSAGES_H
#define CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_MESSAGES_H

#include "runtime/communicators/processes/World.h"

namespace cleave::rt {

/// Data messages that are waited for together, for one thread. Long ones travel
/// in parts.
class Messages {
public:
  Messages(const World &world, size_t capacity) : world(world) {
    pending.reserve(capacity);
  }

  /// The buffers stay as they are until the messages are done.
  void send(const void *data, int64_t bytes, int32_t peer, int32_t tag);
  void receive(void *data, int64_t bytes, int32_t peer, int32_t tag);

  /// Drops what has been moved; true if nothing is left. A message that is
  /// refused stays, and so does its error.
  bool poll();
  /// Gives up all receives.
  void cancel();

  /// Calls body(peer) for each message that is not done.
  template <typename Body> void forEachPeer(Body &&body) const {
    for (const Message &message : pending)
      body(message.peer);
  }
  /// What the transport said, or "".
  const std::string &getError() const { return error; }

private:
  struct Message {
    void *request;
    int32_t peer;
    bool isReceive, isRefused;
  };
  void add(const char *text, void *request, int32_t peer, bool isReceive);

  const World &world;
  std::vector<Message> pending;
  std::string error;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_COMMUNICATORS_PROCESSES_MESSAGES_H
