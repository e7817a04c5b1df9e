//===- LinalgShardingRules.cpp - Rules of linalg structured ops -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each loop of a structured op is a factor, and indexing maps say which
// dimensions carry it. A reduction loop may be cut if the body combines the
// accumulator by a known reduction with something that padding makes neutral,
// and if the initial value, which every rank adds, is neutral too.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphInterfaces.h"
#include "dialects/Graph/Sharding/ShardingRuleBuilder.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/Upstream/UpstreamShardingRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;
using linalg::LinalgOp;

//===----------------------------------------------------------------------===//
// What the body reduces
//===----------------------------------------------------------------------===//

static std::optional<ReductionKind> reductionOf(Operation *combiner) {
  using Kind = std::optional<ReductionKind>;
  bool isBool = getElementTypeOrSelf(combiner->getResult(0)).isInteger(1);
  auto unlessBool = [&](ReductionKind kind) {
    return isBool ? Kind() : Kind(kind);
  };
  return TypeSwitch<Operation *, Kind>(combiner)
      .Case<arith::AddFOp, arith::AddIOp>(
          [&](auto) { return unlessBool(ReductionKind::Sum); })
      .Case<arith::MulFOp, arith::MulIOp>(
          [&](auto) { return unlessBool(ReductionKind::Prod); })
      // Those that ignore NaN differ from the collective, which does not.
      .Case<arith::MaximumFOp, arith::MaxSIOp>(
          [&](auto) { return unlessBool(ReductionKind::Max); })
      .Case<arith::MinimumFOp, arith::MinSIOp>(
          [&](auto) { return unlessBool(ReductionKind::Min); })
      .Case([&](arith::AndIOp) {
        return isBool ? Kind(ReductionKind::And) : Kind();
      })
      .Case([&](arith::OrIOp) {
        return isBool ? Kind(ReductionKind::Or) : Kind();
      })
      .Default([](Operation *) { return Kind(); });
}

/// Collects the inputs whose product `value` is, through casts to wider types.
/// Fails where it is anything else.
static LogicalResult collectProduct(Value value, Block *body,
                                    SmallVectorImpl<unsigned> &inputs) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != body)
      return failure();
    inputs.push_back(argument.getArgNumber());
    return success();
  }
  Operation *op = value.getDefiningOp();
  if (!isa_and_present<arith::MulFOp, arith::MulIOp, arith::ExtFOp,
                       arith::ExtSIOp, arith::ExtUIOp>(op) ||
      op->getBlock() != body)
    return failure();
  for (Value operand : op->getOperands())
    if (failed(collectProduct(operand, body, inputs)))
      return failure();
  return success();
}

/// Whether every rank may start from this value: it counts once for each.
static bool mayRepeat(Value init, ReductionKind kind) {
  if (kind != ReductionKind::Sum && kind != ReductionKind::Prod)
    return true;
  while (isa_and_present<spmd::ReshardOp, spmd::ShardingConstraintOp>(
      init.getDefiningOp()))
    init = init.getDefiningOp()->getOperand(0);
  if (auto fill = init.getDefiningOp<linalg::FillOp>())
    init = fill.getInputs().front();
  Attribute value;
  if (!matchPattern(init, m_Constant(&value)))
    return false;
  if (auto splat = dyn_cast<SplatElementsAttr>(value))
    value = splat.getSplatValue<Attribute>();
  double neutral = kind == ReductionKind::Sum ? 0 : 1;
  if (auto number = dyn_cast<FloatAttr>(value))
    return number.getValueAsDouble() == neutral;
  auto number = dyn_cast<IntegerAttr>(value);
  return number && number.getValue() == static_cast<uint64_t>(neutral);
}

namespace {
/// One result as `init (kind) product of inputs`.
struct Accumulation {
  ReductionKind kind;
  SmallVector<unsigned, 2> inputs;
};
} // namespace

static std::optional<Accumulation> matchAccumulation(LinalgOp op,
                                                     OpOperand &init) {
  Block *body = op.getBlock();
  BlockArgument accumulator = op.getMatchingBlockArgument(&init);
  OpResult result = op.getTiedOpResult(&init);
  Value yielded = body->getTerminator()->getOperand(result.getResultNumber());
  Operation *combiner = yielded.getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 ||
      !accumulator.hasOneUse() || !yielded.hasOneUse() ||
      !llvm::is_contained(combiner->getOperands(), accumulator))
    return std::nullopt;
  std::optional<ReductionKind> kind = reductionOf(combiner);
  if (!kind || !mayRepeat(init.get(), *kind))
    return std::nullopt;
  Value term = combiner->getOperand(combiner->getOperand(0) == accumulator);
  Accumulation match{*kind, {}};
  if (failed(collectProduct(term, body, match.inputs)))
    return std::nullopt;
  // Only of a sum is a product neutral as soon as one of its inputs is.
  if (*kind != ReductionKind::Sum && match.inputs.size() != 1)
    return std::nullopt;
  return match;
}

