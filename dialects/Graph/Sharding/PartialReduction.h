//===- PartialReduction.h - Reductions that go by parts ------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SHARDING_PARTIALREDUCTION_H
#define CLEAVE_DIALECTS_GRAPH_SHARDING_PARTIALREDUCTION_H

#include "dialects/Graph/GraphDialect.h"

namespace cleave::graph {

/// Whether the elements may be reduced part by part, each part from the initial
/// values, and the parts' results then once more: the function is associative,
/// and initial values in between change nothing. The specification asks this of
/// every reduction, but no verifier can: it is tried out on some elements. Only
/// constant initial values are known to change nothing.
bool reducesInParts(ReduceOp op);

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SHARDING_PARTIALREDUCTION_H
