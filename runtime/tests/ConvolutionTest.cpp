//===- ConvolutionTest.cpp - Convolutions against naive ones --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/host/Convolution.h"
#include "runtime/conformance/Values.h"
#include "runtime/core/Random.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

using namespace cleave::rt;

namespace {

/// Strides and sizes of one operand.
struct Layout {
  std::vector<int64_t> sizes, strides;

  int64_t getExtent() const {
    int64_t extent = 1;
    for (size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == 0)
        return 0;
      extent += (sizes[i] - 1) * strides[i];
    }
    return extent;
  }
};

/// A convolution with random operands; the result lies between guard bytes.
class Convolved {
public:
  explicit Convolved(ConvolutionSpec newSpec) : spec(std::move(newSpec)) {
    Layout lhsLayout{{spec.batch, spec.groups, spec.features},
                     {spec.lhs.batch, spec.lhs.group, spec.lhs.feature}};
    Layout kernelLayout{
        {spec.groups, spec.outputs, spec.features},
        {spec.kernel.group, spec.kernel.output, spec.kernel.feature}};
    out.layout = {{spec.batch, spec.groups, spec.outputs},
                  {spec.out.batch, spec.out.group, spec.out.output}};
    for (size_t i = 0; i < spec.windows.size(); ++i) {
      const WindowSpec &window = spec.windows[i];
      add(lhsLayout, window.size, spec.lhs.spatial[i]);
      add(kernelLayout, window.taps, spec.kernel.spatial[i]);
      add(out.layout, window.count, spec.out.spatial[i]);
    }
    fill("lhs", lhsLayout.getExtent(), lhs);
    fill("kernel", kernelLayout.getExtent(), kernel);
    fill("bias", spec.groups * spec.outputs, bias);
    fill("residual", out.layout.getExtent(), residual);
  }

  void run(const Kernels &kernels, int32_t threads) {
    constexpr int64_t guard = 64;
    out.bytes.assign(out.layout.getExtent() * getSize(spec.dtype) + 2 * guard,
                     0x5a);
    Convolution convolution(spec, kernels);
    ThreadPool pool(threads);
    auto allocate = [](int64_t bytes) {
      // A multiple of the alignment, as aligned_alloc wants it.
      bytes = std::max<int64_t>((bytes + 63) / 64, 1) * 64;
      char *data = static_cast<char *>(std::aligned_alloc(64, bytes));
      std::memset(data, 0xff, bytes);
      return data;
    };
    std::vector<char *> scratch;
    for (int32_t i = 0; i < threads; ++i)
      scratch.push_back(allocate(convolution.getScratchBytes()));
    char *shared = allocate(convolution.getSharedBytes());
    convolution.run(
        pool, scratch.data(), shared,
        {lhs.data(), kernel.data(), spec.hasBias ? bias.data() : nullptr,
         spec.residual ? residual.data() : nullptr, out.bytes.data() + guard});
    for (char *data : scratch)
      std::free(data);
    std::free(shared);
    for (int64_t i = 0; i < guard; ++i)
      ASSERT_TRUE(out.bytes[i] == 0x5a &&
                  out.bytes[out.bytes.size() - 1 - i] == 0x5a)
          << "stray write";
    out.bytes.erase(out.bytes.begin(), out.bytes.begin() + guard);
  }

  void check() {
    std::vector<int64_t> index(out.layout.sizes.size(), 0);
    for (int64_t size : out.layout.sizes)
      if (size == 0)
        return;
    size_t number = 0;
    do {
      checkElement(index, number++);
      if (testing::Test::HasFatalFailure())
        return;
    } while (next(index, out.layout.sizes));
  }

private:
  static void add(Layout &layout, int64_t size, int64_t stride) {
    layout.sizes.push_back(size);
    layout.strides.push_back(stride);
  }
  static bool next(std::vector<int64_t> &index,
                   const std::vector<int64_t> &sizes) {
    for (size_t i = sizes.size(); i-- > 0;) {
      if (++index[i] < sizes[i])
        return true;
      index[i] = 0;
    }
    return false;
  }
  void fill(const char *name, int64_t count, std::vector<uint8_t> &data) {
    data.resize(count * getSize(spec.dtype));
    fillRandom(1, name, spec.dtype, {count}, {{0}, {count}}, {count},
               data.data());
  }

