//===- NcclApi.h - What the runtime needs of NCCL ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// NCCL as a table of functions, of the library that CudaApi.h describes, with
// the same conventions. Nothing blocks: communicators are begun, and asked for
// their state until they are done; what is put on a stream is done in its
// order.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_COMMUNICATORS_NCCL_NCCLAPI_H
#define CLEAVE_RUNTIME_COMMUNICATORS_NCCL_NCCLAPI_H

#include "runtime/devices/cuda/CudaApi.h"

extern "C" {

/// What the members of a communicator must know to find each other.
struct CleaveNcclId {
  char bytes[128];
};

enum CleaveNcclType : int32_t {
  CleaveNcclI8,
  CleaveNcclU8,
  CleaveNcclI32,
  CleaveNcclU32,
  CleaveNcclI64,
  CleaveNcclU64,
  CleaveNcclF16,
  CleaveNcclBF16,
  CleaveNcclF32,
  CleaveNcclF64,
};

enum CleaveNcclReduction : int32_t {
  CleaveNcclSum,
  CleaveNcclProd,
  CleaveNcclMax,
  CleaveNcclMin,
};

/// What the library's cleave_rt_nccl_api() returns.
struct CleaveNcclApi {
  int32_t version; ///< cleaveCudaVersion

  const char *(*makeId)(CleaveNcclId *id);
  /// Joins `size` ranks on the device of the calling thread.
  const char *(*start)(const CleaveNcclId *id, int32_t size, int32_t rank,
                       void **communicator);
  /// Those of one color make a communicator, ordered by key; negative colors
  /// make none and get null. All members of the old one must call.
  const char *(*split)(void *communicator, int32_t color, int32_t key,
                       void **part);
  /// Text if it has failed, with what was started or is on streams.
  const char *(*query)(void *communicator, CleaveCudaState *state);
  /// Ends it although work is not done, which then never is.
  const char *(*abort)(void *communicator);
  const char *(*stop)(void *communicator);

  /// Between these, calls on one communicator are one.
  const char *(*beginGroup)();
  const char *(*endGroup)();
  const char *(*send)(void *communicator, const void *data, int64_t bytes,
                      int32_t peer, void *stream);
  const char *(*receive)(void *communicator, void *data, int64_t bytes,
                         int32_t peer, void *stream);
  const char *(*broadcast)(void *communicator, const void *operand,
                           void *result, int64_t bytes, int32_t root,
                           void *stream);
  /// Every member gives `bytes`.
  const char *(*allGather)(void *communicator, const void *operand,
                           void *result, int64_t bytes, void *stream);
  const char *(*allReduce)(void *communicator, const void *operand,
                           void *result, int64_t count, CleaveNcclType type,
                           CleaveNcclReduction reduction, void *stream);
  /// Every member gets `count` elements.
  const char *(*reduceScatter)(void *communicator, const void *operand,
                               void *result, int64_t count, CleaveNcclType type,
                               CleaveNcclReduction reduction, void *stream);
};

} // extern "C"

#endif // CLEAVE_RUNTIME_COMMUNICATORS_NCCL_NCCLAPI_H
