//===- OperationCost.cpp - How long operations take -----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Schedule/OperationCost.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace cleave;

static double bytesOf(Value buffer) {
  return *exec::bufferBytes(cast<MemRefType>(buffer.getType()));
}

static double product(ArrayRef<int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1.0,
                         std::multiplies<double>());
}

static double flopsOf(Operation *op) {
  if (auto gemm = dyn_cast<exec::GemmOp>(op))
    return 2.0 * product(gemm.getBatch()) * gemm.getM() * gemm.getN() *
           gemm.getK();
  if (auto convolution = dyn_cast<exec::ConvolutionOp>(op))
    return 2.0 * convolution.getBatch() * convolution.getGroups() *
           convolution.getFeatures() * convolution.getOutputs() *
           product(convolution.getCounts()) * product(convolution.getTaps());
  return 0;
}

/// As docs/manifest.md counts them, without what uneven shards save.
static double receivedBytes(exec::CollectiveOp op) {
  double ranks = op.getAxes().getNumPositions();
  if (op.getGroups())
    for (auto group : op.getGroups()->getAsRange<DenseI64ArrayAttr>())
      ranks = std::max<double>(ranks, group.size());
  double operand = bytesOf(op.getOperand()), result = bytesOf(op.getResult());
  switch (op.getKind()) {
  case exec::CollectiveKind::AllGather:
    return result - operand;
  case exec::CollectiveKind::AllReduce:
    return 2 * (ranks - 1) / ranks * operand;
  case exec::CollectiveKind::ReduceScatter:
    return (ranks - 1) * result;
  case exec::CollectiveKind::AllToAll:
    return (ranks - 1) / ranks * result;
  default:
    return result;
  }
}

static double estimateBlock(Block &block, const MachineRates &rates) {
  double seconds = 0;
  for (Operation &op : block)
    seconds += estimateSeconds(&op, rates);
  return seconds;
}

double cleave::estimateSeconds(Operation *op, const MachineRates &rates) {
  return TypeSwitch<Operation *, double>(op)
      .Case<exec::BufferOp, exec::ViewOp, exec::ConstantOp, exec::RecordOp,
            exec::WaitOp>([](auto) { return 0.0; })
      .Case([&](exec::CollectiveOp collective) {
        if (!collective.communicates())
          return rates.launch +
                 bytesOf(collective.getResult()) * 2 / rates.memoryBytes;
        return rates.latency + receivedBytes(collective) / rates.linkBytes;
      })
      .Case([&](exec::WhileOp loop) {
        return 8 * (estimateBlock(loop.getCond().front(), rates) +
                    estimateBlock(loop.getBody().front(), rates));
      })
      .Case([&](exec::IfOp branch) {
        return std::max(estimateBlock(branch.getThenRegion().front(), rates),
                        estimateBlock(branch.getElseRegion().front(), rates));
      })
      .Default([&](Operation *other) {
        double bytes = 0;
        for (Value operand : other->getOperands())
          bytes += bytesOf(operand);
        return rates.launch + std::max(bytes / rates.memoryBytes,
                                       flopsOf(other) / rates.flops);
      });
}
