//===- ManualRegions.h - Regions between full and shard shapes --*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Import/Shardings/ManualBorders.h"

namespace cleave::reader {

/// Moves what lies between entries and exits into `spmd.manual_computation`s.
/// Fails, with a diagnostic, where code on local shapes uses or yields values
/// that did not pass through them.
mlir::LogicalResult formManualRegions(mlir::func::FuncOp function,
                                      CallShardings &shardings);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_MANUALREGIONS_H
