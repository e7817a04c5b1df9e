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
#define ELEMENTWISE_RULE(OP)                                                   \
  ShardingRule OP::getShardingRule() { return elementwiseRule(*this); }
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

EVALUATE(AcosOp)
ELEMENTWISE_RULE(AcosOp)
EVALUATE(AcoshOp)
ELEMENTWISE_RULE(AcoshOp)
EVALUATE(AsinOp)
ELEMENTWISE_RULE(AsinOp)
EVALUATE(AsinhOp)
ELEMENTWISE_RULE(AsinhOp)
EVALUATE(AtanOp)
ELEMENTWISE_RULE(AtanOp)
EVALUATE(AtanhOp)
ELEMENTWISE_RULE(AtanhOp)
EVALUATE(BesselI1eOp)
ELEMENTWISE_RULE(BesselI1eOp)
EVALUATE(CoshOp)
ELEMENTWISE_RULE(CoshOp)
EVALUATE(DigammaOp)
ELEMENTWISE_RULE(DigammaOp)
EVALUATE(ErfcOp)
ELEMENTWISE_RULE(ErfcOp)
EVALUATE(ErfInvOp)
ELEMENTWISE_RULE(ErfInvOp)
EVALUATE(LgammaOp)
ELEMENTWISE_RULE(LgammaOp)
EVALUATE(SinhOp)
ELEMENTWISE_RULE(SinhOp)
EVALUATE(ReducePrecisionOp)
ELEMENTWISE_RULE(ReducePrecisionOp)
EVALUATE(NextAfterOp)
ELEMENTWISE_RULE(NextAfterOp)
EVALUATE(PolygammaOp)
ELEMENTWISE_RULE(PolygammaOp)
EVALUATE(ZetaOp)
ELEMENTWISE_RULE(ZetaOp)

EVALUATE(BitcastConvertOp)
WHOLE_RULE(BitcastConvertOp)
VERIFY(BitcastConvertOp)
WHOLE_RULE(ScatterOp)
LOCAL(ScatterOp)
WHOLE_RULE(SortOp)
WHOLE_RULE(RngBitGeneratorOp)
LOCAL(RngBitGeneratorOp)
EVALUATE(FftOp)
WHOLE_RULE(FftOp)
VERIFY(FftOp)
EVALUATE(CholeskyOp)
WHOLE_RULE(CholeskyOp)
VERIFY(CholeskyOp)
EVALUATE(TriangularSolveOp)
WHOLE_RULE(TriangularSolveOp)
VERIFY(TriangularSolveOp)
