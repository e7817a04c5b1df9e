//===- GemmTest.cpp - Matrix products against a naive one -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Gemm.h"
#include "runtime/conformance/Values.h"
#include "runtime/core/Random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace cleave::rt;

namespace {
/// A product with random operands; unused elements of every buffer are NaN or
/// 0x5a, so that a stray read or write shows.
class Product {
public:
  explicit Product(GemmSpec newSpec) : spec(std::move(newSpec)) {
    makeOperand("a", spec.getADType(), spec.a, spec.m, spec.k, a);
    makeOperand("b", spec.getBDType(), spec.b, spec.k, spec.n, b);
    makeOperand("residual", spec.dtype, spec.out, spec.m, spec.n, residual);
    out.assign(residual.size(), 0xff);
    bias.resize(std::max(spec.m, spec.n) * getSize(spec.dtype));
    int64_t count = std::max(spec.m, spec.n);
    fillRandom(1, "bias", spec.dtype, {count}, {{0}, {count}}, {count},
               bias.data());
    aNumbers = loadNumbers(spec.getADType(), a);
    bNumbers = loadNumbers(spec.getBDType(), b);
  }

  /// Also with b packed beforehand, if that is possible.
  void run(const Kernels &kernels, int32_t threads, bool packs) {
    out.assign(out.size(), 0xff);
    Gemm gemm(spec, kernels);
    ThreadPool pool(threads);
    auto allocate = [](int64_t bytes) {
      // A multiple of the alignment, as aligned_alloc wants it.
      bytes = std::max<int64_t>((bytes + 63) / 64, 1) * 64;
      char *data = static_cast<char *>(std::aligned_alloc(64, bytes));
      std::memset(data, 0xff, bytes);
      return data;
    };
    char *packed = nullptr;
    if (packs && gemm.getPackedBytes() > 0) {
      packed = allocate(gemm.getPackedBytes());
      gemm.pack(pool, b.data(), packed);
    }
    std::vector<char *> scratch;
    for (int32_t i = 0; i < threads; ++i)
      scratch.push_back(allocate(gemm.getScratchBytes()));
    gemm.run(pool, scratch.data(),
             {a.data(), packed ? nullptr : b.data(),
              spec.bias == Bias::None ? nullptr : bias.data(),
              spec.residual ? residual.data() : nullptr, out.data()},
             packed);
    std::free(packed);
    for (char *data : scratch)
      std::free(data);
  }

  void check() {
    if (expected.empty())
      expected.resize(out.size() / getSize(spec.dtype));
    std::vector<bool> isWritten(out.size() / getSize(spec.dtype));
    int64_t batchCount = 1;
    for (int64_t size : spec.batch)
      batchCount *= size;
    for (int64_t index = 0; index < batchCount; ++index)
      for (int64_t i = 0; i < spec.m; ++i)
        for (int64_t j = 0; j < spec.n; ++j) {
          checkElement(index, i, j);
          if (testing::Test::HasFatalFailure())
            return;
          isWritten[offset(spec.out, index, i, j)] = true;
        }
    for (size_t i = 0; i < isWritten.size(); ++i)
      if (!isWritten[i])
        for (int64_t byte = 0; byte < getSize(spec.dtype); ++byte)
          ASSERT_EQ(out[i * getSize(spec.dtype) + byte], 0xff)
              << "stray write at " << i;
  }

  std::vector<uint8_t> a, b, bias, residual, out;

private:
  /// What an element of a float result must be, computed when first needed.
  struct Expected {
    bool isKnown = false;
    double value, bound;
  };
  std::vector<Expected> expected;
  /// The operands of a float product, which is quicker than to load each number
  /// once per product that it is in.
  std::vector<double> aNumbers, bNumbers;

  static std::vector<double> loadNumbers(DType dtype,
                                         const std::vector<uint8_t> &data) {
    std::vector<double> numbers(isFloat(dtype) ? data.size() / getSize(dtype)
                                               : 0);
    for (size_t i = 0; i < numbers.size(); ++i)
      numbers[i] = model::loadFloat(dtype, data.data(), i);
    return numbers;
  }

