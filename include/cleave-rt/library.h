//===- library.h - Functions behind library kernels -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Some operations are no loops that a compiler should write. Their kernels call
// these functions, one per element type, all with the same signature: `buffers`
// are row-major tensors, inputs, then outputs; `numbers` says what to do; and
// [begin, end) are the lines or matrices of a batch to work on. Calls for
// disjoint ranges may run concurrently.
//
// A complex tensor is a pair of buffers, real and imaginary parts.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RT_LIBRARY_H
#define CLEAVE_RT_LIBRARY_H

#include <stdint.h>

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

typedef void (*cleave_rt_library_function)(void *const *buffers,
                                           const int64_t *numbers,
                                           int64_t begin, int64_t end);

#define CLEAVE_RT_LIBRARY_FUNCTION(name)                                       \
  void name##_f16(void *const *buffers, const int64_t *numbers, int64_t begin, \
                  int64_t end);                                                \
  void name##_bf16(void *const *buffers, const int64_t *numbers,               \
                   int64_t begin, int64_t end);                                \
  void name##_f32(void *const *buffers, const int64_t *numbers, int64_t begin, \
                  int64_t end);                                                \
  void name##_f64(void *const *buffers, const int64_t *numbers, int64_t begin, \
                  int64_t end);

/// Discrete Fourier transforms of the last dimensions, computed in f64.
/// Numbers: the kind (0 complex, 1 its inverse, 2 from real, 3 its inverse,
/// to real), how many dimensions, and their sizes on the real side. The
/// complex side of the last one has size / 2 + 1 for kinds 2 and 3. Inverses
/// divide by the number of points.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_fft)

/// Cholesky factors: A = L L^H, or U^H U. Numbers: 1 if real, 2 if complex; the
/// size of the matrices; 1 for lower, 0 for upper. Only that triangle of A is
/// read; the other one of the result is 0. NaN if A is not positive definite.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_cholesky)

/// Solves op(A) X = B or X op(A) = B; buffers A, B, X. Numbers: 1 if real, 2 if
/// complex; rows and columns of B; 1 if A is on the left; 1 if A is lower; 1 if
/// its diagonal is taken as 1; op: 0 none, 1 transpose, 2 adjoint.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_triangular_solve)

#undef CLEAVE_RT_LIBRARY_FUNCTION

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif // CLEAVE_RT_LIBRARY_H
