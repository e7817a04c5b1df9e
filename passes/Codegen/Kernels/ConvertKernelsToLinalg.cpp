//===- ConvertKernelsToLinalg.cpp - Kernels as linalg operations ----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Codegen/Kernels/IrregularKernel.h"
#include "passes/Codegen/Kernels/KernelConversion.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"
#include "passes/Codegen/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

namespace cleave {
#define GEN_PASS_DEF_CONVERTKERNELSTOLINALG
#include "passes/Codegen/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::codegen;
using namespace cleave::graph;

//===----------------------------------------------------------------------===//
// Building blocks
//===----------------------------------------------------------------------===//

RankedTensorType KernelConversion::storageTensor(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.clone(storageType(tensor.getElementType()));
}

Value KernelConversion::emptyTensor(RankedTensorType type) {
  return tensor::EmptyOp::create(b, type.getShape(), type.getElementType());
}

Value KernelConversion::fill(RankedTensorType type, Value scalar) {
  return linalg::FillOp::create(b, scalar, emptyTensor(type)).getResult(0);
}

Value KernelConversion::parallel(RankedTensorType type, ArrayRef<Input> inputs,
                                 BodyFn body) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (const Input &input : inputs) {
    operands.push_back(input.tensor);
    maps.push_back(input.map);
  }
  maps.push_back(identity(type.getRank()));
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  auto generic = linalg::GenericOp::create(
      b, type, operands, emptyTensor(type), maps, iterators,
      [&](OpBuilder &, Location loc, ValueRange arguments) {
        Value result = body(arguments.drop_back());
        linalg::YieldOp::create(b, result);
      });
  b.setInsertionPointAfter(generic);
  return generic.getResult(0);
}

AffineExpr KernelConversion::partOf(AffineExpr index, int64_t size,
                                    int64_t count) {
  if (isa<AffineDimExpr>(index) && size != count)
    return index % size;
  return index;
}

Value KernelConversion::copy(RankedTensorType type, Value source,
                             AffineMap map) {
  return parallel(type, {{source, map}},
                  [](ValueRange arguments) { return arguments[0]; });
}

Value KernelConversion::lookup(Value value) {
  if (Value tensor = tensors.lookup(value))
    return tensor;
  Type element = getElementTypeOrSelf(value);
  Value scalar = toStorage(b, scalarConstant(b, splats.lookup(value)), element);
  Value tensor = fill(storageTensor(value.getType()), scalar);
  tensors[value] = tensor;
  return tensor;
}

Value KernelConversion::scalarOf(Value value) {
  if (TypedAttr splat = splats.lookup(value))
    return toStorage(b, scalarConstant(b, splat), getElementTypeOrSelf(value));
  return tensor::ExtractOp::create(b, lookup(value), ValueRange());
}

//===----------------------------------------------------------------------===//
// Elementwise ops, sources and views
//===----------------------------------------------------------------------===//

MulOp KernelConversion::fusedProduct(Operation *op) {
  if (!options.fuseProducts || !isa<AddOp, SubtractOp>(op))
    return {};
  // Narrower floats are rounded after each op.
  Type element = getElementTypeOrSelf(op->getResult(0));
  if (!element.isF32() && !element.isF64())
    return {};
  for (Value operand : op->getOperands()) {
    // Decided before anything is computed twice, so that all copies of a value
    // are equal: `x == max(x)` must stay true.
    auto product = operand.getDefiningOp<MulOp>();
    if (product && product->hasOneUse())
      return product;
  }
  return {};
}

/// a * b + c, a * b - c or c - a * b of `scalars`: a, b and c, or c, a and b.
Value KernelConversion::buildMultiplyAdd(Operation *op, bool productIsLeft,
                                         ValueRange scalars) {
  Value x = scalars[productIsLeft ? 0 : 1], y = scalars[productIsLeft ? 1 : 2];
  Value addend = scalars[productIsLeft ? 2 : 0];
  if (isa<SubtractOp>(op)) {
    Value &negated = productIsLeft ? addend : x;
    negated = arith::NegFOp::create(b, negated);
  }
  return math::FmaOp::create(b, x, y, addend);
}

LogicalResult KernelConversion::convertElementwise(Operation *op) {
  RankedTensorType type = storageTensor(op->getResult(0).getType());
  MulOp product = fusedProduct(op);
  SmallVector<Value> operands;
  for (Value operand : op->getOperands()) {
    if (product && operand == product.getResult())
      llvm::append_range(operands, product->getOperands());
    else
      operands.push_back(operand);
  }
  SmallVector<Input> inputs;
  for (Value operand : operands) {
    if (splats.count(operand))
      continue;
    int64_t rank = cast<RankedTensorType>(operand.getType()).getRank();
    inputs.push_back({lookup(operand), rank == type.getRank()
                                           ? identity(rank)
                                           : mapOf(type.getRank(), {})});
  }
  bool known = true;
  Value result = parallel(type, inputs, [&](ValueRange arguments) {
    SmallVector<Value> scalars;
    for (Value operand : operands) {
      if (TypedAttr splat = splats.lookup(operand)) {
        scalars.push_back(scalarConstant(b, splat));
        continue;
      }
      scalars.push_back(
          fromStorage(b, arguments.front(), getElementTypeOrSelf(operand)));
      arguments = arguments.drop_front();
    }
    Value scalar =
        product ? buildMultiplyAdd(op, op->getOperand(0) == product.getResult(),
                                   scalars)
                : buildScalarOp(b, op, scalars);
    known = scalar != nullptr;
    if (!known)
      return Value(
          arith::ConstantOp::create(b, b.getZeroAttr(type.getElementType())));
    return toStorage(b, scalar, getElementTypeOrSelf(op->getResult(0)));
  });
  if (!known)
    return op->emitOpError("has no lowering to a host kernel");
  map(op->getResult(0), result);
  return success();
}

