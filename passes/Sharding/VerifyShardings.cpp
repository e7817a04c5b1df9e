//===- VerifyShardings.cpp - Check shardings against the ops' rules -------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/ShardingRule.h"
#include "dialects/Spmd/EntryOnMesh.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/Pass/Pass.h"
#include "passes/Sharding/Passes.h"
#include "passes/Sharding/ShardingGraph.h"

namespace cleave {
#define GEN_PASS_DEF_VERIFYSHARDINGS
#include "passes/Sharding/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

namespace {

struct VerifyShardings : cleave::impl::VerifyShardingsBase<VerifyShardings> {
  void runOnOperation() override {
    FailureOr<EntryOnMesh> entry = getEntryOnMesh(getOperation());
    if (failed(entry))
      return signalPassFailure();
    mesh = entry->mesh;
    if (failed(verifyBlock(entry->func.front())) ||
        failed(verifyReturn(entry->func)))
      signalPassFailure();
  }

  LogicalResult verifyBlock(mlir::Block &block) {
    for (Operation &op : block) {
      for (Value result : op.getResults())
        if (isa<RankedTensorType>(result.getType()) && !getSharding(result))
          return op.emitError("a result has no sharding");
      if (isRegionTerminator(&op))
        continue;
      for (Value operand : op.getOperands())
        if (isa<RankedTensorType>(operand.getType()) && !getSharding(operand))
          return op.emitError("an operand has no sharding");
      if (auto manual = dyn_cast<ManualComputationOp>(op)) {
        if (failed(verifyManual(manual)))
          return failure();
        continue;
      }
      if (auto tied = dyn_cast<ShardingTieOpInterface>(op)) {
        if (failed(verifyTies(tied)))
          return failure();
        continue;
      }
      if (failed(isa<ReshardOp>(op) ? verifyReshard(cast<ReshardOp>(op))
                                    : verifyOp(&op)))
        return failure();
    }
    return success();
  }

  /// A scalar has no sharding; it is the same on every rank.
  Sharding of(Value value) {
    return isa<RankedTensorType>(value.getType())
               ? of(getSharding(value), value.getType())
               : Sharding::replicated(0);
  }
  Sharding of(ShardingAttr attr, Type type) {
    return toSharding(attr, mesh, cast<RankedTensorType>(type).getShape());
  }

  LogicalResult verifyReshard(ReshardOp op) {
    Sharding from = of(op.getInput()), to = of(op.getResult());
    if (!to.samePlacement(of(op.getSharding(), op.getType())))
      return op.emitError("result is not placed as the reshard says");
    for (const PartialAxis &partial : to.partial)
      if (!isPartialWithin(partial, from.partial))
        return op.emitError()
               << "cannot make a value partial over " << mesh.str(partial.axis);
    return success();
  }

  LogicalResult verifyOp(Operation *op) {
    ShardingRule rule = getRuleOrReplicate(op);
    FailureOr<FactorShardings> factors = agree(op, rule);
    if (failed(factors) || failed(verifyFactors(op, rule, *factors)))
      return failure();
    SmallVector<PartialAxis> carried;
    if (failed(verifyPartialOperands(op, rule, carried)))
      return failure();
    for (OpResult result : op->getResults()) {
      Sharding expected =
          resultSharding(rule, result.getResultNumber(), *factors);
      expected.partial.append(carried.begin(), carried.end());
      Sharding actual = of(result);
      addSumsOfNothing(rule, actual, expected);
      if (isSamePartial(actual.partial, expected.partial))
        continue;
      InFlightDiagnostic diag = op->emitError("result should be partial over ");
      llvm::interleaveComma(expected.partial, diag, [&](const PartialAxis &p) {
        diag << mesh.str(p.axis);
      });
      diag << (expected.partial.empty() ? "no axis" : "")
           << ", but its sharding is " << getSharding(result);
      return diag;
    }
    return success();
  }

