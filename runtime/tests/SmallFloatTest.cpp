//===- SmallFloatTest.cpp - Floats of 8 bits ------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/SmallFloat.h"
#include "runtime/command/Summary.h"
#include "runtime/tests/TestProgram.h"

#include <cmath>

using namespace cleave::rt;

namespace {
/// What the definitions of the types say.
struct Expected {
  DType dtype;
  double largest, smallest;
  int numNaN, numInfinite;
};
} // namespace

static const Expected expected[] = {
    {DType::F8E3M4, 15.5, 0x1p-6, 30, 2},
    {DType::F8E4M3, 240, 0x1p-9, 14, 2},
    {DType::F8E4M3B11FNUZ, 30, 0x1p-13, 1, 0},
    {DType::F8E4M3FN, 448, 0x1p-9, 2, 0},
    {DType::F8E4M3FNUZ, 240, 0x1p-10, 1, 0},
    {DType::F8E5M2, 57344, 0x1p-16, 6, 2},
    {DType::F8E5M2FNUZ, 57344, 0x1p-17, 1, 0},
    {DType::F8E8M0FNU, 0x1p127, 0x1p-127, 1, 0},
};

TEST(SmallFloat, EveryBitPattern) {
  for (const Expected &type : expected) {
    SCOPED_TRACE(getName(type.dtype));
    EXPECT_TRUE(isSmallFloat(type.dtype));
    int numNaN = 0, numInfinite = 0;
    double largest = 0, smallest = HUGE_VAL, last = -1;
    for (int bits = 0; bits < 256; ++bits) {
      double value = smallToDouble(type.dtype, bits);
      numNaN += std::isnan(value);
      numInfinite += std::isinf(value);
      if (!std::isfinite(value))
        continue;
      EXPECT_EQ(doubleToSmall(type.dtype, value), bits);
      largest = std::max(largest, std::fabs(value));
      if (value != 0)
        smallest = std::min(smallest, std::fabs(value));
      // Bits of positive numbers are in the order of the numbers.
      if (isSigned(type.dtype) && bits >= 0x80) {
        EXPECT_EQ(value, -smallToDouble(type.dtype, bits - 0x80));
      } else {
        EXPECT_GT(value, last);
        last = value;
      }
    }
    EXPECT_EQ(largest, type.largest);
    EXPECT_EQ(smallest, type.smallest);
    EXPECT_EQ(numNaN, type.numNaN);
    EXPECT_EQ(numInfinite, type.numInfinite);
  }
}

TEST(SmallFloat, Statistics) {
  // 1, -2, 448 and NaN.
  uint8_t data[] = {0x38, 0xc0, 0x7e, 0x7f};
  Statistics statistics = getStatistics(DType::F8E4M3FN, data, 4);
  EXPECT_EQ(statistics.numElements, 4);
  EXPECT_EQ(statistics.numFinite, 3);
  EXPECT_EQ(statistics.min, -2);
  EXPECT_EQ(statistics.max, 448);
  EXPECT_EQ(statistics.mean, 149);
}

TEST(SmallFloat, RandomInputs) {
  for (const Expected &type : expected) {
    SCOPED_TRACE(getName(type.dtype));
    std::vector<uint8_t> data(4000);
    ASSERT_EQ(cleave_rt_random_fill(3, "x", getName(type.dtype), data.size(),
                                    data.data()),
              CLEAVE_RT_OK);
    Statistics statistics = getStatistics(type.dtype, data.data(), data.size());
    EXPECT_EQ(statistics.numFinite, 4000);
    bool isPower = type.dtype == DType::F8E8M0FNU;
    EXPECT_EQ(statistics.min, isPower ? 0x1p-4 : -1);
    EXPECT_EQ(statistics.max,
              isPower ? 8 : 1 - std::ldexp(2, -getSmallPrecision(type.dtype)));
  }
}

// Programs convert before they reduce or multiply.
TEST(SmallFloat, IsNotComputedWith) {
  Json manifest = makeManifest({2});
  manifest["collectives"] = {makeAllReduce(manifest, "f8E4M3FN", {4}, {0})};
  cleave_rt_program *program = nullptr;
  EXPECT_EQ(cleave_rt_program_create(
                manifest.dump().c_str(), [](auto...) { return 0; }, &program),
            CLEAVE_RT_BAD_INPUT);
  std::string error = cleave_rt_last_error();
  EXPECT_NE(error.find("not defined for floats of 8 bits"), std::string::npos)
      << error;
}

// What ml_dtypes saves as npy has one byte of no type.
TEST(SmallFloat, InputsAreBitsInNpy) {
  Json manifest = makeManifest({2});
  manifest["inputs"] = {makeTensor(manifest, "x", "f8E4M3FN", {4}, {{0}})};
  TestProgram program(manifest, [](auto...) { return 0; });
  program.start();
  std::string path = getTemporaryPath("bits.npy");
  for (const char *descr : {"|V1", "<V1", "|u1"}) {
    std::string header = std::string("{'descr': '") + descr +
                         "', 'fortran_order': False, 'shape': (4,), }\n";
    std::string text = "\x93NUMPY";
    text += std::string("\x01\x00", 2);
    text += static_cast<char>(header.size());
    text += '\0';
    writeFile(path, text + header + "\x38\xc0\x7e\x01");
    ASSERT_EQ(
        cleave_rt_session_load_input(program.session, 0, path.c_str(), nullptr),
        CLEAVE_RT_OK)
        << cleave_rt_last_error();
    uint8_t back[4];
    ASSERT_EQ(cleave_rt_session_get_input(program.session, 0, back, 4),
              CLEAVE_RT_OK);
    EXPECT_EQ(back[0], 0x38);
    EXPECT_EQ(back[3], 0x01);
  }
}

TEST(SmallFloat, SafetensorsHasNotAllTypes) {
  int64_t shape[] = {1};
  uint8_t data[] = {0};
  cleave_rt_file_tensor tensor{"x", "f8E3M4", 1, shape, data, 1};
  std::string path = getTemporaryPath("small.safetensors");
  EXPECT_EQ(cleave_rt_save_safetensors(path.c_str(), &tensor, 1),
            CLEAVE_RT_BAD_INPUT);
  EXPECT_NE(std::string(cleave_rt_last_error())
                .find("safetensors has no type for tensor 'x' of f8E3M4"),
            std::string::npos)
      << cleave_rt_last_error();
}
