//===- LoopKernel.h - A bufferized kernel as loop nests ---------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel is a sequence of loop nests over flat buffers. Each operand is read
// or written at a position that is linear in the loops.
//
// Rows: the leading parallel loops that all nests have in common, such that
// what one nest writes another reads at the same indices. One loop over the
// rows then runs all nests, and temporaries need the room of one row.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_NESTS_LOOPKERNEL_H
#define CLEAVE_PASSES_CODEGEN_NESTS_LOOPKERNEL_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"

namespace cleave::codegen {

/// Memory of a kernel: an argument or a temporary.
struct NestBuffer {
  mlir::MemRefType type;
  bool isTemporary = false;
  bool isWritten = false;
  /// Written once before the rows and read by all of them.
  bool isShared = false;
  /// One-dimensional memref in the new function.
  mlir::Value flat;

  int64_t totalElements() const { return type.getNumElements(); }
  /// A temporary that each row has for itself. (One that is never written only
  /// gave loops their extents.)
  bool isOfRow() const { return isTemporary && isWritten && !isShared; }
};

/// A position in a buffer: constant + sum(coefficient * loop) + dynamic terms.
struct NestAccess {
  /// Null for an operand that is a scalar, or is never read.
  NestBuffer *buffer = nullptr;
  llvm::SmallVector<int64_t> coefficients;
  int64_t constant = 0;
  /// Values of the old function, each with a factor.
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> dynamic;
  /// Leading dimensions of the buffer that are indexed by the loop of the same
  /// number.
  int64_t alignedDims = 0;
};

struct LoopNest {
  mlir::linalg::LinalgOp op;
  /// Parallel loops, then reduction loops.
  llvm::SmallVector<int64_t> extents;
  int64_t numParallel = 0;
  llvm::SmallVector<NestAccess> accesses;
  /// Loop of the nest for each loop of the op; -1 where the index is always 0.
  llvm::SmallVector<int64_t> loopOf;
  /// Runs before the rows.
  bool isPreamble = false;
  /// Each step of the reduction loop stores its accumulator; the first one
  /// starts from the second operand, a scalar.
  bool isScan = false;

  mlir::Block *body() const { return &op->getRegion(0).front(); }
  unsigned numInputs() const { return inputCount; }
  llvm::ArrayRef<NestAccess> inputs() const {
    return llvm::ArrayRef(accesses).take_front(inputCount);
  }
  llvm::ArrayRef<NestAccess> outputs() const {
    return llvm::ArrayRef(accesses).drop_front(inputCount);
  }
  bool isReduction() const {
    return numParallel < static_cast<int64_t>(extents.size());
  }
  unsigned inputCount = 0;
};

class LoopKernel {
public:
  /// Fails with a diagnostic on what is no kernel.
  static mlir::FailureOr<LoopKernel> analyze(mlir::func::FuncOp kernel);

  NestBuffer *bufferOf(mlir::Value memref) const {
    return bufferOfValue.lookup(memref);
  }

  /// Builds the scalar ops on the flat buffers.
  void cloneScalarOps(mlir::OpBuilder &builder, mlir::IRMapping &scalars) const;

  std::vector<std::unique_ptr<NestBuffer>> buffers;
  std::vector<LoopNest> nests;
  /// Ops outside of nests: loads of scalars and index arithmetic.
  llvm::SmallVector<mlir::Operation *> scalarOps;
  /// Number of row loops, the first of every nest that is no preamble.
  int64_t numRowLoops = 0;
  llvm::SmallVector<int64_t> rowExtents;

private:
  mlir::LogicalResult addNest(mlir::linalg::LinalgOp op);
  bool onlyWrites(const LoopNest &nest) const;
  int64_t commonPrefix() const;
  void choosePreamble();
  bool indexIsUsed(const LoopNest &nest, int64_t loop) const;
  bool canMerge(const LoopNest &nest, int64_t loop) const;
  void merge(LoopNest &nest, int64_t loop);
  void mergeLoops();

  llvm::DenseMap<mlir::Value, NestBuffer *> bufferOfValue;
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_NESTS_LOOPKERNEL_H
