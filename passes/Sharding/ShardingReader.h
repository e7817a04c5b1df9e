//===- ShardingReader.h - Shardings of values as plain data -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SHARDING_SHARDINGREADER_H
#define CLEAVE_PASSES_SHARDING_SHARDINGREADER_H

#include "cleave/Partition/OpStrategy.h"
#include "dialects/Spmd/SpmdDialect.h"

namespace cleave {

/// Reads shardings after propagation. Attributes repeat; converting each once
/// keeps passes linear in the size of the program.
class ShardingReader {
public:
  explicit ShardingReader(const Mesh &mesh) : mesh(mesh) {}

  /// Of a tensor of type `type`.
  const Sharding &convert(spmd::ShardingAttr attr, mlir::Type type);
  /// Of a value that is no tensor: one without dimensions, since it is the same
  /// on every rank.
  const Sharding &of(mlir::Value value);
  TensorInfo describe(mlir::Value value);
  /// How an op executes, given the shardings of its operands and results.
  OpStrategy strategyOf(mlir::Operation *op, const ShardingRule &rule,
                        ReshardPlanner &planner);

private:
  const Mesh &mesh;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Type>,
                 std::unique_ptr<Sharding>>
      converted;
  Sharding ofScalar;
};

} // namespace cleave

#endif // CLEAVE_PASSES_SHARDING_SHARDINGREADER_H
