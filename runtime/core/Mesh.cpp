//===- Mesh.cpp - Devices, axes and groups --------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Mesh.h"

using namespace cleave::rt;

int32_t Mesh::getSize() const {
  int64_t size = 1;
  for (const MeshAxis &axis : axes)
    size *= axis.size;
  return static_cast<int32_t>(size);
}

int64_t Mesh::getStride(int32_t axis) const {
  int64_t stride = 1;
  for (size_t i = axis + 1; i < axes.size(); ++i)
    stride *= axes[i].size;
  return stride;
}

int64_t Mesh::getCoordinate(int32_t rank, const AxisRef &ref) const {
  int64_t size = axes[ref.axis].size;
  int64_t coordinate = rank / getStride(ref.axis) % size;
  return coordinate / (size / (ref.pre * ref.size)) % ref.size;
}

int64_t Mesh::getPosition(int32_t rank, const AxisList &list) const {
  int64_t position = 0;
  for (const AxisRef &ref : list)
    position = position * ref.size + getCoordinate(rank, ref);
  return position;
}

std::vector<int32_t> Mesh::getGroup(int32_t rank, const AxisList &list) const {
  std::vector<int32_t> group(getGroupSize(list));
  for (size_t position = 0; position < group.size(); ++position) {
    int64_t member = rank;
    int64_t rest = position;
    for (auto ref = list.rbegin(); ref != list.rend(); ++ref) {
      int64_t step = axes[ref->axis].size / (ref->pre * ref->size);
      int64_t delta = rest % ref->size - getCoordinate(rank, *ref);
      member += delta * step * getStride(ref->axis);
      rest /= ref->size;
    }
    group[position] = static_cast<int32_t>(member);
  }
  return group;
}

int64_t cleave::rt::getGroupSize(const AxisList &list) {
  int64_t size = 1;
  for (const AxisRef &ref : list)
    size *= ref.size;
  return size;
}
