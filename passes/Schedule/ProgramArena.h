//===- ProgramArena.h - Live ranges of the buffers of a program -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_PROGRAMARENA_H
#define CLEAVE_PASSES_SCHEDULE_PROGRAMARENA_H

#include "cleave/Schedule/ArenaPlan.h"
#include "dialects/Exec/ExecDialect.h"

namespace cleave {

/// The buffers of a program without events, in order, and while which
/// operations they are in use. Those of the communication stream are until the
/// compute stream depends on them, or on what follows them there: events are
/// placed by bytes later, so that sharing bytes cannot be wrong, and these
/// ranges keep it from making one stream wait for the other.
struct ProgramBuffers {
  explicit ProgramBuffers(exec::ProgramOp program);

  llvm::SmallVector<exec::BufferOp> buffers;
  llvm::SmallVector<LiveRange> ranges;
  /// Operations and their numbers, which the ranges count.
  llvm::SmallVector<std::pair<mlir::Operation *, int64_t>> positions;
};

} // namespace cleave

#endif // CLEAVE_PASSES_SCHEDULE_PROGRAMARENA_H
