//===- Forms.h - Custom syntax of operations that are only read -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op with a custom syntax has a form: a line of a table (Forms.cpp) that
// says how operands and attributes are written, and how operand and result
// types follow from the types at the end. Ops are printed in the generic form.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_STABLEHLO_FORMS_H
#define CLEAVE_DIALECTS_STABLEHLO_FORMS_H

#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"

namespace cleave::stablehlo {

/// What the types after the colon mean when they are neither a function type
/// nor followed by an arrow.
enum class FormTypes {
  Same,     ///< one type, of every operand and the result
  Pairwise, ///< the operands' types, which are the results', too
  Operands, ///< the operands' types (one: of all); there are no results
  Results,  ///< the results' types; there are no operands
  Select,   ///< the predicate's, then that of the others and the result
  Complex,  ///< the result's, of whose parts the operands are
  Tuple,    ///< the result's, of whose members the operands are
  Value,    ///< none; that of attribute `value` (no colon)
};

/// How an op is written. `syntax` is a list of words:
///
///   %  %...  %...,    one operand; any number, separated by commas; any
///                     number, each followed by a comma
///   =ELEMENT:NAME     an attribute: `ints` [1, 2], `int` and `int32` an
///                     integer, `float`, `bool`, `string`, `symbol` @name as
///                     string, `attr` any attribute, `KIND` an enumerant of
///                     that kind
///   =ranges  =format  =dot  =precision  =conv  =window
///                     attributes of slice, reduce_precision, dot_general,
///                     convolution (FormAttributes.h)
///   ?ELEMENT:NAME,... any of these, each as `, NAME = ELEMENT`
///   ?=KIND:NAME       `, ENUMERANT` or nothing
///   other             itself
struct Form {
  const char *syntax;
  FormTypes types = FormTypes::Same;
};

/// Parses what follows the name of an op; null when there is no op `opName`.
std::optional<mlir::Dialect::ParseOpHook>
getFormParser(mlir::MLIRContext *context, llvm::StringRef opName);

/// Parses an op by its form. Fails with a diagnostic.
mlir::ParseResult parseForm(mlir::OpAsmParser &parser,
                            mlir::OperationState &result, const Form &form);

} // namespace cleave::stablehlo

#endif // CLEAVE_DIALECTS_STABLEHLO_FORMS_H
