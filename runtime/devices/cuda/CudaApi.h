//===- CudaApi.h - What the runtime needs of CUDA ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// CUDA's runtime, cuBLASLt and NCCL as tables of functions. The library
// libcleave-rt-cuda.so provides them, so that the runtime itself is built and
// runs without CUDA. Functions that return text return null on success; the
// text, of one line, belongs to the calling thread until its next call.
//
// Sizes are in bytes, strides in elements. Streams, events and the like are
// opaque pointers. Work on a stream runs in order and after the call returned;
// functions that wait say so. Every thread must set its device first.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_CUDA_CUDAAPI_H
#define CLEAVE_RUNTIME_DEVICES_CUDA_CUDAAPI_H

#include <cstdint>

extern "C" {

/// Changes with the tables.
constexpr int32_t cleaveCudaVersion = 2;

enum CleaveCudaType : int32_t {
  CleaveCudaF16,
  CleaveCudaBF16,
  CleaveCudaF32,
  CleaveCudaF64,
  // f32 in memory, operands of products rounded.
  CleaveCudaTF32,
  CleaveCudaF32ByBF16,
  CleaveCudaF32ByF16,
};

/// Result of a wait that may not be over.
enum CleaveCudaState : int32_t { CleaveCudaBusy, CleaveCudaDone };

/// A matrix of `rows` x `cols` elements whose columns lie `stride` apart and
/// are contiguous, `count` times, `batchStride` apart.
struct CleaveCudaMatrix {
  int64_t rows, cols, stride, batchStride;
};

enum CleaveCudaActivation : int32_t {
  CleaveCudaNoActivation,
  CleaveCudaRelu,
  CleaveCudaGeluTanh,
};

/// d = activation(op(a) op(b) + c + bias): d and c have `m` rows and `n`
/// columns, the contracted dimension `k` elements. op transposes. The bias has
/// `m` elements, one per row.
struct CleaveCudaProduct {
  CleaveCudaType type;
  int64_t m, n, k, count;
  CleaveCudaMatrix a, b, d; ///< as they lie in memory
  int32_t isATransposed, isBTransposed;
  int32_t hasBias, hasAddend;
  CleaveCudaActivation activation;
  /// Of all operands, a power of two.
  int64_t alignment;
};

struct CleaveCudaOperands {
  const void *a, *b, *bias, *addend;
  void *d;
};

/// What the library's cleave_rt_cuda_api() returns.
struct CleaveCudaApi {
  int32_t version;

  // Devices.
  const char *(*countDevices)(int32_t *count);
  /// For the calling thread, which also gets ready to use it.
  const char *(*setDevice)(int32_t device);
  /// Its name, zero-terminated.
  const char *(*nameDevice)(int32_t device, char *name, int64_t bytes);

  // Memory of the device, aligned to 256 bytes, and of the host, which the
  // device can read and write. `isFull` gets whether memory is what was
  // missing.
  const char *(*allocate)(int64_t bytes, void **data, int32_t *isFull);
  const char *(*release)(void *data);
  const char *(*allocateHost)(int64_t bytes, void **data, int32_t *isFull);
  const char *(*releaseHost)(void *data);
  /// Between any two memories.
  const char *(*copy)(void *to, const void *from, int64_t bytes, void *stream);
  /// `count` runs of `bytes`, `toStride` and `fromStride` bytes apart.
  const char *(*copyRuns)(void *to, int64_t toStride, const void *from,
                          int64_t fromStride, int64_t bytes, int64_t count,
                          void *stream);
  const char *(*fill)(void *data, int32_t byte, int64_t bytes, void *stream);

  // Streams and events.
  const char *(*createStream)(void **stream);
  const char *(*destroyStream)(void *stream);
  /// Waits for all work of the stream.
  const char *(*finishStream)(void *stream);
  const char *(*queryStream)(void *stream, CleaveCudaState *state);
  const char *(*createEvent)(void **event);
  const char *(*destroyEvent)(void *event);
  const char *(*recordEvent)(void *event, void *stream);
  const char *(*queryEvent)(void *event, CleaveCudaState *state);
  /// What comes next on the stream starts after the event.
  const char *(*waitForEvent)(void *stream, void *event);

  // Kernels. `isOther` gets whether the code is for other devices.
  const char *(*loadCode)(const void *image, void **code, int32_t *isOther);
  const char *(*unloadCode)(void *code);
  const char *(*findKernel)(void *code, const char *name, void **kernel);
  const char *(*launch)(void *kernel, int32_t blocks, int32_t threads,
                        void **arguments, void *stream);

  // Graphs: what is recorded between begin and end is launched as a whole.
  // Other streams join by waiting for an event of one that is recorded, and
  // must be waited for before the end. Meanwhile the thread may not wait,
  // query, allocate or free.
  const char *(*beginCapture)(void *stream);
  /// On a stream that is recorded: every launch of the graph records the event,
  /// for queryEvent.
  const char *(*recordEventInGraph)(void *event, void *stream);
  const char *(*endCapture)(void *stream, void **graph);
  const char *(*launchGraph)(void *graph, void *stream);
  /// If it runs, it does so to its end.
  const char *(*destroyGraph)(void *graph);

  // Matrix products by cuBLASLt. `scratch` gets the bytes that the chosen
  // algorithm needs, at most `maxScratch`. `bias` is any that the product will
  // be run with.
  const char *(*createProducts)(void **products);
  const char *(*destroyProducts)(void *products);
  const char *(*prepareProduct)(void *products,
                                const struct CleaveCudaProduct *product,
                                const void *bias, int64_t maxScratch,
                                void **prepared, int64_t *scratch);
  const char *(*runProduct)(void *products, void *prepared,
                            const struct CleaveCudaOperands *operands,
                            void *scratch, void *stream);
  const char *(*releaseProduct)(void *prepared);
};

} // extern "C"

#endif // CLEAVE_RUNTIME_DEVICES_CUDA_CUDAAPI_H
