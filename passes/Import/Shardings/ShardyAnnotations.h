//===- ShardyAnnotations.h - Shardings that fit their values ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_SHARDYANNOTATIONS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_SHARDYANNOTATIONS_H

#include "passes/Import/Shardings/ShardyMeshes.h"

namespace cleave::reader {

/// Checks that each `sdy.sharding`, and what Shardy's own ops say, is a
/// sharding of the dimensions that the value has, and that an op has one for
/// each result. Fails, with a diagnostic, where that is not so.
mlir::LogicalResult checkShardyAnnotations(mlir::ModuleOp module,
                                           const ShardyMeshes &meshes);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_SHARDYANNOTATIONS_H
