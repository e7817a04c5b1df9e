//===- RuntimeSymbols.cpp - The runtime this tool is linked with ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In a file of its own: a tool that links this must link the runtime.
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/gpu.h"
#include "cleave-rt/library.h"
#include "dialects/Graph/Evaluate/LibraryGuide.h"
#include "passes/Codegen/Program/Jit.h"

using namespace cleave;

template <typename Function> static void *address(Function *function) {
  return reinterpret_cast<void *>(function);
}

/// A function of library.h for each element type.
#define LIBRARY_FUNCTION(name)                                                 \
  {#name "_f16", address(name##_f16)}, {#name "_bf16", address(name##_bf16)},  \
      {#name "_f32", address(name##_f32)}, {                                   \
    #name "_f64", address(name##_f64)                                          \
  }

llvm::ArrayRef<RuntimeSymbol> cleave::getRuntimeSymbols() {
  static const RuntimeSymbol symbols[] = {
      {"cleave_rt_launch", address(cleave_rt_launch)},
      {"cleave_rt_collective", address(cleave_rt_collective)},
      {"cleave_rt_record", address(cleave_rt_record)},
      {"cleave_rt_wait", address(cleave_rt_wait)},
      {"cleave_rt_condition", address(cleave_rt_condition)},
      {"cleave_rt_access", address(cleave_rt_access)},
      {"cleave_rt_gemm", address(cleave_rt_gemm)},
      {"cleave_rt_convolution", address(cleave_rt_convolution)},
      {"cleave_rt_copy", address(cleave_rt_copy)},
      {"cleave_rt_axis_index", address(cleave_rt_axis_index)},
      {"cleave_rt_operation", address(cleave_rt_operation)},
      {"cleave_rt_gpu_launch", address(cleave_rt_gpu_launch)},
      {"cleave_rt_gpu_constant", address(cleave_rt_gpu_constant)},
      LIBRARY_FUNCTION(cleave_rt_fft),
      LIBRARY_FUNCTION(cleave_rt_cholesky),
      LIBRARY_FUNCTION(cleave_rt_triangular_solve),
      LIBRARY_FUNCTION(cleave_rt_lu),
      LIBRARY_FUNCTION(cleave_rt_qr),
      LIBRARY_FUNCTION(cleave_rt_pivoted_qr),
      LIBRARY_FUNCTION(cleave_rt_householder_product),
      LIBRARY_FUNCTION(cleave_rt_hessenberg),
      LIBRARY_FUNCTION(cleave_rt_tridiagonal),
      LIBRARY_FUNCTION(cleave_rt_tridiagonal_solve),
      LIBRARY_FUNCTION(cleave_rt_eigh),
      LIBRARY_FUNCTION(cleave_rt_svd),
      LIBRARY_FUNCTION(cleave_rt_eig),
      LIBRARY_FUNCTION(cleave_rt_schur),
      {"cleave_rt_pivots_to_permutation_i32",
       address(cleave_rt_pivots_to_permutation_i32)},
  };
  return symbols;
}

void cleave::guideEvaluatorByRuntime() {
  graph::setLibraryLookup([](llvm::StringRef name) -> graph::LibraryFunction {
    for (const RuntimeSymbol &symbol : getRuntimeSymbols())
      if (symbol.name == name)
        return reinterpret_cast<graph::LibraryFunction>(symbol.address);
    return nullptr;
  });
}
