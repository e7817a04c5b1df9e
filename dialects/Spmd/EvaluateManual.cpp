//===- EvaluateManual.cpp - Reference semantics of manual computations ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/RankEvaluation.h"
#include "dialects/Spmd/ShardingConversion.h"
#include <cmath>

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;
using graph::Evaluator;
using graph::Literal;

namespace {
/// Where a rank's block of a global tensor lies.
struct RankBlock {
  SmallVector<int64_t> offsets, valid, zeros;

  RankBlock(const Mesh &mesh, int64_t rank, const Sharding &sharding,
            ArrayRef<int64_t> shape)
      : zeros(shape.size(), 0) {
    for (auto [size, dim] : llvm::zip_equal(shape, sharding.dims)) {
      BlockExtent block = blockOf(mesh, rank, size, dim.axes);
      offsets.push_back(block.valid ? block.offset : 0);
      valid.push_back(block.valid);
    }
  }
};
} // namespace

/// The shard of an input that a rank has. Of a partial value the ranks at
/// position 0 get all and the others what the reduction does not notice: a body
/// that treats terms as terms cannot tell.
static Literal cutInput(const Mesh &mesh, int64_t rank,
                        const Sharding &sharding, const Literal &global) {
  RankBlock block(mesh, rank, sharding, global.shape());
  Literal own = global.slice(block.offsets, block.valid);
  for (const PartialAxis &partial : sharding.partial)
    if (mesh.coordinate(rank, partial.axis) != 0) {
      own = neutralLiteral(own.type, partial.kind);
      break;
    }
  Literal shard = unspecified(RankedTensorType::get(
      sharding.localShape(global.shape()), global.elementType()));
  shard.insert(own, block.zeros);
  return shard;
}

/// What a rank's body starts with.
static SmallVector<Literal> cutInputs(ManualComputationOp op, const Mesh &mesh,
                                      int64_t rank, ArrayRef<Literal> globals) {
  SmallVector<Literal> shards;
  for (auto [sharding, global] :
       llvm::zip_equal(op.getInShardings().getAsRange<ShardingAttr>(), globals))
    shards.push_back(cutInput(
        mesh, rank,
        toSharding(op.getManualPart(sharding), mesh, global.shape()), global));
  return shards;
}

/// `element [1, 2] is 3 on one and 4 on the other` for the first element in
/// which the two differ; empty if none does. A NaN equals a NaN.
static std::string describeDifference(const Literal &a, const Literal &b) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<int64_t> index(a.shape().size(), 0);
  for (int64_t i = 0; i < a.size(); ++i, graph::nextIndex(index, a.shape())) {
    auto report = [&](auto x, auto y) {
      os << "element [";
      llvm::interleaveComma(index, os);
      os << "] is " << x << " on one and " << y << " on the other";
      return text;
    };
    if (!a.isFloat()) {
      if (a.ints()[i] != b.ints()[i])
        return report(a.ints()[i], b.ints()[i]);
      continue;
    }
    double x = a.floats()[i], y = b.floats()[i];
    if (x != y && !(std::isnan(x) && std::isnan(y)))
      return report(x, y);
  }
  return text;
}

