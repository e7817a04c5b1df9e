//===- CollectiveOps.cpp - What collectives are and how they type ---------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/Spmd/SpmdVerification.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

//===----------------------------------------------------------------------===//
// Groups and the typing rule
//===----------------------------------------------------------------------===//

/// Checks listed groups of a mesh. Where types depend on the size of a group,
/// all must have the same.
static LogicalResult verifyGroups(Operation *op, GroupsAttr attr,
                                  const Mesh &mesh, bool mustBeEqual) {
  std::vector<RankGroup> groups = toRankGroups(attr);
  if (groups.empty())
    return op->emitOpError("lists no group");
  SmallVector<bool> isUsed(mesh.numRanks(), false);
  for (const RankGroup &group : groups) {
    if (group.empty())
      return op->emitOpError("lists an empty group");
    if (mustBeEqual && group.size() != groups.front().size())
      return op->emitOpError()
             << "lists groups of " << groups.front().size() << " and of "
             << group.size() << " ranks; its shapes need equal ones";
    for (int64_t rank : group) {
      if (rank < 0 || rank >= mesh.numRanks())
        return op->emitOpError()
               << "rank " << rank << " is not one of the mesh's "
               << mesh.numRanks();
      if (isUsed[rank])
        return op->emitOpError() << "rank " << rank << " is listed twice";
      isUsed[rank] = true;
    }
  }
  return success();
}

/// The typing rule of collectives: apart from the dimensions they act on,
/// operand and result agree; there, the small extent is ceil(big / k).
static LogicalResult verifyCollectiveTypes(Operation *op, int64_t k,
                                           std::optional<int64_t> grown,
                                           std::optional<int64_t> cut) {
  auto from = cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = cast<RankedTensorType>(op->getResult(0).getType());
  if (from.getRank() != to.getRank() ||
      from.getElementType() != to.getElementType())
    return op->emitOpError("operand and result differ in rank or element type");
  if (grown && cut && *grown == *cut)
    return op->emitOpError("gathers and cuts the same dimension");
  for (std::optional<int64_t> dim : {grown, cut})
    if (dim && (*dim < 0 || *dim >= from.getRank()))
      return op->emitOpError()
             << "dimension " << *dim << " is out of range for rank "
             << from.getRank();
  for (int64_t dim = 0; dim < from.getRank(); ++dim) {
    int64_t small = from.getDimSize(dim), big = to.getDimSize(dim);
    if (cut && dim == *cut)
      std::swap(small, big);
    bool acts = (grown && dim == *grown) || (cut && dim == *cut);
    int64_t expected = acts ? llvm::divideCeil(big, k) : big;
    if (small != expected)
      return op->emitOpError()
             << "dimension " << dim << " has extents " << from.getDimSize(dim)
             << " and " << to.getDimSize(dim) << ", but a group of " << k
             << " needs " << (acts ? "the smaller to be " : "both to be ")
             << expected;
  }
  return success();
}

static LogicalResult verifyCollective(CollectiveOpInterface op,
                                      SymbolTableCollection &tables,
                                      std::optional<int64_t> grown,
                                      std::optional<int64_t> cut) {
  if (failed(verifyMeshAndAxes(op, op.getMeshAttr(), op.getCollectiveAxes(),
                               tables)))
    return failure();
  Mesh mesh = toMesh(lookUpMesh(op, op.getMeshAttr(), tables));
  if (auto groups = dyn_cast<GroupsAttr>(op.getGroups());
      groups && failed(verifyGroups(op, groups, mesh, grown || cut)))
    return failure();
  return verifyCollectiveTypes(op, groupSize(op, mesh), grown, cut);
}

//===----------------------------------------------------------------------===//
// Within groups
//===----------------------------------------------------------------------===//

CollectiveKind AllGatherOp::getCollectiveKind() {
  return CollectiveKind::AllGather;
}
std::optional<int64_t> AllGatherOp::getCollectiveDim() { return getDim(); }
LogicalResult AllGatherOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyCollective(*this, tables, getDim(), std::nullopt);
}

CollectiveKind AllSliceOp::getCollectiveKind() {
  return CollectiveKind::AllSlice;
}
std::optional<int64_t> AllSliceOp::getCollectiveDim() { return getDim(); }
LogicalResult AllSliceOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyCollective(*this, tables, std::nullopt, getDim());
}

CollectiveKind AllReduceOp::getCollectiveKind() {
  return CollectiveKind::AllReduce;
}
std::optional<ReductionKind> AllReduceOp::getCollectiveReduction() {
  return toKind(getReduction());
}
LogicalResult AllReduceOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyReduction(*this, getReduction())))
    return failure();
  return verifyCollective(*this, tables, std::nullopt, std::nullopt);
}

CollectiveKind ReduceScatterOp::getCollectiveKind() {
  return CollectiveKind::ReduceScatter;
}
std::optional<ReductionKind> ReduceScatterOp::getCollectiveReduction() {
  return toKind(getReduction());
}
std::optional<int64_t> ReduceScatterOp::getCollectiveDim() { return getDim(); }
LogicalResult ReduceScatterOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyReduction(*this, getReduction())))
    return failure();
  return verifyCollective(*this, tables, std::nullopt, getDim());
}

CollectiveKind AllToAllOp::getCollectiveKind() {
  return CollectiveKind::AllToAll;
}
std::optional<int64_t> AllToAllOp::getCollectiveDim() { return getConcatDim(); }
std::optional<int64_t> AllToAllOp::getCollectiveSplitDim() {
  return getSplitDim();
}
LogicalResult AllToAllOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyCollective(*this, tables, getConcatDim(), getSplitDim());
}

