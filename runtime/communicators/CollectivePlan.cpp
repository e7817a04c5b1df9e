//===- CollectivePlan.cpp - Which rectangle goes where --------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/communicators/CollectivePlan.h"
#include "runtime/core/Blocks.h"

#include <algorithm>

using namespace cleave::rt;

namespace {
/// Piece `index` of a dimension cut into blocks: where it starts and what is
/// left of it after cutting off at the end.
struct Piece {
  int64_t begin, size;
  Piece(int64_t dim, int64_t count, int64_t index) {
    int64_t block = ceilDiv(dim, count);
    begin = std::min(dim, index * block);
    size = std::min(dim, begin + block) - begin;
  }
};
} // namespace

static void planGather(const CollectiveSpec &spec, CollectivePlan &plan) {
  int64_t count = plan.group.size();
  Shape zero(spec.resultShape.size(), 0);
  for (int64_t j = 0; j < count; ++j) {
    Piece piece(spec.resultShape[spec.dim], count, j);
    Shape size = spec.operandShape, to = zero;
    size[spec.dim] = piece.size;
    to[spec.dim] = piece.begin;
    plan.pieces.emplace_back(spec.operandShape, zero, spec.resultShape, to,
                             size, getSize(spec.dtype));
  }
}

/// The own piece of a buffer that all members have whole.
static CopyPlan planSlice(const CollectiveSpec &spec, int64_t count,
                          int64_t position) {
  Piece piece(spec.operandShape[spec.dim], count, position);
  Shape zero(spec.resultShape.size(), 0);
  Shape size = spec.resultShape, from = zero;
  size[spec.dim] = piece.size;
  from[spec.dim] = piece.begin;
  return CopyPlan(spec.operandShape, from, spec.resultShape, zero, size,
                  getSize(spec.dtype));
}

static void planAllToAll(const CollectiveSpec &spec, CollectivePlan &plan) {
  int64_t count = plan.group.size();
  Shape zero(spec.resultShape.size(), 0);
  Piece split(spec.operandShape[spec.splitDim], count, plan.position);
  for (int64_t j = 0; j < count; ++j) {
    Piece concat(spec.resultShape[spec.concatDim], count, j);
    Shape size = spec.operandShape, from = zero, to = zero;
    size[spec.splitDim] = split.size;
    from[spec.splitDim] = split.begin;
    size[spec.concatDim] = concat.size;
    to[spec.concatDim] = concat.begin;
    plan.pieces.emplace_back(spec.operandShape, from, spec.resultShape, to,
                             size, getSize(spec.dtype));
  }
}

static void planAllReduce(const CollectiveSpec &spec, CollectivePlan &plan) {
  int64_t count = plan.group.size();
  int64_t elements = getBytes(spec.operandShape, DType::I8);
  // No two members write to one cache line, as long as buffers are aligned.
  int64_t line = 64 / getSize(spec.dtype);
  int64_t block = ceilDiv(ceilDiv(elements, count), line) * line;
  for (int64_t j = 0; j < count; ++j) {
    int64_t begin = std::min(elements, j * block);
    int64_t size = std::min(elements, begin + block) - begin;
    plan.pieces.emplace_back(Shape{elements}, Shape{begin}, Shape{elements},
                             Shape{begin}, Shape{size}, getSize(spec.dtype));
  }
}

static void planPermute(const CollectiveSpec &spec, int32_t rank,
                        CollectivePlan &plan) {
  // The ranks that must meet are the connected component of this rank.
  std::vector<int32_t> group{rank};
  for (size_t i = 0; i < group.size(); ++i)
    for (auto [source, target] : spec.pairs) {
      if (source != group[i] && target != group[i])
        continue;
      int32_t other = source == group[i] ? target : source;
      if (std::find(group.begin(), group.end(), other) == group.end())
        group.push_back(other);
    }
  std::sort(group.begin(), group.end());
  plan.position = static_cast<int32_t>(
      std::find(group.begin(), group.end(), rank) - group.begin());
  plan.pieces.resize(group.size());
  Shape zero(spec.operandShape.size(), 0);
  for (auto [source, target] : spec.pairs)
    if (target == rank) {
      auto it = std::find(group.begin(), group.end(), source);
      plan.pieces[it - group.begin()] =
          CopyPlan(spec.operandShape, zero, spec.resultShape, zero,
                   spec.operandShape, getSize(spec.dtype));
    }
  plan.group = std::move(group);
}

/// What the root has, for everyone.
static void planBroadcast(const CollectiveSpec &spec, CollectivePlan &plan) {
  plan.pieces.resize(plan.group.size());
  Shape zero(spec.operandShape.size(), 0);
  plan.pieces[spec.root] =
      CopyPlan(spec.operandShape, zero, spec.resultShape, zero,
               spec.operandShape, getSize(spec.dtype));
}