  /// Calls `body` with places in lhs and in the kernel for each term.
  template <typename Body>
  void forEachTerm(const std::vector<int64_t> &index, Body &&body) {
    std::vector<int64_t> taps = {spec.features};
    for (const WindowSpec &window : spec.windows)
      taps.push_back(window.taps);
    std::vector<int64_t> tap(taps.size(), 0);
    for (int64_t size : taps)
      if (size == 0)
        return;
    do {
      int64_t from = index[0] * spec.lhs.batch + index[1] * spec.lhs.group +
                     tap[0] * spec.lhs.feature;
      int64_t weight = index[1] * spec.kernel.group +
                       index[2] * spec.kernel.output +
                       tap[0] * spec.kernel.feature;
      bool isPadding = false;
      for (size_t i = 0; i < spec.windows.size(); ++i) {
        const WindowSpec &window = spec.windows[i];
        int64_t t = tap[i + 1];
        int64_t at = index[i + 3] * window.stride +
                     (window.reversed ? window.taps - 1 - t : t) *
                         window.windowDilation -
                     window.low;
        isPadding |= at < 0 || at % window.baseDilation != 0 ||
                     at / window.baseDilation >= window.size;
        from += at / window.baseDilation * spec.lhs.spatial[i];
        weight += t * spec.kernel.spatial[i];
      }
      if (!isPadding)
        body(from, weight);
    } while (next(tap, taps));
  }

  /// What an element of a float result must be, computed when first needed.
  struct Expected {
    double value, bound;
  };
  std::vector<Expected> expected;

  void checkElement(const std::vector<int64_t> &index, size_t number) {
    int64_t at = 0;
    for (size_t i = 0; i < index.size(); ++i)
      at += index[i] * out.layout.strides[i];
    int64_t feature = index[1] * spec.outputs + index[2];
    model::withType(spec.dtype, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (std::is_integral_v<T>) {
        uint64_t sum = 0;
        forEachTerm(index, [&](int64_t from, int64_t weight) {
          sum += static_cast<uint64_t>(model::loadAs<T>(lhs.data(), from)) *
                 static_cast<uint64_t>(model::loadAs<T>(kernel.data(), weight));
        });
        if (spec.hasBias)
          sum += model::loadAs<T>(bias.data(), feature);
        T value = static_cast<T>(sum);
        if (spec.activation == Activation::Relu && value < 0)
          value = 0;
        if (spec.residual)
          value = static_cast<T>(static_cast<uint64_t>(value) +
                                 model::loadAs<T>(residual.data(), at));
        ASSERT_EQ(model::loadAs<T>(out.bytes.data(), at), value)
            << "element " << number;
      } else {
        if (expected.size() <= number)
          expected.push_back(compute(index, feature, at));
        ASSERT_NEAR(model::loadFloat(spec.dtype, out.bytes.data(), at),
                    expected[number].value, expected[number].bound)
            << "element " << number;
      }
    });
  }

  Expected compute(const std::vector<int64_t> &index, int64_t feature,
                   int64_t at) {
    auto load = [&](const std::vector<uint8_t> &data, int64_t position) {
      return model::loadFloat(spec.dtype, data.data(), position);
    };
    double sum = 0, magnitude = 0, terms = 0;
    forEachTerm(index, [&](int64_t from, int64_t weight) {
      double product = load(lhs, from) * load(kernel, weight);
      sum += product;
      magnitude += std::fabs(product);
      ++terms;
    });
    if (spec.hasBias)
      sum += load(bias, feature);
    double value = spec.activation == Activation::Relu && sum < 0 ? 0 : sum;
    if (spec.residual)
      value += load(residual, at);
    // Sums are in f32 at least; the result is rounded once.
    double accumulate = spec.dtype == DType::F64 ? 0x1p-52 : 0x1p-23;
    double bound = accumulate * (2 * std::sqrt(terms) + 8) *
                       (magnitude + std::fabs(sum) + 1) +
                   model::getEpsilon(spec.dtype) * std::fabs(value);
    return {value, bound};
  }

  ConvolutionSpec spec;
  std::vector<uint8_t> lhs, kernel, bias, residual;
  struct {
    Layout layout;
    std::vector<uint8_t> bytes;
  } out;
};

} // namespace

