//===- Passes.td - Passes that read other dialects -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_IMPORT_TD
#define CLEAVE_PASSES_IMPORT_TD

include "mlir/Pass/PassBase.td"

def ConvertStableHLOToCleave : Pass<"cleave-convert-stablehlo-to-cleave", "::mlir::ModuleOp"> {
  let summary = "Rebuild functions of StableHLO as functions of cleave";
  let description = [{
    Each function is built anew: calls and composites are replaced by what they call, complex
    numbers by their real and imaginary parts, tuples by their members; tokens vanish. Attributes that
    conversion does not know are kept on the op that yields the result.

    What a program checks (`check.*`) becomes results of the entry function, see Expectation.h.
    Arguments of several parts are called `NAME.real`, `NAME.imag`, `NAME.0` and so on. An op, a
    type or a form that `cleave` does not have is an error at its location. Modules without StableHLO
    stay as they are.
  }];
  let dependentDialects = ["::cleave::graph::CleaveDialect", "::mlir::func::FuncDialect"];
}

#endif // CLEAVE_PASSES_IMPORT_TD
