//===- ProgramConvolution.cpp - Convolutions with strides -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/ProgramLowering.h"
#include "passes/Schedule/StorageOf.h"

using namespace mlir;
using namespace cleave;

static SmallVector<int64_t> denseStrides(RankedTensorType type) {
  SmallVector<int64_t> strides(type.getRank(), 1);
  for (int64_t i = type.getRank() - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * std::max<int64_t>(type.getDimSize(i + 1), 1);
  return strides;
}

/// Three strides with names, then those of the spatial dimensions.
static SmallVector<int64_t> strideList(ArrayRef<int64_t> named,
                                       ArrayRef<int64_t> strides,
                                       ArrayRef<int64_t> spatial) {
  SmallVector<int64_t> result(named);
  for (int64_t dim : spatial)
    result.push_back(strides[dim]);
  return result;
}

static SmallVector<int64_t> collect(ArrayRef<WindowDim> windows,
                                    int64_t WindowDim::*field) {
  return llvm::map_to_vector(
      windows, [&](const WindowDim &window) { return window.*field; });
}

LogicalResult ProgramLowering::lowerConvolution(func::CallOp call,
                                                func::FuncOp callee,
                                                DictionaryAttr epilogue) {
  auto activationName = epilogue.getAs<StringAttr>("activation");
  auto bias = epilogue.getAs<StringAttr>("bias");
  auto residual = epilogue.getAs<BoolAttr>("residual");
  std::optional<exec::Activation> activation =
      activationName ? exec::symbolizeActivation(activationName.getValue())
                     : std::nullopt;
  if (!activation || !residual || !bias ||
      (bias.getValue() != "none" && bias.getValue() != "feature"))
    return callee.emitError(
        "has an unknown bias or activation in cleave.convolution");
  bool hasBias = bias.getValue() != "none", hasResidual = residual.getValue();
  SmallVector<graph::ConvolutionOp> ops;
  callee.walk([&](graph::ConvolutionOp op) { ops.push_back(op); });
  if (ops.size() != 1 || call.getNumResults() != 1 ||
      call.getNumOperands() != 2u + hasBias + hasResidual ||
      ops[0].getLhs() != callee.getArgument(0) ||
      ops[0].getRhs() != callee.getArgument(1))
    return callee.emitError(
        "with cleave.convolution must have one convolution of its first two "
        "arguments, one result, and operands for its epilogue");

  graph::ConvolutionOp op = ops[0];
  RankedTensorType lhs = op.getLhs().getType(), rhs = op.getRhs().getType(),
                   out = op.getType();
  SmallVector<int64_t> lhsStrides = denseStrides(lhs),
                       rhsStrides = denseStrides(rhs),
                       outStrides = denseStrides(out);
  int64_t groups = op.getNumGroups();
  int64_t batch = out.getDimSize(op.getOutputBatchDimension());
  int64_t features = rhs.getDimSize(op.getKernelInputFeatureDimension());
  int64_t outputs =
      rhs.getDimSize(op.getKernelOutputFeatureDimension()) / groups;
  int64_t lhsBatch = lhsStrides[op.getInputBatchDimension()],
          lhsFeature = lhsStrides[op.getInputFeatureDimension()],
          rhsInput = rhsStrides[op.getKernelInputFeatureDimension()],
          rhsOutput = rhsStrides[op.getKernelOutputFeatureDimension()],
          outBatch = outStrides[op.getOutputBatchDimension()],
          outFeature = outStrides[op.getOutputFeatureDimension()];
  // Parts of the batch or of the features lie one after the other.
  int64_t lhsGroup =
      op.getBatchGroupCount() > 1 ? batch * lhsBatch : features * lhsFeature;
  SmallVector<WindowDim> windows = op.getWindows();
  SmallVector<int64_t> counts = llvm::map_to_vector(
      windows, [](const WindowDim &window) { return *window.count(); });

  SmallVector<Value> operands = lookup(call.getOperands());
  Value biasBuffer = hasBias ? operands[2] : Value();
  Value residualBuffer = hasResidual ? operands.back() : Value();
  Value buffer = makeResultBuffer(call->getResult(0));
  exec::ConvolutionOp::create(
      builder, call.getLoc(), operands[0], operands[1], biasBuffer,
      residualBuffer, buffer, *activation, batch, groups, features, outputs,
      collect(windows, &WindowDim::size), counts,
      collect(windows, &WindowDim::window),
      collect(windows, &WindowDim::stride), collect(windows, &WindowDim::low),
      collect(windows, &WindowDim::baseDilation),
      collect(windows, &WindowDim::windowDilation), op.getWindowReversal(),
      strideList({lhsBatch, lhsGroup, lhsFeature}, lhsStrides,
                 op.getInputSpatialDimensions()),
      strideList({outputs * rhsOutput, rhsOutput, rhsInput}, rhsStrides,
                 op.getKernelSpatialDimensions()),
      strideList({outBatch, outputs * outFeature, outFeature}, outStrides,
                 op.getOutputSpatialDimensions()));
  return success();
}