static std::vector<const Kernels *> getAllKernels() {
  std::vector<const Kernels *> all;
  for (const char *name : {"generic", "avx2", "avx512"})
    if (const Kernels *kernels = getKernels(name))
      all.push_back(kernels);
  return all;
}

static void checkAll(const ConvolutionSpec &spec, const std::string &what) {
  Convolved convolved(spec);
  for (const Kernels *kernels : getAllKernels())
    for (int32_t threads : {1, 3}) {
      SCOPED_TRACE(std::string(kernels->name) + " " + getName(spec.dtype) +
                   " threads " + std::to_string(threads) + " " + what);
      convolved.run(*kernels, threads);
      if (!testing::Test::HasFatalFailure())
        convolved.check();
      if (testing::Test::HasFatalFailure())
        return;
    }
}

static int64_t count(const WindowSpec &window) {
  int64_t padded = (window.size - 1) * window.baseDilation + 1 + window.low;
  int64_t extent = (window.taps - 1) * window.windowDilation + 1;
  return padded < extent ? 0 : (padded - extent) / window.stride + 1;
}

/// Gives the tensors dense layouts: dimensions in these orders, outermost
/// first. Dimensions are batch (or output), feature, then the spatial ones.
static void layOut(ConvolutionSpec &spec, const std::vector<size_t> &lhsOrder,
                   const std::vector<size_t> &kernelOrder,
                   const std::vector<size_t> &outOrder,
                   bool groupsOfBatch = false) {
  auto strides = [&](const std::vector<size_t> &order,
                     const std::vector<int64_t> &sizes) {
    std::vector<int64_t> result(sizes.size());
    int64_t stride = 1;
    for (size_t i = order.size(); i-- > 0;) {
      result[order[i]] = stride;
      stride *= std::max<int64_t>(sizes[order[i]], 1);
    }
    return result;
  };
  int64_t lhsBatch = spec.batch * (groupsOfBatch ? spec.groups : 1);
  int64_t lhsFeatures = spec.features * (groupsOfBatch ? 1 : spec.groups);
  std::vector<int64_t> lhs = {lhsBatch, lhsFeatures},
                       kernel = {spec.groups * spec.outputs, spec.features},
                       out = {spec.batch, spec.groups * spec.outputs};
  for (const WindowSpec &window : spec.windows) {
    lhs.push_back(window.size);
    kernel.push_back(window.taps);
    out.push_back(window.count);
  }
  lhs = strides(lhsOrder, lhs);
  kernel = strides(kernelOrder, kernel);
  out = strides(outOrder, out);
  auto spatial = [](const std::vector<int64_t> &all) {
    return std::vector<int64_t>(all.begin() + 2, all.end());
  };
  spec.lhs = {lhs[0],
              groupsOfBatch ? spec.batch * lhs[0] : spec.features * lhs[1],
              lhs[1], spatial(lhs)};
  spec.kernel = {spec.outputs * kernel[0], kernel[0], kernel[1],
                 spatial(kernel)};
  spec.out = {out[0], spec.outputs * out[1], out[1], spatial(out)};
}

static ConvolutionSpec makeSpec(DType dtype, int64_t batch, int64_t groups,
                                int64_t features, int64_t outputs,
                                std::vector<WindowSpec> windows) {
  ConvolutionSpec spec{};
  spec.dtype = dtype;
  spec.batch = batch;
  spec.groups = groups;
  spec.features = features;
  spec.outputs = outputs;
  spec.windows = std::move(windows);
  for (WindowSpec &window : spec.windows)
    window.count = window.taps == 0 ? window.size : count(window);
  return spec;
}

