//===- DType.h - Element types ----------------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_DTYPE_H
#define CLEAVE_RUNTIME_CORE_DTYPE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cleave::rt {

enum class DType : uint8_t {
  F32,
  F64,
  F16,
  BF16,
  I1,
  I8,
  I16,
  I32,
  I64,
  UI8,
  UI16,
  UI32,
  UI64,
  // Floats of 8 bits, which are stored and moved: SmallFloat.h.
  F8E3M4,
  F8E4M3,
  F8E4M3B11FNUZ,
  F8E4M3FN,
  F8E4M3FNUZ,
  F8E5M2,
  F8E5M2FNUZ,
  F8E8M0FNU,
};
constexpr int numDTypes = 21;

using Shape = std::vector<int64_t>;

/// The manifest's name of a type.
const char *getName(DType dtype);
std::optional<DType> parseDType(const std::string &name);
/// Bytes per element.
int64_t getSize(DType dtype);
bool isFloat(DType dtype);
/// A float of 8 bits, of which there is no arithmetic.
bool isSmallFloat(DType dtype);
bool isSigned(DType dtype);

/// Number of elements, or nothing when it or its bytes (of `elementSize`)
/// overflow 63 bits or a dimension is negative.
std::optional<int64_t> countElements(const Shape &shape, int64_t elementSize);
/// The same for shapes known to be valid.
int64_t getBytes(const Shape &shape, DType dtype);

/// "4x8xf32", as in MLIR's tensor types.
std::string toString(const Shape &shape, DType dtype);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_DTYPE_H
