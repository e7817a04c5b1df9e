//===- ConvertReduce.cpp - Reductions as linalg operations ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Codegen/Kernels/KernelConversion.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

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

SmallVector<utils::IteratorType>
KernelConversion::ReductionLoops::iterators() const {
  SmallVector<utils::IteratorType> types(extents.size(),
                                         utils::IteratorType::reduction);
  std::fill_n(types.begin(), numParallel, utils::IteratorType::parallel);
  return types;
}

void KernelConversion::addExtents(const ReductionLoops &loops,
                                  SmallVectorImpl<Value> &inputs,
                                  SmallVectorImpl<AffineMap> &maps) {
  inputs.push_back(
      emptyTensor(RankedTensorType::get(loops.extents, b.getI8Type())));
  maps.push_back(identity(loops.extents.size()));
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
  ReductionLoops loops;
  loops.numParallel = kept.size();
  for (auto [loop, dim] :
       llvm::enumerate(llvm::concat<int64_t>(kept, reduced))) {
    inputExprs[dim] = b.getAffineDimExpr(loop);
    loops.extents.push_back(inputType.getDimSize(dim));
    if (static_cast<int64_t>(loop) < loops.numParallel)
      outputExprs.push_back(b.getAffineDimExpr(loop));
  }
  loops.input = mapOf(rank, inputExprs);
  loops.output = mapOf(rank, outputExprs);
  return reduceElements(op, op.getInputs(), op.getInits(), op.getBody().front(),
                        op.getSimpleKind().has_value(), loops);
}

Value KernelConversion::combineStored(Operation &combine, Value x, Value y,
                                      Type element) {
  // Truth values as they are stored, so that lanes can accumulate.
  if (element.isInteger(1)) {
    if (isa<AddOp, MaxOp, OrOp>(combine))
      return arith::OrIOp::create(b, x, y);
    return arith::AndIOp::create(b, x, y);
  }
  // In the type of the accumulator, which may be wider than that of the op.
  if (element.isF32()) {
    if (isa<AddOp>(combine))
      return arith::AddFOp::create(b, x, y);
    if (isa<MulOp>(combine))
      return arith::MulFOp::create(b, x, y);
    if (isa<MaxOp>(combine))
      return arith::MaximumFOp::create(b, x, y);
    return arith::MinimumFOp::create(b, x, y);
  }
  return buildScalarOp(b, &combine, {x, y});
}

void KernelConversion::mapRounded(Value value, Value accumulated,
                                  Type accumulator) {
  Type element = getElementTypeOrSelf(value.getType());
  if (accumulator == element) {
    map(value, accumulated);
    return;
  }
  RankedTensorType type = storageTensor(value.getType());
  map(value, parallel(type, {{accumulated, identity(type.getRank())}},
                      [&](ValueRange arguments) {
                        Value scalar =
                            fromStorage(b, arguments[0], accumulator);
                        return toStorage(
                            b, convertScalar(b, scalar, accumulator, element),
                            element);
                      }));
}

Type KernelConversion::accumulatorOf(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() < 32
             ? Type(b.getF32Type())
             : element;
}

LogicalResult KernelConversion::reduceElements(Operation *op,
                                               ValueRange inputValues,
                                               ValueRange inits, Block &body,
                                               bool isSimple,
                                               const ReductionLoops &loops) {
  SmallVector<utils::IteratorType> iterators = loops.iterators();
  // A sum, product or extremum of narrow floats is accumulated in f32 and
  // rounded once.
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  SmallVector<Type> elements, accumulators, resultTypes;
  for (auto [input, init, result] :
       llvm::zip_equal(inputValues, inits, op->getResults())) {
    Type element = getElementTypeOrSelf(input);
    Type accumulator = isSimple ? accumulatorOf(element) : element;
    elements.push_back(element);
    accumulators.push_back(accumulator);
    inputs.push_back(lookup(input));
    maps.push_back(loops.input);
    Value scalar = fromStorage(b, scalarOf(init), element);
    scalar = convertScalar(b, scalar, element, accumulator);
    scalar = toStorage(b, scalar, accumulator);
    auto type = RankedTensorType::get(
        cast<RankedTensorType>(result.getType()).getShape(), scalar.getType());
    resultTypes.push_back(type);
    outputs.push_back(fill(type, scalar));
  }
  addExtents(loops, inputs, maps);
  maps.append(outputs.size(), loops.output);

  size_t count = elements.size();
  LogicalResult status = success();
  auto generic = linalg::GenericOp::create(
      b, resultTypes, inputs, outputs, maps, iterators,
      [&](OpBuilder &, Location, ValueRange arguments) {
        auto elementOf = [&](size_t i) {
          return convertScalar(b, fromStorage(b, arguments[i], elements[i]),
                               elements[i], accumulators[i]);
        };
        if (isSimple) {
          Value element = arguments[0];
          if (accumulators[0] != elements[0])
            element = toStorage(b, elementOf(0), accumulators[0]);
          linalg::YieldOp::create(b, combineStored(body.front(), arguments[2],
                                                   element, accumulators[0]));
          return;
        }
        SmallVector<Value> values;
        for (size_t i = 0; i < count; ++i)
          values.push_back(
              fromStorage(b, arguments[count + 1 + i], elements[i]));
        for (size_t i = 0; i < count; ++i)
          values.push_back(elementOf(i));
        auto built = buildScalarBody(b, body, values);
        status = success(succeeded(built));
        SmallVector<Value> results =
            succeeded(built)
                ? *built
                : SmallVector<Value>(values.begin(), values.begin() + count);
        for (size_t i = 0; i < count; ++i)
          results[i] = toStorage(b, results[i], elements[i]);
        linalg::YieldOp::create(b, results);
      });
  b.setInsertionPointAfter(generic);
  for (size_t i = 0; i < count; ++i)
    mapRounded(op->getResult(i), generic.getResult(i), accumulators[i]);
  return status;
}