/// Orders for a number of spatial dimensions.
static std::vector<size_t> channelsLast(size_t spatial) {
  std::vector<size_t> order = {0};
  for (size_t i = 0; i < spatial; ++i)
    order.push_back(i + 2);
  order.push_back(1);
  return order;
}
static std::vector<size_t> kernelLast(size_t spatial) {
  std::vector<size_t> order;
  for (size_t i = 0; i < spatial; ++i)
    order.push_back(i + 2);
  order.insert(order.end(), {1, 0});
  return order;
}
static std::vector<size_t> inOrder(size_t spatial) {
  std::vector<size_t> order;
  for (size_t i = 0; i < spatial + 2; ++i)
    order.push_back(i);
  return order;
}

static const DType numericTypes[] = {
    DType::F32, DType::F64, DType::F16, DType::BF16, DType::I8,   DType::I16,
    DType::I32, DType::I64, DType::UI8, DType::UI16, DType::UI32, DType::UI64,
};

TEST(Convolution, UsualForms) {
  for (DType dtype : numericTypes)
    for (bool isLast : {true, false}) {
      auto check = [&](ConvolutionSpec spec, const char *what) {
        size_t n = spec.windows.size();
        if (isLast)
          layOut(spec, channelsLast(n), kernelLast(n), channelsLast(n));
        else
          layOut(spec, inOrder(n), inOrder(n), inOrder(n));
        checkAll(spec, what);
      };
      // size, count, taps, stride, low, dilations, reversed; the high padding
      // is in the count, here none.
      WindowSpec three{9, 0, 3, 1, 1, 1, 1, false};
      WindowSpec strided{10, 0, 3, 2, 1, 1, 1, false};
      WindowSpec one{13, 0, 1, 1, 0, 1, 1, false};
      check(makeSpec(dtype, 2, 1, 5, 40, {three, strided}), "3x3");
      check(makeSpec(dtype, 2, 1, 17, 35, {one, one}), "1x1");
      check(makeSpec(dtype, 2, 2, 3, 33, {three, one}), "groups");
    }
}

TEST(Convolution, FewAndManyDimensions) {
  for (DType dtype : {DType::F32, DType::BF16, DType::I32}) {
    WindowSpec window{6, 0, 2, 1, 1, 1, 2, false};
    for (size_t n : {0, 1, 3, 4}) {
      ConvolutionSpec spec =
          makeSpec(dtype, 3, 1, 4, 9, std::vector<WindowSpec>(n, window));
      layOut(spec, channelsLast(n), kernelLast(n), channelsLast(n));
      checkAll(spec, std::to_string(n) + " spatial dimensions");
    }
  }
}

TEST(Convolution, NothingToAdd) {
  WindowSpec window{5, 0, 2, 1, 0, 1, 1, false}, none = window;
  none.taps = 0;
  for (ConvolutionSpec spec :
       {makeSpec(DType::F32, 2, 1, 0, 5, {window, window}),
        makeSpec(DType::F32, 2, 1, 3, 5, {window, none}),
        makeSpec(DType::F32, 0, 1, 3, 5, {window, window}),
        makeSpec(DType::I8, 2, 1, 3, 0, {window, window})}) {
    layOut(spec, channelsLast(2), kernelLast(2), channelsLast(2));
    checkAll(spec, "empty");
  }
}

TEST(Convolution, OperandOfNothingIsNull) {
  WindowSpec window{5, 0, 2, 1, 0, 1, 1, false};
  // What is read is padding alone.
  WindowSpec padding{0, 0, 1, 1, 1, 1, 1, false};
  for (DType dtype : {DType::F32, DType::BF16})
    for (ConvolutionSpec spec :
         {makeSpec(dtype, 2, 2, 0, 5, {window, window, window}),
          makeSpec(dtype, 2, 2, 3, 5, {window, padding, window}),
          makeSpec(dtype, 2, 2, 3, 5, {window, window, padding})}) {
      layOut(spec, channelsLast(3), kernelLast(3), channelsLast(3));
      checkAll(spec, "channels last");
      layOut(spec, inOrder(3), inOrder(3), inOrder(3));
      checkAll(spec, "in order");
    }
}

