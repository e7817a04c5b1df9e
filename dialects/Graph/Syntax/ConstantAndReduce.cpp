//===- ConstantAndReduce.cpp - Syntax and kind of reduce and constant -----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/Syntax/PrimitiveFormats.h"

using namespace mlir;

namespace cleave::graph {

//===----------------------------------------------------------------------===//
// Constant
//===----------------------------------------------------------------------===//

ParseResult ConstantOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseConstant(parser, result);
}

void ConstantOp::print(OpAsmPrinter &printer) {
  printConstant(printer, *this, getValue());
}

void ConstantOp::getAsmResultNames(OpAsmSetValueNameFn setName) {
  setName(getOutput(),
          isa<FloatType>(getType().getElementType()) ? "cst" : "c");
}

//===----------------------------------------------------------------------===//
// Reduce
//===----------------------------------------------------------------------===//

ParseResult ReduceOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseReduce(parser, result);
}

void ReduceOp::print(OpAsmPrinter &printer) {
  printReduce(printer, *this, getDimensions());
}

void ReduceOp::build(OpBuilder &builder, OperationState &state, Value input,
                     Value init, ArrayRef<int64_t> dimensions,
                     ReductionKind kind) {
  RankedTensorType type = typeOf(input);
  SmallVector<int64_t> shape;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (!llvm::is_contained(dimensions, i))
      shape.push_back(type.getDimSize(i));
  build(builder, state, TypeRange{withShape(type, shape)}, input, init,
        dimensions);
  OpBuilder::InsertionGuard guard(builder);
  RankedTensorType scalar = withShape(type, {});
  mlir::Block *body =
      builder.createBlock(state.regions.front().get(), {}, {scalar, scalar},
                          {state.location, state.location});
  Value result = combine(builder, state.location, kind, body->getArgument(0),
                         body->getArgument(1));
  ReturnOp::create(builder, state.location, result);
}

std::optional<ReductionKind> ReduceOp::getSimpleKind() {
  if (getInputs().size() != 1)
    return std::nullopt;
  return combiningKind(getBody());
}

} // namespace cleave::graph
