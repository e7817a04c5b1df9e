//===- SumOrder.h - Sums in the order of the index --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Floats that are added in another order give another result. A function that
// keeps the order (`--math stepwise`) computes the same bits on any number of
// ranks: what ranks would sum up apart, each from its own block, is not cut.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SUMORDER_H
#define CLEAVE_DIALECTS_GRAPH_SUMORDER_H

#include "cleave/Partition/ShardingRule.h"
#include "mlir/IR/Operation.h"

namespace cleave::graph {

/// Unit attribute of a function whose floats are added and multiplied in the
/// order of the index. cleave-order-sums sets it.
inline constexpr llvm::StringLiteral kOrderedSums = "cleave.ordered_sums";

/// Whether `op` is in such a function.
bool hasOrderedSums(mlir::Operation *op);

/// Makes `rule`, which is that of `op`, demand whole dimensions where ranks
/// with parts of them would combine rounded floats: sums and products over a
/// cut dimension, scans along one, statistics of normalisations.
void keepSumsWhole(mlir::Operation *op, ShardingRule &rule);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SUMORDER_H
