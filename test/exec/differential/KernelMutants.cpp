//===- KernelMutants.cpp - Faults that GPU kernels could have -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelMutants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace cleave::differential;

/// The operation of a kind with a number, in gpu functions.
template <typename Op>
static Op find(ModuleOp module, unsigned place,
               llvm::function_ref<bool(Op)> isPlace) {
  Op found;
  module.walk([&](gpu::GPUFuncOp function) {
    function.walk([&](Op op) {
      if (isPlace(op) && place-- == 0)
        found = op;
    });
  });
  return found;
}

static bool dropBarrier(ModuleOp module, unsigned place) {
  auto barrier =
      find<gpu::BarrierOp>(module, place, [](gpu::BarrierOp) { return true; });
  if (barrier)
    barrier.erase();
  return bool(barrier);
}

/// Segments as narrow as the distance: no lane gets another's value.
static bool narrowShuffle(ModuleOp module, unsigned place) {
  auto shuffle =
      find<gpu::ShuffleOp>(module, place, [](gpu::ShuffleOp) { return true; });
  if (shuffle)
    shuffle.getWidthMutable().assign(shuffle.getOffset());
  return bool(shuffle);
}

static bool moveBound(scf::ForOp loop, int64_t by) {
  if (!loop)
    return false;
  OpBuilder b(loop);
  Value bound = arith::ConstantIndexOp::create(
      b, loop.getLoc(), *getConstantIntValue(loop.getUpperBound()) + by);
  loop.getUpperBoundMutable().assign(bound);
  return true;
}

static bool runOneStepMore(ModuleOp module, unsigned place) {
  return moveBound(
      find<scf::ForOp>(
          module, place,
          [](scf::ForOp loop) {
            return getConstantIntValue(loop.getUpperBound()).has_value();
          }),
      1);
}

/// Loops over vectors, whose last step starts well before the bound, are left
/// out.
static bool runOneStepLess(ModuleOp module, unsigned place) {
  return moveBound(
      find<scf::ForOp>(
          module, place,
          [](scf::ForOp loop) {
            bool hasVectors = false;
            loop.walk([&](Operation *op) {
              hasVectors |= isa<vector::LoadOp, vector::StoreOp>(op) &&
                            op->getParentOfType<scf::ForOp>() == loop;
            });
            return !hasVectors &&
                   getConstantIntValue(loop.getUpperBound()).has_value();
          }),
      -1);
}

llvm::ArrayRef<KernelMutant> cleave::differential::getKernelMutants() {
  static const KernelMutant mutants[] = {
      {"drop-barrier", dropBarrier},
      {"narrow-shuffle", narrowShuffle},
      {"one-step-more", runOneStepMore},
      {"one-step-less", runOneStepLess},
  };
  return mutants;
}
