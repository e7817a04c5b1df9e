//===- SessionTensors.cpp - Inputs and outputs of a session ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/CopyPlan.h"
#include "runtime/core/Error.h"
#include "runtime/core/Random.h"
#include "runtime/core/io/TensorFile.h"
#include "runtime/session/RankThread.h"

#include <cstring>
#include <map>

using namespace cleave::rt;

static const TensorSpec &getSpec(const std::vector<TensorSpec> &specs,
                                 const char *what, int32_t index) {
  if (index < 0 || static_cast<size_t>(index) >= specs.size())
    throwBadInput(std::string("there is no ") + what + " " +
                  std::to_string(index));
  return specs[index];
}

static void checkBytes(const TensorSpec &spec, int64_t bytes) {
  int64_t expected = getBytes(spec.shape, spec.dtype);
  if (bytes != expected)
    throwBadInput(quote(spec.name) + " of " + toString(spec.shape, spec.dtype) +
                  " takes " + std::to_string(expected) + " bytes, not " +
                  std::to_string(bytes));
}

const TensorSpec &Session::getInput(int32_t index) const {
  return getSpec(manifest->inputs, "input", index);
}

const TensorSpec &Session::getOutput(int32_t index) const {
  return getSpec(manifest->outputs, "output", index);
}

void Session::fillInput(int32_t index, const Fill &fill) {
  const TensorSpec &spec = getInput(index);
  runOnRanks([&](RankThread &thread) {
    const Rect &owned = thread.ownedInputs[index];
    Device &device = *thread.rank.device;
    void *shard = thread.staging ? thread.staging : thread.inputs[index];
    fill(owned, shard);
    if (options.poison_padding)
      poisonPadding(shard, spec.localShape, owned.size, spec.dtype);
    if (thread.staging)
      device.upload(shard, thread.inputs[index],
                    rt::getBytes(spec.localShape, spec.dtype));
    device.inputChanged(index);
  });
}

void Session::setInput(int32_t index, const void *data, int64_t bytes) {
  const TensorSpec &spec = getInput(index);
  checkBytes(spec, bytes);
  if (spec.dtype == DType::I1)
    checkBooleans(data, bytes, "input " + quote(spec.name));
  fillInput(index, [&](const Rect &owned, void *shard) {
    CopyPlan(spec.shape, owned.begin, spec.localShape,
             Shape(spec.shape.size(), 0), owned.size, getSize(spec.dtype))
        .run(data, shard);
  });
}

void Session::loadInput(int32_t index, TensorFile &file, int32_t tensor) {
  const TensorSpec &spec = getInput(index);
  const FileTensor &found = file.getTensors()[tensor];
  bool hasType = found.dtype == spec.dtype ||
                 found.dtype == file.getStoredType(spec.dtype);
  if (found.shape != spec.shape || !hasType)
    throwBadInput("input " + quote(spec.name) + " is " +
                  toString(spec.shape, spec.dtype) + ", but " +
                  quote(file.getPath()) + " has " +
                  toString(found.shape, found.dtype));
  // Ranks that are threads read it all together.
  if (!getProcesses())
    file.expectAll();
  fillInput(index, [&](const Rect &owned, void *shard) {
    file.read(tensor, owned, spec.localShape, shard);
  });
}

void Session::setRandomInput(int32_t index, uint64_t seed) {
  const TensorSpec &spec = getInput(index);
  fillInput(index, [&](const Rect &owned, void *shard) {
    fillRandom(seed, spec.name, spec.dtype, spec.shape, owned, spec.localShape,
               shard);
  });
}

void Session::assemble(
    const TensorSpec &spec,
    const std::function<const void *(int32_t rank)> &getShard,
    bool checkReplicas, void *data) const {
  // Ranks that own the same box hold replicas; the first one counts.
  std::map<Shape, int32_t> owners;
  Shape zero(spec.shape.size(), 0);
  for (int32_t rank = 0; rank < options.ranks; ++rank) {
    Rect owned = getOwned(manifest->mesh, rank, spec.shape, spec.sharding);
    if (owned.isEmpty())
      continue;
    auto [it, isFirst] = owners.insert({owned.begin, rank});
    if (!isFirst && !checkReplicas)
      continue;
    const void *shard = getShard(rank);
    if (!isRoot())
      continue;
    CopyPlan plan(spec.localShape, zero, spec.shape, owned.begin, owned.size,
                  getSize(spec.dtype));
    if (isFirst) {
      plan.run(shard, data);
    } else {
      bool isEqual = true;
      plan.forEachRun([&](int64_t from, int64_t to, int64_t bytes) {
        isEqual &= std::memcmp(static_cast<const char *>(shard) + from,
                               static_cast<char *>(data) + to, bytes) == 0;
      });
      if (!isEqual)
        throwRunFailed("output " + quote(spec.name) + ": ranks " +
                       std::to_string(it->second) + " and " +
                       std::to_string(rank) +
                       " hold replicas that are not bitwise equal");
    }
  }
}

/// A shard of any rank on rank 0: that of another process is received into
/// `received`. `shards` are those of this process.
const void *Session::fetchShard(const TensorSpec &spec, int32_t rank,
                                const std::vector<const void *> &shards,
                                std::vector<char> &received) const {
  Processes *processes = getProcesses();
  if (!processes)
    return shards[rank];
  const void *own = shards[0];
  int64_t bytes = rt::getBytes(spec.localShape, spec.dtype);
  if (rank == getFirstRank()) {
    if (!isRoot())
      processes->send(own, bytes);
    return own;
  }
  if (isRoot()) {
    received.resize(bytes);
    processes->receive(rank, received.data(), bytes);
  }
  return received.data();
}

void Session::copyInput(int32_t index, void *data, int64_t bytes) {
  const TensorSpec &spec = getInput(index);
  checkBytes(spec, bytes);
  // Where the host can read them.
  std::vector<std::vector<char>> copies(ranks.size());
  std::vector<const void *> shards(ranks.size());
  runOnRanks([&](RankThread &thread) {
    size_t position = thread.rank.number - getFirstRank();
    shards[position] = thread.inputs[index];
    if (!thread.staging)
      return;
    std::vector<char> &copy = copies[position];
    copy.resize(rt::getBytes(spec.localShape, spec.dtype));
    thread.rank.device->download(thread.inputs[index], copy.data(),
                                 copy.size());
    shards[position] = copy.data();
  });
  std::vector<char> received;
  assemble(
      spec,
      [&](int32_t rank) { return fetchShard(spec, rank, shards, received); },
      false, data);
}

void Session::copyOutput(int32_t index, void *data, int64_t bytes) const {
  const TensorSpec &spec = getOutput(index);
  checkBytes(spec, bytes);
  // A rank that could not be stopped may still write.
  if (hasFailed)
    throwRunFailed("the session has failed before");
  std::vector<const void *> shards;
  for (const std::unique_ptr<RankThread> &thread : ranks)
    shards.push_back(thread->hostOutputs[index]);
  std::vector<char> received;
  assemble(
      spec,
      [&](int32_t rank) { return fetchShard(spec, rank, shards, received); },
      options.poison_padding, data);
}

const void *Session::getOutputShard(int32_t index, int32_t rank) const {
  int32_t position = rank - getFirstRank();
  if (index < 0 || static_cast<size_t>(index) >= manifest->outputs.size() ||
      position < 0 || static_cast<size_t>(position) >= ranks.size())
    return nullptr;
  return ranks[position]->hostOutputs[index];
}
