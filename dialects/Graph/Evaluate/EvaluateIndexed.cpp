//===- EvaluateIndexed.cpp - Scatter, sort and random bits ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/RandomBits.h"
#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/ScatterDimensions.h"
#include "dialects/Graph/SortAlgorithm.h"

using namespace mlir;
using namespace cleave::graph;
using cleave::ReductionKind;

//===----------------------------------------------------------------------===//
// Scatter
//===----------------------------------------------------------------------===//

namespace {

/// Where the updates of a scatter go.
class ScatterTargets {
public:
  ScatterTargets(ScatterOp op, const Literal &indices)
      : dims(op), indices(indices),
        indexStrides(rowMajorStrides(indices.shape())) {
    SmallVector<int64_t> shape;
    for (const ScatterInputDim &dim : dims.inputDims)
      shape.push_back(dim.size);
    inputStrides = rowMajorStrides(shape);
  }

  /// The row-major place of the input element that the update at `index` is
  /// for; none if it is out of bounds.
  std::optional<int64_t> operator()(ArrayRef<int64_t> index) const {
    int64_t vector = 0;
    for (auto [to, from] : llvm::zip_equal(dims.indexDims, dims.scatterDims))
      vector += index[from] * indexStrides[to];
    int64_t place = 0;
    for (auto [dim, stride] : llvm::zip_equal(dims.inputDims, inputStrides)) {
      int64_t at = 0;
      if (dim.component >= 0) {
        at = indices.ints()[vector + dim.component * componentStride()];
        // A ui64 beyond the range of int64_t is beyond every tensor.
        if (indices.elementType().isUnsignedInteger() && at < 0)
          return std::nullopt;
        // Neither start nor window are long enough to overflow from here on.
        if (at < -dim.windowSize || at >= dim.size)
          return std::nullopt;
      }
      if (dim.windowDim >= 0)
        at += index[dim.windowDim];
      if (dim.batchDim >= 0)
        at += index[dim.batchDim];
      if (at < 0 || at >= dim.size)
        return std::nullopt;
      place += at * stride;
    }
    return place;
  }

private:
  int64_t componentStride() const {
    return dims.vectorDim < 0 ? 0 : indexStrides[dims.vectorDim];
  }

  ScatterDimensions dims;
  const Literal &indices;
  SmallVector<int64_t> indexStrides, inputStrides;
};

} // namespace

/// Combines one element of each input with its update.
static void combineSimply(const Evaluator &evaluator, ReductionKind kind,
                          MutableArrayRef<Literal> results, int64_t to,
                          ArrayRef<Literal> updates, int64_t from) {
  for (auto [result, update] : llvm::zip_equal(results, updates)) {
    Type element = result.elementType();
    if (result.isFloat()) {
      double &x = result.mutableFloats()[to];
      x = evaluator.round(combineElements(kind, x, update.floats()[from]),
                          element);
    } else {
      int64_t &x = result.mutableInts()[to];
      x = wrapToType(combineElements(kind, x, update.ints()[from],
                                     IntegerSemantics(element)),
                     element);
    }
  }
}

LogicalResult ScatterOp::evaluate(Evaluator &evaluator,
                                  ArrayRef<Literal> operands,
                                  SmallVectorImpl<Literal> &results) {
  size_t count = getInputs().size();
  ArrayRef<Literal> updates = operands.drop_front(count + 1);
  results.append(operands.begin(), operands.begin() + count);
  ArrayRef<int64_t> shape = updates[0].shape();
  if (llvm::is_contained(shape, 0))
    return success();

  ScatterTargets targetOf(*this, operands[count]);
  std::optional<ReductionKind> kind = getSimpleKind();
  SmallVector<Literal> args, values;
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t from = -1;
  do {
    ++from;
    std::optional<int64_t> to = targetOf(index);
    if (!to)
      continue;
    if (kind) {
      combineSimply(evaluator, *kind, results, *to, updates, from);
      continue;
    }
    args.clear();
    for (const Literal &result : results)
      args.push_back(result.element(*to));
    for (const Literal &update : updates)
      args.push_back(update.element(from));
    if (failed(evaluator.evaluateRegion(getBody(), args, values)))
      return failure();
    for (auto [result, value] : llvm::zip_equal(results, values))
      result.setElement(*to, value);
  } while (nextIndex(index, shape));
  return success();
}

//===----------------------------------------------------------------------===//
// Sort
//===----------------------------------------------------------------------===//

