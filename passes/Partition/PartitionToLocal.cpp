//===- PartitionToLocal.cpp - From global to local shapes -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/EntryOnMesh.h"
#include "dialects/Spmd/ManualRules.h"
#include "dialects/Spmd/RankShards.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Partition/CollectiveBuilder.h"
#include "passes/Partition/Passes.h"

namespace cleave {
#define GEN_PASS_DEF_PARTITIONTOLOCAL
#include "passes/Partition/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct PartitionToLocal : cleave::impl::PartitionToLocalBase<PartitionToLocal> {
  void runOnOperation() override {
    FailureOr<EntryOnMesh> entry = getEntryOnMesh(getOperation());
    if (failed(entry))
      return signalPassFailure();
    mesh = entry->mesh;
    ReshardPlanner thePlanner(mesh);
    planner = &thePlanner;
    locals = IRMapping();
    if (failed(checkAnnotated(entry->func)) ||
        failed(convertFunction(entry->func)))
      signalPassFailure();
  }

  LogicalResult checkAnnotated(func::FuncOp func) {
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      if (func.getArgAttr(i, SpmdDialect::kGlobalType))
        return func.emitError("is partitioned already");
    return verifyAllSharded(func);
  }

  //===--------------------------------------------------------------------===//
  // Types
  //===--------------------------------------------------------------------===//

  Sharding convert(ShardingAttr attr, Type global) {
    return toSharding(attr, mesh, cast<RankedTensorType>(global).getShape());
  }
  Sharding shardingOf(Value value) {
    return convert(getSharding(value), value.getType());
  }

  RankedTensorType localTypeOf(Type global, ShardingAttr sharding) {
    auto type = cast<RankedTensorType>(global);
    return RankedTensorType::get(
        convert(sharding, type).localShape(type.getShape()),
        type.getElementType());
  }
  RankedTensorType localTypeOf(Value value) {
    return localTypeOf(value.getType(), getSharding(value));
  }

  //===--------------------------------------------------------------------===//
  // Functions and regions
  //===--------------------------------------------------------------------===//

  LogicalResult convertFunction(func::FuncOp func) {
    Region body;
    if (failed(convertRegion(func.getBody(), body)))
      return failure();
    SmallVector<Type> results;
    SmallVector<DictionaryAttr> argumentAttrs, resultAttrs;
    for (BlockArgument argument : func.getArguments())
      argumentAttrs.push_back(keepGlobal(
          func.getArgAttrDict(argument.getArgNumber()), argument.getType()));
    for (auto [index, type] : llvm::enumerate(func.getResultTypes())) {
      results.push_back(
          localTypeOf(type, func.getResultAttrOfType<ShardingAttr>(
                                index, SpmdDialect::kSharding)));
      resultAttrs.push_back(keepGlobal(func.getResultAttrDict(index), type));
    }
    func.getBody().takeBody(body);
    func.setType(FunctionType::get(&getContext(),
                                   func.front().getArgumentTypes(), results));
    func.setAllArgAttrs(argumentAttrs);
    func.setAllResultAttrs(resultAttrs);
    return success();
  }

  DictionaryAttr keepGlobal(DictionaryAttr attrs, Type type) {
    NamedAttrList list(attrs);
    list.set(SpmdDialect::kGlobalType, TypeAttr::get(type));
    list.erase(SpmdDialect::kOrigins);
    return list.getDictionary(&getContext());
  }

  /// Converts a single-block region whose arguments have shardings.
  LogicalResult convertRegion(Region &from, Region &to) {
    if (!from.hasOneBlock())
      return from.getParentOp()->emitError(
          "has several blocks; use cleave.if and cleave.while instead");
    auto *block = new mlir::Block();
    to.push_back(block);
    for (BlockArgument argument : from.getArguments())
      locals.map(argument,
                 block->addArgument(localTypeOf(argument), argument.getLoc()));
    OpBuilder builder(&getContext());
    builder.setInsertionPointToEnd(block);
    for (Operation &op : from.front())
      if (failed(convertOp(builder, &op)))
        return failure();
    return success();
  }

