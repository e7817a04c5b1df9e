//===- IrregularKernelTests.cpp - Kernels of scatter, sort and random bits ===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/tests/KernelHarness.h"
#include "gtest/gtest.h"

using namespace cleave::test;
using Shape = std::vector<int64_t>;
using Names = std::vector<std::string>;

namespace {

std::string attribute(const char *name, const Shape &numbers) {
  std::string text = std::string(name) + " = array<i64";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : ": ") + std::to_string(numbers[i]);
  return text + ">";
}

/// The dimension numbers of a scatter, and shapes.
struct Scatter {
  Shape input, indices, updates;
  Shape window, inserted, toOperand;
  int64_t vectorDim;
  Shape batching, indexBatching;

  std::string text(const Names &operands, const std::string &body,
                   const Names &elements, const std::string &index) const {
    std::string inputs, updated, types, updateTypes, results;
    size_t count = elements.size();
    for (size_t i = 0; i < count; ++i) {
      std::string comma = i ? ", " : "";
      inputs += comma + operands[i];
      updated += comma + operands[count + 1 + i];
      types += tensor(input, elements[i]) + ", ";
      updateTypes += ", " + tensor(updates, elements[i]);
      results += comma + tensor(input, elements[i]);
    }
    return "cleave.scatter(" + inputs + ") at " + operands[count] + " with (" +
           updated + ") {" + attribute("update_window_dims", window) + ", " +
           attribute("inserted_window_dims", inserted) + ", " +
           attribute("input_batching_dims", batching) + ", " +
           attribute("scatter_indices_batching_dims", indexBatching) + ", " +
           attribute("scatter_dims_to_operand_dims", toOperand) +
           ", index_vector_dim = " + std::to_string(vectorDim) + "} : (" +
           types + tensor(indices, index) + updateTypes + ") -> (" + results +
           ") {\n" + body + "\n  }";
  }
};

std::string simpleBody(const std::string &op, const std::string &element) {
  std::string scalar = tensor({}, element);
  return "^bb0(%p: " + scalar + ", %q: " + scalar + "):\n    %s = cleave." +
         op + " %p, %q : " + scalar + "\n    cleave.return %s : " + scalar;
}

std::string replacing(const std::string &element) {
  std::string scalar = tensor({}, element);
  return "^bb0(%p: " + scalar + ", %q: " + scalar +
         "):\n    cleave.return %q : " + scalar;
}

/// Indices are clamped to -2..9, so that some are out of bounds.
std::string scatterFunction(const Scatter &scatter, const std::string &element,
                            const std::string &index, const std::string &body) {
  std::string type = tensor(scatter.indices, index), bound = tensor({}, index);
  bool isUnsigned = index[0] == 'u';
  return function(
      {tensor(scatter.input, element), type, tensor(scatter.updates, element)},
      {tensor(scatter.input, element)},
      "  %low = cleave.constant dense<" + std::string(isUnsigned ? "0" : "-2") +
          "> : " + bound + "\n  %high = cleave.constant dense<9> : " + bound +
          "\n  %i = cleave.clamp %low, %a1, %high : (" + bound + ", " + type +
          ", " + bound + ") -> " + type + "\n  %r0 = " +
          scatter.text({"%a0", "%i", "%a2"}, body, {element}, index));
}

