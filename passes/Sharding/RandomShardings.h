//===- RandomShardings.h - Random valid shardings, for tests ----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SHARDING_RANDOMSHARDINGS_H
#define CLEAVE_PASSES_SHARDING_RANDOMSHARDINGS_H

#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace cleave {

/// Gives every argument and result of `entry` that has no sharding yet, and
/// about a third of the inner values, a random valid one: any axes in any
/// order, whether they divide the dimension or not.
void annotateRandomly(mlir::func::FuncOp entry, spmd::MeshOp mesh,
                      uint64_t seed);

} // namespace cleave

#endif // CLEAVE_PASSES_SHARDING_RANDOMSHARDINGS_H
