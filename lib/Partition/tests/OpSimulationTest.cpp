//===- OpSimulationTest.cpp - Random ops, executed on their shards --------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cuts operands by random shardings, moves them as the strategy says, runs the
// op on each rank's block of the iteration space with padding masked, moves
// the result, and compares with the op on the whole tensors.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/OpStrategy.h"

#include "Graphs.h"
#include "RandomShardings.h"
#include "Simulator.h"
#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>

using namespace llvm;
using namespace cleave;
using namespace cleave::test;

namespace {
struct OpKind {
  const char *name;
  const char *einsum;
  /// Sum of the operands, not product.
  bool adds;
  std::vector<SmallVector<unsigned, 2>> linear;
};

class OpSimulation : public testing::TestWithParam<OpKind> {
protected:
  void chooseOp();
  void chooseShardings();
  Locals distribute(unsigned operand);
  std::vector<int64_t> compute(ArrayRef<Locals> operands, int64_t rank,
                               const FactorShardings &factors,
                               ArrayRef<int64_t> resultShape) const;
  Shape shapeOf(const TensorFactors &tensor) const;
  std::string compare(const Locals &locals, const std::vector<int64_t> &wanted,
                      const TensorInfo &tensor) const;
  std::string describe() const;
  std::string runCase();

  RandomShardings random{5};
  Mesh mesh;
  ShardingRule rule;
  SmallVector<TensorInfo, 2> operands;
  TensorInfo result;
  OpStrategy strategy;
  /// Whole operands.
  std::vector<Locals> whole;
};
} // namespace

static int64_t numElements(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t n : shape)
    count *= n;
  return count;
}

/// Row-major position and back.
static int64_t flatten(ArrayRef<int64_t> shape, ArrayRef<int64_t> index) {
  int64_t flat = 0;
  for (auto [n, i] : zip_equal(shape, index))
    flat = flat * n + i;
  return flat;
}
static Shape unflatten(ArrayRef<int64_t> shape, int64_t flat) {
  Shape index(shape.size());
  for (size_t d = shape.size(); d-- > 0; flat /= shape[d])
    index[d] = flat % shape[d];
  return index;
}

Shape OpSimulation::shapeOf(const TensorFactors &tensor) const {
  Shape shape;
  for (const auto &dim : tensor.dims) {
    shape.push_back(1);
    for (unsigned f : dim)
      shape.back() *= rule.factors[f].size;
  }
  return shape;
}

void OpSimulation::chooseOp() {
  StringMap<int64_t> sizes;
  for (StringRef letter : {"i", "j", "k", "l"})
    sizes[letter] = random.oneOf({1, 2, 3, 4, 5, 6, 7, 8});
  rule = makeRule(GetParam().einsum, sizes, ShardingRule::Priority::Movement);
  rule.linear.assign(GetParam().linear.begin(), GetParam().linear.end());
  operands.assign(rule.operands.size(), {});
  whole.assign(rule.operands.size(), Locals(1));
  for (auto [i, tensor] : enumerate(rule.operands)) {
    operands[i].shape = shapeOf(tensor);
    whole[i][0].shape = operands[i].shape;
    for (int64_t e = 0; e < numElements(operands[i].shape); ++e)
      whole[i][0].data.push_back(random.below(9) - 4);
  }
  result.shape = shapeOf(rule.results[0]);
}

void OpSimulation::chooseShardings() {
  mesh = random.mesh({2, 2, 3, 4}, 3, 16);
  int64_t subAxes = random.oneOf({0, 50});
  bool alike = random.below(2);
  for (auto [i, operand] : enumerate(operands)) {
    operand.sharding = random.sharding(mesh, operand.shape.size(), subAxes);
    if (alike && i != 0 && operand.shape == operands[0].shape)
      operand.sharding = operands[0].sharding;
    else if (random.below(3) == 0)
      random.makePartial(operand.sharding, ReductionKind::Sum);
  }
  result.sharding = random.sharding(mesh, result.shape.size(), subAxes);
}

/// Local blocks with garbage in the padding; parts of partial sums differ.
Locals OpSimulation::distribute(unsigned i) {
  const TensorInfo &tensor = operands[i];
  AxisList partial;
  for (const PartialAxis &p : tensor.sharding.partial)
    partial.push_back(p.axis);
  int64_t parts = numShards(partial);
  Locals locals(mesh.numRanks());
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    LocalArray &local = locals[rank];
    local.shape = tensor.sharding.localShape(tensor.shape);
    for (int64_t e = 0; e < numElements(local.shape); ++e) {
      Shape index = unflatten(local.shape, e);
      bool valid = true;
      for (unsigned d = 0; d < index.size(); ++d) {
        BlockExtent block =
            blockOf(mesh, rank, tensor.shape[d], tensor.sharding.dims[d].axes);
        valid &= index[d] < block.valid;
        index[d] += block.offset;
      }
      if (!valid) {
        local.data.push_back(987654321 + rank);
        continue;
      }
      int64_t value = whole[i][0].data[flatten(tensor.shape, index)];
      int64_t position = mesh.position(rank, partial);
      // Position p adds p; position 0 makes up for it.
      local.data.push_back(position ? position
                                    : value - parts * (parts - 1) / 2);
    }
  }
  return locals;
}

