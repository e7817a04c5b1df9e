//===- CudaPlugin.h - Parts of the library that sees CUDA -------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_CUDA_PLUGIN_CUDAPLUGIN_H
#define CLEAVE_RUNTIME_DEVICES_CUDA_PLUGIN_CUDAPLUGIN_H

#include "runtime/devices/cuda/CudaApi.h"

#include <cuda_runtime_api.h>
#include <string>

namespace cleave::rt {

/// "CALL: REASON", kept until the thread's next failure.
const char *explain(const char *call, const char *reason);
/// The same for a status that is no success; else null.
const char *explain(const char *call, cudaError_t status);

/// Calls a function of a library: why it failed, by the explain() for the type
/// of its status, or null.
#define CLEAVE_RT_CALL(CALL, ...) explain(#CALL, CALL(__VA_ARGS__))

inline cudaStream_t asStream(void *stream) {
  return static_cast<cudaStream_t>(stream);
}

// CudaProducts.cpp
const char *createProducts(void **products);
const char *destroyProducts(void *products);
const char *prepareProduct(void *products, const CleaveCudaProduct *product,
                           const void *bias, int64_t maxScratch,
                           void **prepared, int64_t *scratch);
const char *runProduct(void *products, void *prepared,
                       const CleaveCudaOperands *operands, void *scratch,
                       void *stream);
const char *releaseProduct(void *prepared);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_CUDA_PLUGIN_CUDAPLUGIN_H
