//===- SortAlgorithm.h - How rows are sorted ------------------ -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// A stable merge sort, bottom up. The evaluator and kernels take the same
// steps, so that they agree on bodies that are no order, too (a plain `LT` on
// NaN, say).
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_DIALECTS_GRAPH_SORTALGORITHM_H
#define CLEAVE_DIALECTS_GRAPH_SORTALGORITHM_H

#include <cstdint>

namespace cleave::graph {

/// A row is cut into runs of this many elements, the last one shorter, each
/// sorted by insertion: an element moves left past those that it goes before.
/// Then neighbouring runs are merged, again and again; of two runs the right
/// one gives the next element if that goes before the left one's.
inline constexpr int64_t insertionRun = 8;

} // namespace cleave::graph

#endif // CLEAVE_DIALECTS_GRAPH_SORTALGORITHM_H
