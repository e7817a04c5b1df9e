//===- Causes.h - Why a value moves -----------------------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SHARDING_CAUSES_H
#define CLEAVE_PASSES_SHARDING_CAUSES_H

#include "dialects/Spmd/SpmdDialect.h"

namespace cleave {

/// `[{"x"}, {}] partial sum over "y"`, as texts of causes name a placement.
std::string describePlacement(const Sharding &sharding, const Mesh &mesh);

/// ` ("y" on dim 1 from argument 'a')`: why a result, placed like this, is
/// partial, that is, which annotations cut what its op reduces, as the origins
/// of the operands tell. Empty if they tell nothing.
std::string describePartialOrigins(mlir::OpResult result,
                                   const Sharding &placement, const Mesh &mesh);

} // namespace cleave

#endif // CLEAVE_PASSES_SHARDING_CAUSES_H
