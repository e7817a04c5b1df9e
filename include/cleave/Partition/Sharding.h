//===- Sharding.h - Meshes and shardings as plain data ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vocabulary of the partitioning algorithms. A sharding says, for each
// dimension of a tensor, over which mesh axes it is cut, major to minor, and
// over which axes the tensor is still a partial result.
//
// Blocks nest: over axes [a, b] a dimension of n elements is cut into blocks
// of ceil(n / a), each of which is cut into blocks of ceil(that / b). Hence an
// all-gather over b yields exactly the sharding over [a], whatever n is.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_SHARDING_H
#define CLEAVE_PARTITION_SHARDING_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>

namespace cleave {

/// Index of an axis in Mesh::axes.
using AxisId = uint32_t;

/// A mesh axis, or the part of it that has `size` positions after `pre`
/// positions of the same axis have been split off in front: Shardy's
/// `"x":(pre)size`. The whole axis is pre 1 and size = the axis size.
/// Invariant: pre * size divides the axis size.
struct AxisRef {
  AxisId axis = 0;
  int64_t pre = 1;
  int64_t size = 1;

  int64_t end() const { return pre * size; }
  bool operator==(const AxisRef &o) const {
    return axis == o.axis && pre == o.pre && size == o.size;
  }
  bool operator!=(const AxisRef &o) const { return !(*this == o); }
  bool operator<(const AxisRef &o) const {
    return std::tie(axis, pre, size) < std::tie(o.axis, o.pre, o.size);
  }
  /// Whether the two share positions of one axis, or depend on each other: of
  /// 6 positions, (1)2 and (3)2 are not digits of one number system.
  bool overlaps(const AxisRef &o) const {
    return axis == o.axis && o.pre % end() != 0 && pre % o.end() != 0;
  }
};
inline llvm::hash_code hash_value(const AxisRef &r) {
  return llvm::hash_combine(r.axis, r.pre, r.size);
}

/// Axes in order, major to minor.
using AxisList = llvm::SmallVector<AxisRef, 2>;

/// Number of shards an axis list makes: the product of its sizes.
int64_t numShards(llvm::ArrayRef<AxisRef> axes);

/// Joins neighbours that are consecutive parts of one axis:
/// x:(1)2, x:(2)2 -> x:(1)4.
void mergeSubAxes(AxisList &axes);
/// The same, but only where a dimension of `n` elements has equal blocks
/// either way: ceil(5 / 4) is not ceil(ceil(5 / 2) / 2) cut twice.
void mergeSubAxes(AxisList &axes, int64_t n);

bool overlapsAny(const AxisRef &axis, llvm::ArrayRef<AxisRef> axes);

/// A grid of devices. Ranks are numbered row-major over the axes, the first
/// axis slowest.
struct Mesh {
  struct Axis {
    std::string name;
    int64_t size = 1;
  };
  std::string name;
  llvm::SmallVector<Axis, 4> axes;

  int64_t numRanks() const;
  std::optional<AxisId> find(llvm::StringRef axisName) const;
  AxisRef whole(AxisId axis) const { return {axis, 1, axes[axis].size}; }
  /// Coordinate of `rank` along one (sub-)axis.
  int64_t coordinate(int64_t rank, const AxisRef &axis) const;
  /// Position of `rank` along an axis list, major to minor.
  int64_t position(int64_t rank, llvm::ArrayRef<AxisRef> axes) const;
  /// `"x"` or `"x":(1)2`.
  std::string str(const AxisRef &axis) const;
  std::string str(llvm::ArrayRef<AxisRef> axes) const;
};

enum class ReductionKind { Sum, Max, Min, Prod, And, Or };
llvm::StringRef stringifyReduction(ReductionKind kind);

/// Extent of the last (innermost) block of a dimension of `n` elements.
int64_t blockSize(int64_t n, llvm::ArrayRef<AxisRef> axes);
/// First element and number of valid elements of a rank's block; the number
/// may be 0, and is at most blockSize.
struct BlockExtent {
  int64_t offset = 0;
  int64_t valid = 0;
};
BlockExtent blockOf(const Mesh &mesh, int64_t rank, int64_t n,
                    llvm::ArrayRef<AxisRef> axes);
/// First element and number of valid ones of each block of a dimension of `n`
/// elements, in the order of the blocks. The first element of an empty block
/// may lie beyond the dimension.
llvm::SmallVector<BlockExtent> blocksOf(int64_t n,
                                        llvm::ArrayRef<AxisRef> axes);
/// Whether some rank's block holds padding.
bool isPadded(int64_t n, llvm::ArrayRef<AxisRef> axes);
/// Whether the nested blocks of a dimension of `n` elements are, in order, the
/// blocks of ceil(n / numShards(axes)): then one collective over all of the
/// axes can gather or slice it. Holds if all axes but the first divide evenly.
bool blocksAreFlat(int64_t n, llvm::ArrayRef<AxisRef> axes);

struct DimSharding {
  AxisList axes;
  /// An open dimension may be sharded further by propagation.
  bool open = false;
  /// Lower is propagated earlier; none is last.
  std::optional<int64_t> priority;

  bool operator==(const DimSharding &o) const {
    return axes == o.axes && open == o.open && priority == o.priority;
  }
};

struct PartialAxis {
  AxisRef axis;
  ReductionKind kind = ReductionKind::Sum;
  bool operator==(const PartialAxis &o) const {
    return axis == o.axis && kind == o.kind;
  }
};

/// Partial axes in the order in which their kinds occur, those of a kind
/// ascending and joined where they continue each other: a sum over both halves
/// of an axis is one over the axis.
llvm::SmallVector<PartialAxis, 1>
joinedPartial(llvm::ArrayRef<PartialAxis> list);
/// Takes `kept` out of a joined list, which may leave the parts of an axis
/// around it. Returns false if it is not in there.
bool removePartial(llvm::SmallVectorImpl<PartialAxis> &partial,
                   const PartialAxis &kept);
/// Whether reducing over some axes of `all` leaves `part`, however the axes are
/// cut into parts.
bool isPartialWithin(llvm::ArrayRef<PartialAxis> part,
                     llvm::ArrayRef<PartialAxis> all);
bool isSamePartial(llvm::ArrayRef<PartialAxis> a,
                   llvm::ArrayRef<PartialAxis> b);

struct Sharding {
  llvm::SmallVector<DimSharding, 4> dims;
  llvm::SmallVector<PartialAxis, 1> partial;
  /// Axes that propagation must not cut the open dimensions over.
  AxisList keptReplicated;

  static Sharding replicated(size_t rank, bool open = false);
  bool operator==(const Sharding &o) const {
    return dims == o.dims && partial == o.partial &&
           keptReplicated == o.keptReplicated;
  }
  /// Same placement of data: equal axes and partial axes; what only directs
  /// propagation is ignored.
  bool samePlacement(const Sharding &o) const;
  bool isReplicated() const;
  bool uses(const AxisRef &axis) const;
  llvm::SmallVector<int64_t, 4> localShape(llvm::ArrayRef<int64_t> shape) const;
  /// `[{"x"}, {"y", ?}p1], partial = [sum "z"]`.
  std::string str(const Mesh &mesh) const;
};

} // namespace cleave

#endif // CLEAVE_PARTITION_SHARDING_H
