//===- OpStrategy.cpp - How one op executes on its shards -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/OpStrategy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace llvm;

namespace cleave {

namespace {

/// Stands for the bytes of a reshard that does not exist; sums saturate here.
constexpr int64_t kImpossible = std::numeric_limits<int64_t>::max() / 4;

/// Finds the strategy of one op.
class StrategyChooser {
public:
  StrategyChooser(const ShardingRule &rule, ArrayRef<TensorInfo> operands,
                  ArrayRef<TensorInfo> results, ReshardPlanner &planner)
      : rule(rule), operands(operands), results(results), planner(planner) {
    best.bytes = kImpossible;
  }

  OpStrategy run();

private:
  using Partial = SmallVector<PartialAxis, 1>;

  /// Operands that stay partial, and over what.
  struct Deferred {
    ArrayRef<unsigned> operands;
    Partial partial;
  };

  FactorShardings none() const { return FactorShardings(rule.factors.size()); }
  const TensorFactors &tensor(unsigned t) const {
    return t < operands.size() ? rule.operands[t]
                               : rule.results[t - operands.size()];
  }
  FactorShardings project(unsigned t) const;
  void merge(FactorShardings &into, const FactorShardings &from) const;
  bool dropUnrepresentable(unsigned t, FactorShardings &factors) const;
  void makeRepresentable(FactorShardings &factors) const;
  void collectDeferred();
  void consider(FactorShardings factors);
  void evaluate(const FactorShardings &factors, const Deferred &deferred);
  bool improve();
  bool admitsDeferred(const FactorShardings &factors,
                      ArrayRef<PartialAxis> partial) const;
  int64_t localWork(const FactorShardings &factors) const;
  int64_t transferredBytes(const OpStrategy &strategy,
                           const FactorShardings &factors) const;
  bool workFirst() const;
  std::tuple<bool, int64_t, int64_t> costOf(int64_t bytes, int64_t work) const;
  int64_t reshardBytes(const TensorInfo &tensor, const Sharding &from,
                       const Sharding &to);

  const ShardingRule &rule;
  ArrayRef<TensorInfo> operands, results;
  ReshardPlanner &planner;
  SmallVector<Deferred, 2> deferrals;
  SmallVector<FactorShardings, 8> considered;
  OpStrategy best;
  int64_t bestWork = std::numeric_limits<int64_t>::max();
};

} // namespace

static bool usedByOther(const FactorShardings &factors, unsigned factor,
                        const AxisRef &axis) {
  for (auto [f, axes] : enumerate(factors))
    if (f != factor && overlapsAny(axis, axes))
      return true;
  return false;
}

FactorShardings StrategyChooser::project(unsigned t) const {
  const Sharding &sharding = t < operands.size()
                                 ? operands[t].sharding
                                 : results[t - operands.size()].sharding;
  FactorShardings factors;
  projectToFactors(rule, tensor(t), sharding, factors);
  for (auto [factor, axes] : zip_equal(rule.factors, factors))
    if (factor.kind == FactorKind::NeedReplication)
      axes.clear();
  return factors;
}

/// Extends each factor by the axes that another tensor has beyond it.
void StrategyChooser::merge(FactorShardings &into,
                            const FactorShardings &from) const {
  for (auto [f, axes] : enumerate(from)) {
    size_t have = into[f].size();
    if (axes.size() <= have ||
        !std::equal(into[f].begin(), into[f].end(), axes.begin()))
      continue;
    for (const AxisRef &axis : ArrayRef(axes).drop_front(have)) {
      if (usedByOther(into, f, axis))
        break;
      into[f].push_back(axis);
    }
  }
}

bool StrategyChooser::dropUnrepresentable(unsigned t,
                                          FactorShardings &factors) const {
  FactorShardings back;
  projectToFactors(rule, tensor(t),
                   projectFromFactors(rule, tensor(t), factors), back);
  bool changed = false;
  for (unsigned f = 0; f < factors.size(); ++f) {
    // Parts of one axis may come back joined, which is the same cut.
    if (numShards(back[f]) == numShards(factors[f]) || !hasFactor(tensor(t), f))
      continue;
    factors[f] = back[f];
    changed = true;
  }
  return changed;
}

static bool hasMergedDims(const TensorFactors &tensor) {
  return any_of(tensor.dims, [](const auto &dim) { return dim.size() > 1; });
}

/// Drops what some tensor could not be cut by: its local block would then not
/// be the one that the op's local form takes. Only dimensions of several
/// factors refuse cuts.
void StrategyChooser::makeRepresentable(FactorShardings &factors) const {
  unsigned numTensors = operands.size() + results.size();
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned t = 0; t < numTensors; ++t)
      if (hasMergedDims(tensor(t)))
        changed |= dropUnrepresentable(t, factors);
  }
}

