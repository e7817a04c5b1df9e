//===- Messages.cpp - Messages in flight ----------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Messages.h"

#include <algorithm>

using namespace cleave::rt;

/// What one call can move.
constexpr int64_t longestMessage = int64_t(1) << 30;

void Messages::add(const char *text, void *request, int32_t peer,
                   bool isReceive) {
  if (text)
    error = text;
  pending.push_back({request, peer, isReceive, text != nullptr});
}

void Messages::send(const void *data, int64_t bytes, int32_t peer,
                    int32_t tag) {
  std::lock_guard<std::mutex> lock(world.getMutex());
  for (int64_t begin = 0; begin < bytes; begin += longestMessage) {
    void *request = nullptr;
    const char *text = world.getTransport().send(
        CleaveData, static_cast<const char *>(data) + begin,
        std::min(longestMessage, bytes - begin), peer, tag, &request);
    add(text, request, peer, /*isReceive=*/false);
  }
}

void Messages::receive(void *data, int64_t bytes, int32_t peer, int32_t tag) {
  std::lock_guard<std::mutex> lock(world.getMutex());
  for (int64_t begin = 0; begin < bytes; begin += longestMessage) {
    void *request = nullptr;
    const char *text = world.getTransport().receive(
        CleaveData, static_cast<char *>(data) + begin,
        std::min(longestMessage, bytes - begin), peer, tag, &request);
    add(text, request, peer, /*isReceive=*/true);
  }
}

bool Messages::poll() {
  std::lock_guard<std::mutex> lock(world.getMutex());
  for (size_t i = 0; i < pending.size();) {
    Message &message = pending[i];
    int32_t isDone = 0;
    if (!message.isRefused)
      if (const char *text =
              world.getTransport().test(&message.request, &isDone, nullptr)) {
        error = text;
        message.isRefused = true;
        isDone = 0;
      }
    if (isDone) {
      message = pending.back();
      pending.pop_back();
    } else {
      ++i;
    }
  }
  return pending.empty();
}

void Messages::cancel() {
  std::lock_guard<std::mutex> lock(world.getMutex());
  for (Message &message : pending)
    if (message.isReceive && !message.isRefused)
      world.getTransport().cancel(&message.request);
  pending.clear();
}
