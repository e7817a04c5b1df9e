//===- StableHLOOps.cpp - Operations of StableHLO -------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/StableHLO/StableHLODialect.h"

using namespace mlir;

#define GET_OP_CLASSES
#include "dialects/StableHLO/StableHLOOps.cpp.inc"

void cleave::stablehlo::StableHLODialect::addAllOperations() {
  addOperations<
#define GET_OP_LIST
#include "dialects/StableHLO/StableHLOOps.cpp.inc"
      >();
}
