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

/// The shards of an input by rank. Of a partial value the ranks at position 0
/// get all and the others what the reduction does not notice: a body that
/// treats terms as terms cannot tell.
static SmallVector<Literal> cutInput(const Mesh &mesh, const Sharding &sharding,
                                     const Literal &global) {
  SmallVector<Literal> shards;
  auto type = RankedTensorType::get(sharding.localShape(global.shape()),
                                    global.elementType());
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    RankBlock block(mesh, rank, sharding, global.shape());
    Literal own = global.slice(block.offsets, block.valid);
    for (const PartialAxis &partial : sharding.partial)
      if (mesh.coordinate(rank, partial.axis) != 0) {
        own = neutralLiteral(own.type, partial.kind);
        break;
      }
    shards.push_back(unspecified(type));
    shards.back().insert(own, block.zeros);
  }
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

/// Puts the shards of a result together; `shards` are by rank.
static FailureOr<Literal> assembleResult(ManualComputationOp op, unsigned index,
                                         const Evaluator &evaluator,
                                         const Mesh &mesh,
                                         const Sharding &sharding,
                                         MutableArrayRef<Literal> shards) {
  auto type = cast<RankedTensorType>(op.getResult(index).getType());
  AxisList cut;
  for (const DimSharding &dim : sharding.dims)
    cut.append(dim.axes.begin(), dim.axes.end());
  SmallVector<RankBlock> blocks;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    blocks.emplace_back(mesh, rank, sharding, type.getShape());
    shards[rank] = shards[rank].slice(blocks[rank].zeros, blocks[rank].valid);
  }
  for (const PartialAxis &partial : sharding.partial)
    for (const RankGroup &group : groupsAlong(mesh, partial.axis)) {
      SmallVector<Literal> terms;
      for (int64_t rank : group)
        terms.push_back(shards[rank]);
      Literal sum = reduceLiterals(evaluator, partial.kind, terms);
      for (int64_t rank : group)
        shards[rank] = sum;
    }
  Literal result(type);
  // The first rank that has a block.
  llvm::DenseMap<int64_t, int64_t> owners;
  for (int64_t rank = 0; rank < mesh.numRanks(); ++rank) {
    auto [owner, isFirst] = owners.try_emplace(mesh.position(rank, cut), rank);
    if (isFirst) {
      result.insert(shards[rank], blocks[rank].offsets);
      continue;
    }
    std::string difference =
        describeDifference(shards[owner->second], shards[rank]);
    if (!difference.empty())
      return op.emitError()
             << "result " << index << " is " << op.getOutShardings()[index]
             << ", but ranks " << owner->second << " and " << rank
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
  RankEvaluation ranks(evaluator, meshOp);
  const Mesh &mesh = ranks.getMesh();
  SmallVector<RankEvaluation::Literals> args(mesh.numRanks()), values;
  for (auto [sharding, global] :
       llvm::zip_equal(getInShardings().getAsRange<ShardingAttr>(), operands))
    for (auto [own, shard] : llvm::zip_equal(
             args,
             cutInput(mesh,
                      toSharding(getManualPart(sharding), mesh, global.shape()),
                      global)))
      own.push_back(shard);
  if (failed(ranks.evaluate(getBody(), args, values)))
    return failure();
  for (auto [index, sharding] :
       llvm::enumerate(getOutShardings().getAsRange<ShardingAttr>())) {
    SmallVector<Literal> shards;
    for (RankEvaluation::Literals &own : values)
      shards.push_back(std::move(own[index]));
    auto type = cast<RankedTensorType>(getResult(index).getType());
    FailureOr<Literal> result = assembleResult(
        *this, index, evaluator, mesh,
        toSharding(getManualPart(sharding), mesh, type.getShape()), shards);
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  return success();
}
