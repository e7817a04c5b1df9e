//===- WriteBlockKernels.cpp - Kernels that blocks of a GPU run -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Blocks/BlockKernel.h"
#include "passes/Codegen/GPU/GPUMapping.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cleave {
#define GEN_PASS_DEF_WRITEBLOCKKERNELS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

/// The only op of a kernel besides constants; null if there are several.
static Operation *onlyOp(func::FuncOp kernel) {
  Operation *only = nullptr;
  for (Operation &op : kernel.getBody().front().without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    if (only)
      return nullptr;
    only = &op;
  }
  return only;
}

/// Convolutions that are products of matrices of floats; others are loops.
static bool isProduct(ConvolutionOp op) {
  Type element = op.getLhs().getType().getElementType();
  auto isKnown = [](Type type) {
    return type.isF32() || type.isF16() || type.isBF16();
  };
  return isKnown(element) && isKnown(op.getType().getElementType()) &&
         op.getRhs().getType().getElementType() == element &&
         op.getLhs().getType().getNumElements() != 0 &&
         op.getRhs().getType().getNumElements() != 0 &&
         op.getType().getNumElements() != 0;
}

/// Rows that one thread sorts faster than several, which wait for each other.
static bool isWorthBlock(SortOp op) {
  constexpr int64_t shortRow = 64;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  return type.getNumElements() != 0 &&
         type.getDimSize(op.getDimension()) > shortRow;
}

namespace {
struct WriteBlockKernels
    : public cleave::impl::WriteBlockKernelsBase<WriteBlockKernels> {
  using WriteBlockKernelsBase::WriteBlockKernelsBase;

  void runOnOperation() override {
    GPUModuleBuilder functions(getOperation());
    BlockKernelOptions options;
    options.tf32 = tf32;
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      Operation *op = isTensorKernel(kernel) ? onlyOp(kernel) : nullptr;
      if (op && failed(write(functions, kernel, op, options)))
        return signalPassFailure();
    }
  }

  /// A kernel that has nothing to compute.
  static LogicalResult writeNothing(GPUModuleBuilder &functions,
                                    func::FuncOp kernel, Operation *op) {
    FailureOr<BlockKernel> k =
        BlockKernel::start(functions, kernel, op, warpSize);
    if (succeeded(k))
      k->finish(1);
    return LogicalResult(k);
  }

  /// Leaves other kernels as they are.
  static LogicalResult write(GPUModuleBuilder &functions, func::FuncOp kernel,
                             Operation *op, const BlockKernelOptions &options) {
    if (isa<FftOp, CholeskyOp, TriangularSolveOp>(op) &&
        llvm::all_of(op->getResultTypes(), [](Type type) {
          return cast<RankedTensorType>(type).getNumElements() == 0;
        }))
      return writeNothing(functions, kernel, op);
    return llvm::TypeSwitch<Operation *, LogicalResult>(op)
        .Case([&](AttentionOp attention) {
          return writeAttention(functions, kernel, attention, options);
        })
        .Case([&](ConvolutionOp convolution) {
          return isProduct(convolution)
                     ? writeConvolution(functions, kernel, convolution)
                     : success();
        })
        .Case([&](CholeskyOp factor) {
          return writeCholesky(functions, kernel, factor);
        })
        .Case([&](TriangularSolveOp solve) {
          return writeTriangularSolve(functions, kernel, solve);
        })
        .Case([&](FftOp fft) { return writeFft(functions, kernel, fft); })
        .Case([&](SortOp sort) {
          return isWorthBlock(sort) ? writeBlockSort(functions, kernel, sort)
                                    : success();
        })
        .Default(success());
  }
};
} // namespace