/// Runs the op on the block of the iteration space that a rank has.
std::vector<int64_t> OpSimulation::compute(ArrayRef<Locals> inputs,
                                           int64_t rank,
                                           const FactorShardings &factors,
                                           ArrayRef<int64_t> shape) const {
  Shape space, valid;
  for (auto [factor, axes] : zip_equal(rule.factors, factors)) {
    space.push_back(blockSize(factor.size, axes));
    valid.push_back(blockOf(mesh, rank, factor.size, axes).valid);
  }
  auto at = [&](const TensorFactors &tensor, ArrayRef<int64_t> index) {
    int64_t flat = 0;
    for (const auto &dim : tensor.dims)
      for (unsigned f : dim)
        flat = flat * space[f] + index[f];
    return flat;
  };
  std::vector<int64_t> output(numElements(shape), 0);
  for (int64_t e = 0; e < numElements(space); ++e) {
    Shape index = unflatten(space, e);
    bool inside = true;
    for (auto [i, n] : zip_equal(index, valid))
      inside &= i < n;
    if (!inside)
      continue;
    int64_t value = GetParam().adds ? 0 : 1;
    for (auto [tensor, input] : zip_equal(rule.operands, inputs)) {
      int64_t element = input[rank].data[at(tensor, index)];
      value = GetParam().adds ? value + element : value * element;
    }
    output[at(rule.results[0], index)] += value;
  }
  return output;
}

std::string OpSimulation::compare(const Locals &locals,
                                  const std::vector<int64_t> &wanted,
                                  const TensorInfo &tensor) const {
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    const LocalArray &local = locals[rank];
    for (int64_t e = 0; e < numElements(local.shape); ++e) {
      Shape index = unflatten(local.shape, e);
      bool valid = true;
      for (unsigned d = 0; d < index.size(); ++d) {
        BlockExtent block =
            blockOf(mesh, rank, tensor.shape[d], tensor.sharding.dims[d].axes);
        valid &= index[d] < block.valid;
        index[d] += block.offset;
      }
      if (valid && local.data[e] != wanted[flatten(tensor.shape, index)])
        return "rank " + std::to_string(rank) + ", element " +
               std::to_string(e) + " is wrong";
    }
  }
  return {};
}

std::string OpSimulation::describe() const {
  std::string text = "mesh";
  for (const Mesh::Axis &axis : mesh.axes)
    text += ' ' + axis.name + '=' + std::to_string(axis.size);
  for (const Factor &factor : rule.factors)
    text += ", factor " + std::to_string(factor.size);
  for (auto [operand, needed] : zip_equal(operands, strategy.operands))
    text += "\n  " + operand.sharding.str(mesh) + " -> " + needed.str(mesh);
  return text + "\n  " + strategy.results[0].str(mesh) + " -> " +
         result.sharding.str(mesh);
}

std::string OpSimulation::runCase() {
  ReshardPlanner planner(mesh);
  strategy = chooseStrategy(rule, operands, result, planner);
  int64_t bytes = 0;
  std::vector<Locals> inputs;
  auto move = [&](const TensorInfo &tensor, const Sharding &from,
                  const Sharding &to, Locals &data) {
    const ReshardPlan *plan = planner.plan(tensor.shape, 4, from, to);
    bytes += plan->bytes;
    return Simulator(mesh, tensor.shape, 4).execute(*plan, data);
  };
  for (auto [i, operand] : enumerate(operands)) {
    inputs.push_back(distribute(i));
    std::string wrong =
        move(operand, operand.sharding, strategy.operands[i], inputs.back());
    if (!wrong.empty())
      return wrong;
  }
  Locals made(mesh.numRanks());
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    made[rank].shape = strategy.results[0].localShape(result.shape);
    made[rank].data = compute(inputs, rank, strategy.factors, made[rank].shape);
  }
  std::string wrong = move(result, strategy.results[0], result.sharding, made);
  if (!wrong.empty())
    return wrong;
  if (bytes != strategy.bytes)
    return "the bytes are wrong";
  FactorShardings none(rule.factors.size());
  return compare(made, compute(whole, 0, none, result.shape), result);
}

TEST_P(OpSimulation, GivesWhatTheWholeOpGives) {
  for (int i = 0; i < 800; ++i) {
    chooseOp();
    chooseShardings();
    ASSERT_EQ(runCase(), "") << describe();
  }
}

INSTANTIATE_TEST_SUITE_P(
    Random, OpSimulation,
    testing::Values(OpKind{"Matmul", "ik,kj->ij", false, {{0}, {1}}},
                    OpKind{"BatchMatmul", "lik,lkj->lij", false, {{0}, {1}}},
                    OpKind{"Add", "ij,ij->ij", true, {{0, 1}}},
                    OpKind{"Multiply", "ij,ij->ij", false, {{0}, {1}}},
                    OpKind{"Square", "ij,ij->ij", false, {}},
                    OpKind{"Broadcast", "1j,ij->ij", true, {{0, 1}}},
                    OpKind{"Transpose", "ijk->kij", true, {{0}}},
                    OpKind{"SumOfRows", "ij->i", true, {{0}}},
                    OpKind{"Merge", "ijk->i(jk)", true, {{0}}},
                    OpKind{"Split", "(ij)k->ijk", true, {{0}}},
                    OpKind{"Regroup", "(ij)k->i(jk)", true, {{0}}}),
    [](const auto &info) { return info.param.name; });
