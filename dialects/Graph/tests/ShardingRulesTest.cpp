//===- ShardingRulesTest.cpp - Rules of most ops --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/RuleTest.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class ShardingRulesTest : public RuleTest {};

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

TEST_F(ShardingRulesTest, Unary) {
  const char *names[] = {"abs",
                         "acos",
                         "acosh",
                         "asin",
                         "asinh",
                         "atan",
                         "atanh",
                         "bessel_i1e",
                         "cosh",
                         "digamma",
                         "erf_inv",
                         "erfc",
                         "lgamma",
                         "sinh",
                         "cbrt",
                         "ceil",
                         "cosine",
                         "erf",
                         "exp2",
                         "exponential",
                         "exponential_minus_one",
                         "floor",
                         "log",
                         "log2",
                         "log_plus_one",
                         "logistic",
                         "round_nearest_afz",
                         "round_nearest_even",
                         "rsqrt",
                         "sign",
                         "sine",
                         "sqrt",
                         "tan",
                         "tanh",
                         "gelu",
                         "silu",
                         "relu"};
  for (StringRef name : names)
    EXPECT_EQ(rule("%x: tensor<4x3xf32>",
                   ("cleave." + name + " %x : tensor<4x3xf32>").str()),
              "([a, b]) -> ([a, b]) {a=4, b=3}")
        << name.str();
  for (StringRef name : {"count_leading_zeros", "popcnt", "not"})
    EXPECT_EQ(rule("%x: tensor<4xi32>",
                   ("cleave." + name + " %x : tensor<4xi32>").str()),
              "([a]) -> ([a]) {a=4}")
        << name.str();
  EXPECT_EQ(rule("%x: tensor<4xf32>", "cleave.negate %x : tensor<4xf32>"),
            "([a]) -> ([a]) {a=4} linear {0}");
  EXPECT_EQ(rule("%x: tensor<4xf32>",
                 "cleave.is_finite %x : (tensor<4xf32>) -> tensor<4xi1>"),
            "([a]) -> ([a]) {a=4}");
}

TEST_F(ShardingRulesTest, Bits) {
  EXPECT_EQ(rule("%x: tensor<4xf32>",
                 "cleave.reduce_precision %x, exponent_bits = 5, "
                 "mantissa_bits = 2 : tensor<4xf32>"),
            "([a]) -> ([a]) {a=4}");
  EXPECT_EQ(
      rule("%x: tensor<4xf32>",
           "cleave.bitcast_convert %x : (tensor<4xf32>) -> tensor<4xi32>"),
      "([a]) -> ([a]) {a=4}");
  EXPECT_EQ(
      rule("%x: tensor<4xf64>",
           "cleave.bitcast_convert %x : (tensor<4xf64>) -> tensor<4x8xi8>"),
      "([a]) -> ([a, b]) {a=4, b=8:whole}");
  EXPECT_EQ(
      rule("%x: tensor<4x2xi16>",
           "cleave.bitcast_convert %x : (tensor<4x2xi16>) -> tensor<4xf32>"),
      "([a, b]) -> ([a]) {a=4, b=2:whole}");
}

TEST_F(ShardingRulesTest, Convert) {
  auto convert = [&](StringRef from, StringRef to) {
    return rule(
        ("%x: tensor<4x" + from + ">").str(),
        ("cleave.convert %x : (tensor<4x" + from + ">) -> tensor<4x" + to + ">")
            .str());
  };
  EXPECT_EQ(convert("bf16", "f32"), "([a]) -> ([a]) {a=4} linear {0}");
  EXPECT_EQ(convert("f32", "bf16"), "([a]) -> ([a]) {a=4}");
  EXPECT_EQ(convert("bf16", "f16"), "([a]) -> ([a]) {a=4}");
  EXPECT_EQ(convert("i32", "f32"), "([a]) -> ([a]) {a=4}");
}

