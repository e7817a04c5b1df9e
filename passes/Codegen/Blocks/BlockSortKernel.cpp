//===- BlockSortKernel.cpp - Sort by the threads of a block ---------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A block has a row at a time, in shared memory if it fits there. Threads sort
// runs, one each, and then merge them level by level, waiting in between. Where
// the body is known to be an order, each element finds its place in a merge for
// itself: its own number and that of the elements of the other run that go
// before it. Otherwise a thread merges a pair of runs step by step, as
// SortAlgorithm.h says, since the result depends on the steps.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/SortAlgorithm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/Blocks/BlockKernel.h"
#include "passes/Codegen/Blocks/SortSteps.h"
#include "passes/Codegen/GPU/GPUMapping.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

/// Whether `x` is computed from the left elements just as `y` is from the right
/// ones, or the reverse; which is kept in `xIsLeft` once it is known.
static bool areCounterparts(Block &body, Value x, Value y,
                            std::optional<bool> &xIsLeft) {
  auto left = dyn_cast<BlockArgument>(x), right = dyn_cast<BlockArgument>(y);
  if (left && right && left.getOwner() == &body && right.getOwner() == &body) {
    // Left and right elements take turns.
    bool isLeft = left.getArgNumber() % 2 == 0;
    if (left.getArgNumber() / 2 != right.getArgNumber() / 2 || left == right ||
        xIsLeft.value_or(isLeft) != isLeft)
      return false;
    xIsLeft = isLeft;
    return true;
  }
  Operation *first = x.getDefiningOp(), *second = y.getDefiningOp();
  if (!first || !second)
    return false;
  if (first == second)
    return isa<ConstantOp>(first);
  return first->getName() == second->getName() &&
         first->getAttrDictionary() == second->getAttrDictionary() &&
         first->getNumRegions() == 0 && first->getNumResults() == 1 &&
         first->getNumOperands() == second->getNumOperands() &&
         llvm::all_of(
             llvm::zip_equal(first->getOperands(), second->getOperands()),
             [&](auto pair) {
               return areCounterparts(body, std::get<0>(pair),
                                      std::get<1>(pair), xIsLeft);
             });
}

/// Whether the body compares two integers, one of each side, by `<` or `>`:
/// elements, or what their order as floats is computed as.
static bool isKnownOrder(SortOp op) {
  Block &body = op.getBody().front();
  auto compared =
      body.getTerminator()->getOperand(0).getDefiningOp<CompareOp>();
  std::optional<bool> lhsIsLeft;
  return compared &&
         isa<IntegerType>(getElementTypeOrSelf(compared.getLhs().getType())) &&
         (compared.getDirection() == ComparisonDirection::LT ||
          compared.getDirection() == ComparisonDirection::GT) &&
         areCounterparts(body, compared.getLhs(), compared.getRhs(),
                         lhsIsLeft) &&
         lhsIsLeft.has_value();
}

namespace {

class BlockSortWriter {
public:
  BlockSortWriter(BlockKernel &kernel, SortOp op)
      : k(kernel), b(kernel.b), op(op), steps(kernel, op),
        isOrder(isKnownOrder(op)) {
    ArrayRef<int64_t> shape = k.result(0).type.getShape();
    stride = rowMajorStrides(shape)[op.getDimension()];
    rows = k.result(0).type.getNumElements() / steps.getSize();
    isShared = sharedBytes() <= maxSharedBytes;
    if (!isShared)
      return;
    for (unsigned i = 0; i < op.getInputs().size(); ++i) {
      RankedTensorType type = k.result(i).type;
      Type stored = storageType(type.getElementType());
      for (auto *arrays : {&sorted, &merged})
        arrays->push_back({type, k.sharedArray(steps.getSize(), stored), {}});
    }
  }

  LogicalResult write();

private:
  int64_t sharedBytes() const {
    int64_t bytes = 0;
    for (Type type : op->getResultTypes())
      bytes +=
          2 *
          llvm::alignTo(
              steps.getSize() *
                  llvm::divideCeil(
                      getElementTypeOrSelf(type).getIntOrFloatBitWidth(), 8),
              16);
    return bytes;
  }
  void writeRow(Value number);
  void merge(const SortRow &from, const SortRow &to, Value width);
  void placeElement(const SortRow &from, const SortRow &to, Value width,
                    Value at);
  /// Elements of a run, `low` to `high`, for which `isPast` is false come after
  /// those for which it is true; returns where they start.
  Value search(Value low, Value high, llvm::function_ref<Value(Value)> isPast);

  BlockKernel &k;
  ImplicitLocOpBuilder &b;
  SortOp op;
  SortSteps steps;
  bool isOrder, isShared;
  int64_t stride, rows;
  SmallVector<KernelBuffer> sorted, merged;
};

} // namespace

