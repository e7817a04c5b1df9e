//===- DType.cpp - Element types ------------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/DType.h"

using namespace cleave::rt;

namespace {
struct Info {
  const char *name;
  int8_t size;
  bool isFloat, isSigned;
};
} // namespace

static const Info infos[numDTypes] = {
    {"f32", 4, true, true},        {"f64", 8, true, true},
    {"f16", 2, true, true},        {"bf16", 2, true, true},
    {"i1", 1, false, false},       {"i8", 1, false, true},
    {"i16", 2, false, true},       {"i32", 4, false, true},
    {"i64", 8, false, true},       {"ui8", 1, false, false},
    {"ui16", 2, false, false},     {"ui32", 4, false, false},
    {"ui64", 8, false, false},     {"f8E3M4", 1, true, true},
    {"f8E4M3", 1, true, true},     {"f8E4M3B11FNUZ", 1, true, true},
    {"f8E4M3FN", 1, true, true},   {"f8E4M3FNUZ", 1, true, true},
    {"f8E5M2", 1, true, true},     {"f8E5M2FNUZ", 1, true, true},
    {"f8E8M0FNU", 1, true, false},
};

static const Info &getInfo(DType dtype) {
  return infos[static_cast<int>(dtype)];
}

const char *cleave::rt::getName(DType dtype) { return getInfo(dtype).name; }
int64_t cleave::rt::getSize(DType dtype) { return getInfo(dtype).size; }
bool cleave::rt::isFloat(DType dtype) { return getInfo(dtype).isFloat; }
bool cleave::rt::isSmallFloat(DType dtype) {
  return isFloat(dtype) && getSize(dtype) == 1;
}
bool cleave::rt::isSigned(DType dtype) { return getInfo(dtype).isSigned; }

std::optional<DType> cleave::rt::parseDType(const std::string &name) {
  for (int i = 0; i < numDTypes; ++i)
    if (name == infos[i].name)
      return static_cast<DType>(i);
  return std::nullopt;
}

std::optional<int64_t> cleave::rt::countElements(const Shape &shape,
                                                 int64_t elementSize) {
  int64_t bytes = elementSize;
  bool isEmpty = false;
  for (int64_t dim : shape) {
    if (dim < 0)
      return std::nullopt;
    if (dim == 0) {
      isEmpty = true;
      continue;
    }
    // Overflow counts even beside a zero, since strides need the product.
    if (__builtin_mul_overflow(bytes, dim, &bytes))
      return std::nullopt;
  }
  return isEmpty ? 0 : bytes / elementSize;
}

int64_t cleave::rt::getBytes(const Shape &shape, DType dtype) {
  int64_t bytes = getSize(dtype);
  for (int64_t dim : shape)
    bytes *= dim;
  return bytes;
}

std::string cleave::rt::toString(const Shape &shape, DType dtype) {
  std::string result;
  for (int64_t dim : shape)
    result += std::to_string(dim) + "x";
  return result + getName(dtype);
}
