//===- ExecVerification.h - Checks that verifiers share ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_EXEC_EXECVERIFICATION_H
#define CLEAVE_DIALECTS_EXEC_EXECVERIFICATION_H

#include "mlir/IR/Operation.h"

namespace cleave::exec {

/// `written` is no view of a buffer of `others`; other buffers are kept apart
/// by cleave-plan-arena.
llvm::LogicalResult verifyNoAlias(mlir::Operation *op, mlir::Value written,
                                  mlir::ValueRange others);
/// `written` is no constant.
llvm::LogicalResult verifyNotConstant(mlir::Operation *op, mlir::Value written);

} // namespace cleave::exec

#endif // CLEAVE_DIALECTS_EXEC_EXECVERIFICATION_H
