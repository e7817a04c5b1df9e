//===- RankArithmetic.h - Where a rank's block lies -------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_SPMD_RANKARITHMETIC_H
#define CLEAVE_DIALECTS_SPMD_RANKARITHMETIC_H

#include "dialects/Spmd/SpmdDialect.h"

namespace cleave {

/// First index, tensor<i32>, of this rank's block of a dimension of `size`
/// elements cut over `axes`.
mlir::Value buildBlockOffset(mlir::OpBuilder &builder, mlir::Location loc,
                             const Mesh &mesh, int64_t size,
                             llvm::ArrayRef<AxisRef> axes);

/// Valid elements, tensor<i32>, of that block: between 0 and its extent.
mlir::Value buildValidCount(mlir::OpBuilder &builder, mlir::Location loc,
                            const Mesh &mesh, int64_t size,
                            llvm::ArrayRef<AxisRef> axes);

} // namespace cleave

#endif // CLEAVE_DIALECTS_SPMD_RANKARITHMETIC_H
