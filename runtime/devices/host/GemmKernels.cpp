//===- GemmKernels.cpp - Building blocks of matrix products ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/GemmKernels.h"
#include "runtime/core/Half.h"
#include "runtime/core/SmallFloat.h"

#include <cmath>
#include <type_traits>
#include <utility>

using namespace cleave::rt;

// The same source for each instruction set. Everything in it is a function or
// template of its own namespace, so that no code for a newer processor can end
// up in a function that others share.

#if defined(__x86_64__)
namespace cleave::rt::avx512 {
constexpr int vectorBytes = 64;
constexpr int tileRows = 12, integerTileRows = 8, maxPieces = 4;
#pragma clang attribute push(                                                  \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))),    \
    apply_to = function)
#include "runtime/devices/host/GemmKernels.inc"
#pragma clang attribute pop
static const Kernels kernels = makeKernels("avx512");
} // namespace cleave::rt::avx512

namespace cleave::rt::avx2 {
constexpr int vectorBytes = 32;
constexpr int tileRows = 6, integerTileRows = 4, maxPieces = 4;
#pragma clang attribute push(__attribute__((target("avx2,fma"))),              \
                             apply_to = function)
#include "runtime/devices/host/GemmKernels.inc"
#pragma clang attribute pop
static const Kernels kernels = makeKernels("avx2");
} // namespace cleave::rt::avx2
#endif

namespace cleave::rt::generic {
constexpr int vectorBytes = 16;
constexpr int tileRows = 4, integerTileRows = 4, maxPieces = 4;
#include "runtime/devices/host/GemmKernels.inc"
static const Kernels kernels = makeKernels("generic");
} // namespace cleave::rt::generic

namespace cleave::rt::stepwise {
constexpr int vectorBytes = 16;
constexpr int tileRows = 4, integerTileRows = 4, maxPieces = 1;
#pragma clang fp contract(off)
#include "runtime/devices/host/GemmKernels.inc"
static const Kernels kernels = [] {
  Kernels result = makeKernels("stepwise");
  // These add up by lanes, not in order.
  for (Kernels::Tile *tile :
       {&result.f32, &result.f64, &result.u32, &result.u64})
    tile->thinDots = nullptr;
  return result;
}();
} // namespace cleave::rt::stepwise

const Kernels *cleave::rt::getKernels(const std::string &name) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (name == "avx512")
    return __builtin_cpu_supports("avx512f") &&
                   __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") &&
                   __builtin_cpu_supports("avx512vl")
               ? &avx512::kernels
               : nullptr;
  if (name == "avx2")
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
               ? &avx2::kernels
               : nullptr;
#endif
  if (name == "stepwise")
    return &stepwise::kernels;
  return name == "generic" ? &generic::kernels : nullptr;
}

const Kernels &cleave::rt::getKernels() {
  static const Kernels *const best = [] {
    for (const char *name : {"avx512", "avx2"})
      if (const Kernels *kernels = getKernels(name))
        return kernels;
    return getKernels("generic");
  }();
  return *best;
}

const Kernels::Tile &Kernels::getTile(DType dtype) const {
  if (dtype == DType::F64)
    return f64;
  if (isFloat(dtype))
    return f32;
  return getSize(dtype) == 8 ? u64 : u32;
}

int64_t cleave::rt::getComputeSize(DType dtype) {
  return getSize(dtype) == 8 ? 8 : 4;
}
