//===- KernelTests.cpp - Every op, element type and tail ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Codegen/tests/KernelHarness.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace cleave::test;
using Shape = std::vector<int64_t>;
using Names = std::vector<std::string>;

static const Names floats = {"f32", "f64", "f16", "bf16"};
static const Names integers = {"i8",  "i16",  "i32",  "i64",
                               "ui8", "ui16", "ui32", "ui64"};

static std::string list(const Shape &numbers) {
  std::string text = "[";
  for (size_t i = 0; i < numbers.size(); ++i)
    text += (i ? ", " : "") + std::to_string(numbers[i]);
  return text + "]";
}

static std::string unary(const std::string &op, const std::string &type) {
  return function({type}, {type}, "  %r0 = cleave." + op + " %a0 : " + type);
}
static std::string binary(const std::string &op, const std::string &type) {
  return function({type, type}, {type},
                  "  %r0 = cleave." + op + " %a0, %a1 : " + type);
}

static std::string floatOps() {
  std::string source;
  for (const std::string &element : floats) {
    std::string type = tensor({3, 23}, element);
    for (const char *op : {"abs",
                           "acos",
                           "acosh",
                           "asin",
                           "asinh",
                           "atan",
                           "atanh",
                           "bessel_i1e",
                           "cbrt",
                           "ceil",
                           "cosh",
                           "cosine",
                           "digamma",
                           "erf",
                           "erf_inv",
                           "erfc",
                           "floor",
                           "lgamma",
                           "log",
                           "exp2",
                           "log2",
                           "log_plus_one",
                           "logistic",
                           "negate",
                           "rsqrt",
                           "sign",
                           "sine",
                           "sinh",
                           "sqrt",
                           "tan",
                           "tanh",
                           "exponential",
                           "exponential_minus_one",
                           "round_nearest_afz",
                           "round_nearest_even"})
      source += unary(op, type);
    for (const char *op :
         {"add", "subtract", "multiply", "divide", "maximum", "minimum",
          "atan2", "power", "remainder", "next_after", "zeta"})
      source += binary(op, type);
    for (const char *format : {"exponent_bits = 5, mantissa_bits = 7",
                               "exponent_bits = 8, mantissa_bits = 3",
                               "exponent_bits = 2, mantissa_bits = 0",
                               "exponent_bits = 11, mantissa_bits = 10",
                               "exponent_bits = 4, mantissa_bits = 60"})
      source += function({type}, {type},
                         std::string("  %r0 = cleave.reduce_precision %a0, ") +
                             format + " : " + type);
  }
  return source;
}

TEST(Kernels, FloatOps) { expectKernelsMatch(floatOps()); }
TEST(Kernels, FloatOpsOnExtremes) { expectKernelsMatch(floatOps(), true); }

TEST(Kernels, IntegerOps) {
  std::string source;
  for (const std::string &element : integers) {
    std::string type = tensor({70}, element);
    for (const char *op :
         {"abs", "negate", "sign", "not", "count_leading_zeros", "popcnt"})
      source += unary(op, type);
    for (const char *op :
         {"add", "subtract", "multiply", "divide", "maximum", "minimum",
          "power", "remainder", "and", "or", "xor", "shift_left",
          "shift_right_arithmetic", "shift_right_logical"})
      source += binary(op, type);
  }
  std::string type = tensor({77}, "i1");
  for (const char *op :
       {"add", "multiply", "maximum", "minimum", "and", "or", "xor"})
    source += binary(op, type);
  source += unary("not", type);
  expectKernelsMatch(source);
}

