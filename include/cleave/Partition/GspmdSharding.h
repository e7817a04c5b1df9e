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

#include "cleave/Partition/DeviceDigits.h"
#include "llvm/ADT/StringRef.h"
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
    /// One sharding per element.
    Tuple,
    /// Left to the partitioner.
    Unknown,
  };
  /// What the devices do that share a tile.
  enum class Subgroup { Replicated, Manual, Unreduced };

  Kind kind = Kind::Replicated;
  /// Tiled: the digits that cut each dimension, major to minor; as many entries
  /// as the tensor has dimensions.
  llvm::SmallVector<DeviceDigits, 4> dims;
  /// Tiled: the other digits.
  llvm::SmallVector<std::pair<Subgroup, DeviceDigits>, 1> subgroups;
  /// Tiled: the product of all sizes. Maximal: 1.
  int64_t numDevices = 1;
  std::vector<GspmdSharding> elements;
  /// Values of one group (`shard_as N`, `shard_like N`) are to be cut alike.
  std::optional<int64_t> group;

  /// Fails, with a message, on text that is not a sharding or lists devices in
  /// an order that no grid has: then `oddList` gets that list. Unless it is
  /// empty, `numbers` has another number for each device.
  static std::optional<GspmdSharding>
  parse(llvm::StringRef text, std::string &error,
        llvm::ArrayRef<int64_t> numbers = {},
        llvm::SmallVectorImpl<int64_t> *oddList = nullptr);
};

} // namespace cleave

#endif // CLEAVE_PARTITION_GSPMDSHARDING_H
