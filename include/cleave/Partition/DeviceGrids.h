//===- DeviceGrids.h - Grids over the same devices --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program may arrange the same devices in several grids. They become one grid
// of ranks. Where the dimensions of a grid are digits of the rank, or of parts
// of it, each of its blocks is on the device that the program says. Where they
// are not, as for 2 x 3 devices beside 3 x 2 or a list such as 3, 1, 0, 2
// beside 0, 1, 2, 3, the grid is cut as the program says, but another rank has
// each block: devices are numbered anew for it.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_DEVICEGRIDS_H
#define CLEAVE_PARTITION_DEVICEGRIDS_H

#include "cleave/Partition/DeviceDigits.h"
#include <vector>

namespace cleave {

class DeviceGrids {
public:
  /// A grid that was added: the order in which it counts devices, and each of
  /// its dimensions in digits of the place in that order.
  struct Grid {
    unsigned order = 0;
    llvm::SmallVector<DeviceDigits, 4> dims;
  };

  explicit DeviceGrids(int64_t numDevices) : numDevices(numDevices) {}

  /// Adds the row-major grid of `sizes`, whose product is the number of
  /// devices. Place i is device devices[i], or i if `devices` is empty.
  Grid add(llvm::ArrayRef<int64_t> devices, llvm::ArrayRef<int64_t> sizes);
  /// Adds a part of a dimension. False if no grid has both it and the others.
  bool addPart(unsigned order, llvm::ArrayRef<DeviceDigit> digits);

  /// A grid as one of `order`, if it counts in that and adds no axes to it.
  std::optional<Grid> findIn(unsigned order, llvm::ArrayRef<int64_t> devices,
                             llvm::ArrayRef<int64_t> sizes) const;

  /// Makes one grid of all that were added. Order 0 is that of its ranks, or
  /// the order 0, 1, 2, ... if there is such a one.
  void combine();

  /// The axes of the combined grid, major to minor.
  DeviceDigits axes() const { return orders[first].grid.axes(); }
  /// The device of each rank; empty if it is the rank.
  llvm::ArrayRef<int64_t> devices() const { return orders[first].devices; }
  /// Indices into axes() that make up digits of an order, major to minor.
  llvm::SmallVector<unsigned> axesOf(unsigned order,
                                     llvm::ArrayRef<DeviceDigit> digits) const;
  /// Whether grids of this order have their blocks where the program says.
  bool isInPlace(unsigned order) const { return orders[order].isInPlace; }
  /// The device that has the block of each rank in the program, for grids of
  /// this order. Equal to devices() if they are in place.
  llvm::SmallVector<int64_t> devicesOf(unsigned order) const;

private:
  struct Order {
    /// The device at each place, and the place of each device; empty for 0, 1,
    /// 2, ...
    llvm::SmallVector<int64_t> devices, places;
    CommonGrid grid;
    /// What each axis of `grid` is in the combined grid.
    llvm::SmallVector<DeviceDigits> inRanks;
    bool isInPlace = true;
  };
  static std::optional<Grid> tryAdd(Order &order,
                                    llvm::ArrayRef<int64_t> devices,
                                    llvm::ArrayRef<int64_t> sizes);
  void placeIn(Order &order, CommonGrid &ranks);

  int64_t numDevices;
  std::vector<Order> orders;
  /// The order of ranks.
  unsigned first = 0;
};

} // namespace cleave

#endif // CLEAVE_PARTITION_DEVICEGRIDS_H
