//===- ImportReducingCollectives.cpp - Collectives that compute -----------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By one of the usual operations where the computation is that; by any other,
// every rank gets all values and computes for itself.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "passes/Import/Ops/CollectiveImports.h"
#include "passes/Import/Ops/Elementwise.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// The reduction that a computation on scalars makes: a single op.
static std::optional<spmd::Reduction> reductionOf(ImportedOp &op) {
  mlir::Block &block = op.op->getRegion(0).front();
  Operation &only = block.front();
  bool isOne = block.getOperations().size() == 2 &&
               block.getNumArguments() == 2 && only.getNumResults() == 1 &&
               only.getNumOperands() == 2 &&
               block.getTerminator()->getNumOperands() == 1 &&
               block.getTerminator()->getOperand(0) == only.getResult(0);
  for (BlockArgument argument : block.getArguments())
    isOne = isOne && llvm::is_contained(only.getOperands(), Value(argument));
  using Kind = std::optional<spmd::Reduction>;
  Kind kind;
  if (isOne) {
    Type element = getElementTypeOrSelf(block.getArgument(0));
    bool isBool = element.isInteger(1);
    kind = TypeSwitch<Operation *, Kind>(&only)
               .Case([&](stablehlo::AddOp) {
                 return isBool ? spmd::Reduction::Or : spmd::Reduction::Sum;
               })
               .Case([&](stablehlo::MultiplyOp) {
                 return isBool ? spmd::Reduction::And : spmd::Reduction::Prod;
               })
               .Case([](stablehlo::MaximumOp) { return spmd::Reduction::Max; })
               .Case([](stablehlo::MinimumOp) { return spmd::Reduction::Min; })
               .Case([](stablehlo::AndOp) { return spmd::Reduction::And; })
               .Case([](stablehlo::OrOp) { return spmd::Reduction::Or; })
               .Default([](Operation *) { return Kind(); });
    // Only sums act on real and imaginary parts separately.
    if (isComplex(element) && kind != spmd::Reduction::Sum)
      kind.reset();
  }
  return kind;
}

/// The operand of every rank of the group, one after the other, by any
/// computation. Ranks get the values in one order, and so the same bits.
static FailureOr<Parts> foldGroup(ImportedOp &op, const CollectiveGroup &group,
                                  const Parts &operand) {
  OpBuilder &b = op.builder;
  Parts gathered;
  for (Value part : operand) {
    RankedTensorType type = graph::typeOf(part);
    SmallVector<int64_t> one{1}, all{group.size};
    llvm::append_range(one, type.getShape());
    llvm::append_range(all, type.getShape());
    gathered.push_back(spmd::AllGatherOp::create(
        b, op.loc, type.clone(all), graph::reshapeTo(b, op.loc, part, one),
        b.getI64IntegerAttr(0), group.mesh, group.ranks, group.cause));
  }
  auto termOf = [&](int64_t position) {
    Parts term;
    for (auto [all, part] : llvm::zip_equal(gathered, operand))
      term.push_back(graph::reshapeTo(
          b, op.loc, graph::sliceDim(b, op.loc, all, 0, position, position + 1),
          graph::typeOf(part).getShape()));
    return term;
  };
  Parts sum = termOf(0);
  for (int64_t position = 1; position < group.size; ++position) {
    SmallVector<Parts> results;
    if (failed(applyToTensors(op, op.op->getRegion(0), {sum, termOf(position)},
                              results)))
      return failure();
    if (results.size() != 1 ||
        ValueRange(results[0]).getTypes() != ValueRange(sum).getTypes())
      return op.error() << "the computation of '" << op.name()
                        << "' does not return what it takes";
    sum = std::move(results[0]);
  }
  return sum;
}

static LogicalResult importAllReduce(ImportedOp &op) {
  FailureOr<CollectiveGroup> group = groupOf(op, groupKindOfReduction(op.op));
  if (failed(group))
    return failure();
  std::optional<spmd::Reduction> kind = reductionOf(op);
  if (!kind) {
    for (auto [operand, result] : llvm::zip_equal(op.operands, op.results)) {
      FailureOr<Parts> folded = foldGroup(op, *group, operand);
      if (failed(folded))
        return failure();
      result = std::move(*folded);
    }
    return success();
  }
  auto reduction = spmd::ReductionAttr::get(op.builder.getContext(), *kind);
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return spmd::AllReduceOp::create(op.builder, op.loc, type, reduction,
                                     operand, group->mesh, group->ranks,
                                     group->cause);
  });
}

static LogicalResult importReduceScatter(ImportedOp &op) {
  int64_t dim;
  if (failed(op.read("scatter_dimension", dim)))
    return failure();
  FailureOr<CollectiveGroup> group = groupOf(op, groupKindOfReduction(op.op));
  if (failed(group))
    return failure();
  std::optional<spmd::Reduction> kind = reductionOf(op);
  if (!kind) {
    FailureOr<Parts> folded = foldGroup(op, *group, op.operands[0]);
    if (failed(folded))
      return failure();
    for (auto [part, type] : llvm::zip_equal(*folded, op.resultTypes[0]))
      op.results[0].push_back(spmd::AllSliceOp::create(
          op.builder, op.loc, type, part, op.builder.getI64IntegerAttr(dim),
          group->mesh, group->ranks, group->cause));
    return success();
  }
  auto reduction = spmd::ReductionAttr::get(op.builder.getContext(), *kind);
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return spmd::ReduceScatterOp::create(
        op.builder, op.loc, type, reduction, operand,
        op.builder.getI64IntegerAttr(dim), group->mesh, group->ranks,
        group->cause);
  });
}

/// The first of each group gets what an all_reduce gives, all others zeros.
static LogicalResult importCollectiveReduce(ImportedOp &op) {
  FailureOr<CollectiveGroup> group = groupOf(op, groupKindOfReduction(op.op));
  if (failed(group) || failed(importAllReduce(op)))
    return failure();
  SmallVector<int64_t> toThemselves;
  for (int64_t root : group->roots)
    toThemselves.append(2, root);
  op.operands =
      std::exchange(op.results, SmallVector<Parts>(op.results.size()));
  return permute(op, group->mesh, toThemselves);
}

/// The sum over replicas, as it was written before there was all_reduce.
static LogicalResult importCrossReplicaSum(ImportedOp &op) {
  FailureOr<CollectiveGroup> group = groupOf(op, GroupKind::CrossReplica);
  if (failed(group))
    return failure();
  auto sum =
      spmd::ReductionAttr::get(op.builder.getContext(), spmd::Reduction::Sum);
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return spmd::AllReduceOp::create(op.builder, op.loc, type, sum, operand,
                                     group->mesh, group->ranks, group->cause);
  });
}

void reader::addReducingCollectiveImports(ImportTable &table) {
  table["stablehlo.all_reduce"] =
      reduction(importCollective<importAllReduce, groupKindOfReduction>);
  table["stablehlo.collective_reduce"] =
      reduction(importCollective<importCollectiveReduce, groupKindOfReduction>);
  table["stablehlo.cross-replica-sum"] = arithmetic(importCrossReplicaSum);
  table["stablehlo.reduce_scatter"] =
      reduction(importCollective<importReduceScatter, groupKindOfReduction>);
}
