//===- Model.cpp - What collectives must do, written naively --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/conformance/Model.h"
#include "runtime/conformance/Values.h"

#include <cmath>

using namespace cleave::rt;
using namespace cleave::rt::model;

namespace {
/// Which element of which rank an element of the result is; rank -1 for
/// unspecified content.
struct Source {
  int32_t rank;
  int64_t index;
};
} // namespace

static std::vector<int64_t> getCoordinates(const Mesh &mesh, int32_t rank) {
  std::vector<int64_t> coordinates(mesh.axes.size());
  for (size_t i = mesh.axes.size(); i-- > 0;) {
    coordinates[i] = rank % mesh.axes[i].size;
    rank /= mesh.axes[i].size;
  }
  return coordinates;
}

/// The digit of a coordinate that an axis reference names.
static int64_t getDigit(const Mesh &mesh, int64_t coordinate,
                        const AxisRef &ref) {
  return coordinate / (mesh.axes[ref.axis].size / (ref.pre * ref.size)) %
         ref.size;
}

static int64_t getPosition(const Mesh &mesh, int32_t rank,
                           const AxisList &axes) {
  int64_t position = 0;
  for (const AxisRef &ref : axes)
    position = position * ref.size +
               getDigit(mesh, getCoordinates(mesh, rank)[ref.axis], ref);
  return position;
}

/// The coordinates with the digits that `axes` names set to zero.
static std::vector<int64_t> getRemainder(const Mesh &mesh, int32_t rank,
                                         const AxisList &axes) {
  std::vector<int64_t> coordinates = getCoordinates(mesh, rank);
  std::vector<int64_t> rest = coordinates;
  for (const AxisRef &ref : axes)
    rest[ref.axis] -= getDigit(mesh, coordinates[ref.axis], ref) *
                      (mesh.axes[ref.axis].size / (ref.pre * ref.size));
  return rest;
}

std::vector<int32_t> model::getGroup(const CollectiveSpec &spec,
                                     const Mesh &mesh, int32_t rank) {
  for (const std::vector<int32_t> &group : spec.groups)
    for (int32_t member : group)
      if (member == rank)
        return group;
  if (!spec.groups.empty())
    return {};
  const AxisList &axes = spec.axes;
  size_t size = 1;
  for (const AxisRef &ref : axes)
    size *= ref.size;
  std::vector<int32_t> group(size, -1);
  for (int32_t other = 0; other < mesh.getSize(); ++other)
    if (getRemainder(mesh, other, axes) == getRemainder(mesh, rank, axes))
      group[getPosition(mesh, other, axes)] = other;
  return group;
}

static std::vector<int64_t> unflatten(int64_t index, const Shape &shape) {
  std::vector<int64_t> result(shape.size());
  for (size_t i = shape.size(); i-- > 0;) {
    result[i] = index % shape[i];
    index /= shape[i];
  }
  return result;
}

static int64_t flatten(const std::vector<int64_t> &index, const Shape &shape) {
  int64_t result = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    result = result * shape[i] + index[i];
  return result;
}

static int64_t count(const Shape &shape) {
  int64_t result = 1;
  for (int64_t dim : shape)
    result *= dim;
  return result;
}

static int64_t ceilOf(int64_t n, int64_t d) { return (n + d - 1) / d; }

/// Position of the block that has element `index` of a dimension, and the place
/// of the element in it.
static std::pair<int64_t, int64_t> findBlock(int64_t size, const AxisList &axes,
                                             int64_t index) {
  int64_t position = 0;
  for (const AxisRef &ref : axes) {
    size = ceilOf(size, ref.size);
    position = position * ref.size + index / size;
    index %= size;
  }
  return {position, index};
}

/// Where the block of a position starts, also beyond the end.
static int64_t getStart(int64_t size, const AxisList &axes, int64_t position) {
  if (axes.empty())
    return 0;
  AxisList inner(axes.begin() + 1, axes.end());
  int64_t below = 1;
  for (const AxisRef &ref : inner)
    below *= ref.size;
  int64_t block = ceilOf(size, axes[0].size);
  return position / below * block + getStart(block, inner, position % below);
}

