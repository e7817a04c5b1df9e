//===- WindowKernelTests.cpp - Kernels of windowed ops --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/Window.h"
#include "passes/Codegen/tests/KernelHarness.h"
#include "gtest/gtest.h"
#include <numeric>

using namespace cleave;
using namespace cleave::test;
using Shape = std::vector<int64_t>;
using Windows = std::vector<WindowDim>;

static std::string array(const Shape &numbers) {
  std::string text = "array<i64";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : ": ") + std::to_string(numbers[i]);
  return text + ">";
}

template <typename Fn> static Shape each(const Windows &windows, Fn fn) {
  Shape values;
  for (const WindowDim &window : windows)
    values.push_back(fn(window));
  return values;
}

static std::string padding(const Windows &windows) {
  Shape values;
  for (const WindowDim &window : windows)
    values.insert(values.end(), {window.low, window.high});
  return array(values);
}

static Shape sizes(const Windows &windows) {
  return each(windows, [](const WindowDim &w) { return w.size; });
}
static Shape counts(const Windows &windows) {
  return each(windows, [](const WindowDim &w) { return *w.count(); });
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

static std::string windowAttributes(const Windows &windows) {
  return "{window_dimensions = " +
         array(each(windows, [](const WindowDim &w) { return w.window; })) +
         ", window_strides = " +
         array(each(windows, [](const WindowDim &w) { return w.stride; })) +
         ", base_dilations = " +
         array(
             each(windows, [](const WindowDim &w) { return w.baseDilation; })) +
         ", window_dilations = " +
         array(each(windows,
                    [](const WindowDim &w) { return w.windowDilation; })) +
         ", padding = " + padding(windows) + "}";
}

/// With an initial value that is an argument, or given.
static std::string reduceWindow(const std::string &op,
                                const std::string &element,
                                const Windows &windows,
                                const std::string &init = "") {
  std::string type = tensor(sizes(windows), element),
              result = tensor(counts(windows), element),
              scalar = tensor({}, element);
  std::vector<std::string> arguments = {type};
  std::string body;
  if (init.empty())
    arguments.push_back(scalar);
  else
    body = "  %a1 = cleave.constant dense<" + init + "> : " + scalar + "\n";
  body += "  %r0 = cleave.reduce_window(%a0) init(%a1) " +
          windowAttributes(windows) + " : (" + type + ", " + scalar + ") -> " +
          result + " {\n  ^bb0(%x: " + scalar + ", %y: " + scalar +
          "):\n    %z = cleave." + op + " %x, %y : " + scalar +
          "\n    cleave.return %z : " + scalar + "\n  }";
  return function(arguments, {result}, body);
}

static WindowDim plain(int64_t size) {
  WindowDim window;
  window.size = size;
  return window;
}

static const std::vector<std::pair<std::string, std::string>> kinds = {
    {"add", "f32"},     {"maximum", "f32"}, {"multiply", "f64"},
    {"add", "bf16"},    {"minimum", "f16"}, {"add", "i32"},
    {"minimum", "ui8"}, {"or", "i1"},       {"maximum", "i64"}};

TEST(WindowKernels, ReductionsOfAllForms) {
  std::string source;
  size_t kind = 0;
  // Pooling over rows and columns with channels last and first, overlapping or
  // not; one dimension; holes; what is left out.
  const Windows forms[] = {
      {plain(2), {9, 3, 2, 1, 1}, {7, 3, 2, 0, 1}, plain(20)},
      {plain(2), plain(5), {9, 2, 2}, {33, 2, 2}},
      {{40, 5, 1, 2, 2}},
      {{40, 1, 3}},
      {plain(3), {17, 4, 3, -1, 2, 2, 3}, plain(3)},
      {{6, 3, 1, 4, 4, 3, 2}, plain(7)},
      {{12, 12}, plain(40)},
      {plain(40), {12, 12}},
      {{5, 2, 1, -3, -3}, plain(7)},
      {{0, 2, 1, 2, 2}, plain(3)},
      {plain(8)},
      {},
  };
  for (const Windows &windows : forms)
    for (int repeat = 0; repeat < 5; ++repeat) {
      auto [op, element] = kinds[kind++ % kinds.size()];
      source += reduceWindow(op, element, windows);
    }
  expectKernelsMatch(source);
}

TEST(WindowKernels, MaximaOfExtremes) {
  std::string source;
  for (const char *op : {"maximum", "minimum"})
    for (const char *element : {"f32", "bf16"})
      source += reduceWindow(op, element, {{40, 3, 2, 1, 1}, plain(5)});
  expectKernelsMatch(source, /*extremes=*/true);
}

TEST(WindowKernels, Scans) {
  const std::vector<std::tuple<std::string, std::string, std::string>> scans = {
      {"add", "f32", "0.0"},     {"add", "bf16", "0.0"},
      {"maximum", "f32", ""},    {"add", "i32", "0"},
      {"multiply", "i64", "1"},  {"or", "i1", "false"},
      {"minimum", "f16", "6.0"}, {"add", "f64", "0.0"}};
  std::string source;
  for (const auto &[op, element, init] : scans)
    for (const Shape &shape : {Shape{40}, Shape{3, 70}, Shape{70, 33},
                               Shape{2, 9, 40}, Shape{4, 1}, Shape{5, 2, 3}})
      for (size_t dim = 0; dim < shape.size(); ++dim)
        for (bool isReverse : {false, true}) {
          Windows windows;
          for (int64_t size : shape)
            windows.push_back(plain(size));
          windows[dim].window = shape[dim];
          (isReverse ? windows[dim].high : windows[dim].low) = shape[dim] - 1;
          source += reduceWindow(op, element, windows, init);
        }
  expectKernelsMatch(source);
}

TEST(WindowKernels, ScanBetweenElementwiseOps) {
  // The rows of a kernel stop before the scanned dimension.
  std::string type = "tensor<3x20xf32>";
  expectKernelsMatch(
      function({type}, {type, type},
               "  %n = cleave.negate %a0 : " + type +
                   "\n  %zero = cleave.constant dense<0.0> : tensor<f32>"
                   "\n  %r0 = cleave.reduce_window(%n) init(%zero) " +
                   windowAttributes({plain(3), {20, 20, 1, 19, 0}}) + " : (" +
                   type + ", tensor<f32>) -> " + type +
                   " {\n  ^bb0(%x: tensor<f32>, %y: tensor<f32>):"
                   "\n    %z = cleave.add %x, %y : tensor<f32>"
                   "\n    cleave.return %z : tensor<f32>\n  }"
                   "\n  %r1 = cleave.multiply %r0, %n : " +
                   type));
}

TEST(WindowKernels, BodyOfTwoInputs) {
  // The largest element of a window and where it is.
  std::string source;
  for (const Windows &windows :
       {Windows{{20, 3, 2, 1, 1}, plain(17)}, Windows{plain(5), {33, 4, 3}},
        Windows{{12, 12, 1, 11, 0}}}) {
    std::string x = tensor(sizes(windows), "f32"),
                i = tensor(sizes(windows), "i32"),
                rx = tensor(counts(windows), "f32"),
                ri = tensor(counts(windows), "i32");
    source += function(
        {x, i, "tensor<f32>", "tensor<i32>"}, {rx, ri},
        "  %p:2 = cleave.reduce_window(%a0, %a1) init(%a2, %a3) " +
            windowAttributes(windows) + " : (" + x + ", " + i +
            ", tensor<f32>, tensor<i32>) -> (" + rx + ", " + ri +
            ") {\n  ^bb0(%a: tensor<f32>, %b: tensor<i32>, %c: tensor<f32>, "
            "%d: tensor<i32>):\n    %ge = cleave.compare GE, %a, %c : "
            "(tensor<f32>, tensor<f32>) -> tensor<i1>\n    %v = cleave.select "
            "%ge, %a, %c : tensor<i1>, tensor<f32>\n    %k = cleave.select "
            "%ge, %b, %d : tensor<i1>, tensor<i32>\n    cleave.return %v, %k : "
            "tensor<f32>, tensor<i32>\n  }\n  %r0 = cleave.negate %p#0 : " +
            rx + "\n  %r1 = cleave.not %p#1 : " + ri);
  }
  expectKernelsMatch(source);
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

namespace {
/// Which dimension of each tensor is what: batch or output feature, feature or
/// input feature, then the spatial ones.
struct Layout {
  Shape lhs, rhs, result;
};
} // namespace

static std::string convolution(const std::string &element,
                               const std::string &sum, int64_t batch,
                               int64_t features, int64_t outputs,
                               const Windows &windows, const Layout &layout,
                               int64_t featureGroups = 1,
                               int64_t batchGroups = 1) {
  size_t rank = windows.size() + 2;
  Shape lhs(rank), rhs(rank), result(rank);
  lhs[layout.lhs[0]] = batch;
  lhs[layout.lhs[1]] = features;
  rhs[layout.rhs[0]] = outputs;
  rhs[layout.rhs[1]] = features / featureGroups;
  result[layout.result[0]] = batch / batchGroups;
  result[layout.result[1]] = outputs;
  std::string reversal = "array<i1";
  for (size_t i = 0; i < windows.size(); ++i) {
    lhs[layout.lhs[i + 2]] = windows[i].size;
    rhs[layout.rhs[i + 2]] = windows[i].window;
    result[layout.result[i + 2]] = *windows[i].count();
    reversal += i ? ", " : ": ";
    reversal += windows[i].isReversed ? "true" : "false";
  }
  auto dims = [](const Shape &all, const std::string &prefix,
                 const std::string &first, const std::string &second) {
    return prefix + first + " = " + std::to_string(all[0]) + ", " + prefix +
           second + " = " + std::to_string(all[1]) + ", " + prefix +
           "spatial_dimensions = " + array(Shape(all.begin() + 2, all.end())) +
           ", ";
  };
  std::string lhsType = tensor(lhs, element), rhsType = tensor(rhs, element),
              type = tensor(result, sum);
  return function(
      {lhsType, rhsType}, {type},
      "  %r0 = cleave.convolution %a0, %a1 {window_strides = " +
          array(each(windows, [](const WindowDim &w) { return w.stride; })) +
          ", padding = " + padding(windows) + ", lhs_dilation = " +
          array(each(windows,
                     [](const WindowDim &w) { return w.baseDilation; })) +
          ", rhs_dilation = " +
          array(each(windows,
                     [](const WindowDim &w) { return w.windowDilation; })) +
          ", window_reversal = " + reversal + ">, " +
          dims(layout.lhs, "input_", "batch_dimension", "feature_dimension") +
          dims(layout.rhs, "kernel_", "output_feature_dimension",
               "input_feature_dimension") +
          dims(layout.result, "output_", "batch_dimension",
               "feature_dimension") +
          "feature_group_count = " + std::to_string(featureGroups) +
          ", batch_group_count = " + std::to_string(batchGroups) + "} : (" +
          lhsType + ", " + rhsType + ") -> " + type);
}

TEST(WindowKernels, Convolutions) {
  const Layout channelsLast = {{0, 3, 1, 2}, {3, 2, 0, 1}, {0, 3, 1, 2}};
  const Layout channelsFirst = {{0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}};
  const Layout mixed = {{3, 1, 0, 2}, {1, 3, 2, 0}, {2, 0, 3, 1}};
  WindowDim usual{9, 3, 1, 1, 1}, strided{8, 3, 2, 0, 1},
      odd{5, 2, 2, 2, -1, 3, 2, true};
  const std::pair<std::string, std::string> types[] = {
      {"f32", "f32"},  {"f64", "f64"}, {"bf16", "bf16"}, {"f16", "f16"},
      {"bf16", "f32"}, {"f32", "f64"}, {"i8", "i32"},    {"ui16", "ui16"},
      {"i64", "i64"},  {"i1", "i1"}};
  std::string source;
  for (const auto &[element, sum] : types)
    for (const Layout &layout : {channelsLast, channelsFirst, mixed}) {
      source += convolution(element, sum, 2, 3, 5, {usual, strided}, layout);
      source += convolution(element, sum, 2, 4, 6, {strided, odd}, layout, 2);
      source += convolution(element, sum, 4, 3, 6, {odd, usual}, layout, 1, 2);
      // One feature in each group.
      source +=
          convolution(element, sum, 2, 20, 20, {usual, usual}, layout, 20);
    }
  expectKernelsMatch(source);
}

TEST(WindowKernels, ConvolutionsOfOtherRanks) {
  std::string source;
  source += convolution("f32", "f32", 3, 4, 5, {}, {{0, 1}, {1, 0}, {1, 0}});
  source += convolution("f32", "f32", 3, 4, 5, {{30, 4, 1, 3, 0}},
                        {{0, 2, 1}, {2, 1, 0}, {0, 2, 1}});
  source += convolution("f32", "f32", 2, 3, 4,
                        {{5, 3, 1, 1, 1}, {4, 2, 2}, {6, 3, 1, 2, 0}},
                        {{0, 4, 1, 2, 3}, {4, 3, 0, 1, 2}, {0, 4, 1, 2, 3}});
  // Without features, taps or windows.
  source += convolution("f32", "f32", 2, 0, 3, {{5, 2}},
                        {{0, 2, 1}, {2, 1, 0}, {0, 2, 1}});
  source += convolution("f32", "f32", 2, 3, 3, {{5, 0}},
                        {{0, 2, 1}, {2, 1, 0}, {0, 2, 1}});
  source += convolution("f32", "f32", 2, 3, 3, {{2, 3}},
                        {{0, 2, 1}, {2, 1, 0}, {0, 2, 1}});
  expectKernelsMatch(source);
}
