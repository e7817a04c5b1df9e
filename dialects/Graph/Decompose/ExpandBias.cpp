//===- ExpandBias.cpp - Bias of a linear as an op of its own --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Decompose/ExpandBias.h"
#include "dialects/Graph/GraphBuilders.h"

using namespace llvm;
using namespace mlir;

namespace cleave::graph {

Value addBias(OpBuilder &builder, Location loc, Value value, Value bias) {
  RankedTensorType type = typeOf(value);
  int64_t leading = type.getRank() - typeOf(bias).getRank();
  SmallVector<int64_t> dims = dimRange(type.getRank());
  dims.erase(dims.begin(), dims.begin() + leading);
  bias = broadcastTo(builder, loc, bias, type.getShape(), dims);
  return AddOp::create(builder, loc, type, value, bias);
}

Value expandBias(OpBuilder &builder, LinearOp linear) {
  Location loc = linear.getLoc();
  Value product = LinearOp::create(builder, loc, linear.getType(),
                                   linear.getInput(), linear.getWeight(),
                                   /*bias=*/Value(), linear.getContracting());
  Value sum = addBias(builder, loc, product, linear.getBias());
  for (NamedAttribute attribute : linear->getDiscardableAttrs())
    sum.getDefiningOp()->setDiscardableAttr(attribute.getName(),
                                            attribute.getValue());
  return sum;
}

} // namespace cleave::graph