TEST_F(ShardingRulesTest, Binary) {
  auto binary = [&](StringRef name, StringRef type) {
    return rule(
        ("%x: tensor<4x" + type + ">, %y: tensor<4x" + type + ">").str(),
        ("cleave." + name + " %x, %y : tensor<4x" + type + ">").str());
  };
  const std::string plain = "([a], [a]) -> ([a]) {a=4}";
  for (StringRef name : {"atan2", "maximum", "minimum", "power", "remainder"})
    EXPECT_EQ(binary(name, "f32"), plain) << name.str();
  for (StringRef name :
       {"and", "or", "xor", "shift_left", "shift_right_arithmetic",
        "shift_right_logical", "divide"})
    EXPECT_EQ(binary(name, "i32"), plain) << name.str();
  EXPECT_EQ(binary("add", "f32"), plain + " linear {0, 1}");
  EXPECT_EQ(binary("add", "i32"), plain + " linear {0, 1}");
  EXPECT_EQ(binary("add", "i1"), plain);
  EXPECT_EQ(binary("subtract", "f32"), plain + " linear {0, 1}");
  EXPECT_EQ(binary("multiply", "f32"), plain + " linear {0} {1}");
  EXPECT_EQ(binary("divide", "f32"), plain + " linear {0}");
  EXPECT_EQ(rule("%x: tensor<4xf32>, %y: tensor<4xf32>",
                 "cleave.compare LT, %x, %y : (tensor<4xf32>, tensor<4xf32>) "
                 "-> tensor<4xi1>"),
            plain);
}

TEST_F(ShardingRulesTest, Scalars) {
  EXPECT_EQ(rule("%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>",
                 "cleave.select %p, %x, %y : tensor<i1>, tensor<4xf32>"),
            "([], [a], [a]) -> ([a]) {a=4} linear {1, 2}");
  EXPECT_EQ(rule("%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>",
                 "cleave.select %p, %x, %y : tensor<4xi1>, tensor<4xf32>"),
            "([a], [a], [a]) -> ([a]) {a=4} linear {1, 2}");
  EXPECT_EQ(rule("%l: tensor<f32>, %x: tensor<4x0xf32>, %h: tensor<4x0xf32>",
                 "cleave.clamp %l, %x, %h : (tensor<f32>, tensor<4x0xf32>, "
                 "tensor<4x0xf32>) -> tensor<4x0xf32>"),
            "([], [a, b], [a, b]) -> ([a, b]) {a=4, b=0}");
}

//===----------------------------------------------------------------------===//
// Sources and data movement
//===----------------------------------------------------------------------===//

TEST_F(ShardingRulesTest, Sources) {
  EXPECT_EQ(rule("", "cleave.constant dense<1.0> : tensor<4x2xf32>"),
            "() -> ([a, b]) {a=4, b=2}");
  EXPECT_EQ(rule("", "cleave.constant dense<[1.0, 2.0]> : tensor<2xf32>"),
            "() -> ([a]) {a=2:whole}");
  EXPECT_EQ(rule("", "cleave.iota dim = 1 : tensor<4x2xi32>"),
            "() -> ([a, b]) {a=4, b=2}");
}

TEST_F(ShardingRulesTest, Broadcast) {
  EXPECT_EQ(rule("%x: tensor<1x3xf32>",
                 "cleave.broadcast_in_dim %x, dims = [2, 1] : "
                 "(tensor<1x3xf32>) -> tensor<5x3x4xf32>"),
            "([-, b]) -> ([a, b, c]) {a=5, b=3, c=4} linear {0}");
  EXPECT_EQ(rule("%x: tensor<f32>",
                 "cleave.broadcast_in_dim %x, dims = [] : (tensor<f32>) -> "
                 "tensor<2xf32>"),
            "([]) -> ([a]) {a=2} linear {0}");
}

