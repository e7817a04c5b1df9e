//===- SmallFloat.h - Floats of 8 bits --------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the runtime itself has to know of them: to print statistics and to make
// random inputs. Programs convert with code of their own.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_SMALLFLOAT_H
#define CLEAVE_RUNTIME_CORE_SMALLFLOAT_H

#include "runtime/core/DType.h"

namespace cleave::rt {

/// The number that the bits of an element of type `dtype`, a small float, stand
/// for.
double smallToDouble(DType dtype, uint8_t bits);

/// The bits that stand for `value`, which must be a number of the type.
uint8_t doubleToSmall(DType dtype, double value);

/// Bits of the significand, the hidden one included.
int getSmallPrecision(DType dtype);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_SMALLFLOAT_H