const std::vector<Scatter> scatters = {
    // Rows of a table, and single elements.
    {{7, 300}, {20, 1}, {20, 300}, {1}, {0}, {0}, 1, {}, {}},
    {{9}, {30}, {30}, {}, {0}, {0}, 1, {}, {}},
    // Windows before the batch, columns of a table.
    {{5, 8}, {6}, {5, 6}, {0}, {1}, {1}, 1, {}, {}},
    {{5, 6, 7}, {2, 2, 2}, {5, 2, 2}, {0}, {1, 2}, {1, 2}, 2, {}, {}},
    {{4, 2, 3, 5}, {2}, {4, 3}, {0, 1}, {1, 3}, {1, 3}, 0, {}, {}},
    // Windows that move and overlap.
    {{9, 8}, {2, 4}, {4, 3, 2}, {1, 2}, {}, {1, 0}, 0, {}, {}},
    {{9, 8}, {4, 1}, {3, 4, 8}, {0, 2}, {}, {0}, 1, {}, {}},
    // A window shorter than its dimension, which no index moves.
    {{9, 8}, {4, 1}, {4, 5}, {1}, {0}, {0}, 1, {}, {}},
    // Batches: alone, beside a window, at the end.
    {{3, 9}, {3, 5}, {3, 5}, {}, {1}, {1}, 2, {0}, {0}},
    {{9, 3, 40}, {5, 1, 3}, {5, 3, 40}, {2}, {0}, {0}, 1, {1}, {2}},
    {{9, 4}, {5, 4, 1}, {5, 4}, {}, {0}, {0}, 2, {1}, {1}},
    // One of everything, and nothing.
    {{1, 1}, {1}, {1}, {0}, {0}, {0}, 0, {}, {}},
    {{5, 4}, {0, 1}, {0, 4}, {1}, {0}, {0}, 1, {}, {}},
    {{5, 0}, {3, 1}, {3, 0}, {1}, {0}, {0}, 1, {}, {}},
};

} // namespace

TEST(Kernels, Scatter) {
  std::string source;
  const char *indexTypes[] = {"i32", "i64", "i8", "ui8", "ui64", "ui32"};
  const std::pair<const char *, const char *> bodies[] = {
      {"add", "f32"},     {"add", "i1"},       {"maximum", "bf16"},
      {"minimum", "f64"}, {"multiply", "i8"},  {"maximum", "ui16"},
      {"add", "bf16"},    {"multiply", "f16"}, {"or", "i1"},
      {"add", "ui64"},    {"maximum", "f32"},  {"xor", "ui16"},
      {"minimum", "i64"}, {"minimum", "i8"},   {"add", "f64"},
      {"multiply", "f32"}};
  size_t next = 0;
  for (const Scatter &scatter : scatters)
    for (int repeat = 0; repeat < 5; ++repeat, ++next) {
      auto [op, element] = bodies[next % std::size(bodies)];
      source += scatterFunction(scatter, element, indexTypes[next % 6],
                                simpleBody(op, element));
    }
  expectKernelsMatch(source);
}

TEST(Kernels, ScatterInOrder) {
  std::string source;
  for (const Scatter &scatter : scatters)
    for (const char *element : {"f32", "i1", "bf16", "i32"})
      source += scatterFunction(scatter, element, "i32", replacing(element));
  // x becomes 3 x - u: every change of the order shows.
  std::string body = "^bb0(%p: tensor<i32>, %q: tensor<i32>):\n"
                     "    %three = cleave.constant dense<3> : tensor<i32>\n"
                     "    %t = cleave.multiply %p, %three : tensor<i32>\n"
                     "    %s = cleave.subtract %t, %q : tensor<i32>\n"
                     "    cleave.return %s : tensor<i32>";
  for (const Scatter &scatter : scatters)
    source += scatterFunction(scatter, "i32", "i32", body);
  expectKernelsMatch(source);
}

/// Indices of all sizes, most of which are far out of bounds.
TEST(Kernels, ScatterFarOutOfBounds) {
  std::string source;
  for (const char *index : {"i8", "i64", "ui64", "ui8"})
    for (const Scatter &scatter : {scatters[0], scatters[5], scatters[6]})
      source += function(
          {tensor(scatter.input, "i32"), tensor(scatter.indices, index),
           tensor(scatter.updates, "i32")},
          {tensor(scatter.input, "i32")},
          "  %r0 = " + scatter.text({"%a0", "%a1", "%a2"},
                                    simpleBody("add", "i32"), {"i32"}, index));
  expectKernelsMatch(source);
}

