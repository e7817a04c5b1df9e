//===- ShardingReader.cpp - Shardings of values as plain data -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/ShardingReader.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

const Sharding &ShardingReader::convert(ShardingAttr attr, Type type) {
  std::unique_ptr<Sharding> &known = converted[{attr, type}];
  if (!known)
    known = std::make_unique<Sharding>(
        toSharding(attr, mesh, cast<RankedTensorType>(type).getShape()));
  return *known;
}

const Sharding &ShardingReader::of(Value value) {
  return isa<RankedTensorType>(value.getType())
             ? convert(getSharding(value), value.getType())
             : ofScalar;
}

TensorInfo ShardingReader::describe(Value value) {
  TensorInfo info;
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return info;
  info.shape.assign(type.getShape().begin(), type.getShape().end());
  info.elementBytes = elementBytes(type);
  info.sharding = of(value);
  return info;
}

OpStrategy ShardingReader::strategyOf(Operation *op, const ShardingRule &rule,
                                      ReshardPlanner &planner) {
  std::vector<TensorInfo> operands, results;
  for (Value operand : op->getOperands())
    operands.push_back(describe(operand));
  for (Value result : op->getResults())
    results.push_back(describe(result));
  return chooseStrategy(rule, operands, results, planner);
}