Value BlockSortWriter::search(Value low, Value high,
                              llvm::function_ref<Value(Value)> isPast) {
  Type index = b.getIndexType();
  auto loop = scf::WhileOp::create(
      b, TypeRange{index, index}, ValueRange{low, high},
      [&](OpBuilder &, Location, ValueRange range) {
        scf::ConditionOp::create(b, k.isBelow(range[0], range[1]), range);
      },
      [&](OpBuilder &, Location, ValueRange range) {
        Value middle = k.divide(k.add(range[0], range[1]), 2);
        Value past = isPast(middle);
        Value next = k.add(middle, k.index(1));
        scf::YieldOp::create(
            b, ValueRange{arith::SelectOp::create(b, past, next, range[0]),
                          arith::SelectOp::create(b, past, range[1], middle)});
      });
  return loop.getResult(0);
}

/// An element of the left run goes before the equal ones of the right run.
void BlockSortWriter::placeElement(const SortRow &from, const SortRow &to,
                                   Value width, Value at) {
  Value end = k.index(steps.getSize());
  Value run = arith::DivUIOp::create(b, at, width);
  Value isLeft = arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                                       k.remainder(run, 2), k.index(0));
  Value begin = arith::MulIOp::create(b, run, width);
  SortSteps::Elements mine = steps.load(from, at);
  auto countOthers = [&](bool left) {
    Value low =
        left ? k.minimum(k.add(begin, width), end) : k.subtract(begin, width);
    Value high = left ? k.minimum(k.add(low, width), end) : begin;
    Value found = search(low, high, [&](Value other) -> Value {
      SortSteps::Elements theirs = steps.load(from, other);
      if (left)
        return steps.goesBefore(theirs, mine);
      return arith::XOrIOp::create(b, steps.goesBefore(mine, theirs),
                                   arith::ConstantIntOp::create(b, 1, 1));
    });
    // From the start of the pair: what is left of `at`, and the others.
    return left ? k.add(at, k.subtract(found, low))
                : k.add(k.subtract(at, begin), found);
  };
  Value place = k.ifElse(
      isLeft, [&] { return countOthers(true); },
      [&] { return countOthers(false); });
  steps.store(to, place, mine);
}

void BlockSortWriter::merge(const SortRow &from, const SortRow &to,
                            Value width) {
  k.barrier();
  if (isOrder) {
    k.share(k.index(steps.getSize()),
            [&](Value at) { placeElement(from, to, width, at); });
    return;
  }
  Value both = k.add(width, width);
  Value first = arith::MulIOp::create(b, k.thread, both);
  Value step = k.scale(both, k.getNumThreads());
  auto pairs = scf::ForOp::create(b, first, k.index(steps.getSize()), step);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(pairs.getBody());
  steps.mergePair(from, to, pairs.getInductionVar(), width);
}

void BlockSortWriter::writeRow(Value number) {
  int64_t size = steps.getSize();
  Value major = k.scale(k.divide(number, stride), stride * size);
  Value base = k.add(major, k.remainder(number, stride));
  SortRow inputs = {{}, base, stride}, results = inputs, workspace = inputs;
  for (unsigned i = 0; i < op.getInputs().size(); ++i) {
    inputs.buffers.push_back(k.operand(i));
    results.buffers.push_back(k.result(i));
    workspace.buffers.push_back(k.workspace(i));
  }
  SortRow one = results, two = workspace;
  if (isShared) {
    one = {sorted, k.index(0), 1};
    two = {merged, k.index(0), 1};
  }
  // Both arrays are as good to start in: there is no merge that only copies.
  bool startsInTwo = isShared && steps.getNumMerges() % 2 != 0;
  k.share(llvm::divideCeil(size, insertionRun), [&](Value run) {
    steps.sortRun(inputs, startsInTwo ? two : one, k.scale(run, insertionRun));
  });
  int64_t first = insertionRun;
  if (startsInTwo) {
    merge(two, one, k.index(first));
    first *= 2;
  }
  steps.doubleWidths(first, [&](Value width, bool isBack) {
    merge(isBack ? two : one, isBack ? one : two, width);
  });
  if (!isShared)
    return;
  k.barrier();
  k.share(size,
          [&](Value at) { steps.store(results, at, steps.load(one, at)); });
  // The next row, if there is one, starts in the array that others still read.
  if (rows > 1 && !startsInTwo)
    k.barrier();
}

LogicalResult BlockSortWriter::write() {
  k.loopOverBlocks(rows, [&](Value number) { writeRow(number); });
  k.finish(usefulBlocks(rows));
  return steps.getStatus();
}

LogicalResult cleave::codegen::writeBlockSort(GPUModuleBuilder &functions,
                                              func::FuncOp kernel, SortOp op) {
  int64_t size = cast<RankedTensorType>(op->getResult(0).getType())
                     .getDimSize(op.getDimension());
  int64_t threads = std::clamp<int64_t>(
      llvm::PowerOf2Ceil(llvm::divideCeil(size, insertionRun)), warpSize, 256);
  FailureOr<BlockKernel> k = BlockKernel::start(functions, kernel, op, threads);
  if (failed(k))
    return failure();
  return BlockSortWriter(*k, op).write();
}
