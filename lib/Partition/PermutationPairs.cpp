//===- PermutationPairs.cpp - Who sends to whom in a permutation ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshardSearch.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cleave {

namespace {
/// Numbers the blocks of a tensor; equal blocks of two shardings with equal
/// local shapes get equal numbers.
class BlockNumbers {
public:
  BlockNumbers(const Mesh &mesh, ArrayRef<int64_t> shape) : mesh(mesh) {
    this->shape.assign(shape.begin(), shape.end());
  }

  /// None for a block without elements.
  std::optional<int64_t> of(int64_t rank, const Sharding &sharding) const {
    int64_t number = 0;
    for (auto [n, dim] : zip_equal(shape, sharding.dims)) {
      BlockExtent block = blockOf(mesh, rank, n, dim.axes);
      if (block.valid == 0)
        return std::nullopt;
      number = number * n + block.offset;
    }
    // Partial contributions to a block are different data. Sorted, since the
    // two shardings may list and split the same axes differently.
    AxisList axes;
    for (const PartialAxis &p : sharding.partial)
      axes.push_back(p.axis);
    sort(axes);
    return number * numShards(axes) + mesh.position(rank, axes);
  }

private:
  const Mesh &mesh;
  SmallVector<int64_t, 4> shape;
};
} // namespace

std::vector<std::pair<int64_t, int64_t>>
permutationPairs(const Mesh &mesh, ArrayRef<int64_t> shape,
                 const Sharding &from, const Sharding &to) {
  BlockNumbers numbers(mesh, shape);
  std::vector<std::pair<int64_t, int64_t>> pairs;
  DenseMap<int64_t, SmallVector<int64_t, 1>> sources;
  std::vector<std::pair<int64_t, int64_t>> targets;
  for (int64_t rank = 0, e = mesh.numRanks(); rank < e; ++rank) {
    std::optional<int64_t> has = numbers.of(rank, from);
    std::optional<int64_t> needs = numbers.of(rank, to);
    if (needs && needs == has) {
      pairs.push_back({rank, rank});
      continue;
    }
    if (has)
      sources[*has].push_back(rank);
    if (needs)
      targets.push_back({*needs, rank});
  }
  // Both shardings have a block on equally many ranks: sources suffice.
  DenseMap<int64_t, size_t> next;
  for (auto [block, target] : targets)
    pairs.push_back({sources[block][next[block]++], target});
  llvm::sort(pairs, less_second());
  return pairs;
}

} // namespace cleave
