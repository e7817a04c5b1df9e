//===- Exhaustive.cpp - All short plans of a small reshard ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Exhaustive.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace cleave::test {

Exhaustive::Exhaustive(const Mesh &mesh, ArrayRef<int64_t> shape,
                       ArrayRef<AxisRef> axes, ArrayRef<AxisRef> partial)
    : mesh(mesh), shape(shape), partialAxes(partial) {
  enumerate(axes, Sharding::replicated(shape.size()));
  std::map<Blocks, size_t> classes;
  for (const Sharding &sharding : spellings) {
    blocks.push_back(blocksOf(sharding));
    Blocks key = blocks.back();
    for (const AxisRef &axis : partialAxes)
      key.push_back(is_contained(sharding.partial, PartialAxis{axis}));
    classOf.push_back(classes.try_emplace(key, classes.size()).first->second);
  }
  numClasses = classes.size();
  for (size_t from = 0; from < spellings.size(); ++from)
    for (size_t to = 0; to < spellings.size(); ++to)
      addEdges(from, to);
}

/// Appends each axis that is not yet used at the end of each dimension: every
/// sharding is reached, some several times.
void Exhaustive::enumerate(ArrayRef<AxisRef> axes, Sharding current) {
  if (is_contained(spellings, current))
    return;
  spellings.push_back(current);
  for (const AxisRef &axis : axes) {
    if (current.uses(axis))
      continue;
    for (DimSharding &dim : current.dims) {
      dim.axes.push_back(axis);
      enumerate(axes, current);
      dim.axes.pop_back();
    }
    if (is_contained(partialAxes, axis)) {
      Sharding sums = current;
      sums.partial.push_back({axis, ReductionKind::Sum});
      sort(sums.partial, [](const PartialAxis &a, const PartialAxis &b) {
        return a.axis < b.axis;
      });
      enumerate(axes, sums);
    }
  }
}

/// Local extents, then per rank offset and size, or a mark if it is empty.
Exhaustive::Blocks Exhaustive::blocksOf(const Sharding &sharding) const {
  Blocks result;
  append_range(result, sharding.localShape(shape));
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    Blocks own;
    bool empty = false;
    for (auto [n, dim] : zip_equal(shape, sharding.dims)) {
      BlockExtent block = blockOf(mesh, rank, n, dim.axes);
      own.push_back(block.offset);
      own.push_back(block.valid);
      empty |= block.valid == 0;
    }
    if (empty)
      own.assign(2 * shape.size(), -1);
    append_range(result, own);
  }
  return result;
}

/// Whether the pieces of a group along `axes` lie at equal distances in the
/// block that `outer` makes.
bool Exhaustive::isRegularCut(int64_t n, ArrayRef<AxisRef> outer,
                              ArrayRef<AxisRef> axes) const {
  AxisList all(outer);
  append_range(all, axes);
  int64_t piece = divideCeil(blockSize(n, outer), numShards(axes));
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    BlockExtent whole = blockOf(mesh, rank, n, outer);
    BlockExtent part = blockOf(mesh, rank, n, all);
    int64_t start = mesh.position(rank, axes) * piece;
    if (part.valid != std::clamp<int64_t>(whole.valid - start, 0, piece) ||
        (part.valid != 0 && part.offset != whole.offset + start))
      return false;
  }
  return true;
}

/// The axes that `to` has after those of `from`, if one collective can cut the
/// dimension over them.
std::optional<AxisList> Exhaustive::addedAxes(const Sharding &from,
                                              const Sharding &to,
                                              unsigned dim) const {
  ArrayRef<AxisRef> a = from.dims[dim].axes, b = to.dims[dim].axes;
  if (b.size() <= a.size() || b.take_front(a.size()) != a ||
      !isRegularCut(shape[dim], a, b.drop_front(a.size())))
    return std::nullopt;
  return AxisList(b.drop_front(a.size()));
}

