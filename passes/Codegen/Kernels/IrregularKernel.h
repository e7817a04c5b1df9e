//===- IrregularKernel.h - A kernel of one op as scalar loops - -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The frame of a kernel whose op does not run in rows of linalg operations:
// `func(buffers..., begin, end)`, where buffers are flat memrefs of stored
// elements (inputs, then results, then workspace) and [begin, end) are the
// parts of the kernel that a call runs, in any order and on any threads. Who
// writes a kernel adds loops over `begin` to `end` and says how many parts
// there are. An operand that a result replaces in place (see
// `inPlaceArguments`) has the buffer of that result. LLVM makes vectors of the
// innermost loops where it can.
//
//===----------------------------------------------------------------------===//

#ifndef CLEAVE_PASSES_CODEGEN_KERNELS_IRREGULARKERNEL_H
#define CLEAVE_PASSES_CODEGEN_KERNELS_IRREGULARKERNEL_H

#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Codegen/Kernels/KernelBuilder.h"

namespace cleave::codegen {

class IrregularKernel : public KernelBuilder {
public:
  /// Starts the new body of `function`, which holds `op` and constants of equal
  /// elements. Fails with a diagnostic on other functions.
  static mlir::FailureOr<IrregularKernel> start(mlir::func::FuncOp function,
                                                mlir::Operation *op);

  const KernelBuffer &operand(unsigned index) const { return operands[index]; }
  const KernelBuffer &result(unsigned index) const { return results[index]; }
  /// Whether the result starts with the elements of an operand.
  bool isInPlace(unsigned result, unsigned operand) const {
    return results[result].memref == operands[operand].memref;
  }
  const KernelBuffer &workspace(unsigned index) const {
    return workspaces[index];
  }
  mlir::Value getEnd() const { return end; }

  void loopOverParts(LoopBody body) { loop(begin, end, body); }
  /// Puts the body in place of the old one; `parts` is the range of
  /// [begin, end) over all calls.
  void finish(int64_t parts);

private:
  explicit IrregularKernel(mlir::func::FuncOp function);
  KernelBuffer addBuffer(mlir::RankedTensorType type);

  mlir::func::FuncOp function;
  mlir::Block *block;
  llvm::SmallVector<KernelBuffer> operands, results, workspaces;
  mlir::Value begin, end;
};

// The kernels, each in a file of its own. They fail with a diagnostic at an op
// of a body that has no code.
/// A part of a scatter has up to `innerBlock` neighbours of the last dimension.
llvm::LogicalResult writeScatter(IrregularKernel &kernel, graph::ScatterOp op,
                                 int64_t innerBlock);
llvm::LogicalResult writeSort(IrregularKernel &kernel, graph::SortOp op);
llvm::LogicalResult writeRandomBits(IrregularKernel &kernel,
                                    graph::RngBitGeneratorOp op);

/// For each result of a kernel the argument whose buffer it is computed in, or
/// -1; empty if each has a buffer of its own. Such an argument is no parameter.
inline llvm::ArrayRef<int64_t> inPlaceArguments(mlir::func::FuncOp kernel) {
  auto attr =
      kernel->getAttrOfType<mlir::DenseI64ArrayAttr>(graph::kInPlaceAttr);
  return attr ? attr.asArrayRef() : llvm::ArrayRef<int64_t>();
}

/// Whether a function is a kernel that still consists of tensor operations.
inline bool isTensorKernel(mlir::func::FuncOp function) {
  return function->hasAttr(graph::kKernelAttr) &&
         !function->hasAttr(graph::kExtentAttr) && !function.isExternal();
}

} // namespace cleave::codegen

#endif // CLEAVE_PASSES_CODEGEN_KERNELS_IRREGULARKERNEL_H