TEST_F(ShardingRulesTest, Reshape) {
  auto reshape = [&](StringRef from, StringRef to) {
    return rule(("%x: tensor<" + from + "xf32>").str(),
                ("cleave.reshape %x : (tensor<" + from + "xf32>) -> tensor<" +
                 to + "xf32>")
                    .str());
  };
  EXPECT_EQ(reshape("8x6", "48"),
            "([a, b]) -> ([ab]) {a=8:blocked, b=6:blocked} linear {0}");
  EXPECT_EQ(reshape("48", "2x4x6"),
            "([abc]) -> ([a, b, c]) {a=2:blocked, b=4:blocked, "
            "c=6:blocked} linear {0}");
  EXPECT_EQ(reshape("2x12", "8x3"),
            "([a, bc]) -> ([ab, c]) {a=2:blocked, b=4:blocked, "
            "c=3:blocked} linear {0}");
  EXPECT_EQ(
      reshape("1x8x1", "2x1x4"),
      "([-, ab, -]) -> ([a, -, b]) {a=2:blocked, b=4:blocked} linear {0}");
  EXPECT_EQ(reshape("1x1", "1"), "([-, -]) -> ([-]) {} linear {0}");
  // No common refinement until the 5.
  EXPECT_EQ(reshape("2x3x5", "3x2x5"),
            "([a, c, e]) -> ([b, d, e]) {a=2:whole, b=3:whole, c=3:whole, "
            "d=2:whole, e=5} linear {0}");
  // Half of each can be cut.
  EXPECT_EQ(
      reshape("4x9", "6x6"),
      "([ab, d]) -> ([ac, e]) {a=2:blocked, b=2:whole, c=3:whole, d=9:whole, "
      "e=6:whole} linear {0}");
  EXPECT_EQ(reshape("0x4", "2x0"), "([-, -]) -> ([-, -]) {} linear {0}");
}

TEST_F(ShardingRulesTest, Permutations) {
  EXPECT_EQ(rule("%x: tensor<2x3x4xf32>",
                 "cleave.transpose %x, dims = [2, 0, 1] : "
                 "(tensor<2x3x4xf32>) -> tensor<4x2x3xf32>"),
            "([b, c, a]) -> ([a, b, c]) {a=4, b=2, c=3} linear {0}");
  EXPECT_EQ(rule("%x: tensor<2x3xf32>",
                 "cleave.reverse %x, dims = [1] : tensor<2x3xf32>"),
            "([a, b]) -> ([a, b]) {a=2, b=3:collective} linear {0}");
}

TEST_F(ShardingRulesTest, Slices) {
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "cleave.slice %x [0:4, 2:8:2] : (tensor<4x8xf32>) -> "
                 "tensor<4x3xf32>"),
            "([a, b]) -> ([a, b]) {a=4, b=3:collective} linear {0}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>, %i: tensor<i32>",
                 "cleave.dynamic_slice %x, %i, %i, sizes = [4, 1] : "
                 "(tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> "
                 "tensor<4x1xf32>"),
            "([a, b], [], []) -> ([a, c]) {a=4, b=8:collective, c=1:whole} "
            "linear {0}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>, %u: tensor<4x2xf32>, %i: tensor<i32>",
                 "cleave.dynamic_update_slice %x, %u, %i, %i : "
                 "(tensor<4x8xf32>, tensor<4x2xf32>, tensor<i32>, "
                 "tensor<i32>) -> tensor<4x8xf32>"),
            "([a, b], [a, c], [], []) -> ([a, b]) {a=4, b=8, c=2:collective} "
            "linear {0, 1}");
}

TEST_F(ShardingRulesTest, SinglesAndEmptyPartsAreWhole) {
  // All ranks get the one element that is wanted.
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "cleave.slice %x [0:4, 2:3] : (tensor<4x8xf32>) -> "
                 "tensor<4x1xf32>"),
            "([a, b]) -> ([a, c]) {a=4, b=8:collective, c=1:whole} linear "
            "{0}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "cleave.slice %x [0:4, 2:2] : (tensor<4x8xf32>) -> "
                 "tensor<4x0xf32>"),
            "([a, b]) -> ([a, c]) {a=4, b=8:whole, c=0:whole} linear {0}");
  EXPECT_EQ(rule("%x: tensor<2xf32>, %y: tensor<0xf32>",
                 "cleave.concatenate %x, %y, dim = 0 : (tensor<2xf32>, "
                 "tensor<0xf32>) -> tensor<2xf32>"),
            "([a], [b]) -> ([a]) {a=2:collective, b=0:whole} linear {0, 1}");
  EXPECT_EQ(rule("%x: tensor<1x3xf32>",
                 "cleave.reverse %x, dims = [0, 1] : tensor<1x3xf32>"),
            "([a, b]) -> ([a, b]) {a=1, b=3:collective} linear {0}");
}