TEST(Kernels, ScatterOfSeveral) {
  std::string source;
  const std::string body =
      "^bb0(%a: tensor<f32>, %b: tensor<i1>, %c: tensor<f32>, %d: "
      "tensor<i1>):\n    %g = cleave.compare GT, %c, %a : (tensor<f32>, "
      "tensor<f32>) -> tensor<i1>\n    %s = cleave.select %g, %c, %a : "
      "tensor<i1>, tensor<f32>\n    %t = cleave.select %g, %d, %b : "
      "tensor<i1>, tensor<i1>\n    cleave.return %s, %t : tensor<f32>, "
      "tensor<i1>";
  for (const Scatter &scatter : scatters) {
    std::string a = tensor(scatter.input, "f32"),
                b = tensor(scatter.input, "i1"),
                i = tensor(scatter.indices, "i32"),
                u = tensor(scatter.updates, "f32"),
                v = tensor(scatter.updates, "i1");
    // Only one of the results is used; zeros are made in the kernel.
    source += function({i, u, v}, {b},
                       "  %low = cleave.constant dense<0> : tensor<i32>\n"
                       "  %high = cleave.constant dense<9> : tensor<i32>\n"
                       "  %i = cleave.clamp %low, %a0, %high : (tensor<i32>, " +
                           i + ", tensor<i32>) -> " + i +
                           "\n  %z = cleave.constant dense<0.0> : " + a +
                           "\n  %y = cleave.constant dense<false> : " + b +
                           "\n  %r:2 = " +
                           scatter.text({"%z", "%y", "%i", "%a1", "%a2"}, body,
                                        {"f32", "i1"}, "i32") +
                           "\n  %r0 = cleave.not %r#1 : " + b);
  }
  expectKernelsMatch(source);
}

static std::string comparator(const std::string &direction,
                              const Names &elements, size_t key) {
  std::string arguments;
  for (size_t i = 0; i < elements.size(); ++i)
    for (const char *side : {"l", "r"})
      arguments += (arguments.empty() ? "%" : ", %") + std::string(side) +
                   std::to_string(i) + ": " + tensor({}, elements[i]);
  std::string type = tensor({}, elements[key]), number = std::to_string(key);
  return "^bb0(" + arguments + "):\n    %c = cleave.compare " + direction +
         ", %l" + number + ", %r" + number + " : (" + type + ", " + type +
         ") -> tensor<i1>\n    cleave.return %c : tensor<i1>";
}

static std::string sortFunction(const Shape &shape, int64_t dimension,
                                const Names &elements,
                                const std::string &body) {
  std::string operands, list;
  Names types;
  for (size_t i = 0; i < elements.size(); ++i) {
    types.push_back(tensor(shape, elements[i]));
    operands += (i ? ", %a" : "%a") + std::to_string(i);
    list += (i ? ", " : "") + types.back();
  }
  // Results are single names.
  std::string text = "  %s:" + std::to_string(elements.size()) +
                     " = cleave.sort(" + operands +
                     ") dimension = " + std::to_string(dimension) + " : (" +
                     list + ") -> (" + list + ") {\n" + body + "\n  }";
  for (size_t i = 0; i < elements.size(); ++i)
    text += "\n  %r" + std::to_string(i) + " = cleave.reshape %s#" +
            std::to_string(i) + " : (" + types[i] + ") -> " + types[i];
  return function(types, types, text);
}

