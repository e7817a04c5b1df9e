//===- AxisTokens.h - Axes of a reshard as small ids ------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reshard search names each axis or sub-axis that may occur in a state by
// a small id. Axes are cut at every boundary that one of the two shardings
// has, so that states which place data alike have one spelling.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_LIB_PARTITION_AXISTOKENS_H
#define CLEAVE_LIB_PARTITION_AXISTOKENS_H

#include "cleave/Partition/Sharding.h"

namespace cleave {

class AxisTokens {
public:
  /// More ids than this make a search too large anyway.
  static constexpr unsigned kMax = 16;

  /// Makes ids for all axes in `used`, their atoms, and runs of atoms. Atoms
  /// are the smallest parts that some axis in `used` has, or, if `fine`, parts
  /// of prime size. Returns false if there are too many.
  bool build(llvm::ArrayRef<AxisRef> used, bool fine);

  unsigned size() const { return refs.size(); }
  const AxisRef &ref(unsigned id) const { return refs[id]; }
  /// Ids whose axes share positions with `id`, itself included.
  uint32_t overlaps(unsigned id) const { return overlapMasks[id]; }
  /// Appends the ids of `axis`, which cuts blocks of `extent`, to `ids`: split
  /// wherever the split leaves the blocks as they are.
  bool append(AxisRef axis, int64_t extent,
              llvm::SmallVectorImpl<uint8_t> &ids) const;
  /// Ids of the atoms that `axis` consists of.
  bool atoms(const AxisRef &axis, llvm::SmallVectorImpl<uint8_t> &ids) const;

private:
  void addAxis(llvm::ArrayRef<AxisRef> used, bool fine);
  std::optional<uint8_t> find(const AxisRef &axis) const;

  llvm::SmallVector<AxisRef, kMax> refs;
  llvm::SmallVector<uint32_t, kMax> overlapMasks;
  /// Per axis, the inner boundaries of its atoms, ascending.
  llvm::SmallVector<llvm::SmallVector<int64_t, 4>, 4> cuts;
};

} // namespace cleave

#endif // CLEAVE_LIB_PARTITION_AXISTOKENS_H
