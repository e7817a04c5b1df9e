//===- ComplexFunctions.cpp - Complex arithmetic on parts -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/ComplexFunctions.h"
#include "dialects/Graph/GraphBuilders.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

LogicalResult reader::buildComplexFunction(ImportedOp &op, StringRef name,
                                           ArrayRef<Tensor> operands,
                                           Parts &result) {
  return op.unsupported() << "'" << op.name() << "' on " << operands[0].element
                          << " is not supported";
}
