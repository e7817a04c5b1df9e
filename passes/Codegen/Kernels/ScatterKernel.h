//===- ScatterKernel.h - What writes scatters as loops ----------*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// In ScatterKernel.cpp all but the form of sorted updates, which has
// SortedScatterKernel.cpp.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_SCATTERKERNEL_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_SCATTERKERNEL_H

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/ScatterDimensions.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"

namespace cleave::codegen {

/// Where an element of the updates goes. Places are without the index of the
/// innermost loop.
struct ScatterTarget {
  /// Places of the start index's first component, of the update and of the
  /// element.
  mlir::Value vector, update, element;
  /// Null if there is nothing that could be out of bounds.
  mlir::Value isInside;
};

class ScatterWriter {
public:
  ScatterWriter(IrregularKernel &kernel, graph::ScatterOp op,
                int64_t innerBlock)
      : k(kernel), op(op), innerBlock(innerBlock), dims(op),
        count(op.getInputs().size()), form(formOf(op)),
        updateShape(k.operand(count + 1).type.getShape()),
        inputShape(k.result(0).type.getShape()),
        updateStrides(graph::rowMajorStrides(updateShape)),
        inputStrides(graph::rowMajorStrides(inputShape)) {}

  llvm::LogicalResult run();

private:
  /// Who makes which updates.
  enum class Form { InOrder, Unique, Atomic, Sorted };
  static Form formOf(graph::ScatterOp op);
  llvm::LogicalResult checkForm();

  void findFreeDims();
  void enterPart(mlir::Value part);
  void copyInputs();
  void applyUpdates();
  ScatterTarget locate(llvm::ArrayRef<mlir::Value> index);
  void applySorted();
  void combine(mlir::Value place, mlir::Value update);
  void combineAtomically(mlir::Value place, mlir::Value update);
  llvm::SmallVector<mlir::Value> runBody(llvm::ArrayRef<mlir::Value> elements,
                                         mlir::Value update);
  /// Runs `body` at each step of the innermost loop, or once with null.
  void overInner(llvm::function_ref<void(mlir::Value)> body);
  mlir::Value startIndex(mlir::Value vector, int64_t component,
                         mlir::Value &isValid);
  mlir::Value addTerm(mlir::Value sum, mlir::Value index, int64_t stride);

  bool isInner(int64_t inputDim) const {
    return hasInner && inputDim + 1 == static_cast<int64_t>(inputShape.size());
  }

  IrregularKernel &k;
  graph::ScatterOp op;
  int64_t innerBlock;
  graph::ScatterDimensions dims;
  unsigned count;
  Form form;
  llvm::ArrayRef<int64_t> updateShape, inputShape;
  llvm::SmallVector<int64_t> updateStrides, inputStrides;

  /// Of the updates, with the dimension of the inputs that each walks.
  llvm::SmallVector<std::pair<int64_t, int64_t>> freeDims;
  bool hasInner = false;
  int64_t numBlocks = 1, numParts = 1;
  /// Indices of free dimensions in this part, by dimension of the updates.
  llvm::SmallVector<mlir::Value> updateIndex;
  mlir::Value innerBegin, innerEnd;
  llvm::LogicalResult status = mlir::success();
};

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_SCATTERKERNEL_H