TEST_F(ShardingRulesTest, PadAndConcatenate) {
  const char *pad = "cleave.pad %x, %z, low = [0, 1], high = [0, 0], "
                    "interior = [0, 0] : (tensor<4x3xf32>, tensor<f32>) -> "
                    "tensor<4x4xf32>";
  EXPECT_EQ(rule("%x: tensor<4x3xf32>, %z: tensor<f32>", pad),
            "([a, b], []) -> ([a, b]) {a=4, b=4:collective} linear {0, 1}");
  EXPECT_EQ(
      rule("%x: tensor<4x3xf32>",
           (Twine("%z = cleave.constant dense<0.0> : tensor<f32>\n") + pad)
               .str()),
      "([a, b], []) -> ([a, b]) {a=4, b=4:collective} linear {0, 1} {0}");
  EXPECT_EQ(rule("%x: tensor<2x4xf32>, %y: tensor<3x4xf32>",
                 "cleave.concatenate %x, %y, dim = 0 : (tensor<2x4xf32>, "
                 "tensor<3x4xf32>) -> tensor<5x4xf32>"),
            "([a, b], [a, b]) -> ([a, b]) {a=5:collective, b=4} linear {0, 1}");
}

//===----------------------------------------------------------------------===//
// Contractions and reductions
//===----------------------------------------------------------------------===//

TEST_F(ShardingRulesTest, DotGeneral) {
  EXPECT_EQ(rule("%x: tensor<2x4x8xf32>, %y: tensor<2x8x16xf32>",
                 "cleave.dot_general %x, %y, batching_dims = [0] x [0], "
                 "contracting_dims = [2] x [1] : (tensor<2x4x8xf32>, "
                 "tensor<2x8x16xf32>) -> tensor<2x4x16xf32>"),
            "([a, b, d], [a, d, c]) -> ([a, b, c]) {a=2, b=4, c=16, d=8:sum} "
            "linear {0} {1}");
}

TEST_F(ShardingRulesTest, Linear) {
  EXPECT_EQ(rule("%x: tensor<2x4x8xf32>, %w: tensor<8x16xf32>",
                 "cleave.linear %x, %w : (tensor<2x4x8xf32>, "
                 "tensor<8x16xf32>) -> tensor<2x4x16xf32>"),
            "([a, b, d], [d, c]) -> ([a, b, c]) {a=2, b=4, c=16, d=8:sum} "
            "linear {0} {1}");
  EXPECT_EQ(rule("%x: tensor<4x2x3xf32>, %w: tensor<2x3x6x5xf32>, %b: "
                 "tensor<6x5xf32>",
                 "cleave.linear %x, %w bias %b contracting = 2 : "
                 "(tensor<4x2x3xf32>, tensor<2x3x6x5xf32>, tensor<6x5xf32>) "
                 "-> tensor<4x6x5xf32>"),
            "([a, d, e], [d, e, b, c], [b, c]) -> ([a, b, c]) {a=4, b=6, c=5, "
            "d=2:collective, e=3:collective} linear {0, 2} {1, 2}");
}

TEST_F(ShardingRulesTest, Reduce) {
  auto reduce = [&](StringRef init, StringRef op, StringRef type) {
    return rule(("%x: tensor<4x8x" + type + ">").str(),
                ("%z = cleave.constant dense<" + init + "> : tensor<" + type +
                 ">\ncleave.reduce(%x init: %z) applies cleave." + op +
                 " across dimensions = [1] : (tensor<4x8x" + type +
                 ">, tensor<" + type + ">) -> tensor<4x" + type + ">")
                    .str());
  };
  const std::string head = "([a, b], []) -> ([a]) {a=4, b=8:";
  EXPECT_EQ(reduce("0.0", "add", "f32"), head + "sum} linear {0}");
  EXPECT_EQ(reduce("-0.0", "add", "f32"), head + "sum} linear {0}");
  // Each rank would count the initial value.
  EXPECT_EQ(reduce("1.0", "add", "f32"), head + "whole} linear {0, 1}");
  EXPECT_EQ(reduce("1", "multiply", "i32"), head + "prod}");
  EXPECT_EQ(reduce("2", "multiply", "i32"), head + "whole}");
  // Idempotent: it may.
  EXPECT_EQ(reduce("1.0", "maximum", "f32"), head + "max}");
  EXPECT_EQ(reduce("1", "minimum", "i32"), head + "min}");
  EXPECT_EQ(reduce("true", "and", "i1"), head + "and}");
  EXPECT_EQ(reduce("false", "add", "i1"), head + "or}");
  // No collective does this, but the op itself can combine parts.
  EXPECT_EQ(reduce("0", "or", "i32"), head + "collective}");
  EXPECT_EQ(reduce("0", "xor", "i32"), head + "collective}");
}

