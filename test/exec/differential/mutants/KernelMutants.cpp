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
#include "llvm/Support/raw_ostream.h"

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

/// The operation, without what is in it, and its function.
static std::string describe(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "in " << op->getParentOfType<gpu::GPUFuncOp>().getName() << ": ";
  op->print(stream, OpPrintingFlags().skipRegions());
  return text;
}

static std::string dropBarrier(ModuleOp module, unsigned place) {
  auto barrier =
      find<gpu::BarrierOp>(module, place, [](gpu::BarrierOp) { return true; });
  if (!barrier)
    return {};
  std::string was = describe(barrier);
  barrier.erase();
  return was;
}

/// An element is read, changed and written by a thread beside the others.
static std::string splitAtomic(ModuleOp module, unsigned place) {
  auto atomic = find<memref::AtomicRMWOp>(
      module, place, [](memref::AtomicRMWOp) { return true; });
  if (!atomic)
    return {};
  std::string was = describe(atomic);
  ImplicitLocOpBuilder b(atomic.getLoc(), atomic);
  Value element =
      memref::LoadOp::create(b, atomic.getMemref(), atomic.getIndices());
  Value changed = arith::getReductionOp(atomic.getKind(), b, atomic.getLoc(),
                                        element, atomic.getValue());
  memref::StoreOp::create(b, changed, atomic.getMemref(), atomic.getIndices());
  atomic.replaceAllUsesWith(element);
  atomic.erase();
  return was;
}

/// Segments as narrow as the distance, so that no lane gets another's value; or
/// half as wide, where a lane names another one.
static std::string narrowShuffle(ModuleOp module, unsigned place) {
  auto shuffle =
      find<gpu::ShuffleOp>(module, place, [](gpu::ShuffleOp) { return true; });
  if (!shuffle)
    return {};
  std::string was = describe(shuffle);
  Value width = shuffle.getOffset();
  if (shuffle.getMode() == gpu::ShuffleMode::IDX) {
    OpBuilder b(shuffle);
    width = arith::ConstantIntOp::create(
        b, shuffle.getLoc(), *getConstantIntValue(shuffle.getWidth()) / 2, 32);
  }
  shuffle.getWidthMutable().assign(width);
  return was;
}

/// Whether what is tested is a number that a loop starts with and multiplies
/// until it reaches a bound that none of its values is: to let this bound pass,
/// too, is no fault.
static bool isNeverAtBound(arith::CmpIOp test, int64_t bound) {
  auto tested = dyn_cast<BlockArgument>(test.getLhs());
  auto loop = tested ? dyn_cast<scf::WhileOp>(tested.getOwner()->getParentOp())
                     : nullptr;
  if (!loop || tested.getOwner() != loop.getBeforeBody())
    return false;
  unsigned number = tested.getArgNumber();
  auto product =
      loop.getYieldOp()->getOperand(number).getDefiningOp<arith::MulIOp>();
  if (!product)
    return false;
  auto carried = dyn_cast<BlockArgument>(product.getLhs());
  std::optional<int64_t> value = getConstantIntValue(loop.getInits()[number]);
  std::optional<int64_t> factor = getConstantIntValue(product.getRhs());
  if (!carried || carried.getOwner() != loop.getAfterBody() ||
      loop.getConditionOp().getArgs()[carried.getArgNumber()] != tested ||
      !value || *value < 1 || !factor || *factor < 2)
    return false;
  while (*value < bound)
    *value *= *factor;
  return *value != bound;
}

/// One element more passes the tests of a bound: all in a function that have
/// the same bound, since a test that each register has for itself, or of one of
/// two factors, may have no consequence alone.
static std::string moveTestedBound(ModuleOp module, unsigned place) {
  auto boundOf = [](arith::CmpIOp test) {
    return test.getPredicate() == arith::CmpIPredicate::slt
               ? getConstantIntValue(test.getRhs())
               : std::nullopt;
  };
  std::string was;
  module.walk([&](gpu::GPUFuncOp function) {
    llvm::MapVector<int64_t, SmallVector<arith::CmpIOp>> tests;
    function.walk([&](arith::CmpIOp test) {
      if (std::optional<int64_t> bound = boundOf(test))
        tests[*bound].push_back(test);
    });
    for (auto &[bound, sameBound] : tests) {
      auto isNoFault = [bound = bound](arith::CmpIOp test) {
        return isNeverAtBound(test, bound);
      };
      if (!was.empty() || llvm::all_of(sameBound, isNoFault) || place-- != 0)
        continue;
      was = describe(sameBound.front());
      for (arith::CmpIOp test : sameBound) {
        OpBuilder b(test);
        Type type = test.getRhs().getType();
        TypedAttr moved =
            b.getIntegerAttr(getElementTypeOrSelf(type), bound + 1);
        if (auto vector = dyn_cast<VectorType>(type))
          moved = DenseElementsAttr::get(vector, moved);
        test.getRhsMutable().assign(
            arith::ConstantOp::create(b, test.getLoc(), moved));
      }
    }
  });
  return was;
}