TEST(Kernels, Sort) {
  std::string source;
  const std::vector<std::pair<Shape, int64_t>> shapes = {
      {{1}, 0},     {{2}, 0},        {{8}, 0},        {{9}, 0},
      {{16}, 0},    {{17}, 0},       {{33}, 0},       {{1000}, 0},
      {{4, 40}, 1}, {{40, 4}, 0},    {{3, 25, 2}, 1}, {{5, 1}, 1},
      {{0, 3}, 1},  {{3, 0, 20}, 2}, {{64, 7}, 1},    {{65}, 0}};
  const Names elements = {"f32", "i1",   "bf16", "i8",  "ui8",
                          "f64", "ui64", "f16",  "i32", "ui16"};
  const char *directions[] = {"LT", "GT", "LT", "GE", "LE"};
  size_t next = 0;
  for (const auto &[shape, dimension] : shapes)
    for (int repeat = 0; repeat < 3; ++repeat, ++next) {
      Names types = {elements[next % elements.size()]};
      // More operands, which make the order of equal keys visible.
      for (int extra = 0; extra < repeat; ++extra)
        types.push_back(elements[(next + 3 * extra + 1) % elements.size()]);
      source += sortFunction(
          shape, dimension, types,
          comparator(directions[next % 5], types, next % types.size()));
    }
  // NaN and zeros of both signs among floats: even a comparator that is no
  // order gives what the evaluator gives.
  expectKernelsMatch(source, /*extremes=*/true);
}

TEST(Kernels, SortByTwoKeys) {
  std::string body =
      "^bb0(%a: tensor<i8>, %b: tensor<i8>, %c: tensor<f32>, %d: "
      "tensor<f32>):\n    %lt = cleave.compare LT, %a, %b : (tensor<i8>, "
      "tensor<i8>) -> tensor<i1>\n    %eq = cleave.compare EQ, %a, %b : "
      "(tensor<i8>, tensor<i8>) -> tensor<i1>\n    %gt = cleave.compare GT, "
      "%c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>\n    %both = "
      "cleave.and %eq, %gt : tensor<i1>\n    %r = cleave.or %lt, %both : "
      "tensor<i1>\n    cleave.return %r : tensor<i1>";
  expectKernelsMatch(sortFunction({300}, 0, {"i8", "f32"}, body) +
                     sortFunction({9, 70}, 0, {"i8", "f32"}, body));
}

TEST(Kernels, RandomBits) {
  std::string source;
  for (const auto &[algorithm, state] :
       std::vector<std::pair<std::string, std::string>>{
           {"three_fry", "tensor<2xui64>"},
           {"philox", "tensor<2xui64>"},
           {"philox", "tensor<3xui64>"}})
    for (const char *element : {"ui8", "i32", "ui64", "bf16"})
      for (const Shape &shape : {Shape{}, Shape{7}, Shape{3, 5}, Shape{2, 3},
                                 Shape{4, 0}, Shape{2, 4099}})
        source += function({state}, {state, tensor(shape, element)},
                           "  %r0, %r1 = cleave.rng_bit_generator " +
                               algorithm + ", %a0 : (" + state + ") -> (" +
                               state + ", " + tensor(shape, element) + ")");
  expectKernelsMatch(source);
}

/// Blocks start between the words of a counter, and may reach beyond the end.
TEST(Kernels, RandomBlocks) {
  std::string source;
  for (const char *algorithm : {"three_fry", "philox"})
    for (const char *element : {"ui16", "ui32", "ui64"})
      for (const auto &[full, block] : std::vector<std::pair<Shape, Shape>>{
               {{50, 21}, {4, 6}}, {{51, 21}, {7, 11}}, {{51, 20}, {3, 20}}}) {
        std::string type = tensor(block, element);
        source += function(
            {"tensor<2xui64>", "tensor<i32>"}, {type},
            "  %z = cleave.constant dense<0> : tensor<i32>\n"
            "  %h = cleave.constant dense<9> : tensor<i32>\n"
            "  %i = cleave.clamp %z, %a1, %h : (tensor<i32>, tensor<i32>, "
            "tensor<i32>) -> tensor<i32>\n"
            "  %s, %o = cleave.rng_bit_generator " +
                std::string(algorithm) + ", %a0 block at (%i, %i) of " + "[" +
                std::to_string(full[0]) + ", " + std::to_string(full[1]) +
                "] : (tensor<2xui64>, tensor<i32>, tensor<i32>) -> "
                "(tensor<2xui64>, " +
                type + ")\n  %r0 = cleave.not %o : " + type);
      }
  expectKernelsMatch(source);
}
