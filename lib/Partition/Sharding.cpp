//===- Sharding.cpp - Meshes and shardings as plain data ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/Sharding.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;

namespace cleave {

//===----------------------------------------------------------------------===//
// Axis lists
//===----------------------------------------------------------------------===//

int64_t numShards(ArrayRef<AxisRef> axes) {
  int64_t count = 1;
  for (const AxisRef &axis : axes)
    count *= axis.size;
  return count;
}

/// Whether `b` continues the axis where `a` ends.
static bool continues(const AxisRef &a, const AxisRef &b) {
  return a.axis == b.axis && a.end() == b.pre;
}

void mergeSubAxes(AxisList &axes) {
  AxisList merged;
  for (const AxisRef &axis : axes) {
    if (!merged.empty() && continues(merged.back(), axis))
      merged.back().size *= axis.size;
    else
      merged.push_back(axis);
  }
  axes = std::move(merged);
}

void mergeSubAxes(AxisList &axes, int64_t n) {
  AxisList merged;
  // Extent of the block that the last merged axis cuts.
  int64_t outer = n;
  for (const AxisRef &axis : axes) {
    if (!merged.empty() && continues(merged.back(), axis) &&
        blocksAreFlat(outer, {merged.back(), axis})) {
      merged.back().size *= axis.size;
      continue;
    }
    if (!merged.empty())
      outer = blockSize(outer, merged.back());
    merged.push_back(axis);
  }
  axes = std::move(merged);
}

bool overlapsAny(const AxisRef &axis, ArrayRef<AxisRef> axes) {
  return any_of(axes, [&](const AxisRef &o) { return axis.overlaps(o); });
}

//===----------------------------------------------------------------------===//
// Mesh
//===----------------------------------------------------------------------===//

int64_t Mesh::numRanks() const {
  int64_t count = 1;
  for (const Axis &axis : axes)
    count *= axis.size;
  return count;
}

std::optional<AxisId> Mesh::find(StringRef axisName) const {
  for (auto [id, axis] : enumerate(axes))
    if (axis.name == axisName)
      return static_cast<AxisId>(id);
  return std::nullopt;
}

int64_t Mesh::coordinate(int64_t rank, const AxisRef &axis) const {
  int64_t stride = 1;
  for (const Axis &minor : ArrayRef(axes).drop_front(axis.axis + 1))
    stride *= minor.size;
  int64_t extent = axes[axis.axis].size;
  int64_t whole = (rank / stride) % extent;
  return (whole / (extent / axis.end())) % axis.size;
}

int64_t Mesh::position(int64_t rank, ArrayRef<AxisRef> list) const {
  int64_t position = 0;
  for (const AxisRef &axis : list)
    position = position * axis.size + coordinate(rank, axis);
  return position;
}

std::string Mesh::str(const AxisRef &axis) const {
  std::string text;
  raw_string_ostream os(text);
  os << '"' << axes[axis.axis].name << '"';
  if (axis != whole(axis.axis))
    os << ":(" << axis.pre << ")" << axis.size;
  return text;
}

std::string Mesh::str(ArrayRef<AxisRef> list) const {
  std::string text;
  raw_string_ostream os(text);
  interleaveComma(list, os, [&](const AxisRef &axis) { os << str(axis); });
  return text;
}

StringRef stringifyReduction(ReductionKind kind) {
  switch (kind) {
  case ReductionKind::Sum:
    return "sum";
  case ReductionKind::Max:
    return "max";
  case ReductionKind::Min:
    return "min";
  case ReductionKind::Prod:
    return "prod";
  case ReductionKind::And:
    return "and";
  case ReductionKind::Or:
    return "or";
  }
  llvm_unreachable("unknown reduction");
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

int64_t blockSize(int64_t n, ArrayRef<AxisRef> axes) {
  for (const AxisRef &axis : axes)
    n = divideCeil(n, axis.size);
  return n;
}

BlockExtent blockOf(const Mesh &mesh, int64_t rank, int64_t n,
                    ArrayRef<AxisRef> axes) {
  BlockExtent block{0, n};
  int64_t extent = n;
  for (const AxisRef &axis : axes) {
    extent = divideCeil(extent, axis.size);
    int64_t start = mesh.coordinate(rank, axis) * extent;
    block.offset += start;
    block.valid = std::clamp<int64_t>(block.valid - start, 0, extent);
  }
  // An empty block may lie beyond the end.
  block.offset = std::min(block.offset, n);
  return block;
}

SmallVector<BlockExtent> blocksOf(int64_t n, ArrayRef<AxisRef> axes) {
  SmallVector<BlockExtent> blocks = {{0, n}};
  int64_t extent = n;
  for (const AxisRef &axis : axes) {
    extent = divideCeil(extent, axis.size);
    SmallVector<BlockExtent> inner;
    for (const BlockExtent &outer : blocks)
      for (int64_t i = 0; i < axis.size; ++i)
        inner.push_back(
            {outer.offset + i * extent,
             std::clamp<int64_t>(outer.valid - i * extent, 0, extent)});
    blocks = std::move(inner);
  }
  return blocks;
}

bool isPadded(int64_t n, ArrayRef<AxisRef> axes) {
  return n != 0 && n % numShards(axes) != 0;
}

bool blocksAreFlat(int64_t n, ArrayRef<AxisRef> axes) {
  // Of at most one element only position 0 has something either way.
  if (n <= 1)
    return true;
  for (auto [i, axis] : enumerate(axes)) {
    if (i != 0 && n % axis.size != 0)
      return false;
    n = divideCeil(n, axis.size);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// PartialAxis
//===----------------------------------------------------------------------===//

SmallVector<PartialAxis, 1> joinedPartial(ArrayRef<PartialAxis> list) {
  SmallVector<ReductionKind, 2> kinds;
  for (const PartialAxis &p : list)
    if (!is_contained(kinds, p.kind))
      kinds.push_back(p.kind);
  SmallVector<PartialAxis, 1> joined;
  for (ReductionKind kind : kinds) {
    AxisList axes;
    for (const PartialAxis &p : list)
      if (p.kind == kind && p.axis.size != 1)
        axes.push_back(p.axis);
    sort(axes);
    mergeSubAxes(axes);
    for (const AxisRef &axis : axes)
      joined.push_back({axis, kind});
  }
  return joined;
}

bool removePartial(SmallVectorImpl<PartialAxis> &partial,
                   const PartialAxis &kept) {
  auto holds = [&](const PartialAxis &p) {
    return p.kind == kept.kind && p.axis.axis == kept.axis.axis &&
           p.axis.pre <= kept.axis.pre && kept.axis.end() <= p.axis.end() &&
           kept.axis.pre % p.axis.pre == 0 &&
           p.axis.end() % kept.axis.end() == 0;
  };
  auto it = find_if(partial, holds);
  if (it == partial.end())
    return false;
  AxisRef whole = it->axis, part = kept.axis;
  AxisRef before{whole.axis, whole.pre, part.pre / whole.pre};
  AxisRef after{whole.axis, part.end(), whole.end() / part.end()};
  it = partial.erase(it);
  for (const AxisRef &rest : {after, before})
    if (rest.size != 1)
      it = partial.insert(it, {rest, kept.kind});
  return true;
}

bool isPartialWithin(ArrayRef<PartialAxis> part, ArrayRef<PartialAxis> all) {
  SmallVector<PartialAxis, 1> rest = joinedPartial(all);
  return all_of(joinedPartial(part),
                [&](const PartialAxis &p) { return removePartial(rest, p); });
}

bool isSamePartial(ArrayRef<PartialAxis> a, ArrayRef<PartialAxis> b) {
  return isPartialWithin(a, b) && isPartialWithin(b, a);
}

//===----------------------------------------------------------------------===//
// Sharding
//===----------------------------------------------------------------------===//

Sharding Sharding::replicated(size_t rank, bool open) {
  Sharding sharding;
  DimSharding dim;
  dim.open = open;
  sharding.dims.assign(rank, dim);
  return sharding;
}

bool Sharding::samePlacement(const Sharding &o) const {
  if (dims.size() != o.dims.size())
    return false;
  for (auto [a, b] : zip_equal(dims, o.dims))
    if (a.axes != b.axes)
      return false;
  return isSamePartial(partial, o.partial);
}

bool Sharding::isReplicated() const {
  return partial.empty() &&
         all_of(dims, [](const DimSharding &d) { return d.axes.empty(); });
}

bool Sharding::uses(const AxisRef &axis) const {
  return any_of(
             dims,
             [&](const DimSharding &d) { return overlapsAny(axis, d.axes); }) ||
         any_of(partial,
                [&](const PartialAxis &p) { return axis.overlaps(p.axis); });
}

SmallVector<int64_t, 4> Sharding::localShape(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t, 4> local;
  for (auto [n, dim] : zip_equal(shape, dims))
    local.push_back(blockSize(n, dim.axes));
  return local;
}

std::string Sharding::str(const Mesh &mesh) const {
  std::string text;
  raw_string_ostream os(text);
  os << '[';
  interleaveComma(dims, os, [&](const DimSharding &dim) {
    os << '{' << mesh.str(dim.axes);
    if (dim.open)
      os << (dim.axes.empty() ? "?" : ", ?");
    os << '}';
    if (dim.priority)
      os << 'p' << *dim.priority;
  });
  os << ']';
  if (!partial.empty()) {
    os << ", partial = [";
    interleaveComma(partial, os, [&](const PartialAxis &p) {
      os << stringifyReduction(p.kind) << ' ' << mesh.str(p.axis);
    });
    os << ']';
  }
  if (!keptReplicated.empty())
    os << ", replicated = [" << mesh.str(keptReplicated) << ']';
  return text;
}

} // namespace cleave
