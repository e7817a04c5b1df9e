//===- LibraryTest.cpp - Fourier transforms and solvers -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave-rt/library.h"
#include "runtime/core/Half.h"
#include "runtime/devices/host/Fft.h"
#include "gtest/gtest.h"
#include <cmath>
#include <random>

using namespace cleave::rt;

namespace {
using Complex = std::complex<double>;
using Wide = std::complex<long double>;
using Vector = std::vector<Complex>;

std::mt19937 engine(1);

Vector randomVector(int64_t size, bool isComplex = true) {
  std::normal_distribution<double> normal;
  Vector result(size);
  for (Complex &x : result)
    x = {normal(engine), isComplex ? normal(engine) : 0};
  return result;
}

/// One dimension of sizes [outer, n, inner], by definition.
Vector transformed(const Vector &in, int64_t n, int64_t inner, int sign) {
  Vector out(in.size());
  for (size_t i = 0; i < in.size(); ++i) {
    int64_t k = i / inner % n;
    size_t first = i - k * inner;
    Wide sum = 0;
    for (int64_t j = 0; j < n; ++j) {
      long double angle =
          sign * 2 * 3.141592653589793238462643383279503L * (j * k % n) / n;
      sum +=
          Wide(in[first + j * inner]) * Wide(std::cos(angle), std::sin(angle));
    }
    out[i] = Complex(sum);
  }
  return out;
}

Vector transformed(Vector data, const std::vector<int64_t> &sizes, int sign) {
  int64_t inner = 1;
  for (size_t dim = sizes.size(); dim-- > 0; inner *= sizes[dim])
    data = transformed(data, sizes[dim], inner, sign);
  return data;
}

double largest(const Vector &values) {
  double result = 0;
  for (Complex x : values)
    result = std::max(result, std::abs(x));
  return result;
}

/// Largest difference, relative to the largest value.
double errorOf(const Vector &actual, const Vector &expected) {
  double difference = 0;
  for (size_t i = 0; i < expected.size(); ++i)
    difference = std::max(difference, std::abs(actual[i] - expected[i]));
  double scale = largest(expected);
  return scale == 0 ? difference : difference / scale;
}

/// Tensors of real and imaginary parts for a call.
class Buffers {
public:
  void add(const Vector &values) {
    parts.emplace_back();
    for (Complex x : values)
      parts.back().push_back(x.real());
    parts.emplace_back();
    for (Complex x : values)
      parts.back().push_back(x.imag());
  }
  void addReal(const Vector &values) {
    add(values);
    parts.pop_back();
  }
  void call(cleave_rt_library_function function, std::vector<int64_t> numbers,
            int64_t extent) {
    std::vector<void *> pointers;
    for (std::vector<double> &part : parts)
      pointers.push_back(part.data());
    // In two pieces, as two threads would.
    function(pointers.data(), numbers.data(), extent / 2, extent);
    function(pointers.data(), numbers.data(), 0, extent / 2);
  }
  /// The last `count` (1 or 2) parts.
  Vector result(int count) const {
    const std::vector<double> &real = parts[parts.size() - count];
    Vector values(real.size());
    for (size_t i = 0; i < real.size(); ++i)
      values[i] = {real[i], count == 2 ? parts.back()[i] : 0};
    return values;
  }

private:
  std::vector<std::vector<double>> parts;
};

//===----------------------------------------------------------------------===//
// Fourier transforms
//===----------------------------------------------------------------------===//

/// Errors grow with log n: 4 epsilon is twice what was measured.
TEST(Fft, AllLengths) {
  std::vector<int64_t> lengths = {128, 243, 509, 512, 961, 1000, 1009, 2048};
  for (int64_t n = 1; n <= 70; ++n)
    lengths.push_back(n);
  for (int64_t n : lengths) {
    Vector in = randomVector(n), out(n);
    const Fft &fft = Fft::get(n);
    Vector scratch(fft.scratchSize());
    fft.run(in.data(), out.data(), scratch.data());
    EXPECT_LE(errorOf(out, transformed(in, n, 1, -1)), 4 * 2.22e-16)
        << "length " << n;
  }
}

const std::vector<std::vector<int64_t>> shapes = {
    {1},    {2},    {7},       {8},       {37},     {3, 4},
    {5, 7}, {4, 1}, {2, 3, 5}, {4, 3, 2}, {3, 2, 1}};

int64_t product(const std::vector<int64_t> &sizes) {
  int64_t result = 1;
  for (int64_t size : sizes)
    result *= size;
  return result;
}

std::vector<int64_t> numbersOf(int64_t kind,
                               const std::vector<int64_t> &sizes) {
  std::vector<int64_t> numbers = {kind, int64_t(sizes.size())};
  numbers.insert(numbers.end(), sizes.begin(), sizes.end());
  return numbers;
}

/// Batches of `batch` transforms.
Vector transformedBatches(const Vector &data, const std::vector<int64_t> &sizes,
                          int sign) {
  Vector result;
  int64_t size = product(sizes);
  for (size_t at = 0; at < data.size(); at += size) {
    Vector part(data.begin() + at, data.begin() + at + size);
    part = transformed(part, sizes, sign);
    for (Complex &x : part)
      x = sign > 0 ? x / double(size) : x;
    result.insert(result.end(), part.begin(), part.end());
  }
  return result;
}

/// The first half of each line, as of a real transform.
Vector halves(const Vector &data, int64_t last) {
  Vector result;
  for (size_t i = 0; i < data.size(); ++i)
    if (int64_t(i % last) < last / 2 + 1)
      result.push_back(data[i]);
  return result;
}

TEST(Fft, ComplexTensors) {
  for (const std::vector<int64_t> &sizes : shapes)
    for (int64_t kind : {0, 1}) {
      int64_t batch = 3;
      Vector in = randomVector(batch * product(sizes));
      Buffers buffers;
      buffers.add(in);
      buffers.add(Vector(in.size()));
      buffers.call(cleave_rt_fft_f64, numbersOf(kind, sizes), batch);
      Vector expected = transformedBatches(in, sizes, kind == 0 ? -1 : 1);
      EXPECT_LE(errorOf(buffers.result(2), expected), 1e-15);
    }
}

TEST(Fft, RealTensors) {
  for (const std::vector<int64_t> &sizes : shapes) {
    int64_t batch = 3, last = sizes.back();
    Vector real = randomVector(batch * product(sizes), /*isComplex=*/false);
    Vector half = halves(transformedBatches(real, sizes, -1), last);
    Buffers forward, inverse;
    forward.addReal(real);
    forward.add(Vector(half.size()));
    forward.call(cleave_rt_fft_f64, numbersOf(2, sizes), batch);
    EXPECT_LE(errorOf(forward.result(2), half), 1e-15);
    inverse.add(half);
    inverse.addReal(Vector(real.size()));
    inverse.call(cleave_rt_fft_f64, numbersOf(3, sizes), batch);
    EXPECT_LE(errorOf(inverse.result(1), real), 1e-15);
  }
}

/// What a real line cannot have is ignored: the imaginary parts of the mean
/// and, for even lengths, of the middle.
TEST(Fft, InverseIgnoresImpossibleParts) {
  for (int64_t n : {4, 5}) {
    Vector half = randomVector(n / 2 + 1), other = half;
    other[0].imag(5);
    if (n % 2 == 0)
      other.back().imag(-7);
    Buffers buffers[2];
    buffers[0].add(half);
    buffers[1].add(other);
    for (Buffers &b : buffers) {
      b.addReal(Vector(n));
      b.call(cleave_rt_fft_f64, {3, 1, n}, 1);
    }
    EXPECT_EQ(buffers[0].result(1), buffers[1].result(1));
  }
}

/// Narrow types are rounded once, from f64.
TEST(Fft, NarrowTypes) {
  int64_t n = 37;
  Vector in = randomVector(n);
  std::vector<F16> half[4];
  std::vector<float> single[4];
  for (int part = 0; part < 4; ++part) {
    half[part].resize(n);
    single[part].resize(n);
  }
  for (int64_t i = 0; i < n; ++i) {
    half[0][i] = toF16(in[i].real());
    half[1][i] = toF16(in[i].imag());
    in[i] = {toFloat(half[0][i]), toFloat(half[1][i])};
    single[0][i] = in[i].real();
    single[1][i] = in[i].imag();
  }
  int64_t numbers[] = {0, 1, n};
  void *halves[] = {half[0].data(), half[1].data(), half[2].data(),
                    half[3].data()};
  void *singles[] = {single[0].data(), single[1].data(), single[2].data(),
                     single[3].data()};
  cleave_rt_fft_f16(halves, numbers, 0, 1);
  cleave_rt_fft_f32(singles, numbers, 0, 1);
  Vector exact = transformed(in, n, 1, -1);
  for (int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(single[2][i], static_cast<float>(exact[i].real()));
    EXPECT_EQ(half[3][i].bits, toF16(exact[i].imag()).bits);
  }
}

//===----------------------------------------------------------------------===//
// Solvers
//===----------------------------------------------------------------------===//

Vector multiplied(const Vector &a, const Vector &b, int64_t m, int64_t k,
                  int64_t n) {
  Vector result(m * n);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      Wide sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += Wide(a[i * k + l]) * Wide(b[l * n + j]);
      result[i * n + j] = Complex(sum);
    }
  return result;
}

