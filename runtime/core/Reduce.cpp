//===- Reduce.cpp - Elementwise reductions --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Reduce.h"
#include "runtime/core/Half.h"
#include "runtime/core/StreamCopy.h"

#include <algorithm>
#include <type_traits>

using namespace cleave::rt;

namespace {
struct Sum {
  template <typename T> T operator()(T a, T b) const { return a + b; }
};
struct Prod {
  template <typename T> T operator()(T a, T b) const { return a * b; }
};
struct Max {
  // A NaN on either side wins.
  template <typename T> T operator()(T a, T b) const {
    return b > a || b != b ? b : a;
  }
};
struct Min {
  template <typename T> T operator()(T a, T b) const {
    return b < a || b != b ? b : a;
  }
};
struct And {
  template <typename T> T operator()(T a, T b) const { return a & b; }
};
struct Or {
  template <typename T> T operator()(T a, T b) const { return a | b; }
};

struct Arguments {
  const void *const *operands;
  size_t numOperands;
  int64_t offset;
  void *out;
  int64_t count;

  template <typename T> const T *getOperand(size_t j) const {
    return reinterpret_cast<const T *>(static_cast<const char *>(operands[j]) +
                                       offset);
  }
};
} // namespace

/// What is called by reduceWide() must be inlined there, or it would be
/// compiled without the vectors of 256 bits.
#define CLEAVE_INLINED static inline __attribute__((always_inline))

/// Enough to keep a block of accumulators in the first-level cache.
constexpr int64_t blockSize = 1024;

/// Without a wider accumulator the result is one.
template <typename T, typename Op>
CLEAVE_INLINED void reduceInPlace(const Arguments &arguments, Op op) {
  for (int64_t begin = 0; begin < arguments.count; begin += blockSize) {
    int64_t count = std::min(blockSize, arguments.count - begin);
    T *__restrict out = static_cast<T *>(arguments.out) + begin;
    const T *__restrict first = arguments.getOperand<T>(0) + begin;
    if (arguments.numOperands == 1) {
      copyBytes(out, first, count * sizeof(T));
      continue;
    }
    const T *__restrict second = arguments.getOperand<T>(1) + begin;
    for (int64_t i = 0; i < count; ++i)
      out[i] = op(first[i], second[i]);
    for (size_t j = 2; j < arguments.numOperands; ++j) {
      const T *__restrict operand = arguments.getOperand<T>(j) + begin;
      for (int64_t i = 0; i < count; ++i)
        out[i] = op(out[i], operand[i]);
    }
  }
}

/// `T` is stored, `Acc` accumulates.
template <typename T, typename Acc, typename Op>
CLEAVE_INLINED void reduceAs(const Arguments &arguments, Op op, Acc (*load)(T),
                             T (*store)(Acc)) {
  Acc acc[blockSize];
  T *out = static_cast<T *>(arguments.out);
  for (int64_t begin = 0; begin < arguments.count; begin += blockSize) {
    int64_t count = std::min(blockSize, arguments.count - begin);
    const T *first = arguments.getOperand<T>(0) + begin;
    for (int64_t i = 0; i < count; ++i)
      acc[i] = load(first[i]);
    for (size_t j = 1; j < arguments.numOperands; ++j) {
      const T *operand = arguments.getOperand<T>(j) + begin;
      for (int64_t i = 0; i < count; ++i)
        acc[i] = op(acc[i], load(operand[i]));
    }
    for (int64_t i = 0; i < count; ++i)
      out[begin + i] = store(acc[i]);
  }
}

template <typename Op>
CLEAVE_INLINED void reduceFloat(DType dtype, const Arguments &arguments,
                                Op op) {
  switch (dtype) {
  case DType::F64:
    return reduceInPlace<double>(arguments, op);
  case DType::F16:
    return reduceAs<F16, float>(
        arguments, op, [](F16 x) { return toFloat(x); }, toF16);
  case DType::BF16:
    return reduceAs<BF16, float>(
        arguments, op, [](BF16 x) { return toFloat(x); }, toBF16);
  default:
    return reduceInPlace<float>(arguments, op);
  }
}

template <typename T, typename Op>
CLEAVE_INLINED void reduceInteger(const Arguments &arguments, Op op) {
  // Narrow types would promote to int, where overflow is undefined; in 64-bit
  // unsigned it wraps, except that order needs the sign.
  using Acc =
      std::conditional_t<std::is_same_v<Op, Sum> || std::is_same_v<Op, Prod>,
                         uint64_t, T>;
  reduceAs<T, Acc>(
      arguments, op, [](T x) { return static_cast<Acc>(x); },
      [](Acc x) { return static_cast<T>(x); });
}

