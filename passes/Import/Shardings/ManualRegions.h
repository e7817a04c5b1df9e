//===- ManualRegions.h - Regions between full and shard shapes --*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GSPMD programs enter code on local shapes through
// `custom_call @SPMDFullToShardShape` and leave it through
// `custom_call @SPMDShardToFullShape`.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H

#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cleave::reader {

/// The sharding that an `mhlo.sharding` says for a value of a type; null where
/// there is none.
using ShardingOf =
    llvm::function_ref<spmd::ShardingAttr(mlir::Attribute, mlir::Type)>;

bool isCallOf(stablehlo::CustomCallOp call, llvm::StringRef target);

/// Moves what lies between the two custom calls into
/// `spmd.manual_computation`s. Fails, with a diagnostic, where code on local
/// shapes uses or yields values that did not pass through them.
mlir::LogicalResult formManualRegions(mlir::func::FuncOp function,
                                      ShardingOf shardingOf);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H
