//===- Values.h - Element access by type ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CONFORMANCE_VALUES_H
#define CLEAVE_RUNTIME_CONFORMANCE_VALUES_H

#include "runtime/core/DType.h"
#include "runtime/core/Half.h"
#include "runtime/core/SmallFloat.h"

#include <cstring>
#include <limits>

namespace cleave::rt::model {

/// Calls function(T()) with the C++ type that stores `dtype`.
template <typename Function> auto withType(DType dtype, Function &&function) {
  switch (dtype) {
  case DType::F32:
    return function(float());
  case DType::F64:
    return function(double());
  case DType::F16:
    return function(F16());
  case DType::BF16:
    return function(BF16());
  case DType::I8:
    return function(int8_t());
  case DType::I16:
    return function(int16_t());
  case DType::I32:
    return function(int32_t());
  case DType::I64:
    return function(int64_t());
  case DType::UI16:
    return function(uint16_t());
  case DType::UI32:
    return function(uint32_t());
  case DType::UI64:
    return function(uint64_t());
  default:
    return function(uint8_t());
  }
}

template <typename T> T loadAs(const void *data, int64_t index) {
  T value;
  std::memcpy(&value, static_cast<const char *>(data) + index * sizeof(T),
              sizeof(T));
  return value;
}

inline double loadFloat(DType dtype, const void *data, int64_t index) {
  if (isSmallFloat(dtype))
    return smallToDouble(dtype, loadAs<uint8_t>(data, index));
  switch (dtype) {
  case DType::F64:
    return loadAs<double>(data, index);
  case DType::F16:
    return toFloat(loadAs<F16>(data, index));
  case DType::BF16:
    return toFloat(loadAs<BF16>(data, index));
  default:
    return loadAs<float>(data, index);
  }
}

/// Distance from 1 to the next value.
inline double getEpsilon(DType dtype) {
  switch (dtype) {
  case DType::F64:
    return std::numeric_limits<double>::epsilon();
  case DType::F16:
    return 0x1p-10;
  case DType::BF16:
    return 0x1p-7;
  default:
    return std::numeric_limits<float>::epsilon();
  }
}

} // namespace cleave::rt::model

#endif // CLEAVE_RUNTIME_CONFORMANCE_VALUES_H
