//===- KernelMutants.cpp - Faults that GPU kernels could have -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/exec/differential/mutants/KernelMutants.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/MapVector.h"

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

/// An element is read, changed and written by a thread beside the others.
static bool splitAtomic(ModuleOp module, unsigned place) {
  auto atomic = find<memref::AtomicRMWOp>(
      module, place, [](memref::AtomicRMWOp) { return true; });
  if (!atomic)
    return false;
  ImplicitLocOpBuilder b(atomic.getLoc(), atomic);
  Value element =
      memref::LoadOp::create(b, atomic.getMemref(), atomic.getIndices());
  Value changed = arith::getReductionOp(atomic.getKind(), b, atomic.getLoc(),
                                        element, atomic.getValue());
  memref::StoreOp::create(b, changed, atomic.getMemref(), atomic.getIndices());
  atomic.replaceAllUsesWith(element);
  atomic.erase();
  return true;
}

/// Segments as narrow as the distance, so that no lane gets another's value; or
/// half as wide, where a lane names another one.
static bool narrowShuffle(ModuleOp module, unsigned place) {
  auto shuffle =
      find<gpu::ShuffleOp>(module, place, [](gpu::ShuffleOp) { return true; });
  if (!shuffle)
    return false;
  Value width = shuffle.getOffset();
  if (shuffle.getMode() == gpu::ShuffleMode::IDX) {
    OpBuilder b(shuffle);
    width = arith::ConstantIntOp::create(
        b, shuffle.getLoc(), *getConstantIntValue(shuffle.getWidth()) / 2, 32);
  }
  shuffle.getWidthMutable().assign(width);
  return true;
}

/// One element more passes the tests of a bound: all in a function that have
/// the same bound, since a test that each register has for itself, or of one of
/// two factors, may have no consequence alone.
static bool moveTestedBound(ModuleOp module, unsigned place) {
  auto boundOf = [](arith::CmpIOp test) {
    // What is no index is an element, and not held against a bound.
    return test.getPredicate() == arith::CmpIPredicate::slt &&
                   test.getRhs().getType().isIndex()
               ? getConstantIntValue(test.getRhs())
               : std::nullopt;
  };
  bool isFound = false;
  module.walk([&](gpu::GPUFuncOp function) {
    llvm::MapVector<int64_t, SmallVector<arith::CmpIOp>> tests;
    function.walk([&](arith::CmpIOp test) {
      if (std::optional<int64_t> bound = boundOf(test))
        tests[*bound].push_back(test);
    });
    for (auto &[bound, sameBound] : tests) {
      if (isFound || place-- != 0)
        continue;
      isFound = true;
      for (arith::CmpIOp test : sameBound) {
        OpBuilder b(test);
        test.getRhsMutable().assign(
            arith::ConstantIndexOp::create(b, test.getLoc(), bound + 1));
      }
    }
  });
  return isFound;
}

/// What may be equal must be less, everywhere in a function.
static bool excludeEqual(ModuleOp module, unsigned place) {
  bool isFound = false;
  module.walk([&](gpu::GPUFuncOp function) {
    SmallVector<arith::CmpIOp> tests;
    function.walk([&](arith::CmpIOp test) {
      if (test.getPredicate() == arith::CmpIPredicate::sle)
        tests.push_back(test);
    });
    if (isFound || tests.empty() || place-- != 0)
      return;
    isFound = true;
    for (arith::CmpIOp test : tests)
      test.setPredicate(arith::CmpIPredicate::slt);
  });
  return isFound;
}

/// Exchanges two registers of an operand of a product of matrices.
static bool swapRegisters(NVVM::MmaOp product, unsigned first,
                          unsigned second) {
  if (!product)
    return false;
  Value x = product->getOperand(first), y = product->getOperand(second);
  product->setOperand(first, y);
  product->setOperand(second, x);
  return true;
}
static bool isAny(NVVM::MmaOp) { return true; }
/// Rows of the left operand with its columns.
static bool swapLeftRegisters(ModuleOp module, unsigned place) {
  return swapRegisters(find<NVVM::MmaOp>(module, place, isAny), 1, 2);
}
static bool swapRightRegisters(ModuleOp module, unsigned place) {
  return swapRegisters(find<NVVM::MmaOp>(module, place, isAny), 4, 5);
}
/// The second and third sum of a product.
static bool swapSums(ModuleOp module, unsigned place) {
  auto product = find<NVVM::MmaOp>(module, place, isAny);
  if (!product)
    return false;
  for (Operation *user : product->getUsers())
    if (auto sum = dyn_cast<LLVM::ExtractValueOp>(user)) {
      int64_t i = sum.getPosition()[0];
      sum.setPosition(i == 1 ? 2 : i == 2 ? 1 : i);
    }
  return true;
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
      {"missing-atomic", splitAtomic},
      {"narrow-shuffle", narrowShuffle},
      {"one-step-more", runOneStepMore},
      {"one-step-less", runOneStepLess},
      {"one-element-more", moveTestedBound},
      {"exclude-equal", excludeEqual},
      {"swap-left-registers", swapLeftRegisters},
      {"swap-right-registers", swapRightRegisters},
      {"swap-sums", swapSums},
  };
  return mutants;
}
