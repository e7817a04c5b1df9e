//===- ReshardPlan.cpp - From one sharding to another ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/ReshardPlan.h"

#include "ReshardSearch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cleave {

//===----------------------------------------------------------------------===//
// Stating the problem
//===----------------------------------------------------------------------===//

/// Axes of size 1 cut nothing.
static AxisList withoutTrivialAxes(ArrayRef<AxisRef> axes) {
  AxisList list;
  copy_if(axes, std::back_inserter(list),
          [](const AxisRef &axis) { return axis.size != 1; });
  return list;
}

static std::optional<ReshardProblem> makeProblem(ArrayRef<int64_t> shape,
                                                 int64_t elementBytes,
                                                 const Sharding &from,
                                                 const Sharding &to) {
  ReshardProblem problem;
  problem.shape.assign(shape.begin(), shape.end());
  problem.elementBytes = elementBytes;
  for (auto [n, a, b] : zip_equal(shape, from.dims, to.dims)) {
    problem.from.push_back(withoutTrivialAxes(a.axes));
    problem.to.push_back(withoutTrivialAxes(b.axes));
    mergeSubAxes(problem.from.back(), n);
    mergeSubAxes(problem.to.back(), n);
  }
  problem.partial = joinedPartial(from.partial);
  problem.kept = joinedPartial(to.partial);
  for (const PartialAxis &kept : problem.kept)
    if (!removePartial(problem.partial, kept))
      return std::nullopt;
  return problem;
}

