//===- Divergence.h - Where a sharded program goes wrong --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_TOOLS_CLEAVE_DIVERGENCE_H
#define CLEAVE_TOOLS_CLEAVE_DIVERGENCE_H

#include "tools/cleave/Model.h"
#include "tools/cleave/Reference.h"

namespace cleave::tool {

/// The first value of the entry function that is beyond its bound.
struct Divergence {
  /// Empty if no inner value diverges when it is looked at.
  std::string op;
  std::string location;
  mlir::RankedTensorType type;
  graph::TensorError error;
};

/// Recompiles the model with values of the entry function as further results,
/// narrowing down until the first that diverges is known. Returns the exit
/// status, after a diagnostic if that is not 0.
int findDivergence(Model &model, const Options &options,
                   llvm::ArrayRef<std::vector<char>> inputs,
                   Divergence &divergence);

} // namespace cleave::tool

#endif // CLEAVE_TOOLS_CLEAVE_DIVERGENCE_H
