//===- MpiPlugin.cpp - What calls MPI -------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file that sees MPI.
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/processes/Transport.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mpi.h>

static_assert(sizeof(MPI_Request) <= sizeof(void *), "requests are handles");

static MPI_Comm channels[2] = {MPI_COMM_NULL, MPI_COMM_NULL};
static bool ownsMpi = false;

static const char *explain(int status) {
  static char text[MPI_MAX_ERROR_STRING + 1];
  if (status == MPI_SUCCESS)
    return nullptr;
  int length = 0;
  if (MPI_Error_string(status, text, &length) != MPI_SUCCESS)
    std::snprintf(text, sizeof(text), "MPI error %d", status);
  return text;
}

static MPI_Request load(void *handle) {
  MPI_Request request;
  std::memcpy(&request, &handle, sizeof(request));
  return request;
}

static void *store(MPI_Request request) {
  void *handle = nullptr;
  std::memcpy(&handle, &request, sizeof(request));
  return handle;
}

/// Nothing bounds how long MPI takes.
static const char *start(double, int32_t *rank, int32_t *size,
                         int32_t *sharers) {
  int isInitialized = 0, isFinalized = 0, level = MPI_THREAD_SERIALIZED;
  MPI_Finalized(&isFinalized);
  if (isFinalized)
    return "MPI has been finalized";
  MPI_Initialized(&isInitialized);
  int status = isInitialized ? MPI_Query_thread(&level)
                             : MPI_Init_thread(nullptr, nullptr, level, &level);
  if (status != MPI_SUCCESS)
    return explain(status);
  if (level < MPI_THREAD_SERIALIZED)
    return "this MPI library does not let several threads take turns";
  ownsMpi = !isInitialized;
  for (MPI_Comm &channel : channels) {
    if (const char *error = explain(MPI_Comm_dup(MPI_COMM_WORLD, &channel)))
      return error;
    // A failure must be reported by us, with the collective.
    MPI_Comm_set_errhandler(channel, MPI_ERRORS_RETURN);
  }
  int *tagLimit = nullptr, isSet = 0;
  MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tagLimit, &isSet);
  if (!isSet || *tagLimit < INT32_MAX)
    return "this MPI library has tags of less than 31 bits";
  MPI_Comm machine;
  status = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
                               MPI_INFO_NULL, &machine);
  if (status != MPI_SUCCESS)
    return explain(status);
  MPI_Comm_size(machine, sharers);
  MPI_Comm_free(&machine);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return nullptr;
}

static void stop() {
  for (MPI_Comm &channel : channels)
    if (channel != MPI_COMM_NULL)
      MPI_Comm_free(&channel);
  if (ownsMpi)
    MPI_Finalize();
}

static void abortWorld(int32_t status) {
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

static const char *send(int32_t channel, const void *data, int64_t bytes,
                        int32_t peer, int32_t tag, void **request) {
  MPI_Request handle = MPI_REQUEST_NULL;
  int status = MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, peer, tag,
                         channels[channel], &handle);
  *request = store(handle);
  return explain(status);
}

static const char *receive(int32_t channel, void *data, int64_t bytes,
                           int32_t peer, int32_t tag, void **request) {
  MPI_Request handle = MPI_REQUEST_NULL;
  int status = MPI_Irecv(data, static_cast<int>(bytes), MPI_BYTE,
                         peer < 0 ? MPI_ANY_SOURCE : peer, tag,
                         channels[channel], &handle);
  *request = store(handle);
  return explain(status);
}

static const char *test(void **request, int32_t *isDone, int32_t *peer) {
  MPI_Request handle = load(*request);
  MPI_Status status;
  int flag = 0;
  int code = MPI_Test(&handle, &flag, &status);
  *request = store(handle);
  *isDone = flag;
  if (code == MPI_SUCCESS && flag && peer)
    *peer = status.MPI_SOURCE;
  return explain(code);
}

static void cancel(void **request) {
  MPI_Request handle = load(*request);
  if (handle == MPI_REQUEST_NULL)
    return;
  MPI_Cancel(&handle);
  // A message that has begun to arrive cannot be cancelled, and never ends if
  // its sender has died: not to be waited for.
  int isDone = 0;
  for (int i = 0; i < 1000 && !isDone; ++i)
    if (MPI_Test(&handle, &isDone, MPI_STATUS_IGNORE) != MPI_SUCCESS)
      break;
  if (!isDone && handle != MPI_REQUEST_NULL)
    MPI_Request_free(&handle);
  *request = store(handle);
}

extern "C" __attribute__((visibility("default"))) const CleaveTransport *
cleave_rt_mpi_transport() {
  static const CleaveTransport transport = {cleaveTransportVersion,
                                            start,
                                            stop,
                                            abortWorld,
                                            send,
                                            receive,
                                            test,
                                            cancel};
  return &transport;
}