/// Where each element of a rank's result comes from, for data movement.
static Source getSource(const CollectiveSpec &spec, int32_t rank,
                        const std::vector<int32_t> &group, int64_t position,
                        std::vector<int64_t> index) {
  int64_t k = group.size();
  auto gather = [&](int32_t dim, int64_t whole) {
    int64_t block = ceilOf(whole, k);
    int32_t owner = group[index[dim] / block];
    index[dim] %= block;
    return owner;
  };
  auto slice = [&](int32_t dim, int64_t whole) {
    index[dim] += position * ceilOf(whole, k);
    return index[dim] < whole;
  };
  switch (spec.kind) {
  case CollectiveKind::AllGather: {
    int32_t owner = gather(spec.dim, spec.resultShape[spec.dim]);
    return {owner, flatten(index, spec.operandShape)};
  }
  case CollectiveKind::AllToAll: {
    if (!slice(spec.splitDim, spec.operandShape[spec.splitDim]))
      return {-1, 0};
    int32_t owner = gather(spec.concatDim, spec.resultShape[spec.concatDim]);
    return {owner, flatten(index, spec.operandShape)};
  }
  case CollectiveKind::AllSlice:
  case CollectiveKind::ReduceScatter:
    if (!slice(spec.dim, spec.operandShape[spec.dim]))
      return {-1, 0};
    return {rank, flatten(index, spec.operandShape)};
  case CollectiveKind::AllReduce:
    return {rank, flatten(index, spec.operandShape)};
  case CollectiveKind::CollectivePermute:
    for (auto [source, target] : spec.pairs)
      if (target == rank)
        return {source, flatten(index, spec.operandShape)};
    return {-2, 0}; // zero
  case CollectiveKind::Broadcast:
    return {group[spec.root], flatten(index, spec.operandShape)};
  case CollectiveKind::HaloExchange: {
    int64_t &i = index[spec.dim];
    i += getStart(spec.size, spec.axes, position) - spec.low;
    if (i < 0 || i >= spec.size)
      return {-1, 0};
    auto [owner, place] = findBlock(spec.size, spec.axes, i);
    i = place;
    return {group[owner], flatten(index, spec.operandShape)};
  }
  case CollectiveKind::WindowExchange: {
    int64_t &i = index[spec.dim];
    const LineSegment &window = spec.windows[position];
    if (i < window.at || i >= window.at + window.count)
      return {-1, 0};
    int64_t element = window.begin + i - window.at;
    for (int64_t owner = 0; owner < k; ++owner) {
      const LineSegment &block = spec.blocks[owner];
      i = block.at + element - block.begin;
      if (i >= block.at && i < block.at + block.count)
        return {group[owner], flatten(index, spec.operandShape)};
    }
    return {-1, 0};
  }
  }
  return {-1, 0};
}

template <typename T> static T reduceInteger(Reduction reduction, T a, T b) {
  switch (reduction) {
  case Reduction::Sum:
    return static_cast<T>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
  case Reduction::Prod:
    return static_cast<T>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
  case Reduction::Max:
    return a > b ? a : b;
  case Reduction::Min:
    return a < b ? a : b;
  case Reduction::And:
    return a & b;
  case Reduction::Or:
    return a | b;
  }
  return 0;
}