Vector adjoint(const Vector &a, int64_t n, bool conjugates = true) {
  Vector result(n * n);
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      result[j * n + i] = conjugates ? std::conj(a[i * n + j]) : a[i * n + j];
  return result;
}

Vector triangle(Vector a, int64_t n, bool isLower, bool isUnit) {
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (i == j ? isUnit : (j < i) != isLower)
        a[i * n + j] = i == j ? 1 : 0;
  return a;
}

/// Far enough from singular for errors of a few epsilon.
Vector randomMatrix(int64_t n, bool isComplex) {
  Vector a = randomVector(n * n, isComplex);
  for (int64_t i = 0; i < n; ++i)
    a[i * n + i] += 3.0 * n;
  return a;
}

void addParts(Buffers &buffers, const Vector &values, bool isComplex) {
  if (isComplex)
    buffers.add(values);
  else
    buffers.addReal(values);
}

TEST(Cholesky, FactorsMultiplyToTheMatrix) {
  for (bool isComplex : {false, true})
    for (bool isLower : {false, true})
      for (int64_t n : {1, 2, 5, 33}) {
        int64_t batch = 3;
        Vector all;
        std::vector<Vector> matrices;
        for (int64_t i = 0; i < batch; ++i) {
          Vector a = randomVector(n * n, isComplex);
          a = multiplied(a, adjoint(a, n), n, n, n);
          for (int64_t d = 0; d < n; ++d)
            a[d * n + d] = a[d * n + d].real() + 1;
          matrices.push_back(a);
          // The other triangle is not read.
          for (int64_t r = 0; r < n; ++r)
            for (int64_t c = 0; c < n; ++c)
              if (r != c && (c < r) != isLower)
                a[r * n + c] = NAN;
          all.insert(all.end(), a.begin(), a.end());
        }
        Buffers buffers;
        addParts(buffers, all, isComplex);
        addParts(buffers, Vector(all.size()), isComplex);
        buffers.call(cleave_rt_cholesky_f64, {isComplex ? 2 : 1, n, isLower},
                     batch);
        Vector factors = buffers.result(isComplex ? 2 : 1);
        for (int64_t i = 0; i < batch; ++i) {
          Vector l(factors.begin() + i * n * n,
                   factors.begin() + (i + 1) * n * n);
          EXPECT_EQ(triangle(l, n, isLower, false), l);
          Vector product = isLower ? multiplied(l, adjoint(l, n), n, n, n)
                                   : multiplied(adjoint(l, n), l, n, n, n);
          EXPECT_LE(errorOf(product, matrices[i]), 4e-15);
        }
      }
}

