//===- PadWindows.cpp - Padding of windowed ops as pad ops ----------------===//
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
#include "mlir/Pass/Pass.h"
#include "passes/Fusion/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_PADWINDOWS
#include "passes/Fusion/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

static bool isPlain(const WindowDim &window) {
  return window.low == 0 && window.high == 0 && window.baseDilation == 1;
}

/// `operand` padded and dilated as windows along `dims` say.
static Value pad(OpBuilder &b, Location loc, Value operand, Value filler,
                 ArrayRef<WindowDim> windows, ArrayRef<int64_t> dims) {
  RankedTensorType type = typeOf(operand);
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<int64_t> low(shape.size(), 0), high(low), interior(low);
  for (auto [dim, window] : llvm::zip_equal(dims, windows)) {
    low[dim] = window.low;
    high[dim] = window.high;
    interior[dim] = window.baseDilation - 1;
    shape[dim] = window.dilatedSize() + window.low + window.high;
  }
  return PadOp::create(b, loc, withShape(type, shape), operand, filler, low,
                       high, interior);
}

/// The windows, on what has been padded.
static SmallVector<WindowDim> plain(SmallVector<WindowDim> windows) {
  for (WindowDim &window : windows) {
    window.low = window.high = 0;
    window.baseDilation = 1;
  }
  return windows;
}

static void padReduceWindow(ReduceWindowOp op) {
  SmallVector<WindowDim> windows = op.getWindows();
  if (llvm::all_of(windows, isPlain) || op.getScan())
    return;
  OpBuilder b(op);
  for (auto [i, init] : llvm::enumerate(op.getInits())) {
    OpOperand &input = op->getOpOperand(i);
    input.set(pad(b, op.getLoc(), input.get(), init, windows,
                  dimRange(windows.size())));
  }
  op.setWindows(plain(windows));
}

static void padConvolution(ConvolutionOp op) {
  SmallVector<WindowDim> windows = op.getWindows();
  if (llvm::all_of(windows, isPlain))
    return;
  OpBuilder b(op);
  Location loc = op.getLoc();
  Value zero = splatInt(b, loc, withShape(op.getLhs().getType(), {}), 0);
  op.getLhsMutable().assign(
      pad(b, loc, op.getLhs(), zero, windows, op.getInputSpatialDimensions()));
  op.setWindows(plain(windows));
}

namespace {
struct PadWindows : cleave::impl::PadWindowsBase<PadWindows> {
  void runOnOperation() override {
    getOperation().walk([](Operation *op) {
      // Without results there may be more left out than there is.
      if (isa<ReduceWindowOp, ConvolutionOp>(op) &&
          typeOf(op->getResult(0)).getNumElements() == 0)
        return;
      // A library call, or a kernel of blocks, leaves out what lies outside.
      Operation *function = op->getParentOp();
      if (function && (function->hasAttr(kConvolutionAttr) ||
                       function->hasAttr(kKernelAttr)))
        return;
      if (auto window = dyn_cast<ReduceWindowOp>(op))
        padReduceWindow(window);
      else if (auto convolution = dyn_cast<ConvolutionOp>(op))
        padConvolution(convolution);
    });
  }
};
} // namespace
