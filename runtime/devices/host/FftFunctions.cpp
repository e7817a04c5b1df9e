//===- FftFunctions.cpp - Fourier transforms of tensors -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transforms are in f64 whatever the element type: narrower results are rounded
// once. Real sides are transformed as complex ones.
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Fft.h"
#include "runtime/devices/host/LibraryFunctions.h"
#include <cmath>
#include <limits>

using namespace cleave::rt;
using Complex = Fft::Complex;

namespace {

enum class FftKind : int64_t { Forward, Inverse, FromReal, ToReal };

/// What the numbers of a call say.
struct Shape {
  FftKind kind;
  /// Sizes on the real side.
  std::vector<int64_t> sizes;

  explicit Shape(const int64_t *numbers)
      : kind(static_cast<FftKind>(numbers[0])),
        sizes(numbers + 2, numbers + 2 + numbers[1]) {}
  bool isInverse() const {
    return kind == FftKind::Inverse || kind == FftKind::ToReal;
  }
  int64_t lines() const {
    int64_t result = 1;
    for (size_t i = 0; i + 1 < sizes.size(); ++i)
      result *= sizes[i];
    return result;
  }
  int64_t last() const { return sizes.back(); }
  /// Of the last dimension, on the complex side.
  int64_t complexLast() const {
    bool isHalf = kind == FftKind::FromReal || kind == FftKind::ToReal;
    return isHalf && last() != 0 ? last() / 2 + 1 : last();
  }
};

/// Transforms dimension `dim` of `data`, whose last one has `last` numbers.
void transform(const Shape &shape, Complex *data, size_t dim, int64_t last) {
  int64_t n = shape.sizes[dim], stride = 1, outer = 1;
  for (size_t i = 0; i < dim; ++i)
    outer *= shape.sizes[i];
  for (size_t i = dim + 1; i < shape.sizes.size(); ++i)
    stride *= i + 1 == shape.sizes.size() ? last : shape.sizes[i];
  const Fft &fft = Fft::get(n);
  Complex *line = threadScratch<Complex, Fft>(2 * n + fft.scratchSize());
  Complex *result = line + n, *scratch = result + n;
  // The inverse is the conjugate of the transform of the conjugate.
  bool isInverse = shape.isInverse();
  auto conjugate = [=](Complex x) { return isInverse ? std::conj(x) : x; };
  double factor = isInverse ? 1.0 / static_cast<double>(n) : 1.0;
  for (int64_t i = 0; i < outer; ++i)
    for (int64_t j = 0; j < stride; ++j) {
      Complex *at = data + i * n * stride + j;
      for (int64_t k = 0; k < n; ++k)
        line[k] = conjugate(at[k * stride]);
      fft.run(line, result, scratch);
      for (int64_t k = 0; k < n; ++k)
        at[k * stride] = conjugate(result[k]) * factor;
    }
}

double widen(double x) { return x; }
double widen(float x) { return x; }
double widen(F16 x) { return toFloat(x); }
double widen(BF16 x) { return toFloat(x); }

/// Through f32 where that is the only way; its rounding to odd keeps the second
/// one from going wrong.
template <typename T> T narrow(double x) { return static_cast<T>(x); }
float toOdd(double x) {
  auto nearest = static_cast<float>(x);
  double back = nearest;
  if (back == x || x != x)
    return nearest;
  uint32_t bits = toBits(nearest);
  if (std::abs(back) > std::abs(x))
    --bits;
  return fromBits(bits | 1);
}
template <> F16 narrow<F16>(double x) { return toF16(toOdd(x)); }
template <> BF16 narrow<BF16>(double x) { return toBF16(toOdd(x)); }

/// NaN in both parts, which reaches every result, if `x` is not finite.
Complex spoilIfNotFinite(Complex x) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  return std::isfinite(x.real()) && std::isfinite(x.imag()) ? x
                                                            : Complex(nan, nan);
}

/// One transform: reads `real` and perhaps `imaginary`, writes the others.
template <typename T>
void runOne(const Shape &shape, const T *real, const T *imaginary, T *outReal,
            T *outImaginary) {
  int64_t lines = shape.lines(), last = shape.last();
  int64_t half = shape.complexLast();
  bool toReal = shape.kind == FftKind::ToReal;
  // Lines of a complex side before a real one stay as short as they are until
  // their turn comes.
  int64_t width = toReal ? half : last;
  Complex *data = threadScratch<Complex, Shape>(lines * (last + width));
  Complex *lineData = data + lines * width;
  for (int64_t i = 0; i < lines * width; ++i)
    data[i] = spoilIfNotFinite(
        {widen(real[i]), imaginary ? widen(imaginary[i]) : 0.0});
  size_t rank = shape.sizes.size();
  for (size_t dim = 0; dim + 1 < rank; ++dim)
    transform(shape, data, dim, width);
  if (!toReal) {
    transform(shape, data, rank - 1, last);
    for (int64_t line = 0; line < lines; ++line)
      for (int64_t k = 0; k < half; ++k) {
        outReal[line * half + k] = narrow<T>(data[line * last + k].real());
        outImaginary[line * half + k] = narrow<T>(data[line * last + k].imag());
      }
    return;
  }
  // The other half is the conjugate of this one, mirrored.
  for (int64_t line = 0; line < lines; ++line) {
    const Complex *from = data + line * half;
    Complex *to = lineData + line * last;
    to[0] = from[0].real();
    for (int64_t k = 1; k < half; ++k) {
      to[k] = 2 * k == last ? Complex(from[k].real()) : from[k];
      to[last - k] = std::conj(to[k]);
    }
  }
  transform(shape, lineData, rank - 1, last);
  for (int64_t i = 0; i < lines * last; ++i)
    outReal[i] = narrow<T>(lineData[i].real());
}

template <typename T> void fft(const LibraryCall &call) {
  Shape shape(call.numbers);
  int64_t realSize = shape.lines() * shape.last();
  int64_t complexSize = shape.lines() * shape.complexLast();
  if (complexSize == 0)
    return;
  bool fromReal = shape.kind == FftKind::FromReal;
  bool toReal = shape.kind == FftKind::ToReal;
  int64_t inSize = fromReal ? realSize : complexSize;
  int64_t outSize = toReal ? realSize : complexSize;
  auto part = [&](int index, int64_t offset) {
    return static_cast<T *>(call.buffers[index]) + offset;
  };
  int numInputs = fromReal ? 1 : 2;
  for (int64_t i = call.begin; i < call.end; ++i)
    runOne<T>(shape, part(0, i * inSize),
              fromReal ? nullptr : part(1, i * inSize),
              part(numInputs, i * outSize),
              toReal ? nullptr : part(numInputs + 1, i * outSize));
}

} // namespace

CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(cleave_rt_fft, fft)
