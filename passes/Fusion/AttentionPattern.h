//===- AttentionPattern.h - Attention written as primitives -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_FUSION_ATTENTIONPATTERN_H
#define CLEAVE_PASSES_FUSION_ATTENTIONPATTERN_H

#include "dialects/Graph/GraphDialect.h"
#include <optional>

namespace cleave {

/// What a dimension of an operand of attention is. The query heads of a group,
/// which share its keys, are `Head`s; `One` has size 1 and means nothing.
enum class AttentionRole { Batch, Group, Head, Row, Key, Width, One };

/// A value and what its dimensions are.
struct AttentionOperand {
  mlir::Value value;
  llvm::SmallVector<AttentionRole> roles;

  /// Size of the dimension with a role; 1 if there is none.
  int64_t sizeOf(AttentionRole role) const;
};

/// Two products around a softmax that compute
/// softmax(mask(scale * query * key)) * value. `mask`, which may be missing, is
/// added; or, with `fill`, i1, and replaces scores by that where it is false.
struct AttentionPattern {
  AttentionOperand query, key, value, mask;
  double scale = 1;
  std::optional<double> fill;
  /// What the dimensions of the second product are.
  llvm::SmallVector<AttentionRole> resultRoles;
};

/// The attention whose second product is `sums`, if nothing else uses what is
/// computed on the way. Keys and values that were repeated for the heads of a
/// group are taken as they were before.
std::optional<AttentionPattern> matchAttention(graph::DotGeneralOp sums);

} // namespace cleave

#endif // CLEAVE_PASSES_FUSION_ATTENTIONPATTERN_H