  int64_t offset(const MatrixLayout &layout, int64_t index, int64_t row,
                 int64_t column) const {
    int64_t result = row * layout.row + column * layout.col;
    for (size_t i = spec.batch.size(); i-- > 0;) {
      result += index % spec.batch[i] * layout.batch[i];
      index /= spec.batch[i];
    }
    return result;
  }

  void makeOperand(const char *name, DType dtype, const MatrixLayout &layout,
                   int64_t rows, int64_t columns,
                   std::vector<uint8_t> &data) const {
    int64_t batchCount = 1;
    for (int64_t size : spec.batch)
      batchCount *= size;
    int64_t size = getSize(dtype);
    if (batchCount == 0 || rows == 0 || columns == 0)
      return;
    int64_t count = offset(layout, batchCount - 1, rows - 1, columns - 1) + 1;
    data.resize(count * size);
    fillRandom(1, name, dtype, {count}, {{0}, {count}}, {count}, data.data());
    std::vector<bool> isUsed(count);
    for (int64_t index = 0; index < batchCount; ++index)
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j)
          isUsed[offset(layout, index, i, j)] = true;
    for (int64_t at = 0; at < count; ++at)
      if (!isUsed[at])
        std::memset(data.data() + at * size, isFloat(dtype) ? 0xff : 0x5a,
                    size);
  }

  static double activate(Activation activation, double x) {
    switch (activation) {
    case Activation::None:
      return x;
    case Activation::Relu:
      return x < 0 ? 0 : x;
    case Activation::GeluErf:
      return 0.5 * x * (1 + std::erf(x / std::sqrt(2)));
    case Activation::GeluTanh:
      return 0.5 * x *
             (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
    case Activation::Silu:
      return x / (1 + std::exp(-x));
    }
    return x;
  }

  void checkElement(int64_t index, int64_t i, int64_t j) {
    model::withType(spec.dtype, [&](auto zero) {
      using T = decltype(zero);
      int64_t at = offset(spec.out, index, i, j);
      int64_t biasAt = spec.bias == Bias::PerColumn ? j : i;
      if constexpr (std::is_integral_v<T>) {
        uint64_t sum = 0;
        for (int64_t l = 0; l < spec.k; ++l)
          sum += static_cast<uint64_t>(
                     model::loadAs<T>(a.data(), offset(spec.a, index, i, l))) *
                 static_cast<uint64_t>(
                     model::loadAs<T>(b.data(), offset(spec.b, index, l, j)));
        if (spec.bias != Bias::None)
          sum += model::loadAs<T>(bias.data(), biasAt);
        T value = static_cast<T>(sum);
        if (spec.activation == Activation::Relu && value < 0)
          value = 0;
        if (spec.residual)
          value = static_cast<T>(static_cast<uint64_t>(value) +
                                 model::loadAs<T>(residual.data(), at));
        ASSERT_EQ(model::loadAs<T>(out.data(), at), value);
      } else {
        if (!expected[at].isKnown)
          expected[at] = compute(index, i, j);
        ASSERT_NEAR(model::loadFloat(spec.dtype, out.data(), at),
                    expected[at].value, expected[at].bound)
            << i << ", " << j;
      }
    });
  }

  Expected compute(int64_t index, int64_t i, int64_t j) const {
    int64_t at = offset(spec.out, index, i, j);
    int64_t biasAt = spec.bias == Bias::PerColumn ? j : i;
    double sum = 0, magnitude = 0;
    auto load = [&](const std::vector<uint8_t> &data, int64_t position) {
      return model::loadFloat(spec.dtype, data.data(), position);
    };
    for (int64_t l = 0; l < spec.k; ++l) {
      double product = aNumbers[offset(spec.a, index, i, l)] *
                       bNumbers[offset(spec.b, index, l, j)];
      sum += product;
      magnitude += std::fabs(product);
    }
    if (spec.bias != Bias::None)
      sum += load(bias, biasAt);
    double value = activate(spec.activation, sum);
    if (spec.residual)
      value += load(residual, at);
    // Sums are in f32 at least; the result is rounded once.
    double accumulate = spec.dtype == DType::F64 ? 0x1p-52 : 0x1p-23;
    double bound = accumulate * (2 * std::sqrt(double(spec.k)) + 8) *
                       (magnitude + std::fabs(sum) + 1) +
                   model::getEpsilon(spec.dtype) * std::fabs(value);
    return {true, value, bound};
  }

  GemmSpec spec;
};
} // namespace

