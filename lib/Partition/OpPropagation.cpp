//===- OpPropagation.cpp - Spreading shardings through one op -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The factor projection follows Shardy's: the axes of all tensors are read per
// factor, merged, and written back where dimensions are open.
//
//===----------------------------------------------------------------------===//

#include "OpPropagation.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cleave {

bool isAxisPrefix(ArrayRef<AxisRef> shorter, ArrayRef<AxisRef> longer) {
  if (shorter.size() > longer.size())
    return false;
  for (auto [i, axis] : enumerate(shorter)) {
    if (axis == longer[i])
      continue;
    return i + 1 == shorter.size() && axis.axis == longer[i].axis &&
           axis.pre == longer[i].pre && longer[i].size % axis.size == 0;
  }
  return true;
}

/// The same for a dimension of `n` elements: splitting an axis must not move
/// block boundaries.
static bool isCutPrefix(ArrayRef<AxisRef> shorter, ArrayRef<AxisRef> longer,
                        int64_t n) {
  if (!isAxisPrefix(shorter, longer))
    return false;
  return shorter.empty() || shorter.back() == longer[shorter.size() - 1] ||
         n % numShards(longer) == 0;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

void OpPropagation::projectDim(Tensor &tensor, unsigned d,
                               ArrayRef<AxisRef> axes) {
  if (!tensor.outer.empty()) {
    ArrayRef<AxisRef> outer = tensor.outer[d];
    if (axes.take_front(outer.size()) != outer)
      return;
    axes = axes.drop_front(outer.size());
  }
  projectDimToFactors(*rule, tensor.factors->dims[d], axes, tensor.projected);
}

void OpPropagation::projectTensor(Tensor &tensor, int64_t level) {
  const PropagationValue &value = graph.values[tensor.value];
  const ValueState &state = states[tensor.value];
  tensor.projected.resize(rule->factors.size());
  for (AxisList &axes : tensor.projected)
    axes.clear();
  tensor.localBytes = value.elementBytes;
  for (auto [d, dim] : enumerate(value.sharding->dims)) {
    tensor.localBytes *= blockSize(value.shape[d], dim.axes);
    if (d < tensor.factors->dims.size() && state.dims[d].level <= level)
      projectDim(tensor, d, dim.axes);
  }
}

void OpPropagation::collectTensors(int64_t level) {
  const PropagationOp &current = graph.ops[op];
  numTensors = current.operands.size() + current.results.size();
  if (tensors.size() < numTensors)
    tensors.resize(numTensors);
  unsigned t = 0;
  auto add = [&](unsigned value, const TensorFactors &factors) {
    Tensor &tensor = tensors[t++];
    tensor.value = value;
    tensor.factors = &factors;
    tensor.outer = {};
    if (t == 1)
      tensor.outer = current.outerAxes;
    projectTensor(tensor, level);
  };
  for (auto [value, factors] : zip_equal(current.operands, rule->operands))
    add(value, factors);
  for (auto [value, factors] : zip_equal(current.results, rule->results))
    add(value, factors);
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

/// Bytes that tensors which agree with `axes` would have to receive to give
/// them up: an all-gather each.
int64_t OpPropagation::bytesToMove(unsigned factor,
                                   ArrayRef<AxisRef> axes) const {
  int64_t bytes = 0;
  for (const Tensor &tensor : ArrayRef(tensors).take_front(numTensors)) {
    const AxisList &own = tensor.projected[factor];
    if (!own.empty() && isAxisPrefix(own, axes))
      bytes += tensor.localBytes * (numShards(own) - 1);
  }
  return bytes;
}

AxisList OpPropagation::mergeFactor(unsigned factor) {
  AxisList winner;
  int64_t n = rule->factors[factor].size;
  int64_t winnerBytes = -1;
  for (const Tensor &tensor : ArrayRef(tensors).take_front(numTensors)) {
    const AxisList &own = tensor.projected[factor];
    if (own.empty() || isCutPrefix(own, winner, n))
      continue;
    if (isCutPrefix(winner, own, n)) {
      winner = own;
      winnerBytes = -1;
      continue;
    }
    conflict = true;
    if (winnerBytes < 0)
      winnerBytes = bytesToMove(factor, winner);
    int64_t bytes = bytesToMove(factor, own);
    if (bytes > winnerBytes) {
      winner = own;
      winnerBytes = bytes;
    }
  }
  return winner;
}

/// Keeps the axes of a factor in front of the first that meets `axis`.
void OpPropagation::truncateAt(unsigned factor, const AxisRef &axis) {
  AxisList &axes = merged[factor];
  auto it = find_if(axes, [&](const AxisRef &a) { return a.overlaps(axis); });
  axes.erase(it, axes.end());
}

static std::optional<AxisRef> firstShared(ArrayRef<AxisRef> a,
                                          ArrayRef<AxisRef> b) {
  for (const AxisRef &axis : a)
    if (overlapsAny(axis, b))
      return axis;
  return std::nullopt;
}

/// The iteration space uses an axis once: where two factors want it, the one
/// whose tensors would be costlier to move keeps it.
void OpPropagation::resolveSharedAxes() {
  for (unsigned f = 0; f < merged.size(); ++f)
    for (unsigned g = 0; g < f; ++g)
      while (std::optional<AxisRef> axis = firstShared(merged[f], merged[g])) {
        conflict = true;
        bool keepFirst = bytesToMove(g, merged[g]) >= bytesToMove(f, merged[f]);
        truncateAt(keepFirst ? f : g, *axis);
      }
}

void OpPropagation::mergeFactors() {
  merged.resize(rule->factors.size());
  for (unsigned f = 0; f < merged.size(); ++f) {
    if (rule->factors[f].kind == FactorKind::NeedReplication)
      merged[f].clear();
    else
      merged[f] = mergeFactor(f);
  }
  resolveSharedAxes();
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// Where `axis` of a factor comes from: some tensor of the op has it there.
const AxisOrigin *OpPropagation::findOrigin(const AxisRef &axis,
                                            unsigned factor) const {
  for (const Tensor &tensor : ArrayRef(tensors).take_front(numTensors)) {
    if (!overlapsAny(axis, tensor.projected[factor]))
      continue;
    for (const AxisOrigin &origin : graph.values[tensor.value].origins)
      if (origin.axis.overlaps(axis) &&
          is_contained(tensor.factors->dims[origin.dim], factor))
        return &origin;
  }
  return nullptr;
}

/// One origin per axis of dimension `d`, which has got new axes.
void OpPropagation::recordOrigins(const Tensor &tensor, unsigned d) {
  PropagationValue &value = graph.values[tensor.value];
  SmallVector<AxisOrigin, 4> origins;
  for (const AxisOrigin &origin : value.origins)
    if (origin.dim != d)
      origins.push_back(origin);
  for (const AxisRef &axis : value.sharding->dims[d].axes) {
    AxisOrigin origin;
    auto own = find_if(value.origins, [&](const AxisOrigin &o) {
      return o.dim == d && o.axis.overlaps(axis);
    });
    if (own != value.origins.end()) {
      origin = *own;
    } else {
      for (unsigned factor : tensor.factors->dims[d]) {
        if (!overlapsAny(axis, merged[factor]))
          continue;
        if (const AxisOrigin *from = findOrigin(axis, factor))
          origin.annotation = from->annotation;
      }
      origin.via = op;
    }
    origin.axis = axis;
    origin.dim = d;
    origins.push_back(origin);
  }
  value.origins.assign(origins.begin(), origins.end());
}

bool OpPropagation::extendDim(const Tensor &tensor, unsigned d) {
  PropagationValue &value = graph.values[tensor.value];
  AxisList &current = value.sharding->dims[d].axes;
  AxisList wanted;
  if (!tensor.outer.empty())
    wanted = tensor.outer[d];
  llvm::append_range(
      wanted, projectDimFromFactors(*rule, tensor.factors->dims[d], merged));
  if (wanted == current || !isCutPrefix(current, wanted, value.shape[d]))
    return false;
  // Axes that the tensor uses elsewhere, or must not use, end the list.
  auto isTaken = [&](const AxisRef &axis) {
    for (auto [other, dim] : enumerate(value.sharding->dims))
      if (other != d && overlapsAny(axis, dim.axes))
        return true;
    if (overlapsAny(axis, value.sharding->keptReplicated))
      return true;
    return any_of(value.sharding->partial,
                  [&](const PartialAxis &p) { return p.axis.overlaps(axis); });
  };
  wanted.erase(find_if(wanted, isTaken), wanted.end());
  if (wanted.size() < current.size() || wanted == current)
    return false;
  current = std::move(wanted);
  return true;
}

bool OpPropagation::update(const Tensor &tensor, int64_t level) {
  bool changed = false;
  const ValueState &state = states[tensor.value];
  for (unsigned d = 0; d < tensor.factors->dims.size(); ++d) {
    if (!state.dims[d].open || state.dims[d].level > level)
      continue;
    if (!extendDim(tensor, d))
      continue;
    recordOrigins(tensor, d);
    changed = true;
  }
  return changed;
}

bool OpPropagation::visit(unsigned index, int64_t level,
                          SmallVectorImpl<unsigned> &changed) {
  op = index;
  rule = &graph.ops[op].rule;
  conflict = false;
  collectTensors(level);
  mergeFactors();
  if (all_of(merged, [](const AxisList &axes) { return axes.empty(); }))
    return conflict;
  const PropagationOp &current = graph.ops[op];
  for (auto [t, tensor] : enumerate(ArrayRef(tensors).take_front(numTensors))) {
    bool isReached = t < current.operands.size() ? current.reachesOperands
                                                 : current.reachesResults;
    if (isReached && update(tensor, level))
      changed.push_back(tensor.value);
  }
  return conflict;
}

} // namespace cleave
