//===- UpstreamShardingRules.h - Sharding rules of MLIR's own ops ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// linalg structured ops, arith, math and tensor take part in partitioning by
// external models of ShardingRuleOpInterface. They are attached when a host
// loads the dialects; none is loaded for their sake.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_UPSTREAM_UPSTREAMSHARDINGRULES_H
#define CLEAVE_DIALECTS_UPSTREAM_UPSTREAMSHARDINGRULES_H

#include "mlir/IR/DialectRegistry.h"

namespace cleave {

/// linalg structured ops: the rule follows from indexing maps, iterator types
/// and what the body does with the initial value.
void registerLinalgShardingRules(mlir::DialectRegistry &registry);
/// Elementwise arith and math ops and constants.
void registerArithShardingRules(mlir::DialectRegistry &registry);
/// tensor.empty, splat, expand_shape and collapse_shape.
void registerTensorShardingRules(mlir::DialectRegistry &registry);

/// All of the above.
void registerUpstreamShardingRules(mlir::DialectRegistry &registry);

} // namespace cleave

#endif // CLEAVE_DIALECTS_UPSTREAM_UPSTREAMSHARDINGRULES_H
