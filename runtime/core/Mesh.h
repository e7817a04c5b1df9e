//===- Mesh.h - Devices, axes and groups ------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_RUNTIME_CORE_MESH_H
#define CLEAVE_RUNTIME_CORE_MESH_H

#include <cstdint>
#include <string>
#include <vector>

namespace cleave::rt {

/// A named axis of at least one position.
struct MeshAxis {
  std::string name;
  int64_t size;
};

/// Part of an axis: `size` positions after `pre` positions of the same axis
/// were split off in front.
struct AxisRef {
  int32_t axis;
  int64_t pre;
  int64_t size;

  bool operator==(const AxisRef &other) const {
    return axis == other.axis && pre == other.pre && size == other.size;
  }
};

/// Major to minor.
using AxisList = std::vector<AxisRef>;

/// Ranks are numbered row-major over the axes, the first axis slowest.
struct Mesh {
  std::string name;
  std::vector<MeshAxis> axes;

  int32_t getSize() const;
  /// Coordinate of `rank` along a (sub-)axis.
  int64_t getCoordinate(int32_t rank, const AxisRef &ref) const;
  /// Coordinate along a list of axes, in [0, getGroupSize(list)).
  int64_t getPosition(int32_t rank, const AxisList &list) const;
  /// The ranks that differ from `rank` only along `list`, by position.
  std::vector<int32_t> getGroup(int32_t rank, const AxisList &list) const;

private:
  /// Distance in ranks between neighbours along the whole axis.
  int64_t getStride(int32_t axis) const;
};

int64_t getGroupSize(const AxisList &list);

} // namespace cleave::rt

#endif // CLEAVE_RUNTIME_CORE_MESH_H
