//===- LocalPrimitivesTest.cpp - Local forms of primitives ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/tests/LocalFormsTest.h"

using namespace cleave;
using namespace cleave::graph;
using namespace mlir;

namespace {

class LocalPrimitivesTest : public LocalFormsTest {};

TEST_F(LocalPrimitivesTest, Sources) {
  // 7 rows in blocks of 4, then of 2: one block is empty.
  EXPECT_EQ(run("", "%r = cleave.iota dim = 0 : tensor<7x2xf32>",
                "tensor<7x2xf32>", {{x, y}, {}})
                .localError,
            0);
  EXPECT_EQ(run("", "%r = cleave.iota dim = 0 : tensor<7x4xi8>",
                "tensor<7x4xi8>", {{}, {x}})
                .localError,
            0);
  Simulation constant =
      run("",
          "%r = cleave.constant {cleave.name = \"c\"} dense<2.0> : "
          "tensor<7x2xf32>",
          "tensor<7x2xf32>", {{y}, {x}});
  EXPECT_EQ(constant.localError, 0);
}

TEST_F(LocalPrimitivesTest, Slices) {
  EXPECT_EQ(run("%x: tensor<7x8xf32>",
                "%r = cleave.slice %x [0:7, 2:8:2] : (tensor<7x8xf32>) -> "
                "tensor<7x3xf32>",
                "tensor<7x3xf32>", {{x, y}, {}, {}})
                .localError,
            0);
  EXPECT_EQ(run("%x: tensor<7x8xf32>, %i: tensor<i32>",
                "%r = cleave.dynamic_slice %x, %i, %i, sizes = [7, 3] : "
                "(tensor<7x8xf32>, tensor<i32>, tensor<i32>) -> "
                "tensor<7x3xf32>",
                "tensor<7x3xf32>", {{x, y}, {}, {}})
                .localError,
            0);
}

TEST_F(LocalPrimitivesTest, SortInBatches) {
  const char *body =
      "%r = cleave.sort(%x) dimension = 1 : (tensor<3x7x4xf32>) -> "
      "tensor<3x7x4xf32> {\n^bb0(%a: tensor<f32>, %b: tensor<f32>):\n"
      "%l = cleave.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> "
      "tensor<i1>\ncleave.return %l : tensor<i1>\n}";
  Simulation local =
      run("%x: tensor<3x7x4xf32>", body, "tensor<3x7x4xf32>", {{x}, {}, {y}});
  EXPECT_EQ(local.localError, 0);
  EXPECT_TRUE(local.collectives.empty());
}

TEST_F(LocalPrimitivesTest, RandomBits) {
  // Blocks begin anywhere between the words of a counter.
  for (const char *algorithm : {"three_fry", "philox"})
    for (const char *type :
         {"tensor<7x11xui32>", "tensor<6x5xui8>", "tensor<5x7xui64>"})
      for (const FactorShardings &factors :
           {FactorShardings{{}, {x, y}}, FactorShardings{{}, {}, {x, y}},
            FactorShardings{{}, {y}, {x}}}) {
        Simulation local =
            run("%s: tensor<2xui64>",
                ("%o, %r = cleave.rng_bit_generator " + Twine(algorithm) +
                 ", %s {cleave.name = \"bits\"} : (tensor<2xui64>) -> "
                 "(tensor<2xui64>, " +
                 type + ")")
                    .str(),
                type, factors);
        EXPECT_EQ(local.localError, 0);
        EXPECT_TRUE(local.collectives.empty());
        EXPECT_TRUE(local.attributes.get("cleave.name"));
      }
}

TEST_F(LocalPrimitivesTest, Reduce) {
  const char *body = "%z = cleave.constant dense<0.0> : tensor<f32>\n"
                     "%r = cleave.reduce(%x init: %z) applies cleave.add "
                     "across dimensions = [1] : (tensor<4x7xf32>, "
                     "tensor<f32>) -> tensor<4xf32>";
  EXPECT_LT(
      run("%x: tensor<4x7xf32>", body, "tensor<4xf32>", {{x}, {y}}).localError,
      tolerance);
}

TEST_F(LocalPrimitivesTest, ReduceWithAnyFunction) {
  // The place of the first maximum.
  const char *args = "%x: tensor<4x7x5xi8>, %i: tensor<4x7x5xi32>";
  auto body = [](StringRef dimensions, StringRef type) {
    return ("%low = cleave.constant dense<-128> : tensor<i8>\n"
            "%zero = cleave.constant dense<0> : tensor<i32>\n"
            "%v, %r = cleave.reduce(%x init: %low), (%i init: %zero) across "
            "dimensions = " +
            dimensions +
            " {cleave.name = \"argmax\"} : (tensor<4x7x5xi8>, "
            "tensor<4x7x5xi32>, tensor<i8>, tensor<i32>) -> (tensor<" +
            type + "xi8>, tensor<" + type +
            "xi32>)\n reducer(%a: tensor<i8>, %e: tensor<i8>) (%b: "
            "tensor<i32>, %d: tensor<i32>) {\n"
            "%g = cleave.compare GE, %a, %e : (tensor<i8>, tensor<i8>) -> "
            "tensor<i1>\n%s = cleave.select %g, %a, %e : tensor<i1>, "
            "tensor<i8>\n%t = cleave.select %g, %b, %d : tensor<i1>, "
            "tensor<i32>\ncleave.return %s, %t : tensor<i8>, tensor<i32>\n}")
        .str();
  };
  const Collectives two = {"partial results of reduce",
                           "partial results of reduce"};
  // The first of equal ones: the order of ranks must be that of the blocks.
  for (const FactorShardings &factors :
       {FactorShardings{{}, {y}}, FactorShardings{{}, {x, y}},
        FactorShardings{{x}, {y}}, FactorShardings{{}, {y}, {x}}}) {
    Simulation one = run(args, body("[1]", "4x5"), "tensor<4x5xi32>", factors);
    EXPECT_EQ(one.localError, 0);
    EXPECT_EQ(one.collectives, two);
    EXPECT_TRUE(one.attributes.get("cleave.name"));
  }
  EXPECT_EQ(
      run(args, body("[0]", "7x5"), "tensor<7x5xi32>", {{x, y}}).localError, 0);
  Simulation local =
      run(args, body("[1]", "4x5"), "tensor<4x5xi32>", {{x}, {}, {y}});
  EXPECT_EQ(local.localError, 0);
  EXPECT_TRUE(local.collectives.empty());
}

TEST_F(LocalPrimitivesTest, ReduceOfTwoDimensionsWithAnyFunction) {
  // log(exp(a) + exp(b))
  const char *body =
      "%z = cleave.constant dense<0xFF800000> : tensor<f32>\n"
      "%r = cleave.reduce(%x init: %z) across dimensions = [2, 0] : "
      "(tensor<4x3x7xf32>, tensor<f32>) -> tensor<3xf32>\n"
      " reducer(%a: tensor<f32>, %e: tensor<f32>) {\n"
      "%p = cleave.exponential %a : tensor<f32>\n"
      "%q = cleave.exponential %e : tensor<f32>\n"
      "%s = cleave.add %p, %q : tensor<f32>\n"
      "%l = cleave.log %s : tensor<f32>\n"
      "cleave.return %l : tensor<f32>\n}";
  for (const FactorShardings &factors :
       {FactorShardings{{x}, {}, {y}}, FactorShardings{{y}, {}, {x}},
        FactorShardings{{}, {x}, {y}}}) {
    Simulation both =
        run("%x: tensor<4x3x7xf32>", body, "tensor<3xf32>", factors);
    EXPECT_LT(both.localError, tolerance);
    EXPECT_FALSE(both.collectives.empty());
  }
}

} // namespace