/// Puts the shards of a result together that some ranks have, all those that
/// differ along axes that cut it; `shards` are by position in `ranks`.
static FailureOr<Literal> assembleResult(ManualComputationOp op, unsigned index,
                                         const Evaluator &evaluator,
                                         const Mesh &mesh,
                                         ArrayRef<int64_t> ranks,
                                         MutableArrayRef<Literal> shards) {
  auto type = cast<RankedTensorType>(op.getResult(index).getType());
  Sharding sharding = toSharding(
      op.getManualPart(cast<ShardingAttr>(op.getOutShardings()[index])), mesh,
      type.getShape());
  llvm::DenseMap<int64_t, unsigned> positions;
  AxisList cut;
  for (const DimSharding &dim : sharding.dims)
    cut.append(dim.axes.begin(), dim.axes.end());
  SmallVector<RankBlock> blocks;
  for (auto [i, rank] : llvm::enumerate(ranks)) {
    positions[rank] = i;
    blocks.emplace_back(mesh, rank, sharding, type.getShape());
    shards[i] = shards[i].slice(blocks[i].zeros, blocks[i].valid);
  }
  for (const PartialAxis &partial : sharding.partial)
    for (const RankGroup &group : groupsAlong(mesh, partial.axis)) {
      if (!positions.contains(group.front()))
        continue;
      SmallVector<Literal> terms;
      for (int64_t rank : group)
        terms.push_back(shards[positions.at(rank)]);
      Literal sum = reduceLiterals(evaluator, partial.kind, terms);
      for (int64_t rank : group)
        shards[positions.at(rank)] = sum;
    }
  Literal result(type);
  // The first rank that has a block.
  llvm::DenseMap<int64_t, unsigned> owners;
  for (auto [i, rank] : llvm::enumerate(ranks)) {
    auto [owner, isFirst] = owners.try_emplace(mesh.position(rank, cut), i);
    if (isFirst) {
      result.insert(shards[i], blocks[i].offsets);
      continue;
    }
    std::string difference =
        describeDifference(shards[owner->second], shards[i]);
    if (!difference.empty())
      return op.emitError()
             << "result " << index << " is " << op.getOutShardings()[index]
             << ", but ranks " << ranks[owner->second] << " and " << rank
             << ", which should have the same block, differ: " << difference;
  }
  return result;
}

LogicalResult ManualComputationOp::evaluate(Evaluator &evaluator,
                                            ArrayRef<Literal> operands,
                                            SmallVectorImpl<Literal> &results) {
  MeshOp meshOp = getMeshOp();
  // Nothing goes in or comes out.
  if (!meshOp)
    return success();
  RankEvaluation evaluation(evaluator, meshOp);
  const Mesh &mesh = evaluation.getMesh();
  SmallVector<RankEvaluation::Literals> args, values;
  SmallVector<int64_t> ranks;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    ranks.push_back(rank);
    args.push_back(cutInputs(*this, mesh, rank, operands));
  }
  if (failed(evaluation.evaluate(getBody(), args, values)))
    return failure();
  for (unsigned index = 0; index < getNumResults(); ++index) {
    SmallVector<Literal> shards;
    for (RankEvaluation::Literals &own : values)
      shards.push_back(std::move(own[index]));
    FailureOr<Literal> result =
        assembleResult(*this, index, evaluator, mesh, ranks, shards);
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  return success();
}

/// Axes that the computation around leaves to this one: its values are whole
/// along them.
static AxisList ownAxes(ManualComputationOp op, const Mesh &mesh) {
  AxisList axes;
  auto outer = op->getParentOfType<ManualComputationOp>();
  for (AxisId id = 0; id < mesh.axes.size(); ++id) {
    AxisAttr axis = toAttr(op.getContext(), mesh.whole(id), mesh);
    if (outer.isFree(axis) && !op.isFree(axis))
      axes.push_back(mesh.whole(id));
  }
  return axes;
}

LogicalResult RankEvaluation::evaluateManual(ManualComputationOp op,
                                             ArrayRef<int64_t> ranks) {
  SmallVector<Literals> operands, args, values;
  if (failed(getOperands(op, ranks, operands)))
    return failure();
  for (auto [rank, own] : llvm::zip_equal(ranks, operands))
    args.push_back(cutInputs(op, mesh, rank, own));
  if (failed(evaluateRegion(op.getBody(), ranks, args, values)))
    return failure();
  for (const RankGroup &group : groupsAlong(mesh, ownAxes(op, mesh))) {
    FailureOr<bool> present = isPresent(op, group, ranks);
    if (failed(present))
      return failure();
    if (!*present)
      continue;
    for (OpResult result : op->getResults()) {
      SmallVector<Literal> shards;
      for (int64_t rank : group)
        shards.push_back(values[llvm::lower_bound(ranks, rank) - ranks.begin()]
                               [result.getResultNumber()]);
      FailureOr<Literal> whole =
          assembleResult(op, result.getResultNumber(), evaluators.front(), mesh,
                         group, shards);
      if (failed(whole))
        return failure();
      for (int64_t rank : group)
        evaluators[rank].bind(result, *whole);
    }
  }
  return success();
}
