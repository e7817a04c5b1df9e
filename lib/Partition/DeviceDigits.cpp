//===- DeviceDigits.cpp - Device numbers as mixed-radix digits ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeviceDigits.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cleave {

SmallVector<DeviceDigit, 4> gridDigits(ArrayRef<int64_t> sizes) {
  SmallVector<DeviceDigit, 4> digits(sizes.size());
  int64_t stride = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    digits[i] = {sizes[i], sizes[i] == 1 ? 1 : stride};
    stride *= sizes[i];
  }
  return digits;
}

SmallVector<unsigned, 2> dimsApart(ArrayRef<int64_t> sizes,
                                   ArrayRef<int64_t> pairs) {
  SmallVector<unsigned, 2> dims;
  for (auto [dim, digit] : enumerate(gridDigits(sizes)))
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      if (pairs[i] / digit.stride % digit.size !=
          pairs[i + 1] / digit.stride % digit.size) {
        dims.push_back(dim);
        break;
      }
  return dims;
}

std::optional<DeviceDigits> countingDigits(ArrayRef<int64_t> devices) {
  // From the minor end: how far the list climbs in equal steps.
  DeviceDigits digits;
  SmallVector<int64_t> rest(devices);
  while (rest.size() > 1) {
    int64_t stride = rest[1] - rest[0];
    if (stride < 1)
      return std::nullopt;
    size_t size = 2;
    while (size < rest.size() && rest[size] == rest[size - 1] + stride)
      ++size;
    if (rest.size() % size != 0)
      return std::nullopt;
    SmallVector<int64_t> outer;
    for (size_t i = 0; i < rest.size(); i += size) {
      for (size_t j = 1; j < size; ++j)
        if (rest[i + j] != rest[i] + static_cast<int64_t>(j) * stride)
          return std::nullopt;
      outer.push_back(rest[i]);
    }
    digits.insert(digits.begin(), {static_cast<int64_t>(size), stride});
    rest = std::move(outer);
  }
  return digits;
}

std::optional<SmallVector<DeviceDigits, 4>>
splitDigits(ArrayRef<DeviceDigit> digits, ArrayRef<int64_t> sizes) {
  SmallVector<DeviceDigits, 4> groups;
  SmallVector<DeviceDigit> rest(reverse(digits));
  for (int64_t size : sizes) {
    DeviceDigits &group = groups.emplace_back();
    while (size > 1) {
      if (rest.empty())
        return std::nullopt;
      DeviceDigit digit = rest.pop_back_val();
      if (digit.size > size) {
        if (digit.size % size != 0)
          return std::nullopt;
        int64_t minor = digit.size / size;
        rest.push_back({minor, digit.stride});
        digit = {size, digit.stride * minor};
      }
      if (size % digit.size != 0)
        return std::nullopt;
      size /= digit.size;
      group.push_back(digit);
    }
  }
  if (!rest.empty())
    return std::nullopt;
  return groups;
}

bool CommonGrid::addBound(int64_t bound) {
  auto next = lower_bound(bounds, bound);
  if (next == bounds.end())
    return false;
  if (*next == bound)
    return true;
  if (*next % bound != 0 || bound % *std::prev(next) != 0)
    return false;
  bounds.insert(next, bound);
  return true;
}

bool CommonGrid::add(const DeviceDigit &digit) {
  if (digit.size == 1)
    return true;
  return addBound(digit.stride) && addBound(digit.stride * digit.size);
}

DeviceDigits CommonGrid::axes() const {
  DeviceDigits axes;
  for (size_t i = bounds.size() - 1; i > 0; --i)
    if (bounds[i] != bounds[i - 1])
      axes.push_back({bounds[i] / bounds[i - 1], bounds[i - 1]});
  return axes;
}

SmallVector<unsigned, 2> CommonGrid::axesOf(const DeviceDigit &digit) const {
  SmallVector<unsigned, 2> parts;
  for (auto [i, axis] : enumerate(axes()))
    if (axis.stride >= digit.stride &&
        axis.stride * axis.size <= digit.stride * digit.size)
      parts.push_back(i);
  return parts;
}

} // namespace cleave
