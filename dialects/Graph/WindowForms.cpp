//===- WindowForms.cpp - What windowed ops are ----------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"

using namespace mlir;

namespace cleave::graph {

static SmallVector<int64_t> collect(ArrayRef<WindowDim> windows,
                                    int64_t WindowDim::*field) {
  return llvm::map_to_vector(
      windows, [&](const WindowDim &window) { return window.*field; });
}

static SmallVector<int64_t> collectPadding(ArrayRef<WindowDim> windows) {
  SmallVector<int64_t> padding;
  for (const WindowDim &window : windows)
    padding.append({window.low, window.high});
  return padding;
}

//===----------------------------------------------------------------------===//
// reduce_window
//===----------------------------------------------------------------------===//

SmallVector<WindowDim> ReduceWindowOp::getWindows() {
  SmallVector<WindowDim> windows;
  ArrayRef<int64_t> padding = getPadding();
  for (auto [d, size] : llvm::enumerate(typeOf(getInputs()[0]).getShape()))
    windows.push_back({size, getWindowDimensions()[d], getWindowStrides()[d],
                       padding[2 * d], padding[2 * d + 1],
                       getBaseDilations()[d], getWindowDilations()[d]});
  return windows;
}

std::optional<ReductionKind> ReduceWindowOp::getSimpleKind() {
  if (getInputs().size() != 1)
    return std::nullopt;
  return combiningKind(getBody());
}

void ReduceWindowOp::setWindows(ArrayRef<WindowDim> windows) {
  setWindowDimensions(collect(windows, &WindowDim::window));
  setWindowStrides(collect(windows, &WindowDim::stride));
  setBaseDilations(collect(windows, &WindowDim::baseDilation));
  setWindowDilations(collect(windows, &WindowDim::windowDilation));
  setPadding(collectPadding(windows));
}

void ReduceWindowOp::build(OpBuilder &builder, OperationState &state,
                           Value input, Value init, ArrayRef<WindowDim> windows,
                           ReductionKind kind) {
  RankedTensorType type = typeOf(input), scalar = withShape(type, {});
  SmallVector<int64_t> shape;
  for (const WindowDim &window : windows)
    shape.push_back(*window.count());
  build(builder, state, TypeRange{withShape(type, shape)}, input, init,
        collect(windows, &WindowDim::window),
        collect(windows, &WindowDim::stride),
        collect(windows, &WindowDim::baseDilation),
        collect(windows, &WindowDim::windowDilation), collectPadding(windows));
  OpBuilder::InsertionGuard guard(builder);
  mlir::Block *body =
      builder.createBlock(state.regions.front().get(), {}, {scalar, scalar},
                          {state.location, state.location});
  Value result = combine(builder, state.location, kind, body->getArgument(0),
                         body->getArgument(1));
  ReturnOp::create(builder, state.location, result);
}

/// Whether it does not matter how often the initial value is combined.
static bool ignoresInit(ReductionKind kind, Value init) {
  switch (kind) {
  case ReductionKind::Sum:
    return isConstant(init, 0);
  case ReductionKind::Prod:
    return isConstant(init, 1);
  case ReductionKind::Max:
  case ReductionKind::Min:
  case ReductionKind::And:
  case ReductionKind::Or:
    return true;
  }
  llvm_unreachable("unknown reduction");
}

std::optional<ScanDim> ReduceWindowOp::getScan() {
  std::optional<ReductionKind> kind = getSimpleKind();
  if (!kind || !ignoresInit(*kind, getInits().front()))
    return std::nullopt;
  std::optional<ScanDim> scan;
  for (auto [d, window] : llvm::enumerate(getWindows())) {
    if (window.isPointwise())
      continue;
    bool isReverse = window.isScan(/*isReverse=*/true);
    if (scan || !(isReverse || window.isScan(/*isReverse=*/false)))
      return std::nullopt;
    scan = {static_cast<int64_t>(d), isReverse};
  }
  return scan;
}

//===----------------------------------------------------------------------===//
// convolution
//===----------------------------------------------------------------------===//

void ConvolutionOp::setWindows(ArrayRef<WindowDim> windows) {
  setWindowStrides(collect(windows, &WindowDim::stride));
  setLhsDilation(collect(windows, &WindowDim::baseDilation));
  setRhsDilation(collect(windows, &WindowDim::windowDilation));
  setPadding(collectPadding(windows));
}

bool ConvolutionOp::contractsTaps(unsigned spatial) {
  WindowDim window = getWindows()[spatial];
  int64_t count = *window.count();
  return count > 0 && window.size > 0 && window.window > count;
}

SmallVector<WindowDim> ConvolutionOp::getWindows() {
  SmallVector<WindowDim> windows;
  RankedTensorType lhs = getLhs().getType(), rhs = getRhs().getType();
  ArrayRef<int64_t> padding = getPadding();
  for (auto [i, from, kernel] : llvm::enumerate(getInputSpatialDimensions(),
                                                getKernelSpatialDimensions()))
    windows.push_back({lhs.getDimSize(from), rhs.getDimSize(kernel),
                       getWindowStrides()[i], padding[2 * i],
                       padding[2 * i + 1], getLhsDilation()[i],
                       getRhsDilation()[i], getWindowReversal()[i]});
  return windows;
}

} // namespace cleave::graph