/// Reduces element `from` of all members into element `to` of `expected`.
static void reduceElement(const CollectiveSpec &spec,
                          const std::vector<int32_t> &group, int64_t from,
                          int64_t to, const std::vector<Buffer> &operands,
                          Expected &expected) {
  if (isFloat(spec.dtype)) {
    double exact = 0, magnitude = 0;
    for (size_t j = 0; j < group.size(); ++j) {
      double value = loadFloat(spec.dtype, operands[group[j]].data(), from);
      magnitude += std::fabs(value);
      if (j == 0)
        exact = value;
      else if (spec.reduction == Reduction::Sum)
        exact += value;
      else if (spec.reduction == Reduction::Prod)
        exact *= value;
      else if (std::isnan(value) || std::isnan(exact))
        exact = std::nan("");
      else if (spec.reduction == Reduction::Max)
        exact = std::fmax(exact, value);
      else
        exact = std::fmin(exact, value);
    }
    bool isOrder =
        spec.reduction == Reduction::Max || spec.reduction == Reduction::Min;
    expected.exact[to] = exact;
    // Half types accumulate in f32 and round once: their bound does not grow
    // with the group.
    bool isHalf = getSize(spec.dtype) == 2;
    double eps = getEpsilon(spec.dtype);
    expected.bound[to] =
        isOrder  ? 0
        : isHalf ? eps * std::fabs(exact) +
                       1e-6 * (magnitude + std::fabs(exact)) + 1e-7
                 : group.size() * eps * (magnitude + std::fabs(exact));
    return;
  }
  withType(spec.dtype, [&](auto zero) {
    using T = decltype(zero);
    if constexpr (std::is_integral_v<T>) {
      T result = loadAs<T>(operands[group[0]].data(), from);
      for (size_t j = 1; j < group.size(); ++j) {
        T value = loadAs<T>(operands[group[j]].data(), from);
        Reduction reduction = spec.reduction;
        if (spec.dtype == DType::I1 && reduction == Reduction::Sum)
          reduction = Reduction::Or;
        result = reduceInteger<T>(reduction, result, value);
      }
      std::memcpy(expected.bytes.data() + to * sizeof(T), &result, sizeof(T));
    }
  });
}

std::vector<Expected> model::run(const CollectiveSpec &spec, const Mesh &mesh,
                                 const std::vector<Buffer> &operands) {
  std::vector<Expected> results(mesh.getSize());
  bool isReduction = spec.kind == CollectiveKind::AllReduce ||
                     spec.kind == CollectiveKind::ReduceScatter;
  int64_t size = getSize(spec.dtype);
  int64_t elements = count(spec.resultShape);
  for (int32_t rank = 0; rank < mesh.getSize(); ++rank) {
    Expected &expected = results[rank];
    expected.bytes.assign(elements * size, 0);
    expected.isSpecified.assign(elements, true);
    if (isReduction && isFloat(spec.dtype)) {
      expected.exact.resize(elements);
      expected.bound.resize(elements);
    }
    std::vector<int32_t> group = model::getGroup(spec, mesh, rank);
    int64_t position = 0;
    while (!group.empty() && group[position] != rank)
      ++position;
    // Zeros.
    if (group.empty())
      continue;
    for (int64_t i = 0; i < elements; ++i) {
      Source source = getSource(spec, rank, group, position,
                                unflatten(i, spec.resultShape));
      if (source.rank == -2)
        continue;
      if (source.rank == -1) {
        expected.isSpecified[i] = false;
        continue;
      }
      expected.numReceived += source.rank != rank;
      if (isReduction) {
        expected.numReceived += static_cast<int64_t>(group.size()) - 1;
        reduceElement(spec, group, source.index, i, operands, expected);
      } else {
        std::memcpy(expected.bytes.data() + i * size,
                    operands[source.rank].data() + source.index * size, size);
      }
    }
  }
  return results;
}

int64_t model::getBytes(const CollectiveSpec &spec, const Mesh &mesh,
                        const std::vector<Expected> &expected) {
  int64_t size = getSize(spec.dtype);
  if (spec.kind == CollectiveKind::AllReduce) {
    int64_t k = 0;
    for (int32_t rank = 0; rank < mesh.getSize(); ++rank)
      k = std::max<int64_t>(k, model::getGroup(spec, mesh, rank).size());
    return ceilOf(2 * (k - 1) * count(spec.operandShape) * size, k);
  }
  int64_t bytes = 0;
  for (const Expected &rank : expected)
    bytes = std::max(bytes, rank.numReceived * size);
  return bytes;
}
