//===- gpu.h - What programs for GPUs call ----------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The part of the interface between programs and the runtime (cleave-rt.h) that
// only programs for GPUs use. Their buffers are memory of the device, which the
// program itself never reads or writes. Work is started in order and goes on
// after a call has returned, until something waits for it.
//
// Locations are those of the source, `file:line:column` or "", for messages.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RT_GPU_H
#define CLEAVE_RT_GPU_H

#include "cleave-rt/cleave-rt.h"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

/// All kernels of a program.
typedef struct cleave_rt_gpu_code {
  const char *chip;         ///< that `machine_code` is for, as in sm_90
  const void *machine_code; ///< a cubin
  const char *assembly;     ///< PTX, zero-terminated, for newer chips
} cleave_rt_gpu_code;

/// A kernel and how it is launched: with as many one-dimensional blocks of so
/// many threads, and one pointer per buffer as arguments.
typedef struct cleave_rt_gpu_kernel {
  const cleave_rt_gpu_code *code;
  const char *name;
  int32_t blocks, threads, num_buffers;
} cleave_rt_gpu_kernel;

/// Starts a kernel. `buffers` is read before the call returns.
int32_t cleave_rt_gpu_launch(cleave_rt_rank *rank,
                             const cleave_rt_gpu_kernel *kernel,
                             void *const *buffers, const char *location);

/// `copy` gets the address of `bytes` constant bytes in the device's memory.
/// They are copied there by the first call for `data`, which must stay.
int32_t cleave_rt_gpu_constant(cleave_rt_rank *rank, const void *data,
                               int64_t bytes, const void **copy);

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif // CLEAVE_RT_GPU_H
