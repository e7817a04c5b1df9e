//===- PartialConstraints.h - Values that are to stay partial ---*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SHARDING_PARTIALCONSTRAINTS_H
#define CLEAVE_PASSES_SHARDING_PARTIALCONSTRAINTS_H

#include "passes/Sharding/ShardingGraph.h"

namespace cleave {

/// After propagation: makes the operand of each constraint that is partial over
/// an axis, and what a result is that is annotated so, partial, too, as far
/// back as it takes. An op leaves its result partial if it reduces a dimension
/// that is cut over the axis, or if it is linear in operands that are partial.
/// Fails with a diagnostic at the constraint or terminator where neither holds:
/// nothing makes terms of a whole value.
mlir::LogicalResult keepPartial(mlir::func::FuncOp func, ShardingGraph &graph,
                                const Mesh &mesh);

} // namespace cleave

#endif // CLEAVE_PASSES_SHARDING_PARTIALCONSTRAINTS_H
