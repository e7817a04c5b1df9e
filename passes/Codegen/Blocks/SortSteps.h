//===- SortSteps.h - The steps of a sort ---------------------- -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code of the steps of SortAlgorithm.h, for whoever says which rows are sorted,
// where, and by which threads.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_BLOCKS_SORTSTEPS_H
#define CLEAVE_PASSES_CODEGEN_BLOCKS_SORTSTEPS_H

#include "dialects/Graph/GraphDialect.h"
#include "passes/Codegen/Kernels/KernelBuilder.h"

namespace cleave::codegen {

/// Where the elements of a row are: in one buffer per input, `stride` apart
/// from `base` on.
struct SortRow {
  llvm::SmallVector<KernelBuffer> buffers;
  mlir::Value base;
  int64_t stride;
};

class SortSteps {
public:
  using Elements = llvm::SmallVector<mlir::Value>;

  SortSteps(KernelBuilder &kernel, graph::SortOp op)
      : k(kernel), b(kernel.b), op(op),
        size(mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType())
                 .getDimSize(op.getDimension())) {}

  int64_t getSize() const { return size; }
  Elements load(const SortRow &row, mlir::Value at);
  void store(const SortRow &row, mlir::Value at, mlir::ValueRange elements);
  /// Whether `left` goes first, by the body of the op.
  mlir::Value goesBefore(mlir::ValueRange left, mlir::ValueRange right);
  /// Sorts the run of `from` that starts at `runBegin` into `to`.
  void sortRun(const SortRow &from, const SortRow &to, mlir::Value runBegin);
  /// Merges the run of `width` elements at `leftBegin` and the next one.
  void mergePair(const SortRow &from, const SortRow &to, mlir::Value leftBegin,
                 mlir::Value width);
  /// How often runs are merged until one is the row.
  int64_t getNumMerges() const;
  /// Doubles a width from `first` on, that of sorted runs, until it is the
  /// row's size, in steps of two merges, there and back; one more than needed
  /// only copies.
  void
  doubleWidths(int64_t first,
               llvm::function_ref<void(mlir::Value width, bool isBack)> merge);
  /// Fails if the body has an op without code, after its diagnostic.
  llvm::LogicalResult getStatus() const { return status; }

private:
  void insert(const SortRow &from, const SortRow &to, mlir::Value runBegin,
              mlir::Value at);

  KernelBuilder &k;
  mlir::ImplicitLocOpBuilder &b;
  graph::SortOp op;
  int64_t size;
  llvm::LogicalResult status = mlir::success();
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_BLOCKS_SORTSTEPS_H
