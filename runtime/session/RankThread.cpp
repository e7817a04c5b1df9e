//===- RankThread.cpp - A rank's thread, shards and arena -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/session/RankThread.h"
#include "runtime/core/Error.h"

#include <algorithm>

using namespace cleave::rt;

static int64_t getShardBytes(const TensorSpec &spec) {
  return cleave::rt::getBytes(spec.localShape, spec.dtype);
}

void *Session::RankThread::allocateShard(const TensorSpec &spec,
                                         const char *what) {
  int64_t bytes = getShardBytes(spec);
  return rank.guarded
             ? rank.guarded->allocate(bytes, what + (" '" + spec.name + "'"))
             : rank.device->allocate(bytes);
}

void Session::RankThread::allocate(const Manifest &manifest) {
  if (manifest.guards)
    rank.guarded = std::make_unique<GuardedMemory>(manifest, rank.number);
  arena = rank.guarded ? rank.guarded->getArena()
                       : rank.device->allocate(manifest.arenaBytes);
  auto allocateShards = [&](const std::vector<TensorSpec> &specs,
                            const char *what, std::vector<void *> &shards,
                            std::vector<Rect> &owned) {
    for (const TensorSpec &spec : specs) {
      shards.push_back(allocateShard(spec, what));
      owned.push_back(
          getOwned(manifest.mesh, rank.number, spec.shape, spec.sharding));
    }
  };
  allocateShards(manifest.inputs, "input", inputs, ownedInputs);
  allocateShards(manifest.outputs, "output", outputs, ownedOutputs);
  allocateStaging(manifest);
  arguments = inputs;
  for (size_t i = 0; i < outputs.size(); ++i)
    if (manifest.outputs[i].input >= 0)
      arguments[manifest.outputs[i].input] = outputs[i];
  for (size_t i = 0; i < inputs.size(); ++i)
    if (manifest.inputs[i].isDonated && arguments[i] == inputs[i])
      arguments[i] = allocateShard(manifest.inputs[i], "copy of input");
  for (const AxisList &list : manifest.axisLists)
    rank.axisIndices.push_back(
        static_cast<int32_t>(manifest.mesh.getPosition(rank.number, list)));
  rank.collectiveCounts.assign(manifest.collectives.size(), 0);
}

void Session::RankThread::allocateStaging(const Manifest &manifest) {
  hostOutputs = outputs;
  if (rank.device->isHostMemory())
    return;
  for (size_t i = 0; i < outputs.size(); ++i)
    hostOutputs[i] =
        rank.device->allocateStaging(getShardBytes(manifest.outputs[i]));
  for (const TensorSpec &spec : manifest.inputs)
    stagingBytes = std::max(stagingBytes, getShardBytes(spec));
  staging = rank.device->allocateStaging(stagingBytes);
}

void Session::RankThread::release() {
  const Manifest &manifest = *rank.manifest;
  rank.communicator->detach(rank.number);
  if (rank.guarded) {
    rank.guarded.reset();
    rank.device.reset();
    return;
  }
  for (size_t i = 0; i < hostOutputs.size(); ++i)
    if (hostOutputs[i] != outputs[i])
      rank.device->freeStaging(hostOutputs[i],
                               getShardBytes(manifest.outputs[i]));
  if (staging)
    rank.device->freeStaging(staging, stagingBytes);
  if (arena)
    rank.device->free(arena, manifest.arenaBytes);
  auto freeShards = [&](const std::vector<TensorSpec> &specs,
                        const std::vector<void *> &shards) {
    for (size_t i = 0; i < shards.size(); ++i)
      rank.device->free(shards[i], getShardBytes(specs[i]));
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    bool isOwn = arguments[i] != inputs[i];
    for (size_t j = 0; j < outputs.size(); ++j)
      isOwn &= arguments[i] != outputs[j];
    if (isOwn)
      rank.device->free(arguments[i], getShardBytes(manifest.inputs[i]));
  }
  freeShards(manifest.inputs, inputs);
  freeShards(manifest.outputs, outputs);
  rank.device.reset();
}

/// Turns what a device throws into the rank's error. What a program throws is
/// not caught here.
template <typename Body>
static int32_t attempt(cleave_rt_rank &rank, Body &&body) {
  try {
    body();
  } catch (const std::exception &error) {
    if (rank.error.empty())
      rank.error = error.what();
    return CLEAVE_RT_RUN_FAILED;
  }
  return CLEAVE_RT_OK;
}

int32_t Session::RankThread::runStep(cleave_rt_step step) {
  Device &device = *rank.device;
  bool isReplayed = false;
  int32_t status = attempt(rank, [&] {
    if (device.hasRecording())
      repeatCollectives(rank);
    isReplayed = device.beginStep();
  });
  if (!status && !isReplayed) {
    status = step(&rank, arena, arguments.data(), outputs.data());
    if (!status)
      status = attempt(rank, [&] { device.endStep(); });
  }
  if (status)
    return status;
  return attempt(rank, [&] {
    device.synchronize();
    if (std::string report = rank.checker ? rank.checker->formatReport() : "";
        !report.empty())
      throwRunFailed(report);
  });
}

void Session::RankThread::fetchOutputs() {
  const std::vector<TensorSpec> &specs = rank.manifest->outputs;
  for (size_t i = 0; i < specs.size(); ++i)
    if (hostOutputs[i] != outputs[i])
      rank.device->download(outputs[i], hostOutputs[i],
                            getShardBytes(specs[i]));
}

void Session::RankThread::restoreDonated() {
  const std::vector<TensorSpec> &specs = rank.manifest->inputs;
  for (size_t i = 0; i < specs.size(); ++i)
    if (specs[i].isDonated)
      rank.device->copy(inputs[i], arguments[i], getShardBytes(specs[i]));
  // The step may begin with a collective on the other stream.
  rank.device->finish(CLEAVE_RT_COMPUTE, "restoring donated inputs");
}
