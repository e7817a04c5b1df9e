//===- LibraryFunctions.h - What library functions share --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_DEVICES_HOST_LIBRARYFUNCTIONS_H
#define CLEAVE_RUNTIME_DEVICES_HOST_LIBRARYFUNCTIONS_H

#include "cleave-rt/library.h"
#include "runtime/core/Half.h"
#include <cstddef>
#include <vector>

namespace cleave::rt {

/// Room of the calling thread, which grows to what it was asked for most; so
/// nothing is allocated after the first step. Tag tells rooms apart.
template <typename T, typename Tag> T *threadScratch(size_t size) {
  static thread_local std::vector<T> room;
  if (room.size() < size)
    room.resize(size);
  return room.data();
}

/// What a function of library.h is called with.
struct LibraryCall {
  void *const *buffers;
  const int64_t *numbers;
  /// The part of the batch that is to be computed.
  int64_t begin, end;
};

/// Defines the function `name` of library.h for all element types by a
/// template over the type of elements in memory, which takes the call.
#define CLEAVE_RT_DEFINE_LIBRARY_FUNCTION(name, function)                      \
  CLEAVE_RT_DEFINE_LIBRARY_FUNCTION_OF(name##_f16, function, F16)              \
  CLEAVE_RT_DEFINE_LIBRARY_FUNCTION_OF(name##_bf16, function, BF16)            \
  CLEAVE_RT_DEFINE_LIBRARY_FUNCTION_OF(name##_f32, function, float)            \
  CLEAVE_RT_DEFINE_LIBRARY_FUNCTION_OF(name##_f64, function, double)
#define CLEAVE_RT_DEFINE_LIBRARY_FUNCTION_OF(name, function, type)             \
  extern "C" void name(void *const *buffers, const int64_t *numbers,           \
                       int64_t begin, int64_t end) {                           \
    function<type>({buffers, numbers, begin, end});                            \
  }

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_DEVICES_HOST_LIBRARYFUNCTIONS_H
