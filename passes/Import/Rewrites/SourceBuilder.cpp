//===- SourceBuilder.cpp - Builds ops of StableHLO ------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Rewrites/SourceBuilder.h"
#include "dialects/Graph/GraphBuilders.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;
using graph::typeOf;

Value SourceBuilder::number(int64_t value) {
  auto type = RankedTensorType::get({}, getI64Type());
  return build<stablehlo::ConstantOp>(
      type, {},
      getNamedAttr("value", DenseElementsAttr::get(type, APInt(64, value))));
}

bool SourceBuilder::hasZeros(RankedTensorType type) {
  Type element = type.getElementType();
  return type.hasStaticShape() &&
         (element.isIntOrIndexOrFloat() || isa<ComplexType>(element));
}

Value SourceBuilder::zeros(RankedTensorType type) {
  DenseElementsAttr value;
  if (auto complex = dyn_cast<ComplexType>(type.getElementType())) {
    auto number = cast<FloatType>(complex.getElementType());
    APFloat zero = APFloat::getZero(number.getFloatSemantics());
    value = DenseElementsAttr::get(type, std::complex<APFloat>(zero, zero));
  } else {
    Attribute zero = getZeroAttr(type.getElementType());
    value = DenseElementsAttr::get(type, zero);
  }
  return build<stablehlo::ConstantOp>(type, {}, getNamedAttr("value", value));
}

Value SourceBuilder::add(Value lhs, Value rhs) {
  return build<stablehlo::AddOp>(lhs.getType(), {lhs, rhs});
}

Value SourceBuilder::multiply(Value lhs, Value rhs) {
  return build<stablehlo::MultiplyOp>(lhs.getType(), {lhs, rhs});
}

Value SourceBuilder::compare(StringRef direction, Value lhs, Value rhs) {
  return build<stablehlo::CompareOp>(
      typeOf(lhs).clone(getI1Type()), {lhs, rhs},
      getNamedAttr("comparison_direction", getStringAttr(direction)));
}

Value SourceBuilder::both(Value lhs, Value rhs) {
  return build<stablehlo::AndOp>(lhs.getType(), {lhs, rhs});
}

Value SourceBuilder::select(Value pred, Value onTrue, Value onFalse) {
  return build<stablehlo::SelectOp>(onTrue.getType(), {pred, onTrue, onFalse});
}

Value SourceBuilder::convert(Value value, Type element) {
  RankedTensorType type = typeOf(value);
  if (type.getElementType() == element)
    return value;
  return build<stablehlo::ConvertOp>(type.clone(element), value);
}

Value SourceBuilder::reshape(Value value, ArrayRef<int64_t> shape) {
  return build<stablehlo::ReshapeOp>(typeOf(value).clone(shape), value);
}

Value SourceBuilder::broadcast(Value scalar, ArrayRef<int64_t> shape) {
  return build<stablehlo::BroadcastInDimOp>(
      typeOf(scalar).clone(shape), scalar,
      getNamedAttr("broadcast_dimensions", getDenseI64ArrayAttr({})));
}

Value SourceBuilder::elementAt(Value tensor, ArrayRef<Value> index) {
  if (index.empty())
    return tensor;
  SmallVector<int64_t> ones(index.size(), 1);
  SmallVector<Value> operands{tensor};
  llvm::append_range(operands, index);
  Value slice = build<stablehlo::DynamicSliceOp>(
      typeOf(tensor).clone(ones), operands,
      getNamedAttr("slice_sizes", getDenseI64ArrayAttr(ones)));
  return reshape(slice, {});
}

Value SourceBuilder::withElementAt(Value tensor, Value element,
                                   ArrayRef<Value> index) {
  if (index.empty())
    return element;
  SmallVector<int64_t> ones(index.size(), 1);
  SmallVector<Value> operands{tensor, reshape(element, ones)};
  llvm::append_range(operands, index);
  return build<stablehlo::DynamicUpdateSliceOp>(tensor.getType(), operands);
}

SmallVector<Value> SourceBuilder::indexOf(Value number,
                                          ArrayRef<int64_t> shape) {
  SmallVector<Value> index;
  for (int64_t size : llvm::reverse(shape)) {
    if (size == 1) {
      index.push_back(this->number(0));
      continue;
    }
    Value extent = this->number(size);
    index.push_back(
        build<stablehlo::RemainderOp>(number.getType(), {number, extent}));
    number = build<stablehlo::DivideOp>(number.getType(), {number, extent});
  }
  std::reverse(index.begin(), index.end());
  return index;
}

SmallVector<Value> SourceBuilder::apply(Region &computation,
                                        ValueRange arguments) {
  mlir::Block &block = computation.front();
  IRMapping mapping;
  mapping.map(block.getArguments(), arguments);
  for (Operation &op : block.without_terminator())
    clone(op, mapping);
  return llvm::map_to_vector(
      block.getTerminator()->getOperands(),
      [&](Value value) { return mapping.lookupOrDefault(value); });
}

SmallVector<Value> SourceBuilder::loop(int64_t trips, ValueRange initial,
                                       LoopBody body) {
  if (trips == 0)
    return llvm::to_vector(initial);
  SmallVector<Value> operands{number(0)};
  llvm::append_range(operands, initial);
  OperationState state(getLoc(), stablehlo::WhileOp::getOperationName(),
                       operands, TypeRange(ValueRange(operands)));
  SmallVector<Location> locations(operands.size(), getLoc());
  auto fill = [&](function_ref<SmallVector<Value>(Value, ValueRange)> results) {
    OpBuilder::InsertionGuard guard(*this);
    mlir::Block *block = createBlock(
        state.addRegion(), {}, TypeRange(ValueRange(operands)), locations);
    ValueRange variables(block->getArguments());
    OperationState end(getLoc(), stablehlo::ReturnOp::getOperationName());
    end.addOperands(results(variables[0], variables.drop_front()));
    OpBuilder::create(end);
  };
  fill([&](Value counter, ValueRange) {
    return SmallVector<Value>{compare("LT", counter, number(trips))};
  });
  fill([&](Value counter, ValueRange carried) {
    SmallVector<Value> results{add(counter, number(1))};
    llvm::append_range(results, body(counter, carried));
    return results;
  });
  return llvm::to_vector(
      llvm::map_range(OpBuilder::create(state)->getResults().drop_front(),
                      [](OpResult result) -> Value { return result; }));
}
