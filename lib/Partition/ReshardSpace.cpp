//===- ReshardSpace.cpp - States of the reshard search --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshardSpace.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace cleave {

int64_t ReshardSpace::extentOf(ArrayRef<uint8_t> ids, int64_t extent) const {
  for (uint8_t id : ids)
    extent = divideCeil(extent, tokens.ref(id).size);
  return extent;
}

AxisList ReshardSpace::axesOf(ArrayRef<uint8_t> ids) const {
  AxisList axes;
  for (uint8_t id : ids)
    axes.push_back(tokens.ref(id));
  return axes;
}

bool ReshardSpace::isFlat(int64_t extent, ArrayRef<uint8_t> ids) const {
  return blocksAreFlat(extent, axesOf(ids));
}

/// Of a block of one element only position 0 has something, in whatever order
/// axes cut it.
void ReshardSpace::sortCutsOfOneElement(MutableArrayRef<uint8_t> ids,
                                        int64_t extent) const {
  while (extent > 1 && !ids.empty()) {
    extent = divideCeil(extent, tokens.ref(ids.front()).size);
    ids = ids.drop_front();
  }
  sort(ids);
}

bool ReshardSpace::setDim(ReshardState &state, unsigned d,
                          ArrayRef<AxisRef> axes) const {
  SmallVector<uint8_t, 8> ids(state.dim(d));
  int64_t extent = extentOf(ids, shape[d]);
  for (const AxisRef &axis : axes) {
    if (!tokens.append(axis, extent, ids))
      return false;
    extent = divideCeil(extent, axis.size);
  }
  if (ids.size() > ReshardState::kMaxLength)
    return false;
  sortCutsOfOneElement(ids, shape[d]);
  copy(ids, state.ids[d]);
  state.length[d] = ids.size();
  return true;
}

bool ReshardSpace::cut(ReshardState &state, unsigned d,
                       ArrayRef<AxisRef> axes) const {
  if (!blocksAreFlat(extentOf(state.dim(d), shape[d]), axes))
    return false;
  return setDim(state, d, axes);
}

Extents ReshardSpace::extents(const ReshardState &state) const {
  Extents local;
  for (unsigned d = 0; d < dims.size(); ++d)
    local.push_back(extentOf(state.dim(d), shape[d]));
  return local;
}

uint32_t ReshardSpace::usedMask(const ReshardState &state) const {
  uint32_t used = 0;
  for (unsigned d = 0; d < dims.size(); ++d)
    for (uint8_t id : state.dim(d))
      used |= tokens.overlaps(id);
  for (uint8_t id : partialIds)
    if (state.partial >> id & 1)
      used |= tokens.overlaps(id);
  return used;
}

/// Dimensions that some axis cuts, then others, as places to put axes for a
/// while, as many as states have room for.
static SmallVector<unsigned, 6> searchedDims(const ReshardProblem &problem) {
  SmallVector<unsigned, 6> searched;
  for (bool cut : {true, false})
    for (unsigned d = 0; d < problem.shape.size(); ++d)
      if (cut == !(problem.from[d].empty() && problem.to[d].empty()))
        searched.push_back(d);
  return searched;
}

bool ReshardSpace::build(const ReshardProblem &p, bool fine) {
  problem = &p;
  SmallVector<AxisRef, 8> used;
  for (const auto *lists : {&p.from, &p.to})
    for (const AxisList &axes : *lists)
      append_range(used, axes);
  for (const PartialAxis &partial : p.partial)
    used.push_back(partial.axis);
  if (!tokens.build(used, fine))
    return false;

  bytes = p.elementBytes;
  for (unsigned d : searchedDims(p)) {
    bool isCut = !p.from[d].empty() || !p.to[d].empty();
    if (dims.size() < ReshardState::kMaxDims) {
      dims.push_back(d);
      shape.push_back(p.shape[d]);
    } else if (isCut) {
      return false;
    } else {
      bytes *= p.shape[d];
    }
  }

  reductions.resize(tokens.size());
  for (const PartialAxis &partial : p.partial) {
    SmallVector<uint8_t, 4> ids;
    if (!tokens.atoms(partial.axis, ids))
      return false;
    for (uint8_t id : ids) {
      reductions[id] = partial.kind;
      first.partial |= 1u << id;
      partialIds.push_back(id);
    }
  }
  for (unsigned d = 0; d < dims.size(); ++d)
    if (!setDim(first, d, p.from[dims[d]]) || !setDim(last, d, p.to[dims[d]]))
      return false;

  goalExtents = extents(last);
  for (unsigned d = 0; d < dims.size(); ++d)
    goalPadded |= isPadded(shape[d], p.to[dims[d]]);
  return true;
}

/// Whether the blocks of some device in `a` and in `b`, both cuts of one
/// block of `extent`, have nothing in common: so it is if they are first cut
/// over different axes. At position 0 of the one with the smaller blocks and
/// position 1 of the other, say.
static bool someDeviceIsDisjoint(const AxisTokens &tokens, ArrayRef<uint8_t> a,
                                 ArrayRef<uint8_t> b) {
  while (!a.empty() && !b.empty() && a[0] == b[0]) {
    a = a.drop_front();
    b = b.drop_front();
  }
  return !a.empty() && !b.empty() && !(tokens.overlaps(a[0]) >> b[0] & 1);
}

int64_t ReshardSpace::bytesMissing(const ReshardState &state) const {
  int64_t needed = bytes, owned = bytes;
  bool disjoint = state.partial != 0;
  for (unsigned d = 0; d < dims.size(); ++d) {
    needed *= goalExtents[d];
    owned *= std::min(goalExtents[d], extentOf(state.dim(d), shape[d]));
    // Blocks of devices other than rank 0 may be short if the goal is padded.
    if (!goalPadded && !disjoint)
      disjoint = someDeviceIsDisjoint(tokens, state.dim(d), last.dim(d));
  }
  return disjoint ? needed : needed - owned;
}

Sharding ReshardSpace::sharding(const ReshardState &state) const {
  Sharding sharding = Sharding::replicated(problem->shape.size());
  for (unsigned d = 0; d < dims.size(); ++d) {
    AxisList &axes = sharding.dims[dims[d]].axes;
    axes = axesOf(state.dim(d));
    mergeSubAxes(axes, shape[d]);
  }
  sharding.partial.assign(problem->kept.begin(), problem->kept.end());
  for (uint8_t id : partialIds)
    if (state.partial >> id & 1)
      sharding.partial.push_back({tokens.ref(id), reductions[id]});
  return sharding;
}

} // namespace cleave
