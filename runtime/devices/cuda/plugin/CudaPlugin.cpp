//===- CudaPlugin.cpp - CUDA's runtime as a table of functions ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/plugin/CudaPlugin.h"

#include <cstring>

using namespace cleave::rt;

const char *cleave::rt::explain(const char *call, const char *reason) {
  static thread_local std::string text;
  text = std::string(call) + ": " + reason;
  for (char &c : text)
    if (c == '\n')
      c = ' ';
  return text.c_str();
}

const char *cleave::rt::explain(const char *call, cudaError_t status) {
  if (status == cudaSuccess)
    return nullptr;
  // Errors that are not sticky would be reported again by the next call.
  cudaGetLastError();
  return explain(call, cudaGetErrorString(status));
}

static cudaEvent_t asEvent(void *event) {
  return static_cast<cudaEvent_t>(event);
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

static const char *countDevices(int32_t *count) {
  return CLEAVE_RT_CALL(cudaGetDeviceCount, count);
}

static const char *setDevice(int32_t device) {
  return CLEAVE_RT_CALL(cudaSetDevice, device);
}

static const char *nameDevice(int32_t device, char *name, int64_t bytes) {
  cudaDeviceProp properties;
  if (const char *text =
          CLEAVE_RT_CALL(cudaGetDeviceProperties, &properties, device))
    return text;
  std::strncpy(name, properties.name, bytes - 1);
  name[bytes - 1] = 0;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static const char *allocate(int64_t bytes, void **data, int32_t *isFull) {
  cudaError_t status = cudaMalloc(data, bytes);
  *isFull = status == cudaErrorMemoryAllocation;
  return explain("cudaMalloc", status);
}

static const char *release(void *data) {
  return CLEAVE_RT_CALL(cudaFree, data);
}

static const char *allocateHost(int64_t bytes, void **data, int32_t *isFull) {
  cudaError_t status = cudaMallocHost(data, bytes);
  *isFull = status == cudaErrorMemoryAllocation;
  return explain("cudaMallocHost", status);
}

static const char *releaseHost(void *data) {
  return CLEAVE_RT_CALL(cudaFreeHost, data);
}

static const char *copy(void *to, const void *from, int64_t bytes,
                        void *stream) {
  return CLEAVE_RT_CALL(cudaMemcpyAsync, to, from, bytes, cudaMemcpyDefault,
                        asStream(stream));
}

static const char *copyRuns(void *to, int64_t toStride, const void *from,
                            int64_t fromStride, int64_t bytes, int64_t count,
                            void *stream) {
  return CLEAVE_RT_CALL(cudaMemcpy2DAsync, to, toStride, from, fromStride,
                        bytes, count, cudaMemcpyDefault, asStream(stream));
}

static const char *fill(void *data, int32_t byte, int64_t bytes, void *stream) {
  return CLEAVE_RT_CALL(cudaMemsetAsync, data, byte, bytes, asStream(stream));
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

static const char *createStream(void **stream) {
  return CLEAVE_RT_CALL(cudaStreamCreateWithFlags,
                        reinterpret_cast<cudaStream_t *>(stream),
                        cudaStreamNonBlocking);
}

static const char *destroyStream(void *stream) {
  return CLEAVE_RT_CALL(cudaStreamDestroy, asStream(stream));
}

static const char *finishStream(void *stream) {
  return CLEAVE_RT_CALL(cudaStreamSynchronize, asStream(stream));
}

static const char *queryStream(void *stream, CleaveCudaState *state) {
  cudaError_t status = cudaStreamQuery(asStream(stream));
  *state = status == cudaErrorNotReady ? CleaveCudaBusy : CleaveCudaDone;
  return status == cudaErrorNotReady ? nullptr
                                     : explain("cudaStreamQuery", status);
}

static const char *createEvent(void **event) {
  return CLEAVE_RT_CALL(cudaEventCreateWithFlags,
                        reinterpret_cast<cudaEvent_t *>(event),
                        cudaEventDisableTiming);
}

static const char *destroyEvent(void *event) {
  return CLEAVE_RT_CALL(cudaEventDestroy, asEvent(event));
}

static const char *recordEvent(void *event, void *stream) {
  return CLEAVE_RT_CALL(cudaEventRecord, asEvent(event), asStream(stream));
}

static const char *queryEvent(void *event, CleaveCudaState *state) {
  cudaError_t status = cudaEventQuery(asEvent(event));
  *state = status == cudaErrorNotReady ? CleaveCudaBusy : CleaveCudaDone;
  return status == cudaErrorNotReady ? nullptr
                                     : explain("cudaEventQuery", status);
}

static const char *waitForEvent(void *stream, void *event) {
  return CLEAVE_RT_CALL(cudaStreamWaitEvent, asStream(stream), asEvent(event),
                        0);
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static const char *loadCode(const void *image, void **code, int32_t *isOther) {
  cudaError_t status =
      cudaLibraryLoadData(reinterpret_cast<cudaLibrary_t *>(code), image,
                          nullptr, nullptr, 0, nullptr, nullptr, 0);
  // A cubin runs on one generation of devices only.
  *isOther = status == cudaErrorNoKernelImageForDevice ||
             status == cudaErrorInvalidKernelImage ||
             status == cudaErrorUnsupportedPtxVersion;
  return explain("cudaLibraryLoadData", status);
}

static const char *unloadCode(void *code) {
  return CLEAVE_RT_CALL(cudaLibraryUnload, static_cast<cudaLibrary_t>(code));
}

static const char *findKernel(void *code, const char *name, void **kernel) {
  return CLEAVE_RT_CALL(cudaLibraryGetKernel,
                        reinterpret_cast<cudaKernel_t *>(kernel),
                        static_cast<cudaLibrary_t>(code), name);
}

static const char *launch(void *kernel, int32_t blocks, int32_t threads,
                          void **arguments, void *stream) {
  return CLEAVE_RT_CALL(cudaLaunchKernel, kernel, dim3(blocks), dim3(threads),
                        arguments, 0, asStream(stream));
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

static const char *beginCapture(void *stream) {
  return CLEAVE_RT_CALL(cudaStreamBeginCapture, asStream(stream),
                        cudaStreamCaptureModeThreadLocal);
}

static const char *recordEventInGraph(void *event, void *stream) {
  return CLEAVE_RT_CALL(cudaEventRecordWithFlags, asEvent(event),
                        asStream(stream), cudaEventRecordExternal);
}

static const char *endCapture(void *stream, void **graph) {
  cudaGraph_t captured = nullptr;
  if (const char *text =
          CLEAVE_RT_CALL(cudaStreamEndCapture, asStream(stream), &captured))
    return text;
  const char *text =
      CLEAVE_RT_CALL(cudaGraphInstantiate,
                     reinterpret_cast<cudaGraphExec_t *>(graph), captured, 0);
  const char *destroyed = CLEAVE_RT_CALL(cudaGraphDestroy, captured);
  return text ? text : destroyed;
}

static const char *launchGraph(void *graph, void *stream) {
  return CLEAVE_RT_CALL(cudaGraphLaunch, static_cast<cudaGraphExec_t>(graph),
                        asStream(stream));
}

static const char *destroyGraph(void *graph) {
  return CLEAVE_RT_CALL(cudaGraphExecDestroy,
                        static_cast<cudaGraphExec_t>(graph));
}

extern "C" __attribute__((visibility("default"))) const CleaveCudaApi *
cleave_rt_cuda_api() {
  static const CleaveCudaApi api = {cleaveCudaVersion,
                                    countDevices,
                                    setDevice,
                                    nameDevice,
                                    allocate,
                                    release,
                                    allocateHost,
                                    releaseHost,
                                    copy,
                                    copyRuns,
                                    fill,
                                    createStream,
                                    destroyStream,
                                    finishStream,
                                    queryStream,
                                    createEvent,
                                    destroyEvent,
                                    recordEvent,
                                    queryEvent,
                                    waitForEvent,
                                    loadCode,
                                    unloadCode,
                                    findKernel,
                                    launch,
                                    beginCapture,
                                    recordEventInGraph,
                                    endCapture,
                                    launchGraph,
                                    destroyGraph,
                                    createProducts,
                                    destroyProducts,
                                    prepareProduct,
                                    runProduct,
                                    releaseProduct};
  return &api;
}