namespace {
/// A block of a cut dimension: where it starts, also beyond the end, and how
/// much of it is valid.
struct Block {
  int64_t begin = 0, valid;

  Block(int64_t size, const AxisList &axes, int64_t position) : valid(size) {
    int64_t rest = getGroupSize(axes);
    for (const AxisRef &ref : axes) {
      rest /= ref.size;
      int64_t digit = position / rest % ref.size;
      size = ceilDiv(size, ref.size);
      begin += digit * size;
      valid = std::clamp<int64_t>(valid - digit * size, 0, size);
    }
  }
};
} // namespace

/// What each member's block has of this rank's window.
static void planHalo(const CollectiveSpec &spec, CollectivePlan &plan) {
  Shape from(spec.operandShape.size(), 0), to = from, size = spec.operandShape;
  int64_t begin = Block(spec.size, spec.axes, plan.position).begin - spec.low;
  int64_t end = begin + spec.resultShape[spec.dim];
  for (size_t j = 0; j < plan.group.size(); ++j) {
    Block block(spec.size, spec.axes, j);
    int64_t first = std::max(begin, block.begin);
    int64_t last = std::min(end, block.begin + block.valid);
    if (first >= last) {
      plan.pieces.emplace_back();
      continue;
    }
    from[spec.dim] = first - block.begin;
    to[spec.dim] = first - begin;
    size[spec.dim] = last - first;
    plan.pieces.emplace_back(spec.operandShape, from, spec.resultShape, to,
                             size, getSize(spec.dtype));
  }
}

/// What each member's block has of this rank's window.
static void planWindows(const CollectiveSpec &spec, CollectivePlan &plan) {
  Shape from(spec.operandShape.size(), 0), to = from, size = spec.operandShape;
  const LineSegment &window = spec.windows[plan.position];
  for (const LineSegment &block : spec.blocks) {
    int64_t first = std::max(window.begin, block.begin);
    int64_t last =
        std::min(window.begin + window.count, block.begin + block.count);
    if (first >= last) {
      plan.pieces.emplace_back();
      continue;
    }
    from[spec.dim] = block.at + first - block.begin;
    to[spec.dim] = window.at + first - window.begin;
    size[spec.dim] = last - first;
    plan.pieces.emplace_back(spec.operandShape, from, spec.resultShape, to,
                             size, getSize(spec.dtype));
  }
}

/// Finds the group of a rank and its position in it.
static void findGroup(const CollectiveSpec &spec, const Mesh &mesh,
                      int32_t rank, CollectivePlan &plan) {
  if (spec.groups.empty()) {
    plan.group = mesh.getGroup(rank, spec.axes);
    plan.position = static_cast<int32_t>(mesh.getPosition(rank, spec.axes));
    return;
  }
  for (const std::vector<int32_t> &group : spec.groups) {
    auto it = std::find(group.begin(), group.end(), rank);
    if (it == group.end())
      continue;
    plan.group = group;
    plan.position = static_cast<int32_t>(it - group.begin());
    return;
  }
  plan.isMember = false;
  plan.group = {rank};
}

CollectivePlan cleave::rt::planCollective(const CollectiveSpec &spec,
                                          const Mesh &mesh, int32_t rank) {
  CollectivePlan plan;
  findGroup(spec, mesh, rank, plan);
  if (!plan.isMember)
    return plan;
  int64_t count = plan.group.size();
  switch (spec.kind) {
  case CollectiveKind::AllGather:
    planGather(spec, plan);
    break;
  case CollectiveKind::AllSlice:
    plan.pieces.resize(count);
    plan.pieces[plan.position] = planSlice(spec, count, plan.position);
    break;
  case CollectiveKind::AllReduce: {
    planAllReduce(spec, plan);
    int64_t buffer = getBytes(spec.operandShape, spec.dtype);
    plan.bytes = ceilDiv(2 * (count - 1) * buffer, count);
    return plan;
  }
  case CollectiveKind::ReduceScatter:
    plan.pieces.assign(count, planSlice(spec, count, plan.position));
    break;
  case CollectiveKind::AllToAll:
    planAllToAll(spec, plan);
    break;
  case CollectiveKind::CollectivePermute:
    planPermute(spec, rank, plan);
    break;
  case CollectiveKind::Broadcast:
    planBroadcast(spec, plan);
    break;
  case CollectiveKind::HaloExchange:
    planHalo(spec, plan);
    break;
  case CollectiveKind::WindowExchange:
    planWindows(spec, plan);
    break;
  }
  for (size_t j = 0; j < plan.pieces.size(); ++j)
    if (static_cast<int32_t>(j) != plan.position)
      plan.bytes += plan.pieces[j].getBytes();
  return plan;
}

std::string cleave::rt::describe(const CollectiveSpec &spec) {
  std::string text = getName(spec.kind);
  if (!spec.location.empty())
    text += " at " + spec.location;
  if (!spec.axisNames.empty())
    text += " over " + spec.axisNames;
  return text;
}