TEST(Convolution, BlocksOfLargeOperands) {
  // Several blocks of lines and of columns, and a kernel that is packed panel
  // by panel.
  WindowSpec wide{9000, 0, 5, 1, 2, 1, 1, false};
  ConvolutionSpec line = makeSpec(DType::F32, 1, 1, 40, 5, {wide});
  layOut(line, channelsLast(1), kernelLast(1), channelsLast(1));
  checkAll(line, "long line");
  WindowSpec tall{70, 0, 3, 2, 1, 1, 1, false};
  ConvolutionSpec lines = makeSpec(DType::BF16, 2, 1, 60, 6, {tall, tall});
  layOut(lines, inOrder(2), inOrder(2), inOrder(2));
  checkAll(lines, "lines");
  WindowSpec small{5, 0, 3, 1, 1, 1, 1, false};
  ConvolutionSpec deep = makeSpec(DType::F32, 3, 1, 200, 150, {small, small});
  layOut(deep, channelsLast(2), kernelLast(2), channelsLast(2));
  checkAll(deep, "deep");
}

TEST(Convolution, SumsInRounds) {
  // Features that are cut into runs, and that cannot be; tiles that wait.
  WindowSpec small{5, 0, 3, 1, 1, 1, 1, false}, one{9, 0, 1, 1, 0, 1, 1, false};
  for (DType dtype : {DType::F32, DType::BF16, DType::F64, DType::I32})
    for (int64_t features : {400, 1100, 2048}) {
      for (std::vector<WindowSpec> windows :
           {std::vector<WindowSpec>{small},
            std::vector<WindowSpec>{one, one}}) {
        ConvolutionSpec spec = makeSpec(dtype, 2, 1, features, 40, windows);
        size_t n = windows.size();
        layOut(spec, channelsLast(n), kernelLast(n), channelsLast(n));
        spec.hasBias = features == 1100;
        checkAll(spec, std::to_string(features) + " features");
      }
    }
}

TEST(Convolution, Epilogues) {
  WindowSpec window{7, 0, 3, 1, 1, 1, 1, false};
  for (DType dtype : {DType::F32, DType::BF16, DType::F64, DType::I32})
    for (bool hasBias : {false, true})
      for (bool residual : {false, true})
        for (Activation activation : {Activation::None, Activation::Relu})
          for (bool isLast : {false, true}) {
            ConvolutionSpec spec =
                makeSpec(dtype, 2, 2, 3, 34, {window, window});
            if (isLast)
              layOut(spec, channelsLast(2), kernelLast(2), channelsLast(2));
            else
              layOut(spec, inOrder(2), inOrder(2), inOrder(2));
            spec.hasBias = hasBias;
            spec.residual = residual;
            spec.activation = activation;
            checkAll(spec, "epilogue");
          }
}

TEST(Convolution, RandomFields) {
  std::mt19937 engine(3);
  auto range = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(engine);
  };
  for (int i = 0; i < 300; ++i) {
    size_t n = range(1, 3);
    std::vector<WindowSpec> windows;
    for (size_t d = 0; d < n; ++d)
      windows.push_back({range(1, n > 2 ? 5 : 9), 0, range(1, 3), range(1, 3),
                         range(-2, 3), range(1, 2), range(1, 2),
                         range(0, 1) == 1});
    ConvolutionSpec spec =
        makeSpec(numericTypes[range(0, 11)], range(1, 3), range(1, 3),
                 range(1, 5), range(1, 40), windows);
    bool isEmpty = false;
    for (const WindowSpec &window : spec.windows)
      isEmpty |= window.count < 1;
    if (isEmpty)
      continue;
    std::vector<size_t> orders[3];
    for (auto &order : orders) {
      order = inOrder(n);
      std::shuffle(order.begin(), order.end(), engine);
    }
    layOut(spec, orders[0], orders[1], orders[2], range(0, 1) == 1);
    checkAll(spec, "case " + std::to_string(i));
    if (testing::Test::HasFatalFailure())
      return;
  }
}
