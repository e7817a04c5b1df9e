//===- ParallelCopy.h - Order copies that happen at once --------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_SCHEDULE_PARALLELCOPY_H
#define CLEAVE_SCHEDULE_PARALLELCOPY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

namespace cleave {

/// A copy between storages, which are opaque numbers. Different storages do
/// not overlap.
struct CopyStep {
  unsigned from = 0;
  unsigned to = 0;
  /// Index of the requested copy that this step performs.
  unsigned copy = 0;
  enum Kind {
    /// The copy itself.
    Direct,
    /// Saves `from`, which a later step overwrites, in a temporary of copy
    /// `copy`.
    Save,
    /// From that temporary to `to`.
    Restore
  } kind = Direct;

  bool operator==(const CopyStep &o) const {
    return from == o.from && to == o.to && copy == o.copy && kind == o.kind;
  }
};

/// Steps with the effect of all `copies` (pairs from, to) at once: no step
/// overwrites what a later one still reads. Targets are distinct. Copies of a
/// storage to itself vanish. There is one temporary per cycle.
llvm::SmallVector<CopyStep>
orderCopies(llvm::ArrayRef<std::pair<unsigned, unsigned>> copies);

} // namespace cleave

#endif // CLEAVE_SCHEDULE_PARALLELCOPY_H