  /// An op that is linear in no operands makes zero: a partial sum over any
  /// axes.
  static void addSumsOfNothing(const ShardingRule &rule, const Sharding &actual,
                               Sharding &expected) {
    if (!llvm::any_of(rule.linear, [](const auto &set) { return set.empty(); }))
      return;
    for (const PartialAxis &p : actual.partial)
      if (p.kind == ReductionKind::Sum && !isPartialWithin(p, expected.partial))
        expected.partial.push_back(p);
  }

  /// The one sharding of the iteration space that all tensors agree on.
  FailureOr<FactorShardings> agree(Operation *op, const ShardingRule &rule) {
    FactorShardings all(rule.factors.size());
    SmallVector<bool> seen(rule.factors.size(), false);
    auto merge = [&](Value value,
                     const TensorFactors &tensor) -> LogicalResult {
      FactorShardings own(rule.factors.size());
      if (!projectToFactors(rule, tensor, of(value), own))
        return op->emitError() << "sharding " << getSharding(value)
                               << " does not cut along the op's factors";
      for (const auto &dim : tensor.dims)
        for (unsigned factor : dim) {
          if (!seen[factor])
            all[factor] = own[factor];
          seen[factor] = true;
          if (!agreeOnFactor(all[factor], own[factor]))
            return disagree(op, all[factor], own[factor]);
        }
      return success();
    };
    // The agreed parts must cut each dimension into the blocks it has.
    auto check = [&](Value value, const TensorFactors &tensor) {
      Sharding sharding = of(value);
      for (auto [d, dim] : llvm::enumerate(tensor.dims)) {
        if (dim.size() != 1)
          continue;
        AxisList axes = all[dim[0]];
        mergeSubAxes(axes,
                     cast<RankedTensorType>(value.getType()).getDimSize(d));
        if (axes != sharding.dims[d].axes)
          return disagree(op, all[dim[0]], sharding.dims[d].axes);
      }
      return success();
    };
    for (auto [value, tensor] : llvm::zip(op->getOperands(), rule.operands))
      if (failed(merge(value, tensor)))
        return failure();
    for (auto [value, tensor] : llvm::zip(op->getResults(), rule.results))
      if (failed(merge(value, tensor)))
        return failure();
    for (auto [value, tensor] : llvm::zip(op->getOperands(), rule.operands))
      if (failed(check(value, tensor)))
        return failure();
    for (auto [value, tensor] : llvm::zip(op->getResults(), rule.results))
      if (failed(check(value, tensor)))
        return failure();
    return all;
  }

  LogicalResult disagree(Operation *op, ArrayRef<AxisRef> a,
                         ArrayRef<AxisRef> b) {
    return op->emitError() << "operands or results disagree: {" << mesh.str(a)
                           << "} and {" << mesh.str(b) << "} for one factor";
  }

  LogicalResult verifyFactors(Operation *op, const ShardingRule &rule,
                              const FactorShardings &factors) {
    AxisList used;
    for (auto [factor, axes] : llvm::zip(rule.factors, factors)) {
      if (factor.kind == FactorKind::NeedReplication && !axes.empty())
        return op->emitError()
               << "needs a dimension whole that is cut over " << mesh.str(axes);
      for (const AxisRef &axis : axes) {
        if (overlapsAny(axis, used))
          return op->emitError()
                 << "axis " << mesh.str(axis)
                 << " cuts two dimensions of one iteration space";
        used.push_back(axis);
      }
    }
    return success();
  }

  /// Partial operands are legal where the op is linear in all of them jointly;
  /// the result is then partial over the same axes.
  LogicalResult verifyPartialOperands(Operation *op, const ShardingRule &rule,
                                      SmallVectorImpl<PartialAxis> &carried) {
    SmallVector<unsigned> partial;
    for (auto [index, operand] : llvm::enumerate(op->getOperands()))
      if (!of(operand).partial.empty())
        partial.push_back(index);
    if (partial.empty())
      return success();
    for (const auto &group : rule.linear) {
      if (SmallVector<unsigned>(group.begin(), group.end()) != partial)
        continue;
      Sharding first = of(op->getOperand(partial.front()));
      if (!llvm::all_of(partial,
                        [&](unsigned index) {
                          return isSamePartial(
                              of(op->getOperand(index)).partial, first.partial);
                        }) ||
          llvm::any_of(first.partial, [](const PartialAxis &p) {
            return p.kind != ReductionKind::Sum;
          }))
        break;
      carried.append(first.partial.begin(), first.partial.end());
      return success();
    }
    return op->emitError() << "operand " << partial.front()
                           << " is a partial result, but the op is not linear "
                              "in it; reduce it first";
  }

