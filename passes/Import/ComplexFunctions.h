//===- ComplexFunctions.h - Complex arithmetic on parts -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_COMPLEXFUNCTIONS_H
#define CLEAVE_PASSES_IMPORT_COMPLEXFUNCTIONS_H

#include "passes/Import/Elementwise.h"

namespace cleave::reader {

/// The elementwise function `name` of complex tensors of one shape; one part
/// for abs, two for others. Fails, with a diagnostic, if there is none.
llvm::LogicalResult buildComplexFunction(ImportedOp &op, llvm::StringRef name,
                                         llvm::ArrayRef<Tensor> operands,
                                         Parts &result);

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_COMPLEXFUNCTIONS_H
