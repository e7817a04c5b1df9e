//===- ShardingRule.cpp - How an operation may be sharded -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/ShardingRule.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cleave {

/// The factors of a dimension that can be cut. Factors of size 1 do not move
/// block boundaries; a dimension that has no other keeps its first.
static SmallVector<unsigned, 2> cuttableFactors(const ShardingRule &rule,
                                                ArrayRef<unsigned> dim) {
  SmallVector<unsigned, 2> cuttable;
  for (unsigned f : dim)
    if (dim.size() == 1 || rule.factors[f].size != 1)
      cuttable.push_back(f);
  if (cuttable.empty() && !dim.empty())
    cuttable.push_back(dim.front());
  return cuttable;
}

/// Hands the axes of a dimension to its factors, major to minor. Blocks of the
/// dimension are blocks of the factors only if each axis divides what is left
/// of its factor. One that does not stays with a factor that is Blocked, if it
/// is whole, and so do all within it; or they stop here.
static bool splitOverFactors(const ShardingRule &rule,
                             ArrayRef<unsigned> factors, ArrayRef<AxisRef> axes,
                             FactorShardings &result) {
  unsigned i = 0;
  int64_t left = rule.factors[factors[0]].size;
  for (size_t n = 0; n < axes.size(); ++n) {
    AxisRef axis = axes[n];
    while (axis.size > 1) {
      while (left == 1) {
        if (++i == factors.size())
          return false;
        left = rule.factors[factors[i]].size;
      }
      int64_t taken = axis.size;
      if (left % axis.size != 0) {
        if (axis.size % left != 0) {
          // Blocks of the dimension over all of an axis do not nest in those
          // over a part of it.
          if (rule.factors[factors[i]].kind != FactorKind::Blocked ||
              axis != axes[n])
            return false;
          result[factors[i]].append(axes.begin() + n, axes.end());
          return true;
        }
        taken = left;
      }
      result[factors[i]].push_back({axis.axis, axis.pre, taken});
      axis.pre *= taken;
      axis.size /= taken;
      left /= taken;
    }
  }
  return true;
}

bool projectDimToFactors(const ShardingRule &rule, ArrayRef<unsigned> dim,
                         ArrayRef<AxisRef> axes, FactorShardings &result) {
  if (axes.empty())
    return true;
  SmallVector<unsigned, 2> factors = cuttableFactors(rule, dim);
  if (factors.empty())
    return false;
  if (factors.size() > 1)
    return splitOverFactors(rule, factors, axes, result);
  // Two dimensions of one factor (a diagonal) must be cut alike.
  AxisList &list = result[factors[0]];
  if (!list.empty())
    return ArrayRef<AxisRef>(list) == axes;
  list.assign(axes.begin(), axes.end());
  return true;
}

/// Appends axes if none of them continues the one before it: blocks over the
/// axis that they would be joined to are others.
static void appendApart(AxisList &axes, ArrayRef<AxisRef> more) {
  AxisList all = axes;
  mergeSubAxes(all);
  size_t apart = all.size() + more.size();
  all.append(more.begin(), more.end());
  mergeSubAxes(all);
  if (all.size() == apart)
    axes = all;
}

AxisList projectDimFromFactors(const ShardingRule &rule, ArrayRef<unsigned> dim,
                               const FactorShardings &factors) {
  SmallVector<unsigned, 2> cuttable = cuttableFactors(rule, dim);
  if (cuttable.size() == 1)
    return factors[cuttable[0]];
  AxisList axes;
  for (unsigned f : cuttable) {
    const Factor &factor = rule.factors[f];
    int64_t left = factor.size;
    for (auto [n, axis] : enumerate(factors[f])) {
      if (left % axis.size != 0) {
        if (factor.kind == FactorKind::Blocked)
          appendApart(axes, ArrayRef(factors[f]).drop_front(n));
        break;
      }
      axes.push_back(axis);
      left /= axis.size;
    }
    // A minor factor is contiguous only inside single elements of the major.
    if (left != 1)
      break;
  }
  mergeSubAxes(axes);
  return axes;
}

bool projectToFactors(const ShardingRule &rule, const TensorFactors &tensor,
                      const Sharding &sharding, FactorShardings &result) {
  result.assign(rule.factors.size(), {});
  bool complete = true;
  for (auto [dim, dimSharding] : zip(tensor.dims, sharding.dims))
    complete &= projectDimToFactors(rule, dim, dimSharding.axes, result);
  return complete;
}

Sharding projectFromFactors(const ShardingRule &rule,
                            const TensorFactors &tensor,
                            const FactorShardings &factors) {
  Sharding sharding = Sharding::replicated(tensor.dims.size());
  for (auto [dim, dimSharding] : zip_equal(tensor.dims, sharding.dims))
    dimSharding.axes = projectDimFromFactors(rule, dim, factors);
  return sharding;
}

Sharding resultSharding(const ShardingRule &rule, unsigned result,
                        const FactorShardings &factors) {
  const TensorFactors &tensor = rule.results[result];
  Sharding sharding = projectFromFactors(rule, tensor, factors);
  for (auto [f, factor] : enumerate(rule.factors)) {
    if (factor.kind != FactorKind::Reduction || hasFactor(tensor, f))
      continue;
    for (const AxisRef &axis : factors[f])
      sharding.partial.push_back({axis, factor.reduction});
  }
  return sharding;
}

bool agreeOnFactor(AxisList &agreed, ArrayRef<AxisRef> own) {
  AxisList joined = agreed, ownJoined(own);
  mergeSubAxes(joined);
  mergeSubAxes(ownJoined);
  if (joined != ownJoined)
    return false;
  if (own.size() > agreed.size())
    agreed.assign(own.begin(), own.end());
  return true;
}

bool hasFactor(const TensorFactors &tensor, unsigned factor) {
  return any_of(tensor.dims,
                [&](const auto &dim) { return is_contained(dim, factor); });
}

} // namespace cleave