/// What may be equal must be less, everywhere in a function.
static std::string excludeEqual(ModuleOp module, unsigned place) {
  std::string was;
  module.walk([&](gpu::GPUFuncOp function) {
    SmallVector<arith::CmpIOp> tests;
    function.walk([&](arith::CmpIOp test) {
      if (test.getPredicate() == arith::CmpIPredicate::sle)
        tests.push_back(test);
    });
    if (!was.empty() || tests.empty() || place-- != 0)
      return;
    was = describe(tests.front());
    for (arith::CmpIOp test : tests)
      test.setPredicate(arith::CmpIPredicate::slt);
  });
  return was;
}

/// Exchanges two registers of an operand of a product of matrices.
static std::string swapRegisters(NVVM::MmaOp product, unsigned first,
                                 unsigned second) {
  if (!product)
    return {};
  std::string was = describe(product);
  Value x = product->getOperand(first), y = product->getOperand(second);
  product->setOperand(first, y);
  product->setOperand(second, x);
  return was;
}
static bool isAny(NVVM::MmaOp) { return true; }
/// Rows of the left operand with its columns.
static std::string swapLeftRegisters(ModuleOp module, unsigned place) {
  return swapRegisters(find<NVVM::MmaOp>(module, place, isAny), 1, 2);
}
static std::string swapRightRegisters(ModuleOp module, unsigned place) {
  return swapRegisters(find<NVVM::MmaOp>(module, place, isAny), 4, 5);
}
/// The second and third sum of a product.
static std::string swapSums(ModuleOp module, unsigned place) {
  auto product = find<NVVM::MmaOp>(module, place, isAny);
  if (!product)
    return {};
  for (Operation *user : product->getUsers())
    if (auto sum = dyn_cast<LLVM::ExtractValueOp>(user)) {
      int64_t i = sum.getPosition()[0];
      sum.setPosition(i == 1 ? 2 : i == 2 ? 1 : i);
    }
  return describe(product);
}

/// How far apart the values of a loop's variable are in all threads together: a
/// thread starts at its number, or at a multiple of it.
static Value getDistance(OpBuilder &b, scf::ForOp loop) {
  if (auto product = loop.getLowerBound().getDefiningOp<arith::MulIOp>())
    if (isa_and_nonnull<gpu::ThreadIdOp, gpu::BlockIdOp>(
            product.getLhs().getDefiningOp()))
      return product.getRhs();
  return arith::ConstantIndexOp::create(b, loop.getLoc(), 1);
}

/// One value more or less for a loop with a constant bound.
template <typename Change> static std::string moveBound(scf::ForOp loop) {
  if (!loop)
    return {};
  std::string was = describe(loop);
  OpBuilder b(loop);
  Value bound = Change::create(b, loop.getLoc(), loop.getUpperBound(),
                               getDistance(b, loop));
  loop.getUpperBoundMutable().assign(bound);
  return was;
}

/// Whether a loop has nothing to do for a value past its bound: all that has an
/// effect is in loops from this value to at most the same bound.
static bool isEmptyPastBound(scf::ForOp loop) {
  auto endsThere = [&](Value end) {
    auto least = end.getDefiningOp<arith::MinSIOp>();
    return least && getConstantIntValue(least.getRhs()) ==
                        getConstantIntValue(loop.getUpperBound());
  };
  auto isIdle = [&](Operation &op) {
    auto inner = dyn_cast<scf::ForOp>(op);
    if (!inner)
      return isPure(&op);
    return inner.getLowerBound() == loop.getInductionVar() &&
           endsThere(inner.getUpperBound());
  };
  return loop.getInitArgs().empty() &&
         llvm::all_of(loop.getBody()->without_terminator(), isIdle);
}

static std::string runOneStepMore(ModuleOp module, unsigned place) {
  return moveBound<arith::AddIOp>(
      find<scf::ForOp>(module, place, [](scf::ForOp loop) {
        return getConstantIntValue(loop.getUpperBound()).has_value() &&
               !isEmptyPastBound(loop);
      }));
}

/// Loops over vectors, whose last step starts well before the bound, are left
/// out.
static std::string runOneStepLess(ModuleOp module, unsigned place) {
  return moveBound<arith::SubIOp>(
      find<scf::ForOp>(module, place, [](scf::ForOp loop) {
        bool hasVectors = false;
        loop.walk([&](Operation *op) {
          hasVectors |= isa<vector::LoadOp, vector::StoreOp>(op) &&
                        op->getParentOfType<scf::ForOp>() == loop;
        });
        return !hasVectors &&
               getConstantIntValue(loop.getUpperBound()).has_value();
      }));
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
