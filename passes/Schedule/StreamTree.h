//===- StreamTree.h - A program as the order of streams sees it -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_SCHEDULE_STREAMTREE_H
#define CLEAVE_PASSES_SCHEDULE_STREAMTREE_H

#include "cleave/Schedule/StreamOrder.h"
#include "dialects/Exec/ExecDialect.h"

namespace cleave {

/// The works of a program in order: its operations, the reads of conditions,
/// and at the end the read of all outputs.
class StreamTree {
public:
  /// Which buffers are the same storage to two works of different streams.
  enum Storage {
    /// A buffer and its views.
    Buffers,
    /// Buffers that share bytes of the arena, too.
    Places
  };
  StreamTree(exec::ProgramOp program, Storage storage);

  const StreamBlock &getBlock() const { return block; }
  /// The operation of a work; that with the condition or the program for a
  /// read.
  mlir::Operation *getOp(unsigned work) const { return ops[work]; }
  /// Moves `builder` to where what precedes a work belongs.
  void setInsertionPointBefore(mlir::OpBuilder &builder, unsigned work) const;

private:
  StreamBlock visit(mlir::Block &block);
  void visit(mlir::Operation *op, StreamBlock &result);
  StreamNode makeRead(mlir::Operation *op, mlir::ValueRange buffers);
  void addAccess(mlir::Value buffer, bool isWrite, exec::Stream stream,
                 llvm::SmallVectorImpl<StreamAccess> &accesses);

  /// What collectives beside the compute stream use; `end` is 0 for what is
  /// not in the arena.
  struct Place {
    mlir::Value buffer;
    int64_t begin = 0, end = 0;
  };
  Place findPlace(mlir::Value buffer) const;
  void addPlace(mlir::Value buffer);

  Storage storage;
  StreamBlock block;
  llvm::SmallVector<mlir::Operation *> ops;
  /// A storage is a position here. All conflicts are between such a use and one
  /// of the compute stream, which names each place that it overlaps.
  llvm::SmallVector<Place> places;
};

} // namespace cleave

#endif // CLEAVE_PASSES_SCHEDULE_STREAMTREE_H
