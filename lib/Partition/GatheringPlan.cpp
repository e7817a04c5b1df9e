//===- GatheringPlan.cpp - The reshard that always works ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReshardSearch.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace cleave {

namespace {
class GatheringPlan {
public:
  explicit GatheringPlan(const ReshardProblem &problem) : problem(problem) {
    current = Sharding::replicated(problem.shape.size());
    for (auto [dim, axes] : zip_equal(current.dims, problem.from))
      dim.axes = axes;
    current.partial.assign(problem.partial.begin(), problem.partial.end());
    append_range(current.partial, problem.kept);
  }

  ReshardSteps run() {
    reduce();
    for (unsigned d = 0; d < problem.shape.size(); ++d)
      gather(d);
    for (unsigned d = 0; d < problem.shape.size(); ++d)
      slice(d);
    return std::move(steps);
  }

private:
  AxisList &axesOf(unsigned d) { return current.dims[d].axes; }

  void addStep(CollectiveKind kind, unsigned dim, AxisList axes,
               Sharding result) {
    ReshardStep step;
    step.kind = kind;
    step.dim = dim;
    step.operandShape = current.localShape(problem.shape);
    step.resultShape = result.localShape(problem.shape);
    step.bytes = collectiveBytes(kind, step.operandShape, step.resultShape,
                                 problem.elementBytes, numShards(axes));
    step.axes = std::move(axes);
    step.result = result;
    current = std::move(result);
    steps.push_back(std::move(step));
  }

  void reduce() {
    for (ArrayRef<PartialAxis> rest = problem.partial; !rest.empty();) {
      ReductionKind kind = rest.front().kind;
      ArrayRef<PartialAxis> same =
          rest.take_while([&](const PartialAxis &p) { return p.kind == kind; });
      rest = rest.drop_front(same.size());
      AxisList axes;
      for (const PartialAxis &p : same)
        axes.push_back(p.axis);
      Sharding reduced = current;
      reduced.partial.assign(rest.begin(), rest.end());
      append_range(reduced.partial, problem.kept);
      addStep(CollectiveKind::AllReduce, 0, axes, reduced);
      steps.back().reduction = kind;
    }
  }

  size_t commonAxes(unsigned d) {
    auto [a, b] = std::mismatch(axesOf(d).begin(), axesOf(d).end(),
                                problem.to[d].begin(), problem.to[d].end());
    return a - axesOf(d).begin();
  }

  /// Axis by axis: nested blocks of several need not be at equal distances.
  void gather(unsigned d) {
    for (size_t common = commonAxes(d); axesOf(d).size() > common;) {
      Sharding gathered = current;
      AxisRef axis = gathered.dims[d].axes.pop_back_val();
      addStep(CollectiveKind::AllGather, d, {axis}, gathered);
    }
  }

  void slice(unsigned d) {
    for (size_t i = axesOf(d).size(); i < problem.to[d].size(); ++i) {
      AxisRef axis = problem.to[d][i];
      Sharding sliced = current;
      sliced.dims[d].axes.push_back(axis);
      addStep(CollectiveKind::AllSlice, d, {axis}, sliced);
    }
  }

  const ReshardProblem &problem;
  Sharding current;
  ReshardSteps steps;
};
} // namespace

ReshardSteps planByGathering(const ReshardProblem &problem) {
  return GatheringPlan(problem).run();
}

int64_t planBytes(const ReshardSteps &steps) {
  int64_t bytes = 0;
  for (const ReshardStep &step : steps)
    bytes += step.bytes;
  return bytes;
}

} // namespace cleave
