//===- FrontendText.h - Attributes kept as text --------------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What HLO does not know it keeps as text, in `mhlo.frontend_attributes`.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDTEXT_H
#define CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDTEXT_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace cleave::reader {

constexpr llvm::StringLiteral kFrontendAttributes = "mhlo.frontend_attributes";

/// The entry `name` of frontend attributes, which may be null; null if there is
/// none.
mlir::Attribute frontendEntry(mlir::Attribute frontend, llvm::StringRef name);
inline mlir::Attribute frontendEntry(mlir::Operation *op,
                                     llvm::StringRef name) {
  return frontendEntry(op->getAttr(kFrontendAttributes), name);
}

/// What an attribute says, which may be text of text; null if it says nothing.
mlir::Attribute readText(mlir::Attribute value);

/// The same as a `T`; fails with a diagnostic at `loc` where it is none.
template <typename T>
mlir::FailureOr<T> readTextAs(mlir::Location loc, llvm::StringRef name,
                              mlir::Attribute value) {
  if (auto read = mlir::dyn_cast_if_present<T>(readText(value)))
    return read;
  return mlir::emitError(loc) << "cannot read " << name << ": " << value;
}

} // namespace cleave::reader

#endif // CLEAVE_PASSES_IMPORT_SHARDINGS_FRONTENDTEXT_H
