//===- OutlineBlockKernels.cpp - Ops that blocks of a GPU run -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/KernelAttributes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Fusion/AttentionLimits.h"
#include "passes/Fusion/OutlineKernel.h"
#include "passes/Fusion/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_OUTLINEBLOCKKERNELS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

/// With fewer output features per group most columns of a product would be
/// empty.
static constexpr int64_t minOutputs = 4;
/// Transforms that may be under way at a time, which have memory each.
static constexpr int64_t maxTransforms = 256;

static bool isFloatWithElements(Type type) {
  return hasFloatsOfKernels(cast<RankedTensorType>(type)) &&
         cast<RankedTensorType>(type).getNumElements() != 0;
}

static bool hasAttentionKernel(AttentionOp op) {
  auto hasElements = [](Type type) {
    return cast<RankedTensorType>(type).getNumElements() != 0;
  };
  return llvm::all_of(op->getOperandTypes(), hasElements) &&
         isAttentionKernel(op.getQuery().getType(), op.getType());
}

/// Whether there is a kernel of blocks for an op.
static bool hasKernel(Operation *op) {
  if (auto attention = dyn_cast<AttentionOp>(op))
    return hasAttentionKernel(attention);
  if (auto convolution = dyn_cast<ConvolutionOp>(op)) {
    RankedTensorType result = convolution.getType();
    return isFloatWithElements(result) &&
           llvm::all_of(op->getOperandTypes(), isFloatWithElements) &&
           convolution.getLhs().getType().getElementType() ==
               convolution.getRhs().getType().getElementType() &&
           result.getDimSize(convolution.getOutputFeatureDimension()) /
                   convolution.getNumGroups() >=
               minOutputs;
  }
  return isa<FftOp, CholeskyOp, TriangularSolveOp>(op);
}

/// Buffers that the kernel needs besides operands and results: what narrow
/// floats are factorized in, and the numbers of transforms.
static SmallVector<RankedTensorType> workspaceOf(Operation *op) {
  Builder b(op->getContext());
  RankedTensorType result = typeOf(op->getResult(0));
  if (auto fft = dyn_cast<FftOp>(op)) {
    int64_t numbers = 1;
    for (int64_t size : fft.getLength())
      numbers *= size;
    int64_t count = 1;
    for (int64_t size : result.getShape().drop_back(fft.getLength().size()))
      count *= size;
    auto type = RankedTensorType::get(
        {std::min(count, maxTransforms), 3, numbers}, b.getF64Type());
    return {type, type};
  }
  bool isNarrow =
      result.getElementType().isF16() || result.getElementType().isBF16();
  if (isa<CholeskyOp, TriangularSolveOp>(op) && isNarrow)
    return SmallVector<RankedTensorType>(op->getNumResults(),
                                         withElement(result, b.getF32Type()));
  return {};
}

static void outline(Operation *op, SymbolTable &symbols, Twine name) {
  Builder b(op->getContext());
  SmallVector<Attribute> workspace;
  for (RankedTensorType type : workspaceOf(op))
    workspace.push_back(TypeAttr::get(type));
  func::FuncOp kernel = fusion::outlineKernel(op, symbols, name);
  if (!workspace.empty())
    kernel->setAttr(kWorkspaceAttr, b.getArrayAttr(workspace));
}

namespace {
struct OutlineBlockKernels
    : public cleave::impl::OutlineBlockKernelsBase<OutlineBlockKernels> {
  using OutlineBlockKernelsBase::OutlineBlockKernelsBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    SmallVector<Operation *> ops;
    getOperation().walk([&](Operation *op) {
      auto function = op->getParentOfType<func::FuncOp>();
      bool isInOrder = !ordered || !isa<AttentionOp, ConvolutionOp>(op);
      if (function && !function->hasAttr(kKernelAttr) && isInOrder &&
          hasKernel(op))
        ops.push_back(op);
    });
    for (auto [number, op] : llvm::enumerate(ops))
      outline(op, symbols, op->getName().stripDialect() + "_" + Twine(number));
  }
};
} // namespace
