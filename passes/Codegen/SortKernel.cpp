//===- SortKernel.cpp - Sort as loops -------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Each row is a part. Its runs are sorted by insertion into the results; pairs
// of merges then go to the workspace and back. See SortAlgorithm.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Literal.h"
#include "dialects/Graph/SortAlgorithm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Codegen/IrregularKernel.h"
#include "passes/Codegen/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

namespace {

class SortWriter {
public:
  SortWriter(IrregularKernel &kernel, SortOp op)
      : k(kernel), b(kernel.b), op(op), count(op.getInputs().size()) {
    ArrayRef<int64_t> shape = k.result(0).type.getShape();
    size = shape[op.getDimension()];
    stride = rowMajorStrides(shape)[op.getDimension()];
  }

  LogicalResult run();

private:
  enum class Place { Inputs, Results, Workspace };
  using Elements = SmallVector<Value>;

  const KernelBuffer &buffer(Place place, unsigned i) const {
    return place == Place::Inputs    ? k.operand(i)
           : place == Place::Results ? k.result(i)
                                     : k.workspace(i);
  }
  Elements load(Place place, Value at);
  void store(Place place, Value at, ValueRange elements);
  Value goesBefore(ValueRange left, ValueRange right);
  void insert(Value runBegin, Value at);
  void sortRuns();
  void merge(Place from, Place to, Value width);
  void mergeRuns();

  IrregularKernel &k;
  ImplicitLocOpBuilder &b;
  SortOp op;
  unsigned count;
  int64_t size, stride;
  /// The place of the row's first element.
  Value row;
  LogicalResult status = success();
};

} // namespace

SortWriter::Elements SortWriter::load(Place place, Value at) {
  Elements elements;
  Value flat = k.add(row, k.scale(at, stride));
  for (unsigned i = 0; i < count; ++i)
    elements.push_back(k.load(buffer(place, i), flat));
  return elements;
}

void SortWriter::store(Place place, Value at, ValueRange elements) {
  Value flat = k.add(row, k.scale(at, stride));
  for (unsigned i = 0; i < count; ++i)
    k.store(buffer(place, i), flat, elements[i]);
}

Value SortWriter::goesBefore(ValueRange left, ValueRange right) {
  SmallVector<Value> arguments;
  for (auto [l, r] : llvm::zip_equal(left, right))
    arguments.append({l, r});
  FailureOr<SmallVector<Value>> result =
      buildScalarBody(b, op.getBody().front(), arguments);
  if (succeeded(result))
    return result->front();
  status = failure();
  return arith::ConstantIntOp::create(b, 0, 1);
}

/// Moves element `at` of the inputs left past those of its run that it goes
/// before.
void SortWriter::insert(Value runBegin, Value at) {
  Elements moved = load(Place::Inputs, at);
  auto loop = scf::WhileOp::create(
      b, b.getIndexType(), at,
      [&](OpBuilder &, Location, ValueRange to) {
        Value hasLeft = arith::CmpIOp::create(b, arith::CmpIPredicate::sgt,
                                              to[0], runBegin);
        auto goesLeft = scf::IfOp::create(
            b, hasLeft,
            [&](OpBuilder &, Location) {
              Value left = k.subtract(to[0], k.index(1));
              scf::YieldOp::create(
                  b, goesBefore(moved, load(Place::Results, left)));
            },
            [&](OpBuilder &, Location) {
              scf::YieldOp::create(
                  b, Value(arith::ConstantIntOp::create(b, 0, 1)));
            });
        scf::ConditionOp::create(b, goesLeft.getResult(0), to);
      },
      [&](OpBuilder &, Location, ValueRange to) {
        Value left = k.subtract(to[0], k.index(1));
        store(Place::Results, to[0], load(Place::Results, left));
        scf::YieldOp::create(b, left);
      });
  store(Place::Results, loop.getResult(0), moved);
}

void SortWriter::sortRuns() {
  k.loop(
      k.index(0), k.index(size),
      [&](Value runBegin) {
        Value end =
            k.minimum(k.add(runBegin, k.index(insertionRun)), k.index(size));
        k.loop(runBegin, end, [&](Value at) { insert(runBegin, at); });
      },
      insertionRun);
}

/// Merges pairs of neighbouring runs of `width` elements. Of a run that has
/// ended, some other element is read, and not taken.
void SortWriter::merge(Place from, Place to, Value width) {
  Value end = k.index(size);
  auto pairs = scf::ForOp::create(b, k.index(0), end, k.add(width, width));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(pairs.getBody());
  Value leftBegin = pairs.getInductionVar();
  Value leftEnd = k.minimum(k.add(leftBegin, width), end);
  Value rightEnd = k.minimum(k.add(leftEnd, width), end);
  scf::ForOp::create(
      b, leftBegin, rightEnd, k.index(1), ValueRange{leftBegin, leftEnd},
      [&](OpBuilder &, Location, Value at, ValueRange heads) {
        auto isBelow = [&](Value x, Value limit) -> Value {
          return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, x, limit);
        };
        Value left = heads[0], right = heads[1];
        Value hasLeft = isBelow(left, leftEnd);
        Value hasRight = isBelow(right, rightEnd);
        Value readable = arith::SelectOp::create(b, hasRight, right, leftBegin);
        Elements leftElements = load(from, left);
        Elements rightElements = load(from, readable);
        Value before = goesBefore(rightElements, leftElements);
        Value mayTake = arith::SelectOp::create(
            b, hasLeft, before, arith::ConstantIntOp::create(b, 1, 1));
        Value takeRight = arith::AndIOp::create(b, hasRight, mayTake);
        Elements taken;
        for (auto [l, r] : llvm::zip_equal(leftElements, rightElements))
          taken.push_back(arith::SelectOp::create(b, takeRight, r, l));
        store(to, at, taken);
        Value step =
            arith::IndexCastUIOp::create(b, b.getIndexType(), takeRight);
        scf::YieldOp::create(
            b, ValueRange{k.add(left, k.subtract(k.index(1), step)),
                          k.add(right, step)});
      });
}

/// One merge more than needed only copies.
void SortWriter::mergeRuns() {
  if (size <= insertionRun)
    return;
  scf::WhileOp::create(
      b, b.getIndexType(), k.index(insertionRun),
      [&](OpBuilder &, Location, ValueRange width) {
        Value goesOn = arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                             width[0], k.index(size));
        scf::ConditionOp::create(b, goesOn, width);
      },
      [&](OpBuilder &, Location, ValueRange width) {
        Value twice = k.scale(width[0], 2);
        merge(Place::Results, Place::Workspace, width[0]);
        merge(Place::Workspace, Place::Results, twice);
        scf::YieldOp::create(b, k.scale(twice, 2));
      });
}

LogicalResult SortWriter::run() {
  int64_t elements = k.result(0).type.getNumElements();
  if (elements != 0)
    k.loopOverParts([&](Value part) {
      // What comes before the sorted dimension is major, what comes after it
      // minor in the number of a row.
      Value major = k.scale(k.divide(part, stride), stride * size);
      row = k.add(major, k.remainder(part, stride));
      sortRuns();
      mergeRuns();
    });
  k.finish(elements ? elements / size : 0);
  return status;
}

LogicalResult cleave::codegen::writeSort(IrregularKernel &kernel, SortOp op) {
  return SortWriter(kernel, op).run();
}
