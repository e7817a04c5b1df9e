//===- StreamCopy.h - Copies past the caches --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_STREAMCOPY_H
#define CLEAVE_RUNTIME_CORE_STREAMCOPY_H

#include <cstdint>

namespace cleave::rt {

/// As memcpy. What is longer than a core's caches is written past them, which
/// saves reading the target first and evicting everything else. When it returns
/// the bytes are as visible to other threads as those of memcpy.
void copyBytes(void *to, const void *from, int64_t bytes);

/// Always past the caches: for pieces of something long.
void streamBytes(void *to, const void *from, int64_t bytes);

/// Asks for bytes that will be read soon.
void prefetchBytes(const void *data, int64_t bytes);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_STREAMCOPY_H