static GemmSpec makeSpec(DType dtype, int64_t m, int64_t n, int64_t k) {
  GemmSpec spec{};
  spec.dtype = dtype;
  spec.m = m;
  spec.n = n;
  spec.k = k;
  spec.a = {{}, k, 1};
  spec.b = {{}, n, 1};
  spec.out = {{}, n, 1};
  return spec;
}

static std::vector<const Kernels *> getAllKernels() {
  std::vector<const Kernels *> all;
  for (const char *name : {"generic", "avx2", "avx512"})
    if (const Kernels *kernels = getKernels(name))
      all.push_back(kernels);
  return all;
}

static void checkAll(const GemmSpec &spec) {
  Product product(spec);
  for (const Kernels *kernels : getAllKernels()) {
    std::vector<uint8_t> first;
    for (int32_t threads : {1, 3})
      for (bool packs : {false, true}) {
        SCOPED_TRACE(std::string(kernels->name) + " " +
                     toString({spec.m, spec.n, spec.k}, spec.dtype) +
                     " threads " + std::to_string(threads) +
                     (packs ? " packed" : ""));
        product.run(*kernels, threads, packs);
        product.check();
        if (testing::Test::HasFatalFailure())
          return;
        // The number of threads must not show in any bit.
        if (!packs && threads == 1)
          first = product.out;
        else if (!packs)
          ASSERT_EQ(product.out, first);
      }
  }
}

static const DType numericTypes[] = {
    DType::F32, DType::F64, DType::F16, DType::BF16, DType::I8,   DType::I16,
    DType::I32, DType::I64, DType::UI8, DType::UI16, DType::UI32, DType::UI64,
};

TEST(Gemm, Sizes) {
  const int64_t sizes[][3] = {
      {1, 1, 1},    {12, 32, 16},  {13, 33, 17}, {1, 70, 65}, {70, 1, 9},
      {2, 100, 70}, {0, 5, 3},     {5, 0, 3},    {5, 3, 0},   {1, 40, 500},
      {3, 7, 1000}, {30, 40, 800}, {60, 3, 500}, {4, 90, 30}, {26, 48, 20}};
  for (DType dtype : numericTypes)
    for (const auto &size : sizes)
      checkAll(makeSpec(dtype, size[0], size[1], size[2]));
}

TEST(Gemm, BlockEdges) {
  checkAll(makeSpec(DType::F32, 205, 1030, 400));
  checkAll(makeSpec(DType::F32, 1100, 70, 400));
  checkAll(makeSpec(DType::F64, 110, 520, 200));
  checkAll(makeSpec(DType::BF16, 110, 1030, 390));
}

TEST(Gemm, Layouts) {
  for (DType dtype : {DType::F32, DType::F64, DType::BF16, DType::I8})
    for (int64_t m : {1, 5, 20})
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < 4; ++b)
          for (int out = 0; out < 3; ++out) {
            int64_t n = 37, k = 19;
            GemmSpec spec = makeSpec(dtype, m, n, k);
            // Plain, transposed, with gaps in both directions, broadcast.
            auto layout = [](int kind, int64_t rows, int64_t columns) {
              MatrixLayout layouts[] = {{{}, columns, 1},
                                        {{}, 1, rows},
                                        {{}, columns * 3 + 5, 3},
                                        {{}, 0, 1}};
              return layouts[kind];
            };
            spec.a = layout(a, m, k);
            spec.b = layout(b, k, n);
            spec.out = layout(out, m, n);
            checkAll(spec);
          }
}