  //===--------------------------------------------------------------------===//
  // Operations
  //===--------------------------------------------------------------------===//

  LogicalResult convertOp(OpBuilder &builder, Operation *op) {
    if (auto reshard = dyn_cast<ReshardOp>(op))
      return convertReshard(builder, reshard);
    if (auto manual = dyn_cast<ManualComputationOp>(op))
      return inlineManual(builder, manual);
    if (isa<ShardingTieOpInterface>(op))
      return convertTied(builder, op);
    if (ShardingRuleOpInterface ruled = getRuled(op))
      return convertRuled(builder, ruled);
    if (getManualRule(op)) {
      convertWritten(builder, op);
      return success();
    }
    // Terminators, and ops without a rule, whose operands are whole.
    if (failed(checkCaptures(op)))
      return failure();
    Operation *clone = builder.clone(*op, locals);
    dropShardings(clone);
    return success();
  }

  /// A region is cloned as it is, so what it uses from outside must be whole.
  LogicalResult checkCaptures(Operation *op) {
    LogicalResult result = success();
    for (Region &region : op->getRegions())
      visitUsedValuesDefinedAbove(region, [&](OpOperand *use) {
        if (succeeded(result) && isa<RankedTensorType>(use->get().getType()) &&
            localTypeOf(use->get()) != use->get().getType())
          result = op->emitError("has a region that uses a sharded value from "
                                 "outside; make that an operand");
      });
    return result;
  }

  /// Regions that an op took along still use global values.
  void replaceCaptures(Operation *local) {
    for (Region &region : local->getRegions())
      region.walk([&](Operation *inner) {
        for (OpOperand &use : inner->getOpOperands())
          if (Value value = locals.lookupOrNull(use.get()))
            use.set(value);
      });
  }

  static void dropShardings(Operation *op) {
    op->removeDiscardableAttr(SpmdDialect::kShardings);
    op->removeDiscardableAttr(SpmdDialect::kOrigins);
  }

  LogicalResult convertReshard(OpBuilder &builder, ReshardOp op) {
    auto type = cast<RankedTensorType>(op.getType());
    const ReshardPlan *plan = planner->plan(type.getShape(), elementBytes(type),
                                            shardingOf(op.getInput()),
                                            convert(op.getSharding(), type));
    if (!plan)
      return op.emitError("no sequence of collectives makes a value partial");
    Value value = locals.lookup(op.getInput());
    for (const ReshardStep &step : plan->steps) {
      value = buildCollective(builder, op.getLoc(), value, step, mesh,
                              op.getCauseAttr());
      if (step.kind != CollectiveKind::AllSlice) {
        ++numCollectives;
        numBytes += step.bytes;
      }
    }
    locals.map(op.getResult(), value);
    return success();
  }

  LogicalResult inlineManual(OpBuilder &builder, ManualComputationOp op) {
    mlir::Block &body = op.getBody().front();
    for (auto [argument, input] :
         llvm::zip(body.getArguments(), op.getInputs()))
      locals.map(argument, locals.lookup(input));
    body.walk([&](CollectiveOpInterface collective) {
      if (!collective.getCauseAttr())
        collective->setAttr("cause",
                            builder.getStringAttr("written in the model"));
    });
    for (Operation &inner : body.without_terminator()) {
      if (!op.hasFreeAxes())
        dropShardings(builder.clone(inner, locals));
      else if (failed(convertOp(builder, &inner)))
        return failure();
    }
    for (auto [result, value] :
         llvm::zip(op.getResults(), body.getTerminator()->getOperands()))
      locals.map(result, locals.lookup(value));
    return success();
  }

  /// What acts along manual axes does so on blocks over the free ones, too.
  void convertWritten(OpBuilder &builder, Operation *op) {
    Operation *local = builder.clone(*op, locals);
    for (auto [result, own] :
         llvm::zip_equal(op->getResults(), local->getResults()))
      own.setType(localTypeOf(result));
    dropShardings(local);
  }