/// Sums that all operands of a linear set have in common may wait until after
/// the op: all of them, or those that are wanted. Of no operands, as zero is
/// made of none, any sums that are wanted are had.
void StrategyChooser::collectDeferred() {
  Partial wanted;
  if (results.size() == 1)
    copy_if(joinedPartial(results[0].sharding.partial),
            std::back_inserter(wanted),
            [](const PartialAxis &p) { return p.kind == ReductionKind::Sum; });
  deferrals.push_back({});
  auto add = [&](ArrayRef<unsigned> set, const Partial &partial) {
    if (!partial.empty())
      deferrals.push_back({set, partial});
  };
  for (const auto &set : rule.linear) {
    Partial common;
    for (const PartialAxis &p :
         set.empty() ? wanted
                     : joinedPartial(operands[set[0]].sharding.partial))
      if (p.kind == ReductionKind::Sum && all_of(set, [&](unsigned i) {
            return isPartialWithin(p, operands[i].sharding.partial);
          }))
        common.push_back(p);
    add(set, common);
    Partial both;
    copy_if(common, std::back_inserter(both),
            [&](const PartialAxis &p) { return isPartialWithin(p, wanted); });
    if (both.size() != common.size())
      add(set, both);
  }
}

int64_t StrategyChooser::localWork(const FactorShardings &factors) const {
  int64_t work = 1;
  for (auto [factor, axes] : zip_equal(rule.factors, factors))
    work = SaturatingMultiply<uint64_t>(work, blockSize(factor.size, axes));
  return work;
}

/// What the op itself communicates. What every rank has whole already is cut
/// where it is wanted instead.
int64_t
StrategyChooser::transferredBytes(const OpStrategy &strategy,
                                  const FactorShardings &factors) const {
  int64_t sum = 0;
  for (const FactorTransfer &transfer : rule.transfers) {
    const TensorInfo &operand = operands[transfer.operand];
    if (factors[transfer.factor].empty() ||
        operand.sharding.dims[transfer.dim].axes.empty())
      continue;
    int64_t bytes =
        operand.elementBytes * transfer.received(factors[transfer.factor]);
    auto beside =
        transfer.isOfResult
            ? strategy.results[0].localShape(results[0].shape)
            : strategy.operands[transfer.operand].localShape(operand.shape);
    for (auto [d, extent] : enumerate(beside))
      if (d != transfer.dim)
        bytes = SaturatingMultiply<uint64_t>(bytes, extent);
    sum = std::min(sum + std::min(bytes, kImpossible), kImpossible);
  }
  return sum;
}

/// A contraction costs more than the bytes it moves: gathering both of its
/// operands may move less than reducing its result, and repeats the whole
/// product on every rank.
bool StrategyChooser::workFirst() const {
  return rule.priority == ShardingRule::Priority::Contraction;
}

std::tuple<bool, int64_t, int64_t> StrategyChooser::costOf(int64_t bytes,
                                                           int64_t work) const {
  bool impossible = bytes >= kImpossible;
  return workFirst() ? std::make_tuple(impossible, work, bytes)
                     : std::make_tuple(impossible, bytes, work);
}