std::optional<int64_t> Exhaustive::permutation(size_t from, size_t to) const {
  const Blocks &a = blocks[from], &b = blocks[to];
  size_t rank = shape.size(), width = 2 * rank;
  if (!std::equal(a.begin(), a.begin() + rank, b.begin()) ||
      spellings[from].partial != spellings[to].partial)
    return std::nullopt;
  AxisList groups;
  for (const PartialAxis &p : spellings[from].partial)
    groups.push_back(p.axis);
  auto at = [&](const Blocks &blocks, int64_t r) {
    auto first = blocks.begin() + rank + r * width;
    Blocks block(first, first + width);
    block.push_back(mesh.position(r, groups));
    return block;
  };
  // Each rank is the source of at most one other.
  std::multiset<Blocks> sources, targets;
  bool idle = true;
  for (int64_t r = 0; r < mesh.numRanks(); ++r) {
    sources.insert(at(a, r));
    if (at(b, r)[0] < 0)
      continue;
    targets.insert(at(b, r));
    idle &= at(a, r) == at(b, r);
  }
  for (const Blocks &block : targets)
    if (sources.count(block) < targets.count(block))
      return std::nullopt;
  Shape local(ArrayRef(a).take_front(rank));
  return idle ? 0
              : collectiveBytes(CollectiveKind::CollectivePermute, local, local,
                                4, 1);
}

std::optional<int64_t> Exhaustive::reduction(const Sharding &from,
                                             const Sharding &to) const {
  Shape a = from.localShape(shape), b = to.localShape(shape);
  AxisList reduced;
  for (const PartialAxis &p : from.partial)
    if (!is_contained(to.partial, p))
      reduced.push_back(p.axis);
  if (reduced.size() + to.partial.size() != from.partial.size())
    return std::nullopt;
  std::optional<unsigned> cut;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (from.dims[d].axes == to.dims[d].axes)
      continue;
    std::optional<AxisList> added = addedAxes(from, to, d);
    if (cut || !added)
      return std::nullopt;
    AxisList sorted = *added;
    sort(sorted);
    if (sorted != reduced)
      return std::nullopt;
    cut = d;
  }
  return collectiveBytes(cut ? CollectiveKind::ReduceScatter
                             : CollectiveKind::AllReduce,
                         a, b, 4, numShards(reduced));
}

std::optional<int64_t> Exhaustive::collective(size_t i, size_t j) const {
  const Sharding &from = spellings[i], &to = spellings[j];
  if (from.partial != to.partial)
    return reduction(from, to);
  Shape a = from.localShape(shape), b = to.localShape(shape);
  std::optional<AxisList> gathered, sliced;
  for (unsigned d = 0; d < shape.size(); ++d) {
    if (from.dims[d].axes == to.dims[d].axes)
      continue;
    auto more = addedAxes(from, to, d), fewer = addedAxes(to, from, d);
    if ((!more && !fewer) || (more && sliced) || (fewer && gathered))
      return std::nullopt;
    (more ? sliced : gathered) = more ? more : fewer;
  }
  if (sliced && gathered) {
    // Parts of one axis are the same group as the whole.
    mergeSubAxes(*sliced);
    mergeSubAxes(*gathered);
    if (*sliced != *gathered)
      return std::nullopt;
    return collectiveBytes(CollectiveKind::AllToAll, a, b, 4,
                           numShards(*sliced));
  }
  if (gathered)
    return collectiveBytes(CollectiveKind::AllGather, a, b, 4,
                           numShards(*gathered));
  return 0;
}

void Exhaustive::addEdges(size_t from, size_t to) {
  if (classOf[from] == classOf[to])
    return;
  for (auto bytes : {collective(from, to), permutation(from, to)})
    if (bytes)
      edges.push_back({classOf[from], classOf[to], *bytes});
}

std::vector<int64_t> Exhaustive::cheapest(size_t from, unsigned steps) const {
  std::vector<int64_t> best(numClasses, -1);
  best[classOf[from]] = 0;
  for (; steps != 0; --steps) {
    std::vector<int64_t> next = best;
    for (const Edge &edge : edges) {
      if (best[edge.from] < 0)
        continue;
      int64_t bytes = best[edge.from] + edge.bytes;
      if (next[edge.to] < 0 || bytes < next[edge.to])
        next[edge.to] = bytes;
    }
    best = std::move(next);
  }
  std::vector<int64_t> result;
  for (size_t cls : classOf)
    result.push_back(best[cls]);
  return result;
}

} // namespace cleave::test
