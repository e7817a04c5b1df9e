//===- Random.h - Random inputs ---------------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The generator is documented in session.h.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_RANDOM_H
#define CLEAVE_RUNTIME_CORE_RANDOM_H

#include "runtime/core/Blocks.h"

namespace cleave::rt {

/// Fills the box `rect` of a global tensor of `shape` at the origin of a dense
/// buffer of shape `toShape`.
void fillRandom(uint64_t seed, const std::string &name, DType dtype,
                const Shape &shape, const Rect &rect, const Shape &toShape,
                void *to);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_RANDOM_H
