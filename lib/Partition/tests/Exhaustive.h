//===- Exhaustive.h - All short plans of a small reshard --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lists all spellings of all shardings over a few axes and, by looking at the
// blocks of every rank, all collectives between them. Shares no code with the
// search it is compared with but block arithmetic and byte formulas.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_TESTS_EXHAUSTIVE_H
#define CLEAVE_LIB_PARTITION_TESTS_EXHAUSTIVE_H

#include "Simulator.h"
#include <map>

namespace cleave::test {

class Exhaustive {
public:
  /// Shardings over subsets of `axes`, in all orders, where `partial` of them
  /// may be unreduced.
  Exhaustive(const Mesh &mesh, llvm::ArrayRef<int64_t> shape,
             llvm::ArrayRef<AxisRef> axes, llvm::ArrayRef<AxisRef> partial);

  size_t numShardings() const { return spellings.size(); }
  const Sharding &sharding(size_t i) const { return spellings[i]; }
  /// Fewest bytes of a sequence of at most `steps` collectives from one
  /// sharding to each other one; negative if there is none.
  std::vector<int64_t> cheapest(size_t from, unsigned steps) const;

private:
  struct Edge {
    size_t from, to;
    int64_t bytes;
  };
  using Blocks = std::vector<int64_t>;

  void enumerate(llvm::ArrayRef<AxisRef> axes, Sharding current);
  Blocks blocksOf(const Sharding &sharding) const;
  void addEdges(size_t from, size_t to);
  bool isRegularCut(int64_t n, llvm::ArrayRef<AxisRef> outer,
                    llvm::ArrayRef<AxisRef> axes) const;
  std::optional<AxisList> addedAxes(const Sharding &from, const Sharding &to,
                                    unsigned dim) const;
  std::optional<int64_t> permutation(size_t from, size_t to) const;
  std::optional<int64_t> collective(size_t from, size_t to) const;
  std::optional<int64_t> reduction(const Sharding &from,
                                   const Sharding &to) const;

  const Mesh &mesh;
  Shape shape;
  AxisList partialAxes;
  std::vector<Sharding> spellings;
  /// Spellings of equal blocks are one class.
  std::vector<size_t> classOf;
  std::vector<Blocks> blocks;
  size_t numClasses = 0;
  std::vector<Edge> edges;
};

} // namespace cleave::test

#endif // CLEAVE_LIB_PARTITION_TESTS_EXHAUSTIVE_H
