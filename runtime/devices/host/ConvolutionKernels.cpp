//===- ConvolutionKernels.cpp - Building blocks of convolutions -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/ConvolutionKernels.h"
#include "runtime/core/Half.h"

#include <string>
#include <type_traits>
#include <utility>

using namespace cleave::rt;

// The same source for each instruction set, as in GemmKernels.cpp.

#if defined(__x86_64__)
namespace cleave::rt::avx512 {
constexpr int vectorBytes = 64;
constexpr int tileRows = 12, integerTileRows = 8;
#pragma clang attribute push(                                                  \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,avx2,fma"))),    \
    apply_to = function)
#include "runtime/devices/host/ConvolutionKernels.inc"
#pragma clang attribute pop
static const ConvolutionKernels convolutionKernels = makeKernels();
} // namespace cleave::rt::avx512

namespace cleave::rt::avx2 {
constexpr int vectorBytes = 32;
constexpr int tileRows = 6, integerTileRows = 4;
#pragma clang attribute push(__attribute__((target("avx2,fma"))),              \
                             apply_to = function)
#include "runtime/devices/host/ConvolutionKernels.inc"
#pragma clang attribute pop
static const ConvolutionKernels convolutionKernels = makeKernels();
} // namespace cleave::rt::avx2
#endif

namespace cleave::rt::generic {
constexpr int vectorBytes = 16;
constexpr int tileRows = 4, integerTileRows = 4;
#include "runtime/devices/host/ConvolutionKernels.inc"
static const ConvolutionKernels convolutionKernels = makeKernels();
} // namespace cleave::rt::generic

namespace cleave::rt::stepwise {
constexpr int vectorBytes = 16;
constexpr int tileRows = 4, integerTileRows = 4;
#pragma clang fp contract(off)
#include "runtime/devices/host/ConvolutionKernels.inc"
static const ConvolutionKernels convolutionKernels = makeKernels();
} // namespace cleave::rt::stepwise

const ConvolutionKernels &
cleave::rt::getConvolutionKernels(const Kernels &kernels) {
#if defined(__x86_64__)
  if (kernels.name == std::string("avx512"))
    return avx512::convolutionKernels;
  if (kernels.name == std::string("avx2"))
    return avx2::convolutionKernels;
#endif
  if (kernels.name == std::string("stepwise"))
    return stepwise::convolutionKernels;
  return generic::convolutionKernels;
}

const ConvolutionKernels::Tile &ConvolutionKernels::getTile(DType dtype) const {
  if (dtype == DType::F64)
    return f64;
  if (isFloat(dtype))
    return f32;
  return getSize(dtype) == 8 ? u64 : u32;
}
