//===- ScalarBody.cpp - Functions of scalars as code ----------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphDialect.h"
#include "passes/Codegen/Kernels/ScalarSemantics.h"

using namespace mlir;
using namespace cleave::graph;

namespace cleave::codegen {

FailureOr<SmallVector<Value>>
buildScalarBody(ImplicitLocOpBuilder &b, Block &body, ValueRange arguments) {
  DenseMap<Value, Value> values;
  for (auto [from, to] : llvm::zip_equal(body.getArguments(), arguments))
    values[from] = to;
  auto valueOf = [&](Value value) -> Value {
    if (Value known = values.lookup(value))
      return known;
    if (auto constant = value.getDefiningOp<ConstantOp>())
      if (auto elements = dyn_cast<DenseElementsAttr>(constant.getValue());
          elements && elements.isSplat())
        return scalarConstant(
            b, cast<TypedAttr>(elements.getSplatValue<Attribute>()));
    return Value();
  };
  for (Operation &op : body.without_terminator()) {
    if (isa<ConstantOp>(op))
      continue;
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(valueOf(operand));
    Value result;
    if (!llvm::is_contained(operands, Value())) {
      // On rank 0, moving data is the identity.
      if (isa<BroadcastInDimOp, ReshapeOp, TransposeOp>(op))
        result = operands[0];
      else
        result = buildScalarOp(b, &op, operands);
    }
    if (!result)
      return op.emitOpError("has no lowering in the body of a kernel");
    values[op.getResult(0)] = result;
  }
  SmallVector<Value> results;
  for (Value value : body.getTerminator()->getOperands()) {
    results.push_back(valueOf(value));
    if (!results.back())
      return body.getTerminator()->emitOpError(
          "yields a value that is not computed in the body of a kernel");
  }
  return results;
}

} // namespace cleave::codegen
