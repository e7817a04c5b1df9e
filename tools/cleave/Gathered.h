//===- Gathered.h - Ops without a parallel form -----------------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_GATHERED_H
#define CLEAVE_TOOLS_CLEAVE_GATHERED_H

#include "mlir/IR/BuiltinOps.h"
#include <map>
#include <string>

namespace cleave::tool {

/// After the phase sharding: how many ops, by name, get an operand gathered
/// along a dimension that their rule cannot cut. Gathers for other reasons,
/// such as a constraint or an operand that is cut otherwise, do not count.
std::map<std::string, int> countGathered(mlir::ModuleOp module);

/// Warns of the same, with the location, what is gathered and why it is cut.
/// Ops that gather alike, those of layers or of a function that is called
/// often, are one warning, with their number and where some of them are. The
/// pass that propagates shardings has warned of ops without any rule.
void warnOfGathered(mlir::ModuleOp module);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_GATHERED_H