TEST(Kernels, ConvertCompareSelect) {
  Names elements = floats;
  elements.insert(elements.end(), integers.begin(), integers.end());
  elements.push_back("i1");
  std::string source;
  for (const std::string &from : elements) {
    std::string type = tensor({41}, from), pred = tensor({41}, "i1");
    for (const std::string &to : elements)
      source += function({type}, {tensor({41}, to)},
                         "  %r0 = cleave.convert %a0 : (" + type + ") -> " +
                             tensor({41}, to));
    for (const char *direction : {"EQ", "NE", "GE", "GT", "LE", "LT"})
      source +=
          function({type, type}, {pred},
                   std::string("  %r0 = cleave.compare ") + direction +
                       ", %a0, %a1 : (" + type + ", " + type + ") -> " + pred);
    if (from != "i1")
      for (const std::string &bound : {type, tensor({}, from)})
        source += function({bound, type, bound}, {type},
                           "  %r0 = cleave.clamp %a0, %a1, %a2 : (" + bound +
                               ", " + type + ", " + bound + ") -> " + type);
    if (llvm::is_contained(floats, from))
      source +=
          function({type}, {pred},
                   "  %r0 = cleave.is_finite %a0 : (" + type + ") -> " + pred);
    for (const std::string &condition : {pred, tensor({}, "i1")})
      source += function({condition, type, type}, {type},
                         "  %r0 = cleave.select %a0, %a1, %a2 : " + condition +
                             ", " + type);
  }
  expectKernelsMatch(source, /*extremes=*/true);
}

/// Orders are small integers, of which random numbers are none. Beyond 20 the
/// results of f64 are not good to an ulp.
TEST(Kernels, Polygamma) {
  std::string source, orders = tensor({70}, "i8");
  for (const std::string &element : floats)
    for (const char *limit : {"21", "30"}) {
      if (element == "f64" && limit == std::string("30"))
        continue;
      std::string type = tensor({70}, element);
      source +=
          function({orders, type}, {type},
                   std::string("  %limit = cleave.constant dense<") + limit +
                       "> : " + orders +
                       "\n  %i = cleave.remainder %a0, %limit : " + orders +
                       "\n  %n = cleave.convert %i : (" + orders + ") -> " +
                       type + "\n  %r0 = cleave.polygamma %n, %a1 : " + type);
    }
  expectKernelsMatch(source, /*extremes=*/true);
}

TEST(Kernels, BitcastConvert) {
  const std::vector<Names> ofWidth = {{"i8", "ui8"},
                                      {"i16", "ui16", "f16", "bf16"},
                                      {"i32", "ui32", "f32"},
                                      {"i64", "ui64", "f64"}};
  std::string source;
  for (size_t from = 0; from < ofWidth.size(); ++from)
    for (size_t to = 0; to < ofWidth.size(); ++to)
      for (const std::string &element : ofWidth[from])
        for (const std::string &target : ofWidth[to]) {
          Shape operand = {3, 21}, result = {3, 21};
          if (from > to)
            result.push_back(1 << (from - to));
          if (from < to)
            operand.push_back(1 << (to - from));
          std::string in = tensor(operand, element),
                      out = tensor(result, target);
          source += function({in}, {out},
                             "  %r0 = cleave.bitcast_convert %a0 : (" + in +
                                 ") -> " + out);
        }
  expectKernelsMatch(source, /*extremes=*/true);
}

TEST(Kernels, Tails) {
  Shape sizes = {0, 63, 64, 65, 1000, 1025, 1537, 5000};
  for (int64_t size = 1; size <= 33; ++size)
    sizes.push_back(size);
  std::string source;
  for (int64_t size : sizes)
    for (const char *element : {"f32", "f64", "i8"}) {
      std::string type = tensor({size}, element);
      source += function({type, type}, {type},
                         "  %m = cleave.multiply %a0, %a1 : " + type +
                             "\n  %r0 = cleave.add %m, %a1 : " + type);
    }
  expectKernelsMatch(source);
}

