//===- Random.cpp - Random inputs -----------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Random.h"
#include "runtime/core/CopyPlan.h"
#include "runtime/core/Error.h"
#include "runtime/core/Half.h"
#include "runtime/core/SmallFloat.h"

#include <cmath>

using namespace cleave::rt;

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

static uint64_t getKey(uint64_t seed, const std::string &name) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3;
  return mix(seed ^ hash);
}

/// A float in [-1, 1) with `digits` significand bits, hence exact.
static double toUnit(uint64_t bits, int digits) {
  double unit = static_cast<double>(bits >> (64 - digits));
  return unit / static_cast<double>(uint64_t(1) << (digits - 1)) - 1;
}

template <typename T, typename Convert>
static void fill(uint64_t key, int64_t first, int64_t count, void *to,
                 Convert &&convert) {
  T *out = static_cast<T *>(to);
  for (int64_t i = 0; i < count; ++i)
    out[i] = convert(mix(key + (first + i + 1) * 0x9e3779b97f4a7c15));
}

/// All numbers of toUnit for as many digits as a float of 8 bits has; of powers
/// of two, eight around 1.
static std::vector<uint8_t> listSmallFloats(DType dtype) {
  std::vector<uint8_t> list;
  if (!isSigned(dtype)) {
    for (int exponent = -4; exponent < 4; ++exponent)
      list.push_back(doubleToSmall(dtype, std::ldexp(1.0, exponent)));
    return list;
  }
  int digits = getSmallPrecision(dtype);
  for (uint64_t i = 0; i < uint64_t(1) << digits; ++i)
    list.push_back(doubleToSmall(dtype, toUnit(i << (64 - digits), digits)));
  return list;
}

static const std::vector<uint8_t> &getSmallFloats(DType dtype) {
  static const std::vector<std::vector<uint8_t>> lists = [] {
    std::vector<std::vector<uint8_t>> lists(numDTypes);
    for (int i = 0; i < numDTypes; ++i)
      if (isSmallFloat(static_cast<DType>(i)))
        lists[i] = listSmallFloats(static_cast<DType>(i));
    return lists;
  }();
  return lists[static_cast<int>(dtype)];
}

/// Elements [first, first + count) of a tensor.
static void fillRun(uint64_t key, DType dtype, int64_t first, int64_t count,
                    void *to) {
  auto toIndex = [](uint64_t bits) { return bits >> 61; };
  auto toSmall = [](uint64_t bits) { return static_cast<int>(bits >> 61) - 4; };
  if (isSmallFloat(dtype)) {
    const std::vector<uint8_t> &list = getSmallFloats(dtype);
    return fill<uint8_t>(key, first, count, to, [&](uint64_t bits) {
      // The highest bits, as many as there are numbers.
      return list[bits >> (64 - __builtin_ctzll(list.size()))];
    });
  }
  switch (dtype) {
  case DType::F64:
    return fill<double>(key, first, count, to,
                        [](uint64_t bits) { return toUnit(bits, 53); });
  case DType::F32:
    return fill<float>(key, first, count, to, [](uint64_t bits) {
      return static_cast<float>(toUnit(bits, 24));
    });
  case DType::F16:
    return fill<F16>(key, first, count, to, [](uint64_t bits) {
      return toF16(static_cast<float>(toUnit(bits, 11)));
    });
  case DType::BF16:
    return fill<BF16>(key, first, count, to, [](uint64_t bits) {
      return toBF16(static_cast<float>(toUnit(bits, 8)));
    });
  case DType::I1:
    return fill<uint8_t>(key, first, count, to,
                         [](uint64_t bits) { return bits >> 63; });
  case DType::I8:
    return fill<int8_t>(key, first, count, to, toSmall);
  case DType::I16:
    return fill<int16_t>(key, first, count, to, toSmall);
  case DType::UI8:
    return fill<uint8_t>(key, first, count, to, toIndex);
  case DType::UI16:
    return fill<uint16_t>(key, first, count, to, toIndex);
  case DType::I32:
  case DType::UI32:
    return fill<uint32_t>(key, first, count, to, toIndex);
  case DType::I64:
  case DType::UI64:
    return fill<uint64_t>(key, first, count, to, toIndex);
  default:
    break;
  }
}

void cleave::rt::fillRandom(uint64_t seed, const std::string &name, DType dtype,
                            const Shape &shape, const Rect &rect,
                            const Shape &toShape, void *to) {
  uint64_t key = getKey(seed, name);
  int64_t size = getSize(dtype);
  CopyPlan plan(shape, rect.begin, toShape, Shape(shape.size(), 0), rect.size,
                size);
  plan.forEachRun([&](int64_t from, int64_t offset, int64_t bytes) {
    fillRun(key, dtype, from / size, bytes / size,
            static_cast<char *>(to) + offset);
  });
}

extern "C" int32_t cleave_rt_random_fill(uint64_t seed, const char *name,
                                         const char *dtype, int64_t count,
                                         void *data) {
  return guard([&] {
    std::optional<DType> type = parseDType(dtype);
    if (!type)
      throwBadInput("unknown dtype " + quote(dtype));
    fillRandom(seed, name, *type, {count}, {{0}, {count}}, {count}, data);
  });
}
