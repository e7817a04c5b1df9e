//===- ReshardSimulationTest.cpp - Random plans, executed -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RandomShardings.h"
#include "Simulator.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

static std::string describe(const Mesh &mesh, ArrayRef<int64_t> shape,
                            const Sharding &from, const Sharding &to,
                            const ReshardPlan &plan) {
  std::string text = "mesh";
  for (const Mesh::Axis &axis : mesh.axes)
    text += ' ' + axis.name + '=' + std::to_string(axis.size);
  text += ", shape";
  for (int64_t n : shape)
    text += ' ' + std::to_string(n);
  text += "\n  " + from.str(mesh) + " -> " + to.str(mesh) + '\n';
  for (const ReshardStep &step : plan.steps)
    text += "  " + stringifyCollective(step.kind).str() + ' ' +
            mesh.str(step.axes) + " bytes " + std::to_string(step.bytes) +
            " to " + step.result.str(mesh) + '\n';
  return text;
}

namespace {
struct Workload {
  const char *name;
  int64_t cases;
  int64_t subAxes;
  bool partial;
};
class ReshardSimulation : public testing::TestWithParam<Workload> {};
} // namespace

TEST_P(ReshardSimulation, GivesEachRankItsBlock) {
  const Workload &workload = GetParam();
  RandomShardings random(2024);
  const int64_t extents[] = {1, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 0};
  for (int64_t i = 0; i < workload.cases; ++i) {
    Mesh mesh = random.mesh({1, 2, 2, 3, 4, 6}, 3, 24);
    Shape shape(random.below(4));
    for (int64_t &n : shape)
      n = random.oneOf(extents);
    Sharding from = random.sharding(mesh, shape.size(), workload.subAxes);
    if (workload.partial) {
      bool sum = random.below(3) != 0;
      random.makePartial(from, sum ? ReductionKind::Sum : ReductionKind::Max);
    }
    Sharding to = random.sharding(mesh, shape.size(), workload.subAxes);
    for (const PartialAxis &p : from.partial)
      if (!to.uses(p.axis) && random.below(2))
        to.partial.push_back(p);
    ReshardPlanner planner(mesh);
    const ReshardPlan *plan = planner.plan(shape, 4, from, to);
    ASSERT_NE(plan, nullptr);
    std::string wrong = Simulator(mesh, shape, 4).check(*plan, from, to);
    ASSERT_EQ(wrong, "") << describe(mesh, shape, from, to, *plan);
    ASSERT_GE(plan->bytes, bytesNotOwned(mesh, shape, 4, from, to))
        << describe(mesh, shape, from, to, *plan);
    ASSERT_EQ(plan->bytes, planner.bytes(shape, 4, from, to));
    ASSERT_EQ(plan, planner.plan(shape, 4, from, to));
  }
}

INSTANTIATE_TEST_SUITE_P(Random, ReshardSimulation,
                         testing::Values(Workload{"WholeAxes", 6000, 0, false},
                                         Workload{"SubAxes", 6000, 60, false},
                                         Workload{"Partial", 4000, 0, true},
                                         Workload{"PartialSubAxes", 4000, 50,
                                                  true}),
                         [](const auto &info) { return info.param.name; });