int64_t StrategyChooser::reshardBytes(const TensorInfo &tensor,
                                      const Sharding &from,
                                      const Sharding &to) {
  return planner.bytes(tensor.shape, tensor.elementBytes, from, to)
      .value_or(kImpossible);
}

/// A sum can wait if the op neither uses its axes otherwise nor takes a
/// maximum, say, of what is not summed yet.
bool StrategyChooser::admitsDeferred(const FactorShardings &factors,
                                     ArrayRef<PartialAxis> partial) const {
  for (auto [factor, axes] : zip_equal(rule.factors, factors))
    if (factor.kind == FactorKind::Reduction && !axes.empty() &&
        factor.reduction != ReductionKind::Sum)
      return false;
  return none_of(partial, [&](const PartialAxis &p) {
    return usedByOther(factors, factors.size(), p.axis);
  });
}

void StrategyChooser::evaluate(const FactorShardings &factors,
                               const Deferred &deferred) {
  if (!deferred.partial.empty() && !admitsDeferred(factors, deferred.partial))
    return;
  OpStrategy strategy;
  for (auto [i, operand] : enumerate(operands)) {
    Sharding needed = projectFromFactors(rule, rule.operands[i], factors);
    if (is_contained(deferred.operands, i))
      needed.partial = deferred.partial;
    strategy.bytes += reshardBytes(operand, operand.sharding, needed);
    strategy.bytes = std::min(strategy.bytes, kImpossible);
    if (!workFirst() && strategy.bytes > best.bytes)
      return;
    strategy.operands.push_back(std::move(needed));
  }
  for (auto [i, result] : enumerate(results)) {
    Sharding made = resultSharding(rule, i, factors);
    append_range(made.partial, deferred.partial);
    strategy.bytes += reshardBytes(result, made, result.sharding);
    strategy.bytes = std::min(strategy.bytes, kImpossible);
    strategy.results.push_back(std::move(made));
  }
  strategy.bytes = std::min(
      strategy.bytes + transferredBytes(strategy, factors), kImpossible);
  int64_t work = localWork(factors);
  if (costOf(strategy.bytes, work) >= costOf(best.bytes, bestWork))
    return;
  strategy.factors = factors;
  best = std::move(strategy);
  bestWork = work;
}

void StrategyChooser::consider(FactorShardings factors) {
  makeRepresentable(factors);
  if (is_contained(considered, factors))
    return;
  considered.push_back(factors);
  for (const Deferred &deferred : deferrals)
    evaluate(factors, deferred);
}

/// Tries the best strategy with the minor axis of one factor less.
bool StrategyChooser::improve() {
  FactorShardings from = best.factors;
  for (unsigned f = 0; f < from.size(); ++f) {
    if (from[f].empty())
      continue;
    FactorShardings fewer = from;
    fewer[f].pop_back();
    consider(fewer);
  }
  return best.factors != from;
}

OpStrategy StrategyChooser::run() {
  collectDeferred();
  consider(none());
  unsigned numTensors = operands.size() + results.size();
  SmallVector<FactorShardings, 4> projected;
  for (unsigned t = 0; t < numTensors; ++t)
    projected.push_back(project(t));
  for (unsigned t = 0; t < numTensors; ++t) {
    FactorShardings joined = none();
    merge(joined, projected[t]);
    consider(joined);
    for (unsigned other = 0; other < numTensors; ++other)
      merge(joined, projected[other]);
    consider(joined);
  }
  while (improve())
    ;
  return std::move(best);
}

OpStrategy chooseStrategy(const ShardingRule &rule,
                          ArrayRef<TensorInfo> operands,
                          ArrayRef<TensorInfo> results,
                          ReshardPlanner &planner) {
  return StrategyChooser(rule, operands, results, planner).run();
}

} // namespace cleave