namespace {

/// Sorts the places of the elements of one row, as SortAlgorithm.h says.
class RowSorter {
public:
  RowSorter(Evaluator &evaluator, SortOp op, ArrayRef<Literal> inputs)
      : evaluator(evaluator), op(op), inputs(inputs) {}

  LogicalResult sort(MutableArrayRef<int64_t> row) {
    auto size = static_cast<int64_t>(row.size());
    for (int64_t begin = 0; begin < size; begin += insertionRun)
      insertAll(row.slice(begin, std::min(insertionRun, size - begin)));
    std::vector<int64_t> merged(row.size());
    for (int64_t width = insertionRun; width < size; width *= 2) {
      for (int64_t begin = 0; begin < size; begin += 2 * width) {
        int64_t middle = std::min(begin + width, size);
        int64_t end = std::min(begin + 2 * width, size);
        merge(row.slice(begin, middle - begin), row.slice(middle, end - middle),
              merged.data() + begin);
      }
      llvm::copy(merged, row.begin());
    }
    return status;
  }

private:
  bool goesBefore(int64_t left, int64_t right) {
    if (failed(status))
      return false;
    args.clear();
    for (const Literal &input : inputs) {
      args.push_back(input.element(left));
      args.push_back(input.element(right));
    }
    status = evaluator.evaluateRegion(op.getBody(), args, values);
    return succeeded(status) && values.front().ints().front();
  }

  void insertAll(MutableArrayRef<int64_t> run) {
    for (size_t i = 1; i < run.size(); ++i) {
      int64_t moved = run[i];
      size_t to = i;
      for (; to > 0 && goesBefore(moved, run[to - 1]); --to)
        run[to] = run[to - 1];
      run[to] = moved;
    }
  }

  void merge(ArrayRef<int64_t> left, ArrayRef<int64_t> right, int64_t *to) {
    while (!left.empty() || !right.empty()) {
      bool takeRight =
          left.empty() ||
          (!right.empty() && goesBefore(right.front(), left.front()));
      ArrayRef<int64_t> &from = takeRight ? right : left;
      *to++ = from.front();
      from = from.drop_front();
    }
  }

  Evaluator &evaluator;
  SortOp op;
  ArrayRef<Literal> inputs;
  SmallVector<Literal> args, values;
  LogicalResult status = success();
};

} // namespace

LogicalResult SortOp::evaluate(Evaluator &evaluator, ArrayRef<Literal> operands,
                               SmallVectorImpl<Literal> &results) {
  results.append(operands.begin(), operands.end());
  ArrayRef<int64_t> shape = operands[0].shape();
  int64_t size = shape[getDimension()];
  int64_t stride = rowMajorStrides(shape)[getDimension()];
  if (operands[0].size() == 0)
    return success();

  RowSorter sorter(evaluator, *this, operands);
  std::vector<int64_t> order(size);
  for (int64_t row = 0; row < operands[0].size() / size; ++row) {
    int64_t first = row / stride * stride * size + row % stride;
    for (int64_t i = 0; i < size; ++i)
      order[i] = first + i * stride;
    if (failed(sorter.sort(order)))
      return failure();
    for (auto [result, operand] : llvm::zip_equal(results, operands))
      for (int64_t i = 0; i < size; ++i)
        result.setElement(first + i * stride, operand.element(order[i]));
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Random bits
//===----------------------------------------------------------------------===//

LogicalResult RngBitGeneratorOp::evaluate(Evaluator &,
                                          ArrayRef<Literal> operands,
                                          SmallVectorImpl<Literal> &results) {
  RankedTensorType type = getOutput().getType();
  unsigned bits = type.getElementTypeBitWidth();
  RandomBits random(getAlgorithm(), operands[0].ints(), getWholeShape(), bits);
  SmallVector<int64_t> state = random.stateAfter();
  results.push_back(Literal(getOutputState().getType(),
                            std::vector<int64_t>(state.begin(), state.end())));

  SmallVector<int64_t> offsets(type.getRank(), 0), place(type.getRank());
  for (auto [offset, literal] : llvm::zip(offsets, operands.drop_front()))
    offset = literal.ints().front();
  std::vector<char> bytes;
  SmallVector<int64_t> index(type.getRank(), 0);
  if (type.getNumElements() != 0)
    do {
      for (auto [at, i, offset] : llvm::zip_equal(place, index, offsets))
        at = i + offset;
      // The lowest byte first, like the host.
      for (uint64_t value = random.at(place), i = 0; i < bits / 8; ++i)
        bytes.push_back(static_cast<char>(value >> 8 * i));
    } while (nextIndex(index, type.getShape()));
  results.push_back(Literal::fromBytes(type, bytes));
  return success();
}
