//===- CloseRegions.h - Regions that use values from outside ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_REWRITES_CLOSEREGIONS_H
#define CLEAVE_PASSES_IMPORT_REWRITES_CLOSEREGIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace cleave::reader {

/// Makes scalars from outside that the computation of a sort, map, reduce,
/// reduce_window or scatter uses operands of the op, broadcast to the shape of
/// the others: cleave's computations use nothing but their arguments.
/// Constants stay, since they can be repeated inside.
void closeRegions(mlir::ModuleOp module);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_REWRITES_CLOSEREGIONS_H
