//===- ManualRules.h - Free axes in manual computations ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the author of a manual computation wrote for its manual axes stays as it
// is when the body is partitioned along free ones. An op that acts along manual
// axes in one dimension can be cut in the others.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_MANUALRULES_H
#define CLEAVE_DIALECTS_SPMD_MANUALRULES_H

#include "cleave/Partition/ShardingRule.h"
#include "dialects/Spmd/SpmdDialect.h"

namespace cleave::spmd {

/// How a collective, mask_padding or axis_index in the body of a manual
/// computation may be cut over free axes: along all dimensions but those that
/// it gathers, cuts or extends. None for other ops.
///
/// These ops have no ShardingRuleOpInterface, which would say that they may be
/// cut over any axes: an all_reduce over "x" is not that of slices over "x".
std::optional<ShardingRule> getManualRule(mlir::Operation *op);

/// Whether a collective does the same at each position of an axis, among ranks
/// of that position only.
bool isSameAlong(CollectiveOpInterface op, AxisId axis, const Mesh &mesh);

} // namespace cleave::spmd

#endif // CLEAVE_DIALECTS_SPMD_MANUALRULES_H
