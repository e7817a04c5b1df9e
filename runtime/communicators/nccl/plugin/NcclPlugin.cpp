//===- NcclPlugin.cpp - NCCL as a table of functions ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/nccl/NcclApi.h"
#include "runtime/devices/cuda/plugin/CudaPlugin.h"

#include <cstring>
#include <nccl.h>

using namespace cleave::rt;

/// What NCCL knows besides its status is in a text of its own.
static const char *explain(const char *call, ncclResult_t status) {
  if (status == ncclSuccess || status == ncclInProgress)
    return nullptr;
  std::string reason = ncclGetErrorString(status);
  const char *more = ncclGetLastError(nullptr);
  if (more && *more)
    reason += std::string(": ") + more;
  return explain(call, reason.c_str());
}

static ncclComm_t asComm(void *communicator) {
  return static_cast<ncclComm_t>(communicator);
}

static ncclDataType_t getType(CleaveNcclType type) {
  static constexpr ncclDataType_t types[] = {
      ncclInt8,   ncclUint8,   ncclInt32,    ncclUint32,  ncclInt64,
      ncclUint64, ncclFloat16, ncclBfloat16, ncclFloat32, ncclFloat64};
  return types[type];
}

static ncclRedOp_t getOp(CleaveNcclReduction reduction) {
  static constexpr ncclRedOp_t ops[] = {ncclSum, ncclProd, ncclMax, ncclMin};
  return ops[reduction];
}

static ncclConfig_t makeConfig() {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  return config;
}

static const char *makeId(CleaveNcclId *id) {
  static_assert(sizeof(id->bytes) == NCCL_UNIQUE_ID_BYTES, "size of an id");
  ncclUniqueId made;
  const char *text = CLEAVE_RT_CALL(ncclGetUniqueId, &made);
  std::memcpy(id->bytes, made.internal, sizeof(id->bytes));
  return text;
}

static const char *start(const CleaveNcclId *id, int32_t size, int32_t rank,
                         void **communicator) {
  ncclUniqueId known;
  std::memcpy(known.internal, id->bytes, sizeof(id->bytes));
  ncclConfig_t config = makeConfig();
  return CLEAVE_RT_CALL(ncclCommInitRankConfig,
                        reinterpret_cast<ncclComm_t *>(communicator), size,
                        known, rank, &config);
}

static const char *split(void *communicator, int32_t color, int32_t key,
                         void **part) {
  ncclConfig_t config = makeConfig();
  return CLEAVE_RT_CALL(ncclCommSplit, asComm(communicator),
                        color < 0 ? NCCL_SPLIT_NOCOLOR : color, key,
                        reinterpret_cast<ncclComm_t *>(part), &config);
}

static const char *query(void *communicator, CleaveCudaState *state) {
  ncclResult_t status = ncclSuccess;
  if (const char *text =
          CLEAVE_RT_CALL(ncclCommGetAsyncError, asComm(communicator), &status))
    return text;
  *state = status == ncclInProgress ? CleaveCudaBusy : CleaveCudaDone;
  return explain("NCCL", status);
}

static const char *abort(void *communicator) {
  return CLEAVE_RT_CALL(ncclCommAbort, asComm(communicator));
}

static const char *stop(void *communicator) {
  return CLEAVE_RT_CALL(ncclCommDestroy, asComm(communicator));
}

static const char *beginGroup() { return CLEAVE_RT_CALL(ncclGroupStart); }
static const char *endGroup() { return CLEAVE_RT_CALL(ncclGroupEnd); }

static const char *send(void *communicator, const void *data, int64_t bytes,
                        int32_t peer, void *stream) {
  return CLEAVE_RT_CALL(ncclSend, data, bytes, ncclUint8, peer,
                        asComm(communicator), asStream(stream));
}

static const char *receive(void *communicator, void *data, int64_t bytes,
                           int32_t peer, void *stream) {
  return CLEAVE_RT_CALL(ncclRecv, data, bytes, ncclUint8, peer,
                        asComm(communicator), asStream(stream));
}

static const char *broadcast(void *communicator, const void *operand,
                             void *result, int64_t bytes, int32_t root,
                             void *stream) {
  return CLEAVE_RT_CALL(ncclBroadcast, operand, result, bytes, ncclUint8, root,
                        asComm(communicator), asStream(stream));
}

static const char *allGather(void *communicator, const void *operand,
                             void *result, int64_t bytes, void *stream) {
  return CLEAVE_RT_CALL(ncclAllGather, operand, result, bytes, ncclUint8,
                        asComm(communicator), asStream(stream));
}

static const char *allReduce(void *communicator, const void *operand,
                             void *result, int64_t count, CleaveNcclType type,
                             CleaveNcclReduction reduction, void *stream) {
  return CLEAVE_RT_CALL(ncclAllReduce, operand, result, count, getType(type),
                        getOp(reduction), asComm(communicator),
                        asStream(stream));
}

static const char *reduceScatter(void *communicator, const void *operand,
                                 void *result, int64_t count,
                                 CleaveNcclType type,
                                 CleaveNcclReduction reduction, void *stream) {
  return CLEAVE_RT_CALL(ncclReduceScatter, operand, result, count,
                        getType(type), getOp(reduction), asComm(communicator),
                        asStream(stream));
}

extern "C" __attribute__((visibility("default"))) const CleaveNcclApi *
cleave_rt_nccl_api() {
  static const CleaveNcclApi api = {cleaveCudaVersion,
                                    makeId,
                                    start,
                                    split,
                                    query,
                                    abort,
                                    stop,
                                    beginGroup,
                                    endGroup,
                                    send,
                                    receive,
                                    broadcast,
                                    allGather,
                                    allReduce,
                                    reduceScatter};
  return &api;
}