template <typename Op>
CLEAVE_INLINED void reduceInteger(DType dtype, const Arguments &arguments,
                                  Op op) {
  switch (dtype) {
  case DType::I8:
    return reduceInteger<int8_t>(arguments, op);
  case DType::I16:
    return reduceInteger<int16_t>(arguments, op);
  case DType::I32:
    return reduceInteger<int32_t>(arguments, op);
  case DType::I64:
    return reduceInteger<int64_t>(arguments, op);
  case DType::UI16:
    return reduceInteger<uint16_t>(arguments, op);
  case DType::UI32:
    return reduceInteger<uint32_t>(arguments, op);
  case DType::UI64:
    return reduceInteger<uint64_t>(arguments, op);
  default:
    return reduceInteger<uint8_t>(arguments, op);
  }
}

template <typename Op>
CLEAVE_INLINED void reduceNumber(DType dtype, const Arguments &arguments,
                                 Op op) {
  if (isFloat(dtype))
    reduceFloat(dtype, arguments, op);
  else
    reduceInteger(dtype, arguments, op);
}

CLEAVE_INLINED void reduceAny(DType dtype, Reduction reduction,
                              const Arguments &arguments) {
  switch (reduction) {
  case Reduction::Sum:
    return reduceNumber(dtype, arguments, Sum());
  case Reduction::Prod:
    return reduceNumber(dtype, arguments, Prod());
  case Reduction::Max:
    return reduceNumber(dtype, arguments, Max());
  case Reduction::Min:
    return reduceNumber(dtype, arguments, Min());
  case Reduction::And:
    return reduceInteger(dtype, arguments, And());
  case Reduction::Or:
    return reduceInteger(dtype, arguments, Or());
  }
}

#if defined(__SSE2__)
/// Half as many instructions let twice as many loads be under way at once. No
/// fused multiply-adds, so the bits are the same.
__attribute__((target("avx2"))) static void
reduceWide(DType dtype, Reduction reduction, const Arguments &arguments) {
  reduceAny(dtype, reduction, arguments);
}
#endif

void cleave::rt::reduce(DType dtype, Reduction reduction,
                        const void *const *operands, size_t numOperands,
                        int64_t offset, void *out, int64_t count) {
  Arguments arguments{operands, numOperands, offset, out, count};
  if (dtype == DType::I1) {
    if (reduction == Reduction::Sum)
      reduction = Reduction::Or;
    else if (reduction == Reduction::Prod)
      reduction = Reduction::And;
  }
#if defined(__SSE2__)
  static const bool isWide = __builtin_cpu_supports("avx2");
  if (isWide)
    return reduceWide(dtype, reduction, arguments);
#endif
  reduceAny(dtype, reduction, arguments);
}

/// Fits the first-level cache with blocks of some operands.
constexpr int64_t blockBytes = 4096;
/// Longer than what stays in a core's caches until somebody reads it.
constexpr int64_t streamFrom = 4 << 20;

/// reduceTo() of what is long.
static void reduceToStreams(DType dtype, Reduction reduction,
                            const void *const *operands, size_t numOperands,
                            int64_t offset, void *const *outs, size_t numOuts,
                            int64_t toOffset, int64_t bytes) {
  const StreamHabits &habits = getStreamHabits();
  alignas(64) char block[StreamHabits::maxBlockBytes];
  for (int64_t begin = 0; begin < bytes; begin += habits.blockBytes) {
    int64_t size = std::min(habits.blockBytes, bytes - begin);
    if (habits.fetchesAhead)
      for (size_t j = 0; j < numOperands; ++j)
        prefetchBytes(static_cast<const char *>(operands[j]) + offset + begin +
                          size,
                      std::min(habits.blockBytes, bytes - begin - size));
    reduce(dtype, reduction, operands, numOperands, offset + begin, block,
           size / getSize(dtype));
    streamBytes(outs, numOuts, toOffset + begin, block, size);
  }
  finishStreaming();
}

void cleave::rt::reduceTo(DType dtype, Reduction reduction,
                          const void *const *operands, size_t numOperands,
                          int64_t offset, void *const *outs, size_t numOuts,
                          size_t first, int64_t toOffset, int64_t bytes) {
  if (bytes >= streamFrom) {
    reduceToStreams(dtype, reduction, operands, numOperands, offset, outs,
                    numOuts, toOffset, bytes);
    return;
  }
  auto getTarget = [&](size_t i, int64_t begin) {
    return static_cast<char *>(outs[(first + i) % numOuts]) + toOffset + begin;
  };
  for (int64_t begin = 0; begin < bytes; begin += blockBytes) {
    int64_t size = std::min(blockBytes, bytes - begin);
    char *reduced = getTarget(0, begin);
    reduce(dtype, reduction, operands, numOperands, offset + begin, reduced,
           size / getSize(dtype));
    for (size_t i = 1; i < numOuts; ++i)
      copyBytes(getTarget(i, begin), reduced, size);
  }
}
