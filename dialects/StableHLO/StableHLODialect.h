//===- StableHLODialect.h - Dialects that are only read ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_STABLEHLO_STABLEHLODIALECT_H
#define CLEAVE_DIALECTS_STABLEHLO_STABLEHLODIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/StableHLO/StableHLODialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/StableHLOAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/StableHLO/StableHLOTypes.h.inc"

#define GET_OP_CLASSES
#include "dialects/StableHLO/StableHLOOps.h.inc"

#include "dialects/StableHLO/ChloDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/ChloOps.h.inc"

#include "dialects/StableHLO/CheckDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/CheckOps.h.inc"

#include "dialects/StableHLO/InterpreterDialect.h.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/InterpreterOps.h.inc"

namespace cleave {

/// The dialects that exporters of StableHLO print: stablehlo, chlo, check,
/// interpreter, sdy, and those whose attributes they attach (mhlo, jax, tf,
/// xla) unless the registry has them already. Never part of registerDialects().
void registerStableHLODialects(mlir::DialectRegistry &registry);

} // namespace cleave

#endif // CLEAVE_DIALECTS_STABLEHLO_STABLEHLODIALECT_H