  /// Loops and branches: the same op on local types.
  LogicalResult convertTied(OpBuilder &builder, Operation *op) {
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.operands.push_back(locals.lookup(operand));
    for (Value result : op->getResults())
      state.types.push_back(localTypeOf(result));
    state.attributes = op->getDiscardableAttrDictionary().getValue();
    state.propertiesAttr = op->getPropertiesAsAttribute();
    for (Region &region : op->getRegions())
      if (failed(convertRegion(region, *state.addRegion())))
        return failure();
    Operation *local = builder.create(state);
    dropShardings(local);
    locals.map(op->getResults(), local->getResults());
    return success();
  }

  LogicalResult convertRuled(OpBuilder &builder, ShardingRuleOpInterface op) {
    ShardingRule rule = op.getShardingRule();
    FailureOr<FactorShardings> factors = factorsOf(op, rule);
    if (failed(factors) || failed(checkCaptures(op)))
      return failure();
    SmallVector<RankedTensorType> types;
    for (Value result : op->getResults())
      types.push_back(localTypeOf(result));
    RankShards shards(mesh, rule, *factors, types);
    SmallVector<Value> operands;
    for (auto [value, tensor] : llvm::zip(op->getOperands(), rule.operands))
      operands.push_back(maskReduced(builder, op, value, tensor, rule, shards));
    mlir::Block *block = builder.getInsertionBlock();
    Operation *before = block->empty() ? nullptr : &block->back();
    FailureOr<SmallVector<Value>> results =
        op.buildLocal(builder, operands, shards);
    if (failed(results))
      return failure();
    for (Operation &built : llvm::make_range(
             before ? std::next(before->getIterator()) : block->begin(),
             block->end()))
      replaceCaptures(&built);
    for (auto [result, local, type] :
         llvm::zip(op->getResults(), *results, types)) {
      if (local.getType() != type)
        return op->emitError() << "has a local form of type " << local.getType()
                               << " instead of " << type;
      locals.map(result, local);
    }
    return success();
  }

  /// Operands and results agree on these; cleave-verify-shardings says so.
  FailureOr<FactorShardings> factorsOf(Operation *op,
                                       const ShardingRule &rule) {
    FactorShardings factors(rule.factors.size());
    auto project = [&](Value value, const TensorFactors &tensor) {
      if (!isa<RankedTensorType>(value.getType()))
        return true;
      if (!getSharding(value))
        return false;
      FactorShardings own(rule.factors.size());
      if (!projectToFactors(rule, tensor, shardingOf(value), own))
        return false;
      for (const auto &dim : tensor.dims)
        for (unsigned factor : dim)
          if (!agreeOnFactor(factors[factor], own[factor]))
            factors[factor] = own[factor];
      return true;
    };
    for (auto [value, tensor] : llvm::zip(op->getOperands(), rule.operands))
      if (!project(value, tensor))
        return op->emitError("an operand is not cut along the op's factors");
    for (auto [value, tensor] : llvm::zip(op->getResults(), rule.results))
      if (!project(value, tensor))
        return op->emitError("a result is not cut along the op's factors");
    return factors;
  }

  /// Padding must not contribute to a reduction. A dimension of one factor may
  /// have a size of its own (that of an operand which windows walk over).
  Value maskReduced(OpBuilder &builder, Operation *op, Value value,
                    const TensorFactors &tensor, const ShardingRule &rule,
                    RankShards &shards) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    ArrayRef<int64_t> shape = type ? type.getShape() : ArrayRef<int64_t>();
    value = locals.lookup(value);
    for (const auto &[dim, factors] : llvm::enumerate(tensor.dims))
      for (unsigned factor : factors)
        if (rule.factors[factor].kind == FactorKind::Reduction)
          value = shards.maskBlock(
              builder, op->getLoc(), value, dim,
              factors.size() == 1 ? shape[dim] : rule.factors[factor].size,
              factor, rule.factors[factor].reduction);
    return value;
  }

  Mesh mesh;
  ReshardPlanner *planner = nullptr;
  IRMapping locals;
};

} // namespace
