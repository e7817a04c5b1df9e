//===- Fft.cpp - Fourier transforms of one line ---------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Fft.h"
#include <cmath>
#include <map>
#include <mutex>

using namespace cleave::rt;
using Complex = Fft::Complex;

/// Larger prime factors p, which take p steps per number, are left to
/// Bluestein's convolution, which takes three transforms of about 2 n to 4 n.
static constexpr int64_t largestRadix = 31;

/// exp(-pi i k / n), rounded once; quarters of a turn are exact.
static Complex halfRoot(int64_t k, int64_t n) {
  k %= 2 * n;
  int64_t quarters = 2 * k / n, rest = 2 * k - quarters * n;
  long double angle = 1.570796326794896619231321691639751442L * rest / n;
  Complex root(static_cast<double>(std::cos(angle)),
               static_cast<double>(-std::sin(angle)));
  for (; quarters > 0; --quarters)
    root = {root.imag(), -root.real()};
  return root;
}

/// std::complex's product asks for NaN first, which costs most of the time.
static Complex times(Complex x, Complex y) {
  return {x.real() * y.real() - x.imag() * y.imag(),
          x.real() * y.imag() + x.imag() * y.real()};
}

Fft::Fft(int64_t n) : n(n) {
  int64_t rest = n;
  for (int64_t p : {4, 2, 3, 5})
    for (; rest % p == 0; rest /= p)
      factors.push_back(p);
  for (int64_t p = 7; p <= largestRadix && rest > 1; p += 2)
    for (; rest % p == 0; rest /= p)
      factors.push_back(p);
  if (rest == 1) {
    for (int64_t j = 0; j < n; ++j)
      roots.push_back(halfRoot(2 * j, n));
    return;
  }

  factors.clear();
  int64_t size = 1;
  while (size < 2 * n - 1)
    size *= 2;
  inner = std::make_unique<Fft>(size);
  // j^2 modulo 2 n, without its overflow.
  for (int64_t j = 0, square = 0; j < n;
       square = (square + 2 * j + 1) % (2 * n), ++j)
    chirp.push_back(halfRoot(square, n));
  std::vector<Complex> wrapped(size), scratch(inner->scratchSize());
  for (int64_t j = 0; j < n; ++j) {
    wrapped[j] = std::conj(chirp[j]) / static_cast<double>(size);
    wrapped[(size - j) % size] = wrapped[j];
  }
  kernel.resize(size);
  inner->run(wrapped.data(), kernel.data(), scratch.data());
}

int64_t Fft::scratchSize() const { return inner ? 2 * inner->size() : 0; }

void Fft::run(const Complex *in, Complex *out, Complex *scratch) const {
  if (inner)
    runBluestein(in, out, scratch);
  else if (n == 1)
    out[0] = in[0];
  else
    runRadix(in, 1, out, 0, n);
}

//===----------------------------------------------------------------------===//
// Small factors
//===----------------------------------------------------------------------===//

/// Combines transforms of four numbers, m apart.
static void combineFour(Complex *out, int64_t m, const Complex (&t)[4]) {
  Complex sum = t[0] + t[2], difference = t[0] - t[2];
  Complex otherSum = t[1] + t[3], other = t[1] - t[3];
  // -i times the difference.
  Complex turned(other.imag(), -other.real());
  out[0] = sum + otherSum;
  out[m] = difference + turned;
  out[2 * m] = sum - otherSum;
  out[3 * m] = difference - turned;
}

/// `length` numbers of `in`, `stride` apart: the transform of each p-th of
/// them, side by side in `out`, which are then combined in place.
void Fft::runRadix(const Complex *in, int64_t stride, Complex *out,
                   size_t level, int64_t length) const {
  int64_t p = factors[level], m = length / p;
  for (int64_t q = 0; q < p; ++q) {
    if (m == 1)
      out[q] = in[q * stride];
    else
      runRadix(in + q * stride, stride * p, out + q * m, level + 1, m);
  }
  Complex parts[largestRadix];
  for (int64_t k = 0; k < m; ++k) {
    for (int64_t q = 0; q < p; ++q)
      parts[q] = q * k == 0 ? out[k + q * m]
                            : times(out[k + q * m], roots[q * k * stride]);
    if (p == 2) {
      out[k] = parts[0] + parts[1];
      out[k + m] = parts[0] - parts[1];
      continue;
    }
    if (p == 4) {
      combineFour(out + k, m, {parts[0], parts[1], parts[2], parts[3]});
      continue;
    }
    for (int64_t r = 0; r < p; ++r) {
      Complex sum = parts[0];
      for (int64_t q = 1; q < p; ++q)
        sum += times(parts[q], roots[q * r % p * (n / p)]);
      out[k + r * m] = sum;
    }
  }
}

//===----------------------------------------------------------------------===//
// Large factors
//===----------------------------------------------------------------------===//

/// With jk = (j^2 + k^2 - (k - j)^2) / 2 the transform is a convolution with
/// exp(pi i j^2 / n).
void Fft::runBluestein(const Complex *in, Complex *out,
                       Complex *scratch) const {
  int64_t size = inner->size();
  Complex *product = scratch, *transformed = scratch + size;
  for (int64_t j = 0; j < size; ++j)
    product[j] = j < n ? times(in[j], chirp[j]) : Complex(0);
  inner->run(product, transformed, nullptr);
  // The inverse transform is the conjugate of that of the conjugate.
  for (int64_t j = 0; j < size; ++j)
    product[j] = std::conj(times(transformed[j], kernel[j]));
  inner->run(product, transformed, nullptr);
  for (int64_t k = 0; k < n; ++k)
    out[k] = times(std::conj(transformed[k]), chirp[k]);
}

const Fft &Fft::get(int64_t n) {
  static std::mutex mutex;
  static std::map<int64_t, Fft> plans;
  std::lock_guard<std::mutex> lock(mutex);
  return plans.try_emplace(n, n).first->second;
}
