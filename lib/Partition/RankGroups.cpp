//===- RankGroups.cpp - Which ranks act together --------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/RankGroups.h"

#include "cleave/Partition/DeviceDigits.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace cleave {

/// How far apart the ranks of neighbouring positions along an axis are.
static int64_t strideOf(const Mesh &mesh, const AxisRef &axis) {
  int64_t stride = mesh.axes[axis.axis].size / axis.end();
  for (const Mesh::Axis &minor : ArrayRef(mesh.axes).drop_front(axis.axis + 1))
    stride *= minor.size;
  return stride;
}

std::vector<RankGroup> groupsAlong(const Mesh &mesh, ArrayRef<AxisRef> axes) {
  int64_t ranks = mesh.numRanks();
  std::vector<RankGroup> groups;
  // By the rank at position 0, which is the smallest of its group.
  std::vector<int64_t> groupOf(ranks, -1);
  for (int64_t rank = 0; rank < ranks; ++rank) {
    int64_t first = rank;
    for (const AxisRef &axis : axes)
      first -= mesh.coordinate(rank, axis) * strideOf(mesh, axis);
    if (groupOf[first] < 0) {
      groupOf[first] = groups.size();
      groups.emplace_back(numShards(axes));
    }
    groups[groupOf[first]][mesh.position(rank, axes)] = rank;
  }
  return groups;
}

int64_t largestGroup(ArrayRef<RankGroup> groups) {
  size_t largest = 1;
  for (const RankGroup &group : groups)
    largest = std::max<size_t>(largest, group.size());
  return largest;
}

std::string describeGroups(ArrayRef<RankGroup> groups) {
  constexpr int maxRanks = 16;
  std::string text;
  raw_string_ostream os(text);
  int shown = 0;
  os << '[';
  for (const RankGroup &group : groups) {
    os << (shown ? ", [" : "[");
    for (int64_t rank : group) {
      if (rank != group.front())
        os << ", ";
      if (shown++ == maxRanks) {
        os << "...";
        return text;
      }
      os << rank;
    }
    os << ']';
  }
  os << ']';
  return text;
}

std::string describeAxes(const Mesh &mesh, ArrayRef<AxisRef> axes) {
  std::string text;
  raw_string_ostream os(text);
  interleaveComma(axes, os, [&](const AxisRef &axis) {
    os << mesh.axes[axis.axis].name;
    if (axis != mesh.whole(axis.axis))
      os << ":(" << axis.pre << ')' << axis.size;
  });
  return text;
}

std::string describeAxesApart(const Mesh &mesh, ArrayRef<int64_t> pairs) {
  SmallVector<int64_t> sizes;
  for (const Mesh::Axis &axis : mesh.axes)
    sizes.push_back(axis.size);
  AxisList axes;
  for (unsigned axis : dimsApart(sizes, pairs))
    axes.push_back(mesh.whole(axis));
  return describeAxes(mesh, axes);
}

} // namespace cleave
