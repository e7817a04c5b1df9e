//===- GraphOps.td - Operations of the cleave dialect -*- tablegen -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_GRAPH_OPS_TD
#define CLEAVE_GRAPH_OPS_TD

include "dialects/Graph/GraphDialect.td"
include "dialects/Graph/GraphInterfaces.td"
include "dialects/Graph/Primitives.td"
include "dialects/Graph/Composites.td"
include "dialects/Graph/IndexedPrimitives.td"
include "dialects/Graph/LinearAlgebraPrimitives.td"
include "dialects/Graph/WindowPrimitives.td"

// Primitives are written once and defined for each dialect that has them.
defm Cleave : Primitives<Cleave_Dialect>;

#endif // CLEAVE_GRAPH_OPS_TD