TEST_F(ShardingRulesTest, ReduceWithAnyFunction) {
  auto reduce = [&](StringRef inits, StringRef body) {
    return rule(
        "%x: tensor<4x8xf32>, %i: tensor<4x8xi32>, %p: tensor<f32>",
        (inits +
         "\ncleave.reduce(%x init: %z), (%i init: %k) across dimensions = [1] "
         ": (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> "
         "(tensor<4xf32>, tensor<4xi32>)\n reducer(%a: tensor<f32>, %e: "
         "tensor<f32>) (%b: tensor<i32>, %d: tensor<i32>) {\n" +
         body + "\n}")
            .str());
  };
  const std::string head = "([a, b], [a, b], [], []) -> ([a], [a]) {a=4, b=8:";
  const char *lowest = "%z = cleave.constant dense<0xFF800000> : tensor<f32>\n"
                       "%k = cleave.constant dense<0> : tensor<i32>";
  const char *argmax =
      "%g = cleave.compare GT, %a, %e : (tensor<f32>, tensor<f32>) -> "
      "tensor<i1>\n%q = cleave.compare EQ, %a, %e : (tensor<f32>, tensor<f32>) "
      "-> tensor<i1>\n%l = cleave.compare LT, %b, %d : (tensor<i32>, "
      "tensor<i32>) -> tensor<i1>\n%ql = cleave.and %q, %l : tensor<i1>\n"
      "%t = cleave.or %g, %ql : tensor<i1>\n"
      "%v = cleave.select %g, %a, %e : tensor<i1>, tensor<f32>\n"
      "%w = cleave.select %t, %b, %d : tensor<i1>, tensor<i32>\n"
      "cleave.return %v, %w : tensor<f32>, tensor<i32>";
  EXPECT_EQ(reduce(lowest, argmax), head + "collective}");
  // Two sums are one kind of reduction.
  const char *zeros = "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                      "%k = cleave.constant dense<0> : tensor<i32>";
  const char *sums = "%s = cleave.add %a, %e : tensor<f32>\n"
                     "%t = cleave.add %d, %b : tensor<i32>\n"
                     "cleave.return %s, %t : tensor<f32>, tensor<i32>";
  EXPECT_EQ(reduce(zeros, sums), head + "sum} linear {0, 1}");
  // They must not count an initial value more than once.
  EXPECT_EQ(reduce("%z = cleave.constant dense<1.0> : tensor<f32>\n"
                   "%k = cleave.constant dense<0> : tensor<i32>",
                   sums),
            head + "whole} linear {0, 1, 2, 3}");
  EXPECT_EQ(reduce("%z = cleave.reshape %p : (tensor<f32>) -> tensor<f32>\n"
                   "%k = cleave.constant dense<0> : tensor<i32>",
                   argmax),
            head + "whole}");
  // With a constant from outside.
  EXPECT_EQ(
      reduce((Twine(lowest) + "\n%c = cleave.constant dense<9.0> : tensor<f32>")
                 .str(),
             "%m = cleave.maximum %a, %e : tensor<f32>\n"
             "%s = cleave.minimum %m, %c : tensor<f32>\n"
             "%t = cleave.xor %b, %d : tensor<i32>\n"
             "cleave.return %s, %t : tensor<f32>, tensor<i32>"),
      head + "collective}");
  // A sum of squares is no monoid: squares of parts would be squared again.
  EXPECT_EQ(reduce(zeros, "%m = cleave.multiply %e, %e : tensor<f32>\n"
                          "%s = cleave.add %a, %m : tensor<f32>\n"
                          "%t = cleave.add %b, %d : tensor<i32>\n"
                          "cleave.return %s, %t : tensor<f32>, tensor<i32>"),
            head + "whole}");
}