static bool isSolved(const ReshardProblem &problem) {
  return problem.partial.empty() && problem.from == problem.to;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

namespace {
/// What a plan depends on, as one flat list of numbers.
using Key = SmallVector<int64_t, 24>;

struct MemoEntry {
  Key key;
  bool exists = false;
  bool hasPairs = false;
  Sharding from;
  ReshardPlan plan;
};
} // namespace

static void appendKey(Key &key, const Sharding &sharding) {
  auto add = [&](const AxisRef &axis) {
    key.push_back(axis.axis);
    key.push_back(axis.pre);
    key.push_back(axis.size);
  };
  for (const DimSharding &dim : sharding.dims) {
    key.push_back(dim.axes.size());
    for_each(dim.axes, add);
  }
  key.push_back(sharding.partial.size());
  for (const PartialAxis &p : sharding.partial) {
    add(p.axis);
    key.push_back(static_cast<int64_t>(p.kind));
  }
}

static Sharding closedPlacement(const Sharding &sharding) {
  Sharding closed = sharding;
  for (DimSharding &dim : closed.dims) {
    dim.open = false;
    dim.priority.reset();
  }
  return closed;
}

struct ReshardPlanner::Impl {
  explicit Impl(const Mesh &mesh) : mesh(mesh) {}

  MemoEntry &lookup(ArrayRef<int64_t> shape, int64_t elementBytes,
                    const Sharding &from, const Sharding &to);
  void makePlan(MemoEntry &entry, ArrayRef<int64_t> shape, int64_t elementBytes,
                const Sharding &from, const Sharding &to);
  void addPairs(MemoEntry &entry, ArrayRef<int64_t> shape);

  Mesh mesh;
  DenseMap<uint64_t, SmallVector<std::unique_ptr<MemoEntry>, 1>> memo;
  MemoEntry nothingToDo;
};

MemoEntry &ReshardPlanner::Impl::lookup(ArrayRef<int64_t> shape,
                                        int64_t elementBytes,
                                        const Sharding &from,
                                        const Sharding &to) {
  Key key;
  append_range(key, shape);
  key.push_back(elementBytes);
  appendKey(key, from);
  appendKey(key, to);
  // DenseMap reserves the two largest keys.
  uint64_t hash = static_cast<size_t>(hash_combine_range(key)) >> 1;
  auto &bucket = memo[hash];
  for (auto &entry : bucket)
    if (entry->key == key)
      return *entry;
  bucket.push_back(std::make_unique<MemoEntry>());
  MemoEntry &entry = *bucket.back();
  entry.key = std::move(key);
  makePlan(entry, shape, elementBytes, from, to);
  return entry;
}

/// Whether differently spelled shardings may have equal blocks that the search
/// does not know to be equal: of fewer elements than shards, or over parts of
/// an axis that do not divide each other.
static bool mayBeSpelledTwice(const Mesh &mesh, ArrayRef<int64_t> shape,
                              const Sharding &sharding) {
  for (auto [n, dim] : zip_equal(shape, sharding.dims)) {
    if (numShards(dim.axes) > n)
      return true;
    for (const AxisRef &axis : dim.axes)
      if (axis != mesh.whole(axis.axis))
        return true;
  }
  return false;
}

/// Removes permutations that leave everything where it is.
static void dropIdleSteps(ReshardSteps &steps, const Mesh &mesh,
                          ArrayRef<int64_t> shape, const Sharding &from) {
  const Sharding *before = &from;
  for (size_t i = 0; i < steps.size();) {
    ReshardStep &step = steps[i];
    if (step.kind == CollectiveKind::CollectivePermute &&
        (before->samePlacement(step.result) ||
         mayBeSpelledTwice(mesh, shape, *before) ||
         mayBeSpelledTwice(mesh, shape, step.result))) {
      step.pairs = permutationPairs(mesh, shape, *before, step.result);
      if (all_of(step.pairs, [](auto p) { return p.first == p.second; })) {
        // What follows starts at equal blocks.
        steps.erase(steps.begin() + i);
        continue;
      }
    }
    before = &step.result;
    ++i;
  }
}

/// Terms are added in the order of the blocks that they were made from: axes of
/// an all_reduce stand as in `partial`, if that names the same ones.
static void restoreOrder(ReshardSteps &steps, ArrayRef<PartialAxis> partial) {
  for (ReshardStep &step : steps) {
    if (step.kind != CollectiveKind::AllReduce)
      continue;
    AxisList given;
    for (const PartialAxis &p : partial)
      if (p.kind == step.reduction && p.axis.size != 1)
        given.push_back(p.axis);
    mergeSubAxes(given);
    AxisList sorted = given;
    sort(sorted);
    mergeSubAxes(sorted);
    if (sorted == step.axes)
      step.axes = std::move(given);
  }
}

void ReshardPlanner::Impl::makePlan(MemoEntry &entry, ArrayRef<int64_t> shape,
                                    int64_t elementBytes, const Sharding &from,
                                    const Sharding &to) {
  std::optional<ReshardProblem> problem =
      makeProblem(shape, elementBytes, from, to);
  if (!problem)
    return;
  entry.exists = true;
  if (isSolved(*problem))
    return;
  ReshardSteps steps = planByGathering(*problem);
  if (auto found = searchPlan(*problem, planBytes(steps)))
    steps = std::move(*found);
  dropIdleSteps(steps, mesh, shape, from);
  restoreOrder(steps, from.partial);
  entry.from = closedPlacement(from);
  entry.plan.bytes = planBytes(steps);
  entry.plan.steps = std::move(steps);
  if (!entry.plan.steps.empty())
    entry.plan.steps.back().result = closedPlacement(to);
}

/// Pairs are the only part of a plan that grows with the number of ranks:
/// those of plans whose cost alone is asked for are never made.
void ReshardPlanner::Impl::addPairs(MemoEntry &entry, ArrayRef<int64_t> shape) {
  if (entry.hasPairs)
    return;
  entry.hasPairs = true;
  const Sharding *before = &entry.from;
  for (ReshardStep &step : entry.plan.steps) {
    if (step.kind == CollectiveKind::CollectivePermute && step.pairs.empty())
      step.pairs = permutationPairs(mesh, shape, *before, step.result);
    before = &step.result;
  }
}

ReshardPlanner::ReshardPlanner(const Mesh &mesh)
    : impl(std::make_unique<Impl>(mesh)) {}
ReshardPlanner::~ReshardPlanner() = default;

const ReshardPlan *ReshardPlanner::plan(ArrayRef<int64_t> shape,
                                        int64_t elementBytes,
                                        const Sharding &from,
                                        const Sharding &to) {
  if (from.samePlacement(to))
    return &impl->nothingToDo.plan;
  MemoEntry &entry = impl->lookup(shape, elementBytes, from, to);
  if (!entry.exists)
    return nullptr;
  impl->addPairs(entry, shape);
  return &entry.plan;
}

std::optional<int64_t> ReshardPlanner::bytes(ArrayRef<int64_t> shape,
                                             int64_t elementBytes,
                                             const Sharding &from,
                                             const Sharding &to) {
  if (from.samePlacement(to))
    return 0;
  MemoEntry &entry = impl->lookup(shape, elementBytes, from, to);
  if (!entry.exists)
    return std::nullopt;
  return entry.plan.bytes;
}

} // namespace cleave
