//===- ManifestCollectives.cpp - Collectives of a manifest ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/core/Blocks.h"
#include "runtime/core/ManifestReader.h"

#include <set>

using namespace cleave::rt;

static const char *const kindNames[] = {
    "all_gather",     "all_slice",     "all_reduce",
    "reduce_scatter", "all_to_all",    "collective_permute",
    "broadcast",      "halo_exchange", "window_exchange"};

const char *cleave::rt::getName(CollectiveKind kind) {
  return kindNames[static_cast<int>(kind)];
}

static int32_t readDim(const JsonReader &reader, const Shape &shape) {
  return static_cast<int32_t>(
      reader.getInt(0, static_cast<int64_t>(shape.size()) - 1));
}

static Reduction readReduction(const JsonReader &reader, DType dtype) {
  auto reduction = static_cast<Reduction>(
      reader.getEnum({"sum", "max", "min", "prod", "and", "or"}));
  if (isSmallFloat(dtype))
    reader.fail("not defined for floats of 8 bits");
  if (isFloat(dtype) &&
      (reduction == Reduction::And || reduction == Reduction::Or))
    reader.fail("not defined for floats");
  return reduction;
}

/// `whole` cut by `count` along `dim` must be `piece`.
static void checkCut(const JsonReader &reader, Shape whole, const Shape &piece,
                     int32_t dim, int64_t count) {
  whole[dim] = ceilDiv(whole[dim], count);
  if (whole != piece)
    reader.fail("operand_shape and result_shape do not fit a group of " +
                std::to_string(count));
}

/// The axes or groups of a collective; returns the number of ranks that shapes
/// depend on.
static int64_t readGroups(const JsonReader &reader, const Mesh &mesh,
                          CollectiveSpec &spec) {
  if (!reader.has("groups")) {
    if (reader.has("axes") || spec.kind != CollectiveKind::CollectivePermute)
      spec.axes = readDisjointAxes(reader.at("axes"), mesh);
    return getGroupSize(spec.axes);
  }
  JsonReader groups = reader.at("groups");
  if (spec.kind == CollectiveKind::CollectivePermute ||
      spec.kind == CollectiveKind::HaloExchange ||
      spec.kind == CollectiveKind::WindowExchange)
    groups.fail("not for this kind");
  bool mayDiffer = spec.kind == CollectiveKind::AllReduce ||
                   spec.kind == CollectiveKind::Broadcast;
  std::set<int64_t> seen;
  for (const JsonReader &item : groups.getElements()) {
    std::vector<int32_t> &group = spec.groups.emplace_back();
    for (const JsonReader &rank : item.getElements()) {
      group.push_back(static_cast<int32_t>(rank.getInt(0, mesh.getSize() - 1)));
      if (!seen.insert(group.back()).second)
        rank.fail("a rank is listed twice");
    }
    if (group.empty())
      item.fail("a group is empty");
    if (!mayDiffer && group.size() != spec.groups.front().size())
      item.fail("groups must be equally long");
  }
  if (spec.groups.empty())
    groups.fail("there is no group");
  return static_cast<int64_t>(spec.groups.front().size());
}

static void checkEqual(const JsonReader &reader, const CollectiveSpec &spec) {
  if (spec.operandShape != spec.resultShape)
    reader.fail("operand_shape and result_shape must be equal");
}

static void readHalo(const JsonReader &reader, CollectiveSpec &spec) {
  // Far from where sums could overflow.
  constexpr int64_t most = int64_t(1) << 48;
  spec.dim = readDim(reader.at("dim"), spec.resultShape);
  spec.size = reader.at("size").getInt(0, most);
  spec.low = reader.at("low").getInt(-most, most);
  spec.high = reader.at("high").getInt(-most, most);
  Shape expected = spec.operandShape;
  if (expected[spec.dim] != getBlockSize(spec.size, spec.axes))
    reader.fail("operand_shape is no block of " + std::to_string(spec.size));
  expected[spec.dim] += spec.low + spec.high;
  if (spec.resultShape != expected)
    reader.fail("result_shape does not fit the amounts");
}

/// One segment per rank of a group, within a dimension of `extent`.
static std::vector<LineSegment> readSegments(const JsonReader &reader,
                                             int64_t ranks, int64_t extent) {
  constexpr int64_t most = int64_t(1) << 48;
  std::vector<LineSegment> segments;
  for (const JsonReader &item : reader.getElements()) {
    auto numbers = item.getTuple(3, "[begin, count, at]");
    int64_t begin = numbers[0].getInt(-most, most);
    int64_t count = numbers[1].getInt(0, extent);
    segments.push_back({begin, count, numbers[2].getInt(0, extent - count)});
  }
  if (static_cast<int64_t>(segments.size()) != ranks)
    reader.fail("expected " + std::to_string(ranks) + " segments");
  return segments;
}

