//===- GspmdSharding.h - Shardings written as GSPMD strings -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of `mhlo.sharding` attributes, such as
// `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`. The form is that of XLA's
// HloSharding (Xu et al., "GSPMD: General and Scalable Parallelization for ML
// Computation Graphs", 2021).
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_GSPMDSHARDING_H
#define CLEAVE_PARTITION_GSPMDSHARDING_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cleave {

struct GspmdSharding {
  enum class Kind {
    /// The same on all devices.
    Replicated,
    /// On one device only.
    Maximal,
    /// Inside a region that its author partitioned.
    Manual,
    /// Cut into tiles.
    Tiled,
    /// Terms of a sum on all devices.
    Unreduced,
    /// One sharding per element.
    Tuple,
    /// Left to the partitioner.
    Unknown,
  };
  /// What the devices do that share a tile.
  enum class Subgroup { Replicated, Manual, Unreduced };

  Kind kind = Kind::Replicated;
  /// Tiled: the sizes of the row-major grid of devices, one for each dimension
  /// of the tensor, in as many tiles as which it is cut, then one for each of
  /// `subgroups`.
  llvm::SmallVector<int64_t, 4> tiles;
  llvm::SmallVector<Subgroup, 1> subgroups;
  /// Tiled: the device at each place of the grid; empty for 0, 1, 2, ...
  llvm::SmallVector<int64_t, 8> devices;
  /// Tiled: the product of all sizes. Maximal: 1.
  int64_t numDevices = 1;
  std::vector<GspmdSharding> elements;
  /// Values of one group (`shard_as N`, `shard_like N`) are to be cut alike.
  std::optional<int64_t> group;

  /// How many of `tiles` are for dimensions of the tensor.
  size_t rank() const { return tiles.size() - subgroups.size(); }

  /// Whether both say the same here, however they are written.
  bool operator==(const GspmdSharding &o) const {
    return kind == o.kind && tiles == o.tiles && subgroups == o.subgroups &&
           devices == o.devices && numDevices == o.numDevices &&
           elements == o.elements && group == o.group;
  }

  /// Fails, with a message, on text that is not a sharding.
  static std::optional<GspmdSharding> parse(llvm::StringRef text,
                                            std::string &error);
  /// The texts of the elements of a tuple: `{{replicated}, {maximal device=0}}`
  /// has two. `text` is one that can be parsed.
  static llvm::SmallVector<llvm::StringRef> splitTuple(llvm::StringRef text);
};

} // namespace cleave

#endif // CLEAVE_PARTITION_GSPMDSHARDING_H
