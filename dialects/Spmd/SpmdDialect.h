//===- SpmdDialect.h - The spmd dialect -------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_SPMDDIALECT_H
#define CLEAVE_DIALECTS_SPMD_SPMDDIALECT_H

#include "cleave/Partition/HaloExchange.h"
#include "cleave/Partition/ReshardPlan.h"
#include "cleave/Partition/Sharding.h"
#include "cleave/Partition/WindowExchange.h"
#include "dialects/Graph/GraphDialect.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "dialects/Spmd/SpmdDialect.h.inc"
#include "dialects/Spmd/SpmdEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Spmd/SpmdAttrs.h.inc"

#include "dialects/Spmd/SpmdInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Spmd/SpmdOps.h.inc"

#endif // CLEAVE_DIALECTS_SPMD_SPMDDIALECT_H
