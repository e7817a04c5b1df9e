//===- SelectConvolutions.cpp - Convolutions as library calls -------------===//
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
#include "passes/Fusion/LibraryCall.h"
#include "passes/Fusion/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_SELECTCONVOLUTIONS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

/// With fewer output features per group than this most lanes of a product would
/// be empty; a kernel has its lanes along all of the innermost dimension.
static constexpr int64_t minOutputs = 4;

static bool isWorthCall(ConvolutionOp op) {
  int64_t outputs = op.getType().getDimSize(op.getOutputFeatureDimension()) /
                    op.getNumGroups();
  return outputs >= minOutputs && op.getType().getNumElements() > 0;
}

/// Widens the operands to the element type of the result.
static ConvolutionOp normalize(ConvolutionOp op) {
  OpBuilder b(op);
  // Truth values are counted: their sum is "or", which asks for any.
  Type result = op.getType().getElementType();
  Type element = result.isInteger(1) ? Type(b.getI32Type()) : result;
  if (op.getLhs().getType().getElementType() == element)
    return op;
  Location loc = op.getLoc();
  Value lhs = convertElement(b, loc, op.getLhs(), element);
  Value rhs = convertElement(b, loc, op.getRhs(), element);
  auto widened = cast<ConvolutionOp>(b.clone(*op));
  widened->setOperands({lhs, rhs});
  widened.getResult().setType(withElement(op.getType(), element));
  op.getResult().replaceAllUsesWith(convertElement(b, loc, widened, result));
  op.erase();
  return widened;
}

namespace {
struct SelectConvolutions
    : public cleave::impl::SelectConvolutionsBase<SelectConvolutions> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    SymbolTable symbols(module);
    SmallVector<ConvolutionOp> convolutions;
    module.walk([&](ConvolutionOp op) {
      auto function = op->getParentOfType<func::FuncOp>();
      if (function && !function->hasAttr(kConvolutionAttr) &&
          !function->hasAttr(kKernelAttr) && isWorthCall(op))
        convolutions.push_back(op);
    });
    unsigned number = 0;
    for (ConvolutionOp op : convolutions) {
      ConvolutionOp convolution = normalize(op);
      int64_t feature = convolution.getOutputFeatureDimension();
      fusion::LibraryCall call(convolution);
      if (isa<FloatType>(convolution.getType().getElementType())) {
        call.takeBias([&](Value vector, ArrayRef<int64_t> dims) -> StringRef {
          bool isPerFeature = dims == ArrayRef(feature) &&
                              typeOf(vector).getDimSize(0) ==
                                  convolution.getType().getDimSize(feature);
          return isPerFeature ? "feature" : "";
        });
        call.takeActivation();
        call.takeResidual();
      }
      call.outline(symbols, "convolution", number++, kConvolutionAttr);
    }
  }
};
} // namespace
