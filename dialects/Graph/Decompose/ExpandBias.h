//===- ExpandBias.h - Bias of a linear as an op of its own ------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A linear without bias may leave partial sums over a sharded contracted
// dimension, to be reduced or reduce-scattered where that is cheapest; with a
// bias it must complete them itself.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_DECOMPOSE_EXPANDBIAS_H
#define CLEAVE_DIALECTS_GRAPH_DECOMPOSE_EXPANDBIAS_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

/// `value` plus `bias` broadcast along its leading dimensions.
mlir::Value addBias(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, mlir::Value bias);

/// Builds `linear`, which has a bias, as a linear without bias and an addition
/// that carries its discardable attributes. Returns the sum; does not replace
/// the op.
mlir::Value expandBias(mlir::OpBuilder &builder, LinearOp linear);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_DECOMPOSE_EXPANDBIAS_H
