//===- StorageOf.h - What values and buffers share --------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_STORAGEOF_H
#define CLEAVE_PASSES_SCHEDULE_STORAGEOF_H

#include "dialects/Exec/ExecDialect.h"
#include "dialects/Graph/GraphDialect.h"

namespace cleave {

using exec::storageOf;

/// The value that reshapes reshape: both share a buffer.
inline mlir::Value throughReshapes(mlir::Value value) {
  while (auto reshape = value.getDefiningOp<graph::ReshapeOp>())
    value = reshape.getOperand();
  return value;
}

} // namespace cleave

#endif // CLEAVE_PASSES_SCHEDULE_STORAGEOF_H