//===----------------------------------------------------------------------===//
// The rule
//===----------------------------------------------------------------------===//

static bool carries(AffineMap map, unsigned loop) {
  return llvm::is_contained(map.getResults(),
                            getAffineDimExpr(loop, map.getContext()));
}

/// Loops that must be whole: those that an index computation needs (windows,
/// linalg.index), and all if the body reads a tensor from outside.
static SmallVector<bool> wholeLoops(LinalgOp op) {
  SmallVector<bool> whole(op.getNumLoops(), false);
  for (AffineMap map : op.getIndexingMapsArray())
    for (AffineExpr expr : map.getResults())
      if (!isa<AffineDimExpr>(expr))
        expr.walk([&](AffineExpr inner) {
          if (auto dim = dyn_cast<AffineDimExpr>(inner))
            whole[dim.getPosition()] = true;
        });
  op->walk([&](linalg::IndexOp index) { whole[index.getDim()] = true; });
  visitUsedValuesDefinedAbove(op->getRegions(), [&](OpOperand *use) {
    if (isa<ShapedType>(use->get().getType()))
      whole.assign(whole.size(), true);
  });
  return whole;
}

static ShardingRule linalgRule(Operation *operation) {
  auto op = cast<LinalgOp>(operation);
  ShardingRuleBuilder builder(op);
  SmallVector<bool> whole = wholeLoops(op);
  SmallVector<utils::IteratorType> iterators = op.getIteratorTypesArray();
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  bool reduces = op.getNumReductionLoops() != 0;

  SmallVector<Accumulation> accumulations;
  if (reduces)
    for (OpOperand &init : op.getDpsInitsMutable())
      if (std::optional<Accumulation> match = matchAccumulation(op, init))
        accumulations.push_back(std::move(*match));
  // All results must be reduced alike, for a loop is one factor.
  bool known =
      accumulations.size() == static_cast<size_t>(op.getNumDpsInits()) &&
      llvm::all_of(accumulations, [&](const Accumulation &one) {
        return one.kind == accumulations.front().kind;
      });
  auto maskedBy = [&](unsigned loop) {
    return llvm::all_of(accumulations, [&](const Accumulation &one) {
      return llvm::any_of(one.inputs, [&](unsigned input) {
        return carries(maps[input], loop);
      });
    });
  };

  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    auto inResult = [&](OpOperand &init) {
      return carries(op.getMatchingIndexingMap(&init), loop);
    };
    auto inits = op.getDpsInitsMutable();
    if (!whole[loop] && iterators[loop] == utils::IteratorType::parallel &&
        llvm::all_of(inits, inResult))
      builder.factor(sizes[loop]);
    else if (!whole[loop] &&
             iterators[loop] == utils::IteratorType::reduction &&
             llvm::none_of(inits, inResult) && known && maskedBy(loop))
      builder.factor(sizes[loop], FactorKind::Reduction,
                     accumulations.front().kind);
    else
      builder.factor(sizes[loop], FactorKind::NeedReplication);
  }

  // A factor is numbered as its loop; other dimensions have their own.
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    unsigned index = operand.getOperandNumber();
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        builder.operand(index, dim, loop.getPosition());
      else if (builder.operandSize(index, dim) != 1)
        builder.operandFactor(index, dim, FactorKind::NeedReplication);
    }
  }
  for (OpOperand &init : op.getDpsInitsMutable()) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    unsigned index = op.getTiedOpResult(&init).getResultNumber();
    for (auto [dim, expr] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(expr))
        builder.result(index, dim, loop.getPosition());
      else if (builder.resultSize(index, dim) != 1)
        builder.resultFactor(index, dim, FactorKind::NeedReplication);
  }

  builder.priority(reduces ? ShardingRule::Priority::Contraction
                           : ShardingRule::Priority::Elementwise);
  // A product of different inputs is linear in each.
  if (known && accumulations.size() == 1 &&
      accumulations.front().kind == ReductionKind::Sum) {
    ArrayRef<unsigned> inputs = accumulations.front().inputs;
    for (unsigned input : inputs)
      if (llvm::count(inputs, input) == 1)
        builder.linear({input});
  }
  return builder.take();
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

namespace {
template <typename OpTy>
struct LinalgModel
    : ShardingRuleOpInterface::ExternalModel<LinalgModel<OpTy>, OpTy> {
  ShardingRule getShardingRule(Operation *op) const { return linalgRule(op); }
};
} // namespace

template <typename... Ops> static void attachTo(MLIRContext *context) {
  (Ops::template attachInterface<LinalgModel<Ops>>(*context), ...);
}

void cleave::registerLinalgShardingRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, linalg::LinalgDialect *) {
    attachTo<
#define GET_OP_LIST
#include "mlir/Dialect/Linalg/IR/LinalgStructuredOps.cpp.inc"
        >(context);
  });
}
