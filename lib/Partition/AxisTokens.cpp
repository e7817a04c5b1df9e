//===- AxisTokens.cpp - Axes of a reshard as small ids --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AxisTokens.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace cleave {

std::optional<uint8_t> AxisTokens::find(const AxisRef &axis) const {
  for (auto [id, ref] : enumerate(refs))
    if (ref == axis)
      return static_cast<uint8_t>(id);
  return std::nullopt;
}

/// Ascending boundaries of the parts in `used`, all of one axis. Empty if they
/// do not divide each other: such parts (6 cut into 2 x 3 here and 3 x 2
/// there) have no common atoms.
static SmallVector<int64_t, 4> commonCuts(ArrayRef<AxisRef> used) {
  SmallVector<int64_t, 4> cuts;
  for (const AxisRef &part : used) {
    cuts.push_back(part.pre);
    cuts.push_back(part.end());
  }
  sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (size_t i = 1; i < cuts.size(); ++i)
    if (cuts[i] % cuts[i - 1] != 0)
      return {};
  return cuts;
}

/// Adds boundaries until each divides the next by a prime.
static SmallVector<int64_t, 4> primeCuts(ArrayRef<int64_t> cuts) {
  SmallVector<int64_t, 4> primes(cuts.take_front());
  for (int64_t next : cuts) {
    for (int64_t p = 2; primes.back() != next;) {
      if (next / primes.back() % p == 0)
        primes.push_back(primes.back() * p);
      else
        ++p;
    }
  }
  return primes;
}

void AxisTokens::addAxis(ArrayRef<AxisRef> used, bool fine) {
  AxisId axis = used.front().axis;
  if (cuts.size() <= axis)
    cuts.resize(axis + 1);
  cuts[axis] = commonCuts(used);
  if (fine)
    cuts[axis] = primeCuts(cuts[axis]);
  if (cuts[axis].empty()) {
    for (const AxisRef &part : used)
      if (!find(part))
        refs.push_back(part);
    return;
  }
  // Runs of atoms, as far as each atom belongs to some used part.
  ArrayRef<int64_t> at = cuts[axis];
  for (size_t i = 0; i + 1 < at.size(); ++i) {
    for (size_t j = i + 1; j < at.size(); ++j) {
      if (!overlapsAny({axis, at[j - 1], at[j] / at[j - 1]}, used))
        break;
      refs.push_back({axis, at[i], at[j] / at[i]});
    }
  }
}

bool AxisTokens::build(ArrayRef<AxisRef> used, bool fine) {
  SmallVector<AxisRef, 8> sorted(used);
  sort(sorted);
  for (ArrayRef<AxisRef> rest = sorted; !rest.empty();) {
    ArrayRef<AxisRef> same = rest.take_while(
        [&](const AxisRef &r) { return r.axis == rest.front().axis; });
    addAxis(same, fine);
    if (refs.size() > kMax)
      return false;
    rest = rest.drop_front(same.size());
  }
  for (const AxisRef &ref : refs) {
    uint32_t mask = 0;
    for (auto [id, other] : enumerate(refs))
      if (ref.overlaps(other))
        mask |= 1u << id;
    overlapMasks.push_back(mask);
  }
  return true;
}

bool AxisTokens::append(AxisRef axis, int64_t extent,
                        SmallVectorImpl<uint8_t> &ids) const {
  if (axis.axis >= cuts.size())
    return false;
  for (int64_t cut : cuts[axis.axis]) {
    if (cut <= axis.pre || cut >= axis.end())
      continue;
    AxisRef head{axis.axis, axis.pre, cut / axis.pre};
    AxisRef tail{axis.axis, cut, axis.end() / cut};
    if (!blocksAreFlat(extent, {head, tail}))
      continue;
    std::optional<uint8_t> id = find(head);
    if (!id)
      return false;
    ids.push_back(*id);
    extent = divideCeil(extent, head.size);
    axis = tail;
  }
  std::optional<uint8_t> id = find(axis);
  if (!id)
    return false;
  ids.push_back(*id);
  return true;
}

bool AxisTokens::atoms(const AxisRef &axis,
                       SmallVectorImpl<uint8_t> &ids) const {
  // Blocks of nothing may be cut anywhere.
  return append(axis, /*extent=*/0, ids);
}

} // namespace cleave