// Floats of 8 bits are converted while they are packed.
TEST(Gemm, SmallFloats) {
  const DType types[] = {
      DType::F8E3M4,     DType::F8E4M3, DType::F8E4M3B11FNUZ, DType::F8E4M3FN,
      DType::F8E4M3FNUZ, DType::F8E5M2, DType::F8E5M2FNUZ};
  for (DType small : types)
    for (DType dtype : {DType::F32, DType::BF16, DType::F16}) {
      if (dtype != DType::F32 && small != DType::F8E4M3FN)
        continue;
      for (auto [m, n, k] : {std::array<int64_t, 3>{1, 70, 33},
                             {14, 70, 300},
                             {50, 3, 20},
                             {60, 130, 40}})
        for (bool isTransposed : {false, true}) {
          GemmSpec spec = makeSpec(dtype, m, n, k);
          spec.aDType = spec.bDType = small;
          if (isTransposed) {
            spec.a = {{}, 1, m};
            spec.b = {{}, 1, k};
          }
          checkAll(spec);
          // One operand may be of the wider type.
          (isTransposed ? spec.aDType : spec.bDType).reset();
          checkAll(spec);
        }
    }
}

TEST(Gemm, SmallFloatsOfEveryBitPattern) {
  auto check = [](DType dtype, auto zero) {
    for (int bits = 0; bits < 256; ++bits) {
      decltype(zero) value{static_cast<uint8_t>(bits)};
      double expected = smallToDouble(dtype, value.bits);
      float actual = toFloat(value);
      ASSERT_EQ(std::isnan(actual), std::isnan(expected))
          << getName(dtype) << " " << bits;
      if (!std::isnan(expected)) {
        ASSERT_EQ(actual, expected) << getName(dtype) << " " << bits;
      }
    }
  };
  check(DType::F8E3M4, F8E3M4());
  check(DType::F8E4M3, F8E4M3());
  check(DType::F8E4M3B11FNUZ, F8E4M3B11FNUZ());
  check(DType::F8E4M3FN, F8E4M3FN());
  check(DType::F8E4M3FNUZ, F8E4M3FNUZ());
  check(DType::F8E5M2, F8E5M2());
  check(DType::F8E5M2FNUZ, F8E5M2FNUZ());
}

TEST(Gemm, AttentionBatches) {
  // [batch, sequence, heads, width] with heads in the batch.
  for (DType dtype : {DType::F32, DType::BF16, DType::F64}) {
    int64_t s = 21, h = 3, d = 16;
    GemmSpec scores = makeSpec(dtype, s, s, d);
    scores.batch = {2, h};
    scores.a = {{s * h * d, d}, h * d, 1};
    scores.b = {{s * h * d, d}, 1, h * d};
    scores.out = {{h * s * s, s * s}, s, 1};
    checkAll(scores);
    GemmSpec values = makeSpec(dtype, s, d, s);
    values.batch = {2, h};
    values.a = {{h * s * s, s * s}, s, 1};
    values.b = {{s * h * d, d}, h * d, 1};
    values.out = {{s * h * d, d}, h * d, 1};
    checkAll(values);
    // One batch of b for all of a, and an empty batch.
    values.b.batch = {0, 0};
    checkAll(values);
    values.batch = {2, 0};
    checkAll(values);
  }
}

TEST(Gemm, Epilogues) {
  for (DType dtype : numericTypes)
    for (int activation = 0; activation < 5; ++activation)
      for (int bias = 0; bias < 3; ++bias)
        for (bool residual : {false, true})
          for (bool isTransposed : {false, true}) {
            if (!isFloat(dtype) && activation > 1)
              continue;
            GemmSpec spec = makeSpec(dtype, 14, 70, activation ? 30 : 0);
            spec.activation = static_cast<Activation>(activation);
            spec.bias = static_cast<Bias>(bias);
            spec.residual = residual;
            if (isTransposed)
              spec.out = {{}, 1, spec.m};
            checkAll(spec);
            // Narrow results are computed lying down.
            spec.n = 3;
            spec.b = {{}, 3, 1};
            if (!isTransposed)
              spec.out = {{}, 3, 1};
            checkAll(spec);
          }
}