TEST(Cholesky, NaNWithoutFactor) {
  for (double middle : {-1.0, double(NAN)}) {
    Vector a = {2, 1, 0, 1, middle, 0, 0, 0, 1};
    Buffers buffers;
    buffers.addReal(a);
    buffers.addReal(Vector(9));
    buffers.call(cleave_rt_cholesky_f64, {1, 3, 1}, 1);
    for (Complex x : buffers.result(1))
      EXPECT_TRUE(std::isnan(x.real()));
  }
}

TEST(TriangularSolve, AllCases) {
  for (int mask = 0; mask < 48; ++mask) {
    bool isComplex = mask & 1, isLeft = mask & 2, isLower = mask & 4,
         isUnit = mask & 8;
    int64_t op = mask / 16, n = 6, free = 4, batch = 2;
    Vector as, bs;
    std::vector<Vector> solutions;
    for (int64_t i = 0; i < batch; ++i) {
      // With a unit diagonal the rest must be small.
      Vector a = randomMatrix(n, isComplex);
      for (Complex &x : a)
        x /= 3.0 * n;
      Vector x = randomVector(n * free, isComplex);
      Vector t = triangle(a, n, isLower, isUnit);
      if (op != 0)
        t = adjoint(t, n, /*conjugates=*/op == 2);
      Vector b =
          isLeft ? multiplied(t, x, n, n, free) : multiplied(x, t, free, n, n);
      solutions.push_back(x);
      as.insert(as.end(), a.begin(), a.end());
      bs.insert(bs.end(), b.begin(), b.end());
    }
    Buffers buffers;
    addParts(buffers, as, isComplex);
    addParts(buffers, bs, isComplex);
    addParts(buffers, Vector(bs.size()), isComplex);
    buffers.call(cleave_rt_triangular_solve_f64,
                 {isComplex ? 2 : 1, isLeft ? n : free, isLeft ? free : n,
                  isLeft, isLower, isUnit, op},
                 batch);
    Vector result = buffers.result(isComplex ? 2 : 1);
    for (int64_t i = 0; i < batch; ++i) {
      Vector x(result.begin() + i * n * free,
               result.begin() + (i + 1) * n * free);
      EXPECT_LE(errorOf(x, solutions[i]), 1e-14) << "case " << mask;
    }
  }
}

TEST(TriangularSolve, NarrowTypes) {
  // 2 x = 1, x + 4 y = 2.5: exact in every type.
  std::vector<BF16> a = {toBF16(2), toBF16(7), toBF16(1), toBF16(4)};
  std::vector<BF16> b = {toBF16(1), toBF16(2.5f)}, x(2);
  void *buffers[] = {a.data(), b.data(), x.data()};
  int64_t numbers[] = {1, 2, 1, 1, 1, 0, 0};
  cleave_rt_triangular_solve_bf16(buffers, numbers, 0, 1);
  EXPECT_EQ(toFloat(x[0]), 0.5f);
  EXPECT_EQ(toFloat(x[1]), 0.5f);
}

TEST(Library, EmptyTensors) {
  void *none[6] = {};
  int64_t fft[] = {0, 2, 0, 4}, cholesky[] = {1, 0, 1};
  cleave_rt_fft_f32(none, fft, 0, 3);
  cleave_rt_cholesky_f32(none, cholesky, 0, 3);
  int64_t solve[] = {1, 0, 4, 1, 1, 0, 0};
  cleave_rt_triangular_solve_f32(none, solve, 0, 3);
}
} // namespace