  /// The body is its author's; what it takes and gives is checked, and what
  /// it does along free axes.
  LogicalResult verifyManual(ManualComputationOp op) {
    auto verifySide = [&](ValueRange values, ArrayAttr shardings,
                          StringRef side) -> LogicalResult {
      for (auto [index, value, wanted] :
           llvm::enumerate(values, shardings.getAsRange<ShardingAttr>()))
        if (!getSharding(value) ||
            !of(value).samePlacement(of(wanted, value.getType())))
          return op.emitError() << side << ' ' << index << " is not placed as "
                                << "the manual computation says";
      return success();
    };
    if (failed(verifySide(op.getInputs(), op.getInShardings(), "operand")) ||
        (op.hasFreeAxes() && failed(verifyBody(op))))
      return failure();
    return verifySide(op.getResults(), op.getOutShardings(), "result");
  }

  LogicalResult verifyBody(ManualComputationOp op) {
    mlir::Block &body = op.getBody().front();
    if (failed(verifyBlock(body)))
      return failure();
    Operation *terminator = body.getTerminator();
    for (auto [index, operand, wanted] :
         llvm::enumerate(terminator->getOperands(),
                         op.getOutShardings().getAsRange<ShardingAttr>()))
      if (!getSharding(operand) ||
          !of(operand).samePlacement(
              of(op.getFreePart(wanted), operand.getType())))
        return terminator->emitError()
               << "operand " << index << " is not placed as the manual "
               << "computation says";
    return success();
  }

  /// What steers an op must be the same on every rank.
  LogicalResult verifyPredicate(OpOperand &operand) {
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type ||
        (getSharding(value) &&
         of(value).samePlacement(Sharding::replicated(type.getRank()))))
      return success();
    return operand.getOwner()->emitError()
           << "operand " << operand.getOperandNumber()
           << " steers the op and must be complete on every rank";
  }

  LogicalResult verifyTies(ShardingTieOpInterface op) {
    llvm::SmallPtrSet<OpOperand *, 8> sources;
    for (const ShardingTie &tie : op.getShardingTies())
      sources.insert(tie.sources.begin(), tie.sources.end());
    for (OpOperand &operand : op->getOpOperands())
      if (!sources.contains(&operand) && failed(verifyPredicate(operand)))
        return failure();
    for (Region &region : op->getRegions())
      for (mlir::Block &block : region) {
        if (failed(verifyBlock(block)))
          return failure();
        for (OpOperand &operand : block.getTerminator()->getOpOperands())
          if (!sources.contains(&operand) && failed(verifyPredicate(operand)))
            return failure();
      }
    for (const ShardingTie &tie : op.getShardingTies()) {
      Sharding wanted = of(tie.values.front());
      for (OpOperand *source : tie.sources)
        if (!getSharding(source->get()) ||
            !of(source->get()).samePlacement(wanted))
          return source->getOwner()->emitError()
                 << "operand " << source->getOperandNumber()
                 << " is not placed as the variable it becomes";
    }
    return success();
  }

  LogicalResult verifyReturn(func::FuncOp func) {
    Operation *terminator = func.front().getTerminator();
    for (auto [index, operand] : llvm::enumerate(terminator->getOperands())) {
      auto wanted =
          func.getResultAttrOfType<ShardingAttr>(index, SpmdDialect::kSharding);
      if (!wanted || !getSharding(operand) ||
          !of(operand).samePlacement(of(wanted, operand.getType())))
        return terminator->emitError()
               << "operand " << index << " is not placed as result " << index
               << " says";
    }
    return success();
  }

  Mesh mesh;
};

} // namespace
