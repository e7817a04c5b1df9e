//===- SessionApi.cpp - The C interface to sessions -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Error.h"
#include "runtime/core/io/AtomicFile.h"
#include "runtime/core/io/TensorFile.h"
#include "runtime/devices/cuda/CudaDevice.h"
#include "runtime/devices/host/HostDevice.h"
#include "runtime/session/CreateCommunicator.h"
#include "runtime/session/SessionHandle.h"

using namespace cleave::rt;

extern "C" {

void cleave_rt_session_options_init(cleave_rt_session_options *options) {
  *options = {};
  options->deadline_seconds = 60;
}

int32_t cleave_rt_session_create(const cleave_rt_program *program,
                                 const cleave_rt_session_options *options,
                                 cleave_rt_session **session) {
  return guard([&] {
    cleave_rt_session_options defaults;
    cleave_rt_session_options_init(&defaults);
    if (!options)
      options = &defaults;
    bool isForGpu = program->manifest->isForGpu();
    *session = new cleave_rt_session{
        Session::create(*program, *options,
                        {findCommunicator(*options, *program->manifest),
                         isForGpu ? createCudaDevice : createHostDevice})};
  });
}

void cleave_rt_session_destroy(cleave_rt_session *session) {
  if (session)
    session->session->close();
  delete session;
}

int32_t cleave_rt_session_set_input(cleave_rt_session *session, int32_t index,
                                    const void *data, int64_t bytes) {
  return guard([&] { session->session->setInput(index, data, bytes); });
}

int32_t cleave_rt_session_load_input(cleave_rt_session *session, int32_t index,
                                     const char *path, const char *tensor) {
  return guard([&] {
    const TensorSpec &spec = session->session->getInput(index);
    std::unique_ptr<TensorFile> file = openTensorFile(path);
    session->session->loadInput(index, *file,
                                file->lookup(tensor ? tensor : spec.name));
  });
}

int32_t cleave_rt_session_random_input(cleave_rt_session *session,
                                       int32_t index, uint64_t seed) {
  return guard([&] { session->session->setRandomInput(index, seed); });
}

int32_t cleave_rt_session_get_input(cleave_rt_session *session, int32_t index,
                                    void *data, int64_t bytes) {
  return guard([&] { session->session->copyInput(index, data, bytes); });
}

int32_t cleave_rt_session_run(cleave_rt_session *session, int32_t steps,
                              double *seconds) {
  return guard([&] { session->session->run(steps, seconds); });
}

int32_t cleave_rt_session_get_output(cleave_rt_session *session, int32_t index,
                                     void *data, int64_t bytes) {
  return guard([&] { session->session->copyOutput(index, data, bytes); });
}

const void *cleave_rt_session_output_shard(const cleave_rt_session *session,
                                           int32_t index, int32_t rank) {
  return session->session->getOutputShard(index, rank);
}

int32_t cleave_rt_session_num_collectives(const cleave_rt_session *session) {
  return static_cast<int32_t>(
      session->session->getManifest().collectives.size());
}

int32_t cleave_rt_session_collective(const cleave_rt_session *session,
                                     int32_t id,
                                     cleave_rt_collective_counters *counters) {
  return guard([&] {
    const auto &specs = session->session->getManifest().collectives;
    if (id < 0 || static_cast<size_t>(id) >= specs.size())
      throwBadInput("there is no collective " + std::to_string(id));
    const CollectiveSpec &spec = specs[id];
    *counters = {getName(spec.kind), spec.axisNames.c_str(),
                 spec.location.c_str(), session->session->getCount(id),
                 session->session->getBytes(id)};
  });
}

int64_t cleave_rt_session_arena_bytes(const cleave_rt_session *session) {
  return session->session->getManifest().arenaBytes;
}

int64_t cleave_rt_session_scratch_bytes(const cleave_rt_session *session) {
  return session->session->getScratchBytes();
}

int32_t cleave_rt_session_write_trace(const cleave_rt_session *session,
                                      const char *path) {
  return guard([&] {
    AtomicFile file(path);
    file.write(session->session->formatTrace());
    file.commit();
  });
}

} // extern "C"
