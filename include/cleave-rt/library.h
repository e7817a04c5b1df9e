//===- library.h - Functions behind library kernels -------------*- C++ -*-===//
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

/// P A = L U by elimination with partial pivoting; buffers A, factors, i32
/// pivots, counted from 0. Numbers: 1 if real, 2 if complex; rows and columns.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_lu)

/// The order of rows after exchanging row i and row pivots[i] for each i;
/// buffers of i32. Numbers: how many pivots, how many rows.
void cleave_rt_pivots_to_permutation_i32(void *const *buffers,
                                         const int64_t *numbers, int64_t begin,
                                         int64_t end);

/// A = Q R by reflections I - tau v v^H; buffers A, R with the reflections
/// below its diagonal, their numbers tau. Numbers: 1 if real, 2 if complex;
/// rows and columns.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_qr)

/// The same with columns in the order of what is left of them, those first
/// whose i32 number is not 0; buffers A, these numbers, R, i32 order, tau.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_pivoted_qr)

/// The first columns of a product of reflections; buffers as cleave_rt_qr
/// gives them, tau, product. Numbers: 1 if real, 2 if complex; rows and columns
/// of a matrix; how many reflections.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_householder_product)

/// Q^H A Q = H, zero below its subdiagonal; buffers A, H with the reflections
/// below, their numbers tau. Numbers: 1 if real, 2 if complex; size.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_hessenberg)

/// Q^H A Q = T, real and tridiagonal, for Hermitian A; buffers A, T with the
/// reflections in its triangle, T's diagonal, its other diagonal, tau.
/// Numbers: 1 if real, 2 if complex; size; 1 if the lower triangle is read.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_tridiagonal)

/// Solves T X = B, T tridiagonal; buffers the numbers below, on and above its
/// diagonal, as many as there are rows (the first below and the last above are
/// not read), B, X. Numbers: 1 if real, 2 if complex; rows and columns of B.
/// NaN if T is singular.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_tridiagonal_solve)

/// A V = V diag(w), A Hermitian, w ascending; buffers A, V, w. Numbers: 1 if
/// real, 2 if complex; size; 1 if the lower triangle is read. NaN if A is not
/// finite, or without convergence.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_eigh)

/// A = U diag(s) V^H; buffers A, s, U, V^H. Numbers: 1 if real, 2 if complex;
/// rows and columns; 1 if U and V are square; 1 if only s is wanted. NaN as
/// before.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_svd)

/// A V = V diag(w), U^H A = diag(w) U^H; buffers A, the complex w, then the
/// complex U and V that are wanted. Numbers: 1 if A is real, 2 if complex;
/// size; 1 for U; 1 for V. NaN as before.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_eig)

/// A = Q T Q^H, T triangular but for 2 x 2 blocks if A is real; buffers A, T,
/// Q. Numbers: 1 if real, 2 if complex; size. NaN as before.
CLEAVE_RT_LIBRARY_FUNCTION(cleave_rt_schur)

#undef CLEAVE_RT_LIBRARY_FUNCTION

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif // CLEAVE_RT_LIBRARY_H
