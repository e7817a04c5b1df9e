//===- Fft.h - Fourier transforms of one line -------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_FFT_H
#define CLEAVE_RUNTIME_DEVICES_HOST_FFT_H

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace cleave::rt {

/// Transforms lines of n complex numbers, forwards and without a factor: by
/// Cooley and Tukey's algorithm (1965) for products of small primes, with the
/// convolution of Bluestein (1970) for the others. O(n log n).
class Fft {
public:
  using Complex = std::complex<double>;

  explicit Fft(int64_t n);

  int64_t size() const { return n; }
  /// Numbers that `run` needs for itself.
  int64_t scratchSize() const;
  /// `in` and `out` hold n numbers each, and are not the same.
  void run(const Complex *in, Complex *out, Complex *scratch) const;

  /// The plan for n, made at the first call for it and kept.
  static const Fft &get(int64_t n);

private:
  void runRadix(const Complex *in, int64_t stride, Complex *out, size_t level,
                int64_t length) const;
  void runBluestein(const Complex *in, Complex *out, Complex *scratch) const;

  int64_t n;
  /// exp(-2 pi i j / n).
  std::vector<Complex> roots;
  /// Factors of n; empty if it has large ones.
  std::vector<int64_t> factors;
  /// The convolution: its size's transform, exp(-pi i j^2 / n), and the
  /// transform of the conjugate of that, divided by the size.
  std::unique_ptr<Fft> inner;
  std::vector<Complex> chirp, kernel;
};

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_FFT_H
