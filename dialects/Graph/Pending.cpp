//===- Pending.cpp - Ops whose semantics are being written
//-----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluator.h"
#include "dialects/Graph/LocalForm.h"
#include "dialects/Graph/ShardingRuleBuilder.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::graph;

#define EVALUATE(OP)                                                           \
  LogicalResult OP::evaluate(Evaluator &, ArrayRef<Literal>,                   \
                             SmallVectorImpl<Literal> &) {                     \
    return emitOpError("cannot be evaluated yet");                             \
  }
#define WHOLE_RULE(OP)                                                         \
  ShardingRule OP::getShardingRule() {                                         \
    return ShardingRuleBuilder(*this).take();                                  \
  }
#define VERIFY(OP)                                                             \
  LogicalResult OP::verify() { return success(); }
#define LOCAL(OP)                                                              \
  FailureOr<SmallVector<Value>> OP::buildLocal(                                \
      OpBuilder &builder, ValueRange operands, LocalShards &shards) {          \
    return cloneWithLocalTypes(*this, builder, operands, shards);              \
  }

WHOLE_RULE(ScatterOp)
LOCAL(ScatterOp)
WHOLE_RULE(SortOp)
WHOLE_RULE(RngBitGeneratorOp)
LOCAL(RngBitGeneratorOp)
