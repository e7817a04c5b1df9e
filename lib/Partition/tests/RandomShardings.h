//===- RandomShardings.h - Random meshes and shardings ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_TESTS_RANDOMSHARDINGS_H
#define CLEAVE_LIB_PARTITION_TESTS_RANDOMSHARDINGS_H

#include "cleave/Partition/Sharding.h"
#include <random>

namespace cleave::test {

class RandomShardings {
public:
  explicit RandomShardings(uint64_t seed) : engine(seed) {}

  int64_t below(int64_t n) {
    return std::uniform_int_distribution<int64_t>(0, n - 1)(engine);
  }
  int64_t oneOf(llvm::ArrayRef<int64_t> choices) {
    return choices[below(choices.size())];
  }
  Mesh mesh(llvm::ArrayRef<int64_t> sizes, int64_t maxAxes, int64_t maxRanks);
  /// Puts each axis, or parts of it, into some dimension, or nowhere.
  /// `subAxes` of 100 axes are split.
  Sharding sharding(const Mesh &mesh, size_t rank, int64_t subAxes);
  /// Makes some axes that the latest sharding does not use partial.
  void makePartial(Sharding &sharding, ReductionKind kind);

private:
  AxisList parts(const Mesh &mesh, int64_t subAxes);

  std::mt19937_64 engine;
  AxisList unused;
};

/// A mesh of axes "a", "b", ... of these sizes.
Mesh makeMesh(llvm::ArrayRef<int64_t> sizes);

} // namespace cleave::test

#endif // CLEAVE_LIB_PARTITION_TESTS_RANDOMSHARDINGS_H
