//===- DeviceGrids.cpp - Grids over the same devices ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeviceGrids.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include <numeric>

using namespace llvm;

namespace cleave {

//===----------------------------------------------------------------------===//
// Orders of devices
//===----------------------------------------------------------------------===//

/// Adds a grid to an order in whose places it counts, if the order's grids and
/// this one are parts of one.
std::optional<DeviceGrids::Grid> DeviceGrids::tryAdd(Order &order,
                                                     ArrayRef<int64_t> devices,
                                                     ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  SmallVector<int64_t> places(devices);
  if (places.empty())
    places = to_vector(seq<int64_t>(0, count));
  if (!order.places.empty())
    for (int64_t &place : places)
      place = order.places[place];
  std::optional<DeviceDigits> digits = countingDigits(places);
  if (!digits)
    return std::nullopt;
  auto dims = splitDigits(*digits, sizes);
  if (!dims)
    return std::nullopt;
  CommonGrid common = order.grid;
  for (const DeviceDigits &dim : *dims)
    for (const DeviceDigit &digit : dim)
      if (!common.add(digit))
        return std::nullopt;
  order.grid = common;
  return Grid{0, std::move(*dims)};
}

DeviceGrids::Grid DeviceGrids::add(ArrayRef<int64_t> devices,
                                   ArrayRef<int64_t> sizes) {
  for (auto [i, order] : enumerate(orders))
    if (std::optional<Grid> grid = tryAdd(order, devices, sizes)) {
      grid->order = i;
      return *grid;
    }
  // A new order: that of the devices' numbers, if the grid counts in them.
  Order order{{}, {}, CommonGrid(numDevices), {}, true};
  std::optional<Grid> grid = tryAdd(order, devices, sizes);
  if (!grid) {
    order.devices.assign(devices.begin(), devices.end());
    order.places.resize(devices.size());
    for (auto [place, device] : enumerate(devices))
      order.places[device] = place;
    grid = tryAdd(order, devices, sizes);
    assert(grid && "a grid counts in its own order");
  }
  grid->order = orders.size();
  orders.push_back(std::move(order));
  return *grid;
}

std::optional<DeviceGrids::Grid>
DeviceGrids::findIn(unsigned order, ArrayRef<int64_t> devices,
                    ArrayRef<int64_t> sizes) const {
  Order copy = orders[order];
  std::optional<Grid> grid = tryAdd(copy, devices, sizes);
  if (!grid || copy.grid.axes() != orders[order].grid.axes())
    return std::nullopt;
  grid->order = order;
  return grid;
}

bool DeviceGrids::addPart(unsigned order, ArrayRef<DeviceDigit> digits) {
  return all_of(digits, [&](const DeviceDigit &digit) {
    return orders[order].grid.add(digit);
  });
}

//===----------------------------------------------------------------------===//
// The grid of ranks
//===----------------------------------------------------------------------===//

/// Says which axes of the grid of ranks are those of an order. Where its axes
/// begin at other places, it gets axes of the same sizes, or parts of them.
void DeviceGrids::placeIn(Order &order, CommonGrid &ranks) {
  DeviceDigits own = order.grid.axes();
  CommonGrid common = ranks;
  if (all_of(own, [&](const DeviceDigit &axis) { return common.add(axis); })) {
    ranks = common;
    for (const DeviceDigit &axis : own)
      order.inRanks.push_back({axis});
    return;
  }
  order.inRanks.resize(own.size());
  DeviceDigits unused = ranks.axes();
  for (auto [axis, digits] : zip_equal(own, order.inRanks)) {
    auto same = find_if(unused, [size = axis.size](const DeviceDigit &digit) {
      return digit.size == size;
    });
    if (same == unused.end())
      continue;
    digits.push_back(*same);
    unused.erase(same);
  }
  // Both grids have as many devices, so that what is left of one is a product
  // of the same primes as what is left of the other.
  for (auto [axis, digits] : zip_equal(own, order.inRanks)) {
    int64_t missing = digits.empty() ? axis.size : 1;
    for (size_t i = 0; missing > 1; ++i) {
      DeviceDigit digit = unused[i];
      int64_t size = std::gcd(missing, digit.size);
      if (size == 1)
        continue;
      missing /= size;
      // The major part of the axis.
      int64_t stride = digit.stride * (digit.size / size);
      bool isCut = ranks.add({size, stride});
      assert(isCut && "a divisor of an axis cuts it");
      (void)isCut;
      digits.push_back({size, stride});
      unused[i].size /= size;
    }
  }
}

void DeviceGrids::combine() {
  if (orders.empty())
    orders.push_back({{}, {}, CommonGrid(numDevices), {}, true});
  auto counting =
      find_if(orders, [](const Order &order) { return order.devices.empty(); });
  first = counting == orders.end() ? 0 : counting - orders.begin();
  CommonGrid ranks = orders[first].grid;
  for (auto [i, order] : enumerate(orders))
    if (i != first)
      placeIn(order, ranks);
  orders[first].grid = ranks;
  for (auto [i, order] : enumerate(orders))
    order.isInPlace = i == first || devicesOf(i) == devicesOf(first);
}

SmallVector<unsigned> DeviceGrids::axesOf(unsigned order,
                                          ArrayRef<DeviceDigit> digits) const {
  SmallVector<unsigned> axes;
  const CommonGrid &ranks = orders[first].grid;
  for (const DeviceDigit &digit : digits) {
    if (digit.size == 1)
      continue;
    if (order == first) {
      append_range(axes, ranks.axesOf(digit));
      continue;
    }
    for (unsigned axis : orders[order].grid.axesOf(digit))
      for (const DeviceDigit &part : orders[order].inRanks[axis])
        append_range(axes, ranks.axesOf(part));
  }
  return axes;
}

SmallVector<int64_t> DeviceGrids::devicesOf(unsigned index) const {
  const Order &order = orders[index];
  DeviceDigits axes = order.grid.axes();
  SmallVector<int64_t> devices;
  for (int64_t rank = 0; rank < numDevices; ++rank) {
    int64_t place = rank;
    if (index != first) {
      place = 0;
      for (auto [axis, digits] : zip_equal(axes, order.inRanks)) {
        int64_t position = 0;
        for (const DeviceDigit &digit : digits)
          position = position * digit.size + rank / digit.stride % digit.size;
        place += position * axis.stride;
      }
    }
    devices.push_back(order.devices.empty() ? place : order.devices[place]);
  }
  return devices;
}

} // namespace cleave
