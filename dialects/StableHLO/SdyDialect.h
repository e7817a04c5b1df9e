//===- SdyDialect.h - The sdy dialect, to be read ---------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_STABLEHLO_SDYDIALECT_H
#define CLEAVE_DIALECTS_STABLEHLO_SDYDIALECT_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

#include "dialects/StableHLO/SdyDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/StableHLO/SdyAttrs.h.inc"
#define GET_OP_CLASSES
#include "dialects/StableHLO/SdyOps.h.inc"

#endif // CLEAVE_DIALECTS_STABLEHLO_SDYDIALECT_H