static void readWindows(const JsonReader &reader, int64_t ranks,
                        CollectiveSpec &spec) {
  spec.dim = readDim(reader.at("dim"), spec.resultShape);
  Shape expected = spec.operandShape;
  expected[spec.dim] = spec.resultShape[spec.dim];
  if (spec.resultShape != expected)
    reader.fail("operand_shape and result_shape differ beside dim");
  spec.blocks =
      readSegments(reader.at("blocks"), ranks, spec.operandShape[spec.dim]);
  spec.windows =
      readSegments(reader.at("windows"), ranks, spec.resultShape[spec.dim]);
  std::vector<LineSegment> sorted = spec.blocks;
  std::sort(sorted.begin(), sorted.end(),
            [](const LineSegment &a, const LineSegment &b) {
              return std::pair(a.begin, a.count) < std::pair(b.begin, b.count);
            });
  for (size_t i = 1; i < sorted.size(); ++i)
    if (sorted[i].count > 0 &&
        sorted[i].begin < sorted[i - 1].begin + sorted[i - 1].count)
      reader.at("blocks").fail("two blocks overlap");
}

static void readPairs(const JsonReader &reader, const Mesh &mesh,
                      CollectiveSpec &spec) {
  std::set<int64_t> targets;
  for (const JsonReader &item : reader.getElements()) {
    auto pair = item.getTuple(2, "[source, target]");
    int64_t source = pair[0].getInt(0, mesh.getSize() - 1);
    int64_t target = pair[1].getInt(0, mesh.getSize() - 1);
    if (!targets.insert(target).second)
      item.fail("two pairs have the same target");
    spec.pairs.push_back({int32_t(source), int32_t(target)});
  }
}

CollectiveSpec cleave::rt::readCollective(const JsonReader &reader,
                                          const Mesh &mesh) {
  CollectiveSpec spec;
  spec.kind = static_cast<CollectiveKind>(reader.at("kind").getEnum(kindNames));
  spec.dtype = readDType(reader.at("dtype"));
  int64_t k = readGroups(reader, mesh, spec);
  spec.operandShape = readShape(reader.at("operand_shape"), spec.dtype);
  spec.resultShape = readShape(reader.at("result_shape"), spec.dtype);
  spec.location = reader.getOptionalString("location");
  spec.cause = reader.getOptionalString("cause");
  spec.axisNames = reader.getOptionalString("axis_names");

  const Shape &operand = spec.operandShape, &result = spec.resultShape;
  if (operand.size() != result.size())
    reader.fail("operand and result differ in rank");
  switch (spec.kind) {
  case CollectiveKind::AllGather:
    spec.dim = readDim(reader.at("dim"), result);
    checkCut(reader, result, operand, spec.dim, k);
    break;
  case CollectiveKind::ReduceScatter:
    spec.reduction = readReduction(reader.at("reduction"), spec.dtype);
    [[fallthrough]];
  case CollectiveKind::AllSlice:
    spec.dim = readDim(reader.at("dim"), result);
    checkCut(reader, operand, result, spec.dim, k);
    break;
  case CollectiveKind::AllReduce:
    spec.reduction = readReduction(reader.at("reduction"), spec.dtype);
    checkEqual(reader, spec);
    break;
  case CollectiveKind::AllToAll: {
    spec.splitDim = readDim(reader.at("split_dim"), result);
    spec.concatDim = readDim(reader.at("concat_dim"), result);
    if (spec.splitDim == spec.concatDim)
      reader.fail("split_dim and concat_dim must differ");
    Shape whole = operand;
    whole[spec.concatDim] = result[spec.concatDim];
    checkCut(reader, whole, operand, spec.concatDim, k);
    checkCut(reader, whole, result, spec.splitDim, k);
    break;
  }
  case CollectiveKind::CollectivePermute:
    checkEqual(reader, spec);
    readPairs(reader.at("pairs"), mesh, spec);
    break;
  case CollectiveKind::Broadcast:
    checkEqual(reader, spec);
    for (const std::vector<int32_t> &group : spec.groups)
      k = std::min<int64_t>(k, group.size());
    spec.root = static_cast<int32_t>(reader.at("root").getInt(0, k - 1));
    break;
  case CollectiveKind::HaloExchange:
    readHalo(reader, spec);
    break;
  case CollectiveKind::WindowExchange:
    readWindows(reader, k, spec);
    break;
  }
  return spec;
}