LogicalResult KernelConversion::convertConstant(ConstantOp op) {
  auto elements = cast<DenseElementsAttr>(op.getValue());
  if (!elements.isSplat() && elements.getNumElements() != 0)
    return op.emitOpError("in a kernel must have equal elements");
  splats[op.getOutput()] =
      elements.isSplat() ? cast<TypedAttr>(elements.getSplatValue<Attribute>())
                         : b.getZeroAttr(elements.getElementType());
  return success();
}

LogicalResult KernelConversion::convert(Operation *op) {
  // Without elements there is nothing to compute, and what an index map reads
  // may not exist.
  auto isEmpty = [](Type type) {
    return cast<RankedTensorType>(type).getNumElements() == 0;
  };
  if (!isa<ConstantOp>(op) && llvm::all_of(op->getResultTypes(), isEmpty)) {
    for (Value result : op->getResults())
      map(result, emptyTensor(storageTensor(result.getType())));
    return success();
  }
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](ConstantOp constant) { return convertConstant(constant); })
      .Case([&](MulOp product) {
        // A sum that fuses its product makes it itself.
        return product->hasOneUse() &&
                       fusedProduct(*product->getUsers().begin()) == product
                   ? success()
                   : convertElementwise(op);
      })
      .Case([&](ReduceOp reduce) { return convertReduce(reduce); })
      .Case([&](ReduceWindowOp op) { return convertReduceWindow(op); })
      .Case([&](ConvolutionOp op) { return convertConvolution(op); })
      .Case([&](BroadcastInDimOp broadcast) {
        convertBroadcast(broadcast);
        return success();
      })
      .Case([&](BitcastConvertOp bitcast) {
        if (bitcast.getOperand().getType().getRank() ==
            bitcast.getType().getRank())
          return convertElementwise(op);
        map(bitcast.getResult(), tensorOf(bitcast));
        return success();
      })
      .Case<IotaOp, TransposeOp, SliceOp, ReverseOp, ConcatenateOp, PadOp,
            GatherOp, DynamicSliceOp, DynamicUpdateSliceOp>([&](auto moved) {
        map(moved->getResult(0), tensorOf(moved));
        return success();
      })
      .Default([&](Operation *op) { return convertElementwise(op); });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Converts the body into a new function, which takes the old one's place.
static LogicalResult convertKernel(func::FuncOp kernel, bool fuseProducts) {
  auto storage = [](Type type) -> Type {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.clone(storageType(tensor.getElementType()));
  };
  SmallVector<Type> inputs, results;
  llvm::append_range(inputs,
                     llvm::map_range(kernel.getArgumentTypes(), storage));
  llvm::append_range(results,
                     llvm::map_range(kernel.getResultTypes(), storage));

  Block &old = kernel.getBody().front();
  auto *block = new Block();
  ImplicitLocOpBuilder builder(kernel.getLoc(), kernel.getContext());
  KernelConversion conversion(
      builder, {fuseProducts, !inPlaceArguments(kernel).empty()});
  for (auto [argument, type] : llvm::zip_equal(old.getArguments(), inputs))
    conversion.map(argument, block->addArgument(type, argument.getLoc()));
  builder.setInsertionPointToEnd(block);
  kernel.getBody().push_back(block);
  for (Operation &op : old.without_terminator()) {
    builder.setLoc(op.getLoc());
    if (failed(conversion.convert(&op)))
      return failure();
  }
  SmallVector<Value> returned;
  for (Value value : old.getTerminator()->getOperands())
    returned.push_back(conversion.lookup(value));
  builder.setLoc(old.getTerminator()->getLoc());
  func::ReturnOp::create(builder, returned);
  old.dropAllDefinedValueUses();
  old.erase();
  kernel.setType(builder.getFunctionType(inputs, results));
  return success();
}

namespace {
struct ConvertKernelsToLinalg
    : public cleave::impl::ConvertKernelsToLinalgBase<ConvertKernelsToLinalg> {
  using ConvertKernelsToLinalgBase::ConvertKernelsToLinalgBase;

  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<func::FuncOp>())
      if (isTensorKernel(kernel) && failed(convertKernel(kernel, fuseProducts)))
        return signalPassFailure();
  }
};
} // namespace
