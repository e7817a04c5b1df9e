//===- UniformValues.h - Which values are equal on all ranks ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_COLLECTIVES_UNIFORMVALUES_H
#define CLEAVE_PASSES_COLLECTIVES_UNIFORMVALUES_H

#include "dialects/Spmd/ShardingConversion.h"
#include "llvm/ADT/DenseMap.h"

namespace cleave {

/// Over which mesh axes the values of a local function may differ: a forward
/// analysis from the shardings of the arguments and from `spmd.axis_index`
/// through collectives, which make values equal or cut them. A value that is
/// not known to be equal counts as different. Padding is no part of a value.
class UniformValues {
public:
  UniformValues(mlir::FunctionOpInterface func, spmd::MeshOp mesh);

  /// Whether all ranks that differ along `axes` only have the same value.
  bool isUniform(mlir::Value value, llvm::ArrayRef<AxisRef> axes) const;

private:
  /// A bit per mesh axis.
  using Axes = uint64_t;

  Axes all() const { return ~Axes(0); }
  Axes axesOf(llvm::ArrayRef<spmd::AxisAttr> axes, bool wholeOnly) const;
  Axes axesOf(spmd::ShardingAttr sharding) const;
  Axes lookup(mlir::Value value) const { return varies.lookup(value); }
  Axes ofOperands(mlir::Operation *op) const;
  Axes ofCollective(spmd::CollectiveOpInterface op) const;
  Axes ofOp(mlir::Operation *op) const;
  void visit(mlir::Block &block);
  void visitTies(ShardingTieOpInterface op);

  Mesh mesh;
  llvm::DenseMap<mlir::Value, Axes> varies;
};

} // namespace cleave

#endif // CLEAVE_PASSES_COLLECTIVES_UNIFORMVALUES_H