/// Largest error of an activation over a fine grid, in ulps of the result or of
/// the input's magnitude times `relative`.
TEST(Gemm, ActivationsAreAccurate) {
  for (const Kernels *kernels : getAllKernels())
    for (Activation activation :
         {Activation::GeluErf, Activation::GeluTanh, Activation::Silu}) {
      std::vector<float> x, y;
      for (float v = -30; v < 30; v += 0.0007f)
        x.push_back(v);
      y.resize(x.size());
      int64_t count = x.size();
      FinishBlock block{x.data(), count,      1,       count,    nullptr, 0,
                        0,        activation, nullptr, y.data(), count,   1};
      kernels->finish[static_cast<int>(DType::F32)](block);
      double worst = 0;
      for (size_t i = 0; i < x.size(); ++i) {
        double v = x[i], exact;
        if (activation == Activation::GeluErf)
          exact = 0.5 * v * std::erfc(-v / std::sqrt(2));
        else if (activation == Activation::Silu)
          exact = v / (1 + std::exp(-v));
        else
          exact =
              0.5 * v *
              (1 + std::tanh(std::sqrt(2 / M_PI) * (v + 0.044715 * v * v * v)));
        worst = std::max(worst, std::fabs(y[i] - exact) /
                                    std::max(std::fabs(v), 1e-3));
      }
      EXPECT_LT(worst, 3e-7)
          << kernels->name << " " << static_cast<int>(activation);
    }
}

TEST(Gemm, SpecialValues) {
  for (const Kernels *kernels : getAllKernels()) {
    GemmSpec spec = makeSpec(DType::F32, 1, 1, 2);
    auto multiply = [&](float a0, float b0, Activation activation) {
      spec.activation = activation;
      Product product(spec);
      float a[] = {a0, 0}, b[] = {b0, 0};
      std::memcpy(product.a.data(), a, 8);
      std::memcpy(product.b.data(), b, 8);
      product.run(*kernels, 1, false);
      return model::loadAs<float>(product.out.data(), 0);
    };
    float inf = INFINITY, nan = NAN;
    for (Activation activation :
         {Activation::None, Activation::Relu, Activation::GeluErf,
          Activation::GeluTanh, Activation::Silu}) {
      EXPECT_TRUE(std::isnan(multiply(nan, 1, activation)));
      EXPECT_TRUE(std::isnan(multiply(inf, 0, activation)));
      EXPECT_EQ(multiply(inf, 1, activation), inf);
      EXPECT_EQ(multiply(1e38f, 1, activation), 1e38f);
      EXPECT_EQ(multiply(0, 1, activation), 0);
    }
    EXPECT_EQ(multiply(-inf, 1, Activation::None), -inf);
    EXPECT_EQ(multiply(-inf, 1, Activation::Relu), 0);
    EXPECT_EQ(multiply(-1e30f, 1, Activation::GeluErf), 0);
    EXPECT_EQ(multiply(-1e30f, 1, Activation::Silu), 0);
  }
}

TEST(Half, ConversionsRoundToNearestEven) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    F16 half{static_cast<uint16_t>(bits)};
    BF16 brain{static_cast<uint16_t>(bits)};
    float f = toFloat(half), g = toFloat(brain);
    if (!std::isnan(f))
      ASSERT_EQ(toF16(f).bits, bits);
    else
      ASSERT_TRUE(std::isnan(toFloat(toF16(f))));
    if (!std::isnan(g))
      ASSERT_EQ(toBF16(g).bits, bits);
    else
      ASSERT_TRUE(std::isnan(toFloat(toBF16(g))));
    // Halfway to the next value rounds to the even one, a hair more rounds up.
    //
    float next = toFloat(F16{static_cast<uint16_t>(bits + 1)});
    if ((bits & 0x7fff) < 0x7bff) {
      float middle = static_cast<float>((double(f) + next) / 2);
      ASSERT_EQ(toF16(middle).bits, bits + (bits & 1));
      ASSERT_EQ(toF16(std::nextafter(middle, next)).bits, bits + 1);
      ASSERT_EQ(toF16(std::nextafter(middle, f)).bits, bits);
    }
  }
  EXPECT_EQ(toF16(65519.0f).bits, 0x7bff);
  EXPECT_EQ(toF16(65520.0f).bits, 0x7c00);
  EXPECT_EQ(toF16(1e-10f).bits, 0);
  EXPECT_EQ(toF16(-INFINITY).bits, 0xfc00);
}