TEST(Kernels, Reductions) {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"add", "f32"},     {"maximum", "f32"}, {"multiply", "f64"},
      {"add", "bf16"},    {"minimum", "f16"}, {"add", "i32"},
      {"minimum", "ui8"}, {"or", "i1"},       {"maximum", "i64"}};
  std::string source;
  size_t kind = 0;
  for (const Shape &shape :
       {Shape{7}, Shape{100}, Shape{1000}, Shape{3, 100}, Shape{100, 3},
        Shape{33, 65}, Shape{4, 5, 6}, Shape{2, 17, 33}, Shape{50, 1},
        Shape{0, 5}, Shape{300, 200}})
    for (unsigned mask = 1; mask < 1u << shape.size(); ++mask)
      for (int repeat = 0; repeat < 4; ++repeat) {
        auto [op, element] = kinds[kind++ % kinds.size()];
        Shape dims, kept;
        for (size_t i = 0; i < shape.size(); ++i) {
          if (mask >> i & 1)
            dims.push_back(i);
          else
            kept.push_back(shape[i]);
        }
        std::string type = tensor(shape, element), init = tensor({}, element);
        source +=
            function({type, init}, {tensor(kept, element)},
                     "  %r0 = cleave.reduce(%a0 init: %a1) applies "
                     "cleave." +
                         op + " across dimensions = " + list(dims) + " : (" +
                         type + ", " + init + ") -> " + tensor(kept, element));
      }
  expectKernelsMatch(source);
}

TEST(Kernels, DataMovement) {
  std::string source;
  for (const char *element : {"f32", "i8", "f64", "i1", "bf16"}) {
    std::string type = tensor({10, 40}, element), scalar = tensor({}, element);
    std::string i = tensor({}, "i32");
    auto add = [&](Names arguments, const Shape &result,
                   const std::string &text, const std::string &types) {
      source += function(arguments, {tensor(result, element)},
                         "  %r0 = cleave." + text + " : (" + types + ") -> " +
                             tensor(result, element));
    };
    add({type}, {40, 10}, "transpose %a0, dims = [1, 0]", type);
    add({type}, {4, 13}, "slice %a0 [1:9:2, 1:40:3]", type);
    add({type}, {6, 37}, "slice %a0 [0:6, 3:40]", type);
    source += function({type}, {type},
                       "  %r0 = cleave.reverse %a0, dims = [0, 1] : " + type);
    add({type, scalar}, {12, 44},
        "pad %a0, %a1, low = [2, 1], high = [0, 3], interior = [0, 0]",
        type + ", " + scalar);
    add({type, scalar}, {29, 38},
        "pad %a0, %a1, low = [-1, 0], high = [2, -2], interior = [2, 0]",
        type + ", " + scalar);
    add({type, type}, {10, 80}, "concatenate %a0, %a1, dim = 1",
        type + ", " + type);
    add({type, type}, {20, 40}, "concatenate %a0, %a1, dim = 0",
        type + ", " + type);
    add({type, i, i}, {4, 20}, "dynamic_slice %a0, %a1, %a2, sizes = [4, 20]",
        type + ", " + i + ", " + i);
    std::string update = tensor({4, 20}, element);
    add({type, update, i, i}, {10, 40},
        "dynamic_update_slice %a0, %a1, %a2, %a3",
        type + ", " + update + ", " + i + ", " + i);
    std::string ids = tensor({3, 5}, "ui8"), points = tensor({37, 2}, "i64");
    add({type, ids}, {3, 5, 40},
        "gather %a0, %a1, offset_dims = [2], collapsed_slice_dims = [0], "
        "start_index_map = [0], index_vector_dim = 2, slice_sizes = [1, 40]",
        type + ", " + ids);
    add({type, points}, {37},
        "gather %a0, %a1, offset_dims = [], collapsed_slice_dims = [0, 1], "
        "start_index_map = [0, 1], index_vector_dim = 1, slice_sizes = [1, 1]",
        type + ", " + points);
  }
  expectKernelsMatch(source);
}