//===----------------------------------------------------------------------===//
// Composites
//===----------------------------------------------------------------------===//

TEST_F(ShardingRulesTest, Normalizations) {
  EXPECT_EQ(rule("%x: tensor<4x8xf32>, %s: tensor<8xf32>",
                 "cleave.layer_norm %x, %s, %s, epsilon = 1.0e-5 : "
                 "(tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> "
                 "tensor<4x8xf32>"),
            "([a, b], [b], [b]) -> ([a, b]) {a=4, b=8:collective}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>, %s: tensor<8xf32>",
                 "cleave.rms_norm %x, %s, epsilon = 1.0e-5 : "
                 "(tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>"),
            "([a, b], [b]) -> ([a, b]) {a=4, b=8:collective}");
  EXPECT_EQ(rule("%x: tensor<4x8xf32>",
                 "cleave.softmax %x, dim = 0 : tensor<4x8xf32>"),
            "([a, b]) -> ([a, b]) {a=4:collective, b=8}");
  EXPECT_EQ(rule("%x: tensor<2x4x8xf32>, %l: tensor<2x4xi32>",
                 "cleave.cross_entropy %x, %l : (tensor<2x4x8xf32>, "
                 "tensor<2x4xi32>) -> tensor<2x4xf32>"),
            "([a, b, c], [a, b]) -> ([a, b]) {a=2, b=4, c=8:collective}");
}

TEST_F(ShardingRulesTest, Embedding) {
  EXPECT_EQ(rule("%t: tensor<100x16xf32>, %i: tensor<2x5xi32>",
                 "cleave.embedding %t, %i : (tensor<100x16xf32>, "
                 "tensor<2x5xi32>) -> tensor<2x5x16xf32>"),
            "([c, d], [a, b]) -> ([a, b, d]) {a=2, b=5, c=100:collective, "
            "d=16} linear {0}");
}

TEST_F(ShardingRulesTest, Attention) {
  // Two heads per group; the mask broadcasts along batch and heads.
  EXPECT_EQ(rule("%q: tensor<2x5x8x16xf32>, %k: tensor<2x7x4x16xf32>, %v: "
                 "tensor<2x7x4x12xf32>, %m: tensor<1x1x5x7xf32>",
                 "cleave.attention %q, %k, %v mask %m causal : "
                 "(tensor<2x5x8x16xf32>, tensor<2x7x4x16xf32>, "
                 "tensor<2x7x4x12xf32>, tensor<1x1x5x7xf32>) -> "
                 "tensor<2x5x8x12xf32>"),
            "([a, b, cd, f], [a, e, c, f], [a, e, c, g], [-, -, b, e]) -> "
            "([a, b, cd, g]) {a=2, b=5, c=4, d=2, e=7:whole, f=16:whole, "
            "g=12} linear {2}");
  // One group: its dimension broadcasts along the heads.
  EXPECT_EQ(rule("%q: tensor<2x5x8x16xf32>, %k: tensor<2x7x1x16xf32>",
                 "cleave.attention %q, %k, %k : (tensor<2x5x8x16xf32>, "
                 "tensor<2x7x1x16xf32>, tensor<2x7x1x16xf32>) -> "
                 "tensor<2x5x8x16xf32>"),
            "([a, b, c, e], [a, d, -, e], [a, d, -, f]) -> ([a, b, c, f]) "
            "{a=2, b=5, c=8, d=7:whole, e=16:whole, f=16} linear {2}");
}

TEST_F(ShardingRulesTest, RotaryEmbedding) {
  const std::string result = " -> ([a, b, c, d]) {a=2, b=5, c=8, d=16:whole} "
                             "linear {0}";
  EXPECT_EQ(rule("%x: tensor<2x5x8x16xf32>, %p: tensor<5xi32>",
                 "cleave.rotary_embedding %x, %p : (tensor<2x5x8x16xf32>, "
                 "tensor<5xi32>) -> tensor<2x5x8x16xf32>"),
            "([a, b, c, d], [b])" + result);
  EXPECT_EQ(rule("%x: tensor<2x5x8x16xf32>, %p: tensor<2x5xi32>",
                 "cleave.rotary_embedding %x, %p : (tensor<2x5x8x16xf32>, "
                 "tensor<2x5xi32>) -> tensor<2x5x8x16xf32>"),
            "([a, b, c, d], [a, b])" + result);
}