CollectiveKind BroadcastOp::getCollectiveKind() {
  return CollectiveKind::Broadcast;
}
LogicalResult BroadcastOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyCollective(*this, tables, std::nullopt, std::nullopt)))
    return failure();
  Mesh mesh = toMesh(lookUpMesh(*this, getMeshAttr(), tables));
  // Groups along axes are all of one size.
  int64_t smallest = groupSize(*this, mesh);
  if (auto listed = dyn_cast<GroupsAttr>(getGroups()))
    for (DenseI64ArrayAttr group : listed.getGroups())
      smallest = std::min<int64_t>(smallest, group.size());
  int64_t root = getRoot();
  if (root < 0 || root >= smallest)
    return emitOpError() << "position " << root << " is not in a group of "
                         << smallest;
  return success();
}

//===----------------------------------------------------------------------===//
// Between ranks of a mesh or line
//===----------------------------------------------------------------------===//

CollectiveKind CollectivePermuteOp::getCollectiveKind() {
  return CollectiveKind::CollectivePermute;
}
LogicalResult
CollectivePermuteOp::verifySymbolUses(SymbolTableCollection &tables) {
  MeshOp mesh = lookUpMesh(*this, getMeshAttr(), tables);
  if (!mesh)
    return failure();
  if (getPairs().size() % 2)
    return emitOpError("pairs must list a source and a target for each entry");
  int64_t ranks = toMesh(mesh).numRanks();
  SmallVector<bool> isTarget(ranks, false);
  for (auto [position, rank] : llvm::enumerate(getPairs())) {
    if (rank < 0 || rank >= ranks)
      return emitOpError() << "rank " << rank << " is not one of the mesh's "
                           << ranks;
    if (position % 2 == 0)
      continue;
    if (isTarget[rank])
      return emitOpError() << "rank " << rank << " is a target twice";
    isTarget[rank] = true;
  }
  return success();
}

CollectiveKind HaloExchangeOp::getCollectiveKind() {
  return CollectiveKind::HaloExchange;
}
std::optional<int64_t> HaloExchangeOp::getCollectiveDim() { return getDim(); }
HaloExchange HaloExchangeOp::getExchange(const Mesh &mesh) {
  HaloExchange exchange;
  exchange.size = getSize();
  exchange.axes = toAxisList(getAxes().getAxes(), mesh);
  exchange.low = getLow();
  exchange.high = getHigh();
  return exchange;
}
LogicalResult HaloExchangeOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(
          verifyMeshAndAxes(*this, getMeshAttr(), getAxes().getAxes(), tables)))
    return failure();
  MeshOp mesh = lookUpMesh(*this, getMeshAttr(), tables);
  auto from = cast<RankedTensorType>(getOperand().getType());
  auto to = cast<RankedTensorType>(getType());
  int64_t dim = getDim(), low = getLow(), high = getHigh();
  if (failed(verifyBlock(*this, from, dim, getSize(), toMesh(mesh),
                         getAxes().getAxes())))
    return failure();
  // Far from where their sum could overflow.
  constexpr int64_t kMost = int64_t(1) << 40;
  if (std::abs(low) > kMost || std::abs(high) > kMost)
    return emitOpError() << "amounts are at most " << kMost << ", not " << low
                         << " and " << high;
  SmallVector<int64_t> shape(from.getShape());
  shape[dim] += low + high;
  if (shape[dim] < 0)
    return emitOpError() << "leaves out more than the " << from.getDimSize(dim)
                         << " elements of dimension " << dim;
  auto expected = RankedTensorType::get(shape, from.getElementType());
  if (to != expected)
    return emitOpError() << "result should be " << expected << ", not " << to;
  TypedAttr fill = getFillAttr();
  if (fill && !isa<FloatAttr, IntegerAttr>(fill))
    return emitOpError() << "fill is no number: " << fill;
  if (fill && fill.getType() != from.getElementType())
    return emitOpError() << "fill is of type " << fill.getType()
                         << ", the elements are of type "
                         << from.getElementType();
  return success();
}

CollectiveKind WindowExchangeOp::getCollectiveKind() {
  return CollectiveKind::WindowExchange;
}
std::optional<int64_t> WindowExchangeOp::getCollectiveDim() { return getDim(); }
WindowExchange WindowExchangeOp::getExchange() {
  return {toSegments(getBlocks()), toSegments(getWindows())};
}
LogicalResult
WindowExchangeOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(
          verifyMeshAndAxes(*this, getMeshAttr(), getAxes().getAxes(), tables)))
    return failure();
  Mesh mesh = toMesh(lookUpMesh(*this, getMeshAttr(), tables));
  auto from = cast<RankedTensorType>(getOperand().getType());
  auto to = cast<RankedTensorType>(getType());
  int64_t dim = getDim();
  if (dim < 0 || dim >= from.getRank())
    return emitOpError() << "dimension " << dim << " is out of range for "
                         << from;
  if (getBlocks().size() % 3 || getWindows().size() % 3)
    return emitOpError("lists begin, count and place of each segment");
  SmallVector<int64_t> shape(from.getShape());
  if (to.getRank() == from.getRank())
    shape[dim] = to.getDimSize(dim);
  auto expected = RankedTensorType::get(shape, from.getElementType());
  if (to != expected)
    return emitOpError() << "result should be " << expected
                         << " or of another extent along dimension " << dim
                         << ", not " << to;
  std::string fault =
      getExchange().findFault(numShards(toAxisList(getAxes().getAxes(), mesh)),
                              from.getDimSize(dim), to.getDimSize(dim));
  return fault.empty() ? success() : emitOpError(fault);
}
