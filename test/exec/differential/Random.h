//===- Random.h - Random choices that repeat --------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The standard library's distributions differ between implementations; a seed
// must give the same case everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TEST_EXEC_DIFFERENTIAL_RANDOM_H
#define CLEAVE_TEST_EXEC_DIFFERENTIAL_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <utility>

namespace cleave::differential {

/// splitmix64.
class Random {
public:
  explicit Random(uint64_t seed) : state(seed) {}

  uint64_t next() {
    uint64_t z = (state += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [low, high].
  int64_t range(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(next() % (high - low + 1));
  }
  /// In [low, high).
  double real(double low, double high) {
    return low + (high - low) * static_cast<double>(next() >> 11) * 0x1p-53;
  }
  bool percent(int64_t chance) { return range(0, 99) < chance; }
  template <typename T> const T &pick(llvm::ArrayRef<T> choices) {
    return choices[next() % choices.size()];
  }
  template <typename T> void shuffle(llvm::SmallVectorImpl<T> &values) {
    for (size_t i = values.size(); i > 1; --i)
      std::swap(values[i - 1], values[next() % i]);
  }

private:
  uint64_t state;
};

} // namespace cleave::differential

#endif // CLEAVE_TEST_EXEC_DIFFERENTIAL_RANDOM_H
