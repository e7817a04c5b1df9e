//===- ConvertReduce.cpp - Reductions as linalg operations ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Codegen/KernelConversion.h"
#include "passes/Codegen/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::codegen;
using namespace cleave::graph;

/// Without dimensions to reduce, the function is applied once to each element.
LogicalResult KernelConversion::convertReduceOfNothing(ReduceOp op) {
  SmallVector<Input> inputs;
  int64_t rank = cast<RankedTensorType>(op.getInputs()[0].getType()).getRank();
  for (Value init : op.getInits())
    if (!splats.count(init))
      inputs.push_back({lookup(init), mapOf(rank, {})});
  for (Value input : op.getInputs())
    inputs.push_back({lookup(input), identity(rank)});
  LogicalResult status = success();
  for (OpResult result : op.getResults()) {
    RankedTensorType type = storageTensor(result.getType());
    Value converted = parallel(type, inputs, [&](ValueRange arguments) {
      auto next = [&](Value operand) {
        Value value =
            fromStorage(b, arguments.front(), getElementTypeOrSelf(operand));
        arguments = arguments.drop_front();
        return value;
      };
      SmallVector<Value> values;
      for (Value init : op.getInits()) {
        TypedAttr splat = splats.lookup(init);
        values.push_back(splat ? scalarConstant(b, splat) : next(init));
      }
      for (Value input : op.getInputs())
        values.push_back(next(input));
      FailureOr<SmallVector<Value>> built =
          buildScalarBody(b, op.getBody().front(), values);
      if (failed(built)) {
        status = failure();
        return Value(
            arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType())));
      }
      return toStorage(b, (*built)[result.getResultNumber()],
                       getElementTypeOrSelf(result.getType()));
    });
    map(result, converted);
  }
  return status;
}

LogicalResult KernelConversion::convertReduce(ReduceOp op) {
  if (op.getDimensions().empty())
    return convertReduceOfNothing(op);
  auto inputType = cast<RankedTensorType>(op.getInputs()[0].getType());
  int64_t rank = inputType.getRank();
  // Loops: what is kept, then what is reduced.
  SmallVector<int64_t> kept, reduced(op.getDimensions());
  llvm::sort(reduced);
  for (int64_t i = 0; i < rank; ++i)
    if (!llvm::is_contained(reduced, i))
      kept.push_back(i);
  SmallVector<AffineExpr> inputExprs(rank), outputExprs;
  SmallVector<utils::IteratorType> iterators;
  for (auto [loop, dim] :
       llvm::enumerate(llvm::concat<int64_t>(kept, reduced))) {
    inputExprs[dim] = b.getAffineDimExpr(loop);
    bool isKept = loop < kept.size();
    if (isKept)
      outputExprs.push_back(b.getAffineDimExpr(loop));
    iterators.push_back(isKept ? utils::IteratorType::parallel
                               : utils::IteratorType::reduction);
  }
  AffineMap inputMap = mapOf(rank, inputExprs);
  AffineMap outputMap = mapOf(rank, outputExprs);

  // A sum, product or extremum of narrow floats is accumulated in f32 and
  // rounded once.
  bool isSimple = op.getSimpleKind().has_value();
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  SmallVector<Type> elements, accumulators, resultTypes;
  for (auto [input, init] : llvm::zip_equal(op.getInputs(), op.getInits())) {
    Type element = getElementTypeOrSelf(input);
    Type accumulator = element;
    if (isSimple && isa<FloatType>(element) &&
        element.getIntOrFloatBitWidth() < 32)
      accumulator = b.getF32Type();
    elements.push_back(element);
    accumulators.push_back(accumulator);
    inputs.push_back(lookup(input));
    maps.push_back(inputMap);
    Value scalar = fromStorage(b, scalarOf(init), element);
    scalar = convertScalar(b, scalar, element, accumulator);
    scalar = toStorage(b, scalar, accumulator);
    SmallVector<int64_t> shape;
    for (int64_t dim : kept)
      shape.push_back(inputType.getDimSize(dim));
    auto type = RankedTensorType::get(shape, scalar.getType());
    resultTypes.push_back(type);
    outputs.push_back(fill(type, scalar));
  }
  // An operand that is never read gives the loops their extents, so that any
  // producer can be fused.
  inputs.push_back(
      emptyTensor(RankedTensorType::get(inputType.getShape(), b.getI8Type())));
  maps.push_back(inputMap);
  maps.append(outputs.size(), outputMap);

  size_t count = elements.size();
  LogicalResult status = success();
  auto generic = linalg::GenericOp::create(
      b, resultTypes, inputs, outputs, maps, iterators,
      [&](OpBuilder &, Location, ValueRange arguments) {
        SmallVector<Value> values;
        for (size_t i = 0; i < count; ++i)
          values.push_back(
              fromStorage(b, arguments[count + 1 + i], accumulators[i]));
        for (size_t i = 0; i < count; ++i)
          values.push_back(
              convertScalar(b, fromStorage(b, arguments[i], elements[i]),
                            elements[i], accumulators[i]));
        SmallVector<Value> results;
        if (isSimple && elements[0].isInteger(1)) {
          // Bits as they are stored, so that lanes can accumulate.
          Operation &combine = op.getBody().front().front();
          Value x = arguments[2], y = arguments[0];
          if (isa<AddOp, MaxOp, OrOp>(combine))
            results = {arith::OrIOp::create(b, x, y)};
          else if (isa<XorOp>(combine))
            results = {arith::XOrIOp::create(b, x, y)};
          else
            results = {arith::AndIOp::create(b, x, y)};
          linalg::YieldOp::create(b, results);
          return;
        }
        if (accumulators != elements) {
          // The body's one op, on f32.
          Operation &combine = op.getBody().front().front();
          Value x = values[0], y = values[1];
          if (isa<AddOp>(combine))
            results = {arith::AddFOp::create(b, x, y)};
          else if (isa<MulOp>(combine))
            results = {arith::MulFOp::create(b, x, y)};
          else if (isa<MaxOp>(combine))
            results = {arith::MaximumFOp::create(b, x, y)};
          else
            results = {arith::MinimumFOp::create(b, x, y)};
        } else {
          auto built = buildScalarBody(b, op.getBody().front(), values);
          if (failed(built)) {
            status = failure();
            results.assign(values.begin(), values.begin() + count);
          } else {
            results = *built;
          }
        }
        for (size_t i = 0; i < count; ++i)
          results[i] = toStorage(b, results[i], accumulators[i]);
        linalg::YieldOp::create(b, results);
      });
  b.setInsertionPointAfter(generic);
  for (size_t i = 0; i < count; ++i) {
    Value result = generic.getResult(i);
    if (accumulators[i] != elements[i]) {
      RankedTensorType type = storageTensor(op.getResult(i).getType());
      result = parallel(type, {{result, identity(type.getRank())}},
                        [&](ValueRange arguments) {
                          Value value = convertScalar(
                              b, arguments[0], accumulators[i], elements[i]);
                          return toStorage(b, value, elements[i]);
                        });
    }
    map(op.getResult(i), result);
  }
  return status;
}
