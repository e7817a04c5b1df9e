//===- LowerIrregularKernels.cpp - Kernels of one op as scalar loops ------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cleave {
#define GEN_PASS_DEF_LOWERIRREGULARKERNELS
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::codegen;
using namespace cleave::graph;

static LogicalResult lowerKernel(func::FuncOp function, OwnKernelOpInterface op,
                                 int64_t scatterBlock) {
  FailureOr<IrregularKernel> kernel = IrregularKernel::start(function, op);
  if (failed(kernel))
    return failure();
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ScatterOp scatter) {
        return writeScatter(*kernel, scatter, scatterBlock);
      })
      .Case([&](SortOp sort) { return writeSort(*kernel, sort); })
      .Case([&](RngBitGeneratorOp random) {
        return writeRandomBits(*kernel, random);
      })
      .Default([](Operation *other) {
        return other->emitOpError("has no lowering to a kernel");
      });
}

namespace {
struct LowerIrregularKernels
    : public cleave::impl::LowerIrregularKernelsBase<LowerIrregularKernels> {
  using LowerIrregularKernelsBase::LowerIrregularKernelsBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!isTensorKernel(function))
        continue;
      auto ops = function.getOps<OwnKernelOpInterface>();
      if (!ops.empty() &&
          failed(lowerKernel(function, *ops.begin(), scatterBlock)))
        return signalPassFailure();
    }
  }
};
} // namespace
