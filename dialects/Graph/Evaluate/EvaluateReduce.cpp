//===- EvaluateReduce.cpp - Reference semantics of reduce -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Evaluator.h"
#include "dialects/Graph/Evaluate/ScalarSemantics.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace cleave::graph;
using cleave::ReductionKind;

/// Calls `fn(from, to)` for each element of the input, in row-major order, with
/// the place of the result element it is reduced into.
template <typename Fn>
static LogicalResult forEachElement(ArrayRef<int64_t> shape,
                                    ArrayRef<int64_t> dimensions, Fn fn) {
  if (llvm::is_contained(shape, 0))
    return success();
  SmallVector<int64_t> strides(shape.size(), 0);
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (llvm::is_contained(dimensions, static_cast<int64_t>(d)))
      continue;
    strides[d] = stride;
    stride *= shape[d];
  }
  SmallVector<int64_t> index(shape.size(), 0);
  int64_t from = 0;
  do {
    int64_t to = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      to += index[d] * strides[d];
    if (failed(fn(from++, to)))
      return failure();
  } while (nextIndex(index, shape));
  return success();
}

static Literal reduceSimple(Evaluator &evaluator, ReductionKind kind,
                            const Literal &input, const Literal &init,
                            ArrayRef<int64_t> dimensions,
                            RankedTensorType type) {
  SmallVector<int64_t> none(type.getRank(), 0);
  Literal result = init.strided(type.getShape(), 0, none).withType(type);
  if (result.isFloat()) {
    ArrayRef<double> from = input.floats();
    MutableArrayRef<double> to = result.mutableFloats();
    bool inFloat32 = evaluator.accumulationType(type.getElementType()).isF32();
    (void)forEachElement(input.shape(), dimensions, [&](int64_t i, int64_t j) {
      double value = combineElements(kind, to[j], from[i]);
      to[j] = inFloat32 ? static_cast<float>(value) : value;
      return success();
    });
    evaluator.round(result);
    return result;
  }
  IntegerSemantics semantics(type.getElementType());
  ArrayRef<int64_t> from = input.ints();
  MutableArrayRef<int64_t> to = result.mutableInts();
  (void)forEachElement(input.shape(), dimensions, [&](int64_t i, int64_t j) {
    to[j] = wrapToType(combineElements(kind, to[j], from[i], semantics),
                       type.getElementType());
    return success();
  });
  return result;
}

LogicalResult ReduceOp::evaluate(Evaluator &evaluator,
                                 ArrayRef<Literal> operands,
                                 SmallVectorImpl<Literal> &results) {
  ArrayRef<Literal> inputs = operands.take_front(getInputs().size());
  ArrayRef<Literal> inits = operands.drop_front(inputs.size());
  ArrayRef<int64_t> dimensions = getDimensions();
  if (std::optional<ReductionKind> kind = getSimpleKind()) {
    results.push_back(
        reduceSimple(evaluator, *kind, inputs[0], inits[0], dimensions,
                     cast<RankedTensorType>(getResultTypes().front())));
    return success();
  }

  // Any other body is run for each element; the specification leaves the order
  // open, and takes accumulators first.
  for (auto [init, resultType] : llvm::zip_equal(inits, getResultTypes())) {
    auto type = cast<RankedTensorType>(resultType);
    SmallVector<int64_t> none(type.getRank(), 0);
    results.push_back(init.strided(type.getShape(), 0, none).withType(type));
  }
  SmallVector<Literal> args, values;
  return forEachElement(
      inputs[0].shape(), dimensions, [&](int64_t from, int64_t to) {
        args.clear();
        for (const Literal &result : results)
          args.push_back(result.strided({}, to, {}));
        for (const Literal &input : inputs)
          args.push_back(input.strided({}, from, {}));
        if (failed(evaluator.evaluateRegion(getBody(), args, values)))
          return failure();
        for (auto [result, value] : llvm::zip_equal(results, values))
          result.setElement(to, value);
        return success();
      });
}
