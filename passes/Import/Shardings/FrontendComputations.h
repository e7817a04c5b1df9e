//===- FrontendComputations.h - Manual ones as calls ---------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// HLO has no regions on local shapes. Programs that went through it have, for
// an `sdy.manual_computation`,
//
//   %x = custom_call @xla.sdy.GlobalToLocalShape(%inputs)
//   %y = call @xla.sdy.manual_computation_body(%x)
//   %results = custom_call @xla.sdy.LocalToGlobalShape(%y)
//
// with the shardings and manual axes as text, on the call or on the custom
// calls around it.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDCOMPUTATIONS_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDCOMPUTATIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace cleave::reader {

/// Makes `sdy.manual_computation`s of such calls, and removes what they call.
/// Fails, with a diagnostic, on a call that is not between the two others.
mlir::LogicalResult readFrontendComputations(mlir::ModuleOp module);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDCOMPUTATIONS_H