/// Elements of 1, 2, 4 and 8 bytes; whole tiles, smaller ones and what is left;
/// blocks that are shorter at the end.
TEST(Kernels, Transposes) {
  std::string source;
  auto add = [&](const Shape &shape, const Shape &order, const char *element,
                 const std::string &more) {
    Shape result;
    for (int64_t dim : order)
      result.push_back(shape[dim]);
    std::string type = tensor(shape, element), to = tensor(result, element);
    source += function({type, to, tensor({result.back()}, element)}, {to},
                       "  %t = cleave.transpose %a0, dims = " + list(order) +
                           " : (" + type + ") -> " + to + "\n" + more + to);
  };
  const std::string copy = "  %r0 = cleave.minimum %t, %t : ";
  for (const char *element : {"i8", "bf16", "f32", "f64", "i1"}) {
    for (const Shape &shape :
         {Shape{4, 4}, Shape{5, 7}, Shape{16, 16}, Shape{17, 31}, Shape{3, 40},
          Shape{40, 3}, Shape{64, 96}, Shape{65, 100}, Shape{129, 33},
          Shape{33, 193}, Shape{1, 50}, Shape{0, 8}})
      add(shape, {1, 0}, element, copy);
    for (const Shape &order : {Shape{0, 2, 1}, Shape{2, 0, 1}, Shape{2, 1, 0},
                               Shape{1, 2, 0}, Shape{1, 0, 2}})
      add({6, 19, 37}, order, element, copy);
    add({2, 5, 18, 21}, {3, 1, 0, 2}, element, copy);
    add({2, 5, 18, 21}, {0, 3, 2, 1}, element, copy);
  }
  // Together with values that are not transposed, and with two that are.
  for (const char *element : {"f32", "bf16", "f64"})
    for (const Shape &shape : {Shape{35, 70}, Shape{64, 64}})
      add(shape, {1, 0}, element,
          "  %b = cleave.broadcast_in_dim %a2, dims = [1] : (" +
              tensor({shape[0]}, element) + ") -> " +
              tensor({shape[1], shape[0]}, element) +
              "\n  %s = cleave.multiply %t, %b : " +
              tensor({shape[1], shape[0]}, element) +
              "\n  %e = cleave.exponential %t : " +
              tensor({shape[1], shape[0]}, element) +
              "\n  %f = cleave.add %s, %e : " +
              tensor({shape[1], shape[0]}, element) +
              "\n  %r0 = cleave.add %f, %a1 : ");
  expectKernelsMatch(source, /*extremes=*/false);
}

/// A cluster of everything: rows, a broadcast along them, and a transpose.
TEST(Kernels, SoftmaxOfRows) {
  std::string source;
  for (const std::string &element : floats)
    for (const Shape &shape : {Shape{4, 9}, Shape{64, 100}, Shape{3, 1},
                               Shape{1, 700}, Shape{40, 1030}}) {
      std::string type = tensor(shape, element),
                  row = tensor({shape[0]}, element),
                  scalar = tensor({}, element);
      std::string reduced = " across dimensions = [1] : (" + type + ", " +
                            scalar + ") -> " + row + "\n";
      std::string widened = ", dims = [0] : (" + row + ") -> " + type + "\n";
      source += function(
          {type}, {type, row},
          "  %low = cleave.constant dense<-6.0e4> : " + scalar +
              "\n  %zero = cleave.constant dense<0.0> : " + scalar +
              "\n  %m = cleave.reduce(%a0 init: %low) applies cleave.maximum" +
              reduced + "  %mb = cleave.broadcast_in_dim %m" + widened +
              "  %s = cleave.subtract %a0, %mb : " + type +
              "\n  %e = cleave.exponential %s : " + type +
              "\n  %r1 = cleave.reduce(%e init: %zero) applies cleave.add" +
              reduced + "  %db = cleave.broadcast_in_dim %r1" + widened +
              "  %r0 = cleave.divide %e, %db : " + type);
    }
  expectKernelsMatch(source);
}
