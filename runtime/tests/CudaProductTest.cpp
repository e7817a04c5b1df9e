//===- CudaProductTest.cpp - Matrix products as cuBLASLt's ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/devices/cuda/CudaProduct.h"

#include <gtest/gtest.h>

using namespace cleave::rt;

/// m = 6, n = 8, k = 5; all row-major.
static GemmSpec makeSpec() {
  GemmSpec spec;
  spec.dtype = DType::F32;
  spec.m = 6;
  spec.n = 8;
  spec.k = 5;
  spec.a = {{}, 5, 1};
  spec.b = {{}, 8, 1};
  spec.out = {{}, 8, 1};
  spec.bias = Bias::None;
  spec.activation = Activation::None;
  spec.residual = false;
  return spec;
}

static void addBatch(GemmSpec &spec, int64_t size, int64_t a, int64_t b,
                     int64_t out) {
  spec.batch.push_back(size);
  spec.a.batch.push_back(a);
  spec.b.batch.push_back(b);
  spec.out.batch.push_back(out);
}

TEST(CudaProduct, RowMajorIsTheTransposedProduct) {
  auto plan = planCudaProduct(makeSpec(), ProductType::F32);
  ASSERT_TRUE(plan);
  const CleaveCudaProduct &product = plan->product;
  EXPECT_TRUE(plan->isSwapped);
  EXPECT_EQ(product.m, 8);
  EXPECT_EQ(product.n, 6);
  // cuBLASLt's a is our b, whose rows are columns for it.
  EXPECT_EQ(product.a.rows, 8);
  EXPECT_EQ(product.a.cols, 5);
  EXPECT_EQ(product.a.stride, 8);
  EXPECT_FALSE(product.isATransposed);
  EXPECT_EQ(product.b.rows, 5);
  EXPECT_EQ(product.b.cols, 6);
  EXPECT_EQ(product.b.stride, 5);
  EXPECT_FALSE(product.isBTransposed);
  EXPECT_EQ(product.d.stride, 8);
}

TEST(CudaProduct, OperandsContiguousAlongTheOtherIndexAreTransposed) {
  GemmSpec spec = makeSpec();
  spec.b = {{}, 1, 5};
  auto plan = planCudaProduct(spec, ProductType::F32);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->product.isATransposed);
  EXPECT_EQ(plan->product.a.rows, 5);
  EXPECT_EQ(plan->product.a.cols, 8);
  EXPECT_EQ(plan->product.a.stride, 5);
}

TEST(CudaProduct, BiasPerRowNeedsAColumnMajorResult) {
  GemmSpec spec = makeSpec();
  spec.bias = Bias::PerRow;
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
  spec.out = {{}, 1, 6};
  auto plan = planCudaProduct(spec, ProductType::F32);
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->isSwapped);
  spec.bias = Bias::PerColumn;
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
}

TEST(CudaProduct, BatchDimensionsThatOneStrideWalksAreOne) {
  GemmSpec spec = makeSpec();
  addBatch(spec, 2, 90, 0, 144);
  addBatch(spec, 3, 30, 0, 48);
  auto plan = planCudaProduct(spec, ProductType::F32);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->product.count, 6);
  EXPECT_EQ(plan->product.a.batchStride, 0);
  EXPECT_EQ(plan->product.b.batchStride, 30);
  EXPECT_EQ(plan->product.d.batchStride, 48);
  EXPECT_EQ(plan->calls.size(), 1u);
  EXPECT_EQ(plan->product.alignment, 64);
}

TEST(CudaProduct, OtherBatchDimensionsAreCalls) {
  GemmSpec spec = makeSpec();
  addBatch(spec, 2, 15, 40, 480);
  addBatch(spec, 5, 100, 80, 48);
  auto plan = planCudaProduct(spec, ProductType::F32);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->product.count, 5);
  ASSERT_EQ(plan->calls.size(), 2u);
  // 15 elements of 4 bytes beside a buffer at a multiple of 64.
  EXPECT_EQ(plan->product.alignment, 4);
  char a[4096], b[4096], out[8192];
  CleaveCudaOperands operands = plan->at(1, a, b, nullptr, nullptr, out);
  EXPECT_EQ(operands.a, b + 40 * 4);
  EXPECT_EQ(operands.b, a + 15 * 4);
  EXPECT_EQ(operands.addend, nullptr);
  EXPECT_EQ(operands.d, out + 480 * 4);
}

TEST(CudaProduct, SizesOfOneHaveAnyStride) {
  GemmSpec spec = makeSpec();
  spec.m = 1;
  spec.a.row = 0;
  spec.out.row = 0;
  auto plan = planCudaProduct(spec, ProductType::F32);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->product.b.stride, 5);
  EXPECT_EQ(plan->product.d.stride, 8);
}

TEST(CudaProduct, WhatCublasLtHasNot) {
  GemmSpec spec = makeSpec();
  spec.dtype = DType::I32;
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
  spec = makeSpec();
  spec.k = 0;
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
  // Contiguous along neither index.
  spec = makeSpec();
  spec.a = {{}, 10, 2};
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
  // The residual comes before the activation there.
  spec = makeSpec();
  spec.activation = Activation::Relu;
  EXPECT_TRUE(planCudaProduct(spec, ProductType::F32));
  spec.residual = true;
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
  spec = makeSpec();
  spec.activation = Activation::GeluErf;
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
  spec = makeSpec();
  spec.dtype = DType::F64;
  spec.residual = true;
  EXPECT_TRUE(planCudaProduct(spec, ProductType::F32));
  spec.bias = Bias::PerColumn;
  EXPECT_FALSE(planCudaProduct(spec, ProductType::F32));
}

TEST(CudaProduct, OnlyOperandsOfF32AreRounded) {
  auto plan = [](DType type, ProductType products) {
    GemmSpec spec = makeSpec();
    spec.dtype = type;
    return planCudaProduct(spec, products)->product.type;
  };
  EXPECT_EQ(plan(DType::F32, ProductType::F32), CleaveCudaF32);
  EXPECT_EQ(plan(DType::F32, ProductType::TF32), CleaveCudaTF32);
  EXPECT_EQ(plan(DType::F32, ProductType::BF16), CleaveCudaF32ByBF16);
  EXPECT_EQ(plan(DType::F32, ProductType::F16), CleaveCudaF32ByF16);
  for (ProductType products :
       {ProductType::TF32, ProductType::BF16, ProductType::F16}) {
    EXPECT_EQ(plan(DType::BF16, products), CleaveCudaBF16);
    EXPECT_EQ(plan(DType::F16, products), CleaveCudaF16);
    EXPECT_EQ(plan(DType::F64, products), CleaveCudaF64);
  }
}
