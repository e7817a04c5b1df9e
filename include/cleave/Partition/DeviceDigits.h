//===- DeviceDigits.h - Device numbers as mixed-radix digits ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Meshes, tile assignments and replica groups all arrange the same devices in
// grids. A *digit* is what an axis of such a grid is in terms of the device
// number: (device / stride) mod size. Digits make grids comparable that were
// written with different axes.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PARTITION_DEVICEDIGITS_H
#define CLEAVE_PARTITION_DEVICEDIGITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace cleave {

struct DeviceDigit {
  int64_t size = 1;
  int64_t stride = 1;

  bool operator==(const DeviceDigit &o) const {
    return size == o.size && stride == o.stride;
  }
  bool operator!=(const DeviceDigit &o) const { return !(*this == o); }
};

/// Major to minor. No digit has size 1.
using DeviceDigits = llvm::SmallVector<DeviceDigit, 4>;

/// Digits of a row-major grid of sizes `sizes` over the devices 0, 1, 2, ...,
/// one per dimension; those of size 1 have stride 1.
llvm::SmallVector<DeviceDigit, 4> gridDigits(llvm::ArrayRef<int64_t> sizes);

/// The dimensions of a row-major grid along which the numbers of some pair lie
/// apart; `pairs` has the two of each pair after each other.
llvm::SmallVector<unsigned, 2> dimsApart(llvm::ArrayRef<int64_t> sizes,
                                         llvm::ArrayRef<int64_t> pairs);

/// The digits by which a list counts: devices[i] is devices[0] plus the sum of
/// digit * stride over the digits of i. None if there are no such digits with
/// positive strides.
std::optional<DeviceDigits> countingDigits(llvm::ArrayRef<int64_t> devices);

/// Splits a list of digits, major to minor, into groups that count to `sizes`
/// each. A digit that straddles two groups is cut in two; none if it cannot be.
std::optional<llvm::SmallVector<DeviceDigits, 4>>
splitDigits(llvm::ArrayRef<DeviceDigit> digits, llvm::ArrayRef<int64_t> sizes);

/// The coarsest grid whose axes make up all digits that were added.
class CommonGrid {
public:
  explicit CommonGrid(int64_t numDevices) : bounds{1, numDevices} {}

  /// False if no grid has both this digit and the earlier ones as axes: of 6
  /// devices, {2, 3} and {3, 2} have none.
  bool add(const DeviceDigit &digit);
  /// Major to minor.
  DeviceDigits axes() const;
  /// Indices into axes() of the parts of a digit that was added, major to
  /// minor.
  llvm::SmallVector<unsigned, 2> axesOf(const DeviceDigit &digit) const;

private:
  bool addBound(int64_t bound);
  /// Strides at which an axis begins, ascending, each dividing the next; the
  /// last is the number of devices.
  llvm::SmallVector<int64_t, 8> bounds;
};

} // namespace cleave

#endif // CLEAVE_PARTITION_DEVICEDIGITS_H
