//===- CollectiveBuilder.h - Collectives from reshard plans -----*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_PARTITION_COLLECTIVEBUILDER_H
#define CLEAVE_PASSES_PARTITION_COLLECTIVEBUILDER_H

#include "dialects/Spmd/SpmdDialect.h"

namespace cleave {

/// Builds the collective of one step of a plan on a local value.
mlir::Value buildCollective(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value operand, const ReshardStep &step,
                            const Mesh &mesh, mlir::StringAttr cause);

} // namespace cleave

#endif // CLEAVE_PASSES_PARTITION_COLLECTIVEBUILDER_H