TEST(BlockCountsTest, Nest) {
  AxisRef a{0, 1, 2}, b{1, 1, 3};
  using Counts = llvm::SmallVector<int64_t>;
  EXPECT_EQ(blockCounts(12, {a, b}), Counts({2, 2, 2, 2, 2, 2}));
  // Blocks of 4, then of 2: the third block of the first four is empty.
  EXPECT_EQ(blockCounts(7, {a, b}), Counts({2, 2, 0, 2, 1, 0}));
  EXPECT_EQ(blockCounts(1, {a, b}), Counts({1, 0, 0, 0, 0, 0}));
  EXPECT_EQ(blockCounts(5, {}), Counts({5}));
}

//===----------------------------------------------------------------------===//
// Linear algebra
//===----------------------------------------------------------------------===//

TEST_F(ShardingRulesTest, Fft) {
  EXPECT_EQ(rule("%x: tensor<2x4x6xf32>",
                 "cleave.fft FFT %x, %x, length = [4, 6] : "
                 "(tensor<2x4x6xf32>, tensor<2x4x6xf32>) -> "
                 "(tensor<2x4x6xf32>, tensor<2x4x6xf32>)"),
            "([a, b, c], [a, b, c]) -> ([a, b, c], [a, b, c]) {a=2, b=4:whole, "
            "c=6:whole}");
  EXPECT_EQ(rule("%x: tensor<2x6xf32>",
                 "cleave.fft RFFT %x, length = [6] : (tensor<2x6xf32>) -> "
                 "(tensor<2x4xf32>, tensor<2x4xf32>)"),
            "([a, b]) -> ([a, c], [a, c]) {a=2, b=6:whole, c=4:whole}");
}

TEST_F(ShardingRulesTest, Solvers) {
  EXPECT_EQ(rule("%a: tensor<2x3x3xf32>",
                 "cleave.cholesky lower %a : (tensor<2x3x3xf32>) -> "
                 "tensor<2x3x3xf32>"),
            "([a, b, c]) -> ([a, b, c]) {a=2, b=3:whole, c=3:whole}");
  EXPECT_EQ(rule("%a: tensor<2x3x3xf32>, %b: tensor<2x3x5xf32>",
                 "cleave.triangular_solve no_transpose left lower (%a) (%b) : "
                 "(tensor<2x3x3xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>"),
            "([a, c, e], [a, b, d]) -> ([a, b, d]) {a=2, b=3:whole, c=3:whole, "
            "d=5, e=3:whole}");
  EXPECT_EQ(rule("%a: tensor<3x3xf32>, %b: tensor<5x3xf32>",
                 "cleave.triangular_solve transpose lower (%a) (%b) : "
                 "(tensor<3x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>"),
            "([b, d], [a, c]) -> ([a, c]) {a=5, b=3:whole, c=3:whole, "
            "d=3:whole}");
}

TEST_F(ShardingRulesTest, Factorizations) {
  EXPECT_EQ(rule("%a: tensor<2x5x3xf32>",
                 "cleave.lu %a : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, "
                 "tensor<2x3xi32>)"),
            "([a, b, c]) -> ([a, d, e], [a, f]) {a=2, b=5:whole, c=3:whole, "
            "d=5:whole, e=3:whole, f=3:whole}");
  EXPECT_EQ(rule("%d: tensor<2x5xf32>, %b: tensor<2x5x3xf32>",
                 "cleave.tridiagonal_solve (%d) (%d) (%d) (%b) : "
                 "(tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>, "
                 "tensor<2x5x3xf32>) -> tensor<2x5x3xf32>"),
            "([a, b], [a, b], [a, b], [a, b, c]) -> ([a, b, c]) {a=2, "
            "b=5:whole, c=3}");
}
} // namespace
