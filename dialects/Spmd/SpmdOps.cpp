//===- SpmdOps.cpp - Operations of the spmd dialect -*- C++ -*-===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/Evaluate/Literal.h"
#include "dialects/Graph/SmallFloats.h"
#include "dialects/Spmd/Collectives.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

//===----------------------------------------------------------------------===//
// Assembly shared by ops
//===----------------------------------------------------------------------===//

static ParseResult parseAxes(OpAsmParser &parser, AxesAttr &axes) {
  FailureOr<AxesAttr> list = AxesAttr::parseList(parser);
  if (failed(list))
    return failure();
  axes = *list;
  return success();
}

static void printAxes(OpAsmPrinter &printer, Operation *, AxesAttr axes) {
  axes.printList(printer);
}

static ParseResult parseGroups(OpAsmParser &parser, Attribute &groups) {
  if (failed(parser.parseOptionalKeyword("groups"))) {
    AxesAttr axes;
    ParseResult result = parseAxes(parser, axes);
    groups = axes;
    return result;
  }
  FailureOr<GroupsAttr> list = GroupsAttr::parseList(parser);
  if (failed(list))
    return failure();
  groups = *list;
  return success();
}

static void printGroups(OpAsmPrinter &printer, Operation *op,
                        Attribute groups) {
  if (auto axes = dyn_cast<AxesAttr>(groups))
    return printAxes(printer, op, axes);
  printer << "groups ";
  cast<GroupsAttr>(groups).printList(printer);
}

static ParseResult parseMeshShape(OpAsmParser &parser, MeshAttr &shape) {
  shape = dyn_cast_if_present<MeshAttr>(MeshAttr::parse(parser, {}));
  return success(shape != nullptr);
}

static void printMeshShape(OpAsmPrinter &printer, Operation *, MeshAttr shape) {
  shape.print(printer);
}

//===----------------------------------------------------------------------===//
// Checks shared by ops
//===----------------------------------------------------------------------===//

static MeshOp lookUpMesh(Operation *op, FlatSymbolRefAttr name,
                         SymbolTableCollection &tables) {
  auto mesh = tables.lookupNearestSymbolFrom<MeshOp>(op, name);
  if (!mesh)
    op->emitOpError() << "refers to mesh " << name << ", which does not exist";
  return mesh;
}

static LogicalResult verifyMeshAndAxes(Operation *op, FlatSymbolRefAttr name,
                                       ArrayRef<AxisAttr> axes,
                                       SymbolTableCollection &tables) {
  MeshOp mesh = lookUpMesh(op, name, tables);
  if (!mesh)
    return failure();
  return verifyAxes([&] { return op->emitOpError(); }, axes, mesh);
}

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

/// `and` and `or` are bitwise.
static LogicalResult verifyReduction(Operation *op, Reduction reduction) {
  Type element = getElementTypeOrSelf(op->getOperand(0).getType());
  if ((reduction == Reduction::And || reduction == Reduction::Or) &&
      !isa<IntegerType>(element))
    return op->emitOpError() << "'" << stringifyReduction(reduction)
                             << "' is not defined for " << element;
  if (graph::isSmallFloat(element))
    return op->emitOpError() << "reduces " << element
                             << ", which is not computed with: should be "
                                "converted to f32 before, and back";
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
// On global shapes
//===----------------------------------------------------------------------===//

/// All axes that a sharding names.
static SmallVector<AxisAttr> allAxes(ShardingAttr sharding) {
  SmallVector<AxisAttr> axes(sharding.getReplicated());
  for (DimShardingAttr dim : sharding.getDims())
    llvm::append_range(axes, dim.getAxes());
  for (PartialAttr partial : sharding.getPartial())
    axes.push_back(partial.getAxis());
  return axes;
}

template <typename OpTy> static LogicalResult verifyOnGlobal(OpTy op) {
  auto manual = op->template getParentOfType<ManualComputationOp>();
  if (manual && !manual.hasFreeAxes())
    return op.emitOpError("acts on global tensors, but the values in an "
                          "spmd.manual_computation are local");
  if (manual)
    for (AxisAttr axis : allAxes(op.getSharding()))
      if (!manual.isFree(axis))
        return op.emitOpError()
               << "is over axis " << axis.getName()
               << ", which is manual in the computation around it";
  return verifySharding([&] { return op.emitOpError(); }, op.getSharding(),
                        op.getType(), op);
}

LogicalResult ShardingConstraintOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyOnGlobal(*this);
}
LogicalResult ReshardOp::verifySymbolUses(SymbolTableCollection &) {
  return verifyOnGlobal(*this);
}

/// On global values both are the identity.
LogicalResult
ShardingConstraintOp::evaluate(graph::Evaluator &,
                               ArrayRef<graph::Literal> operands,
                               SmallVectorImpl<graph::Literal> &results) {
  results.push_back(operands[0]);
  return success();
}
LogicalResult ReshardOp::evaluate(graph::Evaluator &,
                                  ArrayRef<graph::Literal> operands,
                                  SmallVectorImpl<graph::Literal> &results) {
  results.push_back(operands[0]);
  return success();
}

/// Checks that a computation inside of another leaves its manual axes alone.
static LogicalResult verifyNesting(ManualComputationOp op) {
  auto outer = op->getParentOfType<ManualComputationOp>();
  if (!outer)
    return success();
  auto verify = [&](AxisAttr axis) -> LogicalResult {
    if (outer.isFree(axis))
      return success();
    InFlightDiagnostic diag = op.emitOpError()
                              << "is over axis " << axis.getName()
                              << ", which is not free in the one around it";
    diag.attachNote(outer.getLoc()) << "that is here";
    return diag;
  };
  for (ArrayAttr side : {op.getInShardings(), op.getOutShardings()})
    for (auto sharding : side.getAsRange<ShardingAttr>())
      for (AxisAttr axis : allAxes(sharding))
        if (failed(verify(axis)))
          return failure();
  if (op.hasFreeAxes())
    for (auto name : op.getFreeAxes()->getAsRange<StringAttr>())
      if (failed(verify(AxisAttr::get(op.getContext(), name, 1, 0))))
        return failure();
  return success();
}

/// Checks that a side's sharding cuts each dimension over manual axes first.
static LogicalResult verifyAxisOrder(ManualComputationOp op,
                                     ShardingAttr sharding) {
  for (auto [d, dim] : llvm::enumerate(sharding.getDims())) {
    const AxisAttr *free = llvm::find_if(
        dim.getAxes(), [&](AxisAttr axis) { return op.isFree(axis); });
    for (const AxisAttr *axis = free; axis != dim.getAxes().end(); ++axis)
      if (!op.isFree(*axis))
        return op.emitOpError()
               << "dimension " << d << " of " << sharding << " has manual axis "
               << axis->getName() << " after free axis " << free->getName();
  }
  for (PartialAttr partial : sharding.getPartial())
    if (op.isFree(partial.getAxis()))
      return op.emitOpError() << sharding << " is partial over free axis "
                              << partial.getAxis().getName();
  return success();
}

/// Checks the shardings of inputs or results and the local types in the body.
static LogicalResult verifyManualSide(ManualComputationOp op,
                                      ArrayAttr shardings, TypeRange global,
                                      TypeRange local, StringRef side) {
  if (shardings.size() != global.size() || local.size() != global.size())
    return op.emitOpError()
           << "needs one sharding and one local type per " << side;
  for (auto [attr, type, localType] :
       llvm::zip(shardings.getAsRange<ShardingAttr>(), global, local)) {
    if (failed(
            verifySharding([&] { return op.emitOpError(); }, attr, type, op)))
      return failure();
    auto mesh =
        SymbolTable::lookupNearestSymbolFrom<MeshOp>(op, attr.getMesh());
    auto tensor = cast<RankedTensorType>(type);
    if (failed(verifyAxisOrder(op, attr)))
      return failure();
    auto expected = RankedTensorType::get(
        toSharding(op.getManualPart(attr), toMesh(mesh), tensor.getShape())
            .localShape(tensor.getShape()),
        tensor.getElementType());
    if (localType != expected)
      return op.emitOpError() << side << " of local type " << localType
                              << " should be " << expected << " under " << attr;
  }
  return success();
}

MeshOp ManualComputationOp::getMeshOp() {
  for (ArrayAttr side : {getInShardings(), getOutShardings()})
    for (auto sharding : side.getAsRange<ShardingAttr>())
      return SymbolTable::lookupNearestSymbolFrom<MeshOp>(*this,
                                                          sharding.getMesh());
  return {};
}

bool ManualComputationOp::isFree(AxisAttr axis) {
  return hasFreeAxes() && llvm::is_contained(*getFreeAxes(), axis.getName());
}

ShardingAttr ManualComputationOp::getManualPart(ShardingAttr sharding) {
  SmallVector<DimShardingAttr> dims;
  for (DimShardingAttr dim : sharding.getDims()) {
    SmallVector<AxisAttr> axes(dim.getAxes());
    llvm::erase_if(axes, [&](AxisAttr axis) { return isFree(axis); });
    dims.push_back(
        DimShardingAttr::get(getContext(), axes, /*open=*/false, std::nullopt));
  }
  return ShardingAttr::get(getContext(), sharding.getMesh(), dims,
                           sharding.getPartial());
}

ShardingAttr ManualComputationOp::getFreePart(ShardingAttr sharding) {
  auto freeOf = [&](ArrayRef<AxisAttr> all) {
    SmallVector<AxisAttr> axes(all);
    llvm::erase_if(axes, [&](AxisAttr axis) { return !isFree(axis); });
    return axes;
  };
  SmallVector<DimShardingAttr> dims;
  for (DimShardingAttr dim : sharding.getDims())
    dims.push_back(DimShardingAttr::get(getContext(), freeOf(dim.getAxes()),
                                        dim.getOpen(), dim.getPriority()));
  return ShardingAttr::get(getContext(), sharding.getMesh(), dims, {},
                           freeOf(sharding.getReplicated()));
}

LogicalResult ManualComputationOp::verifySymbolUses(SymbolTableCollection &) {
  FlatSymbolRefAttr mesh;
  for (ArrayAttr side : {getInShardings(), getOutShardings()})
    for (auto sharding : side.getAsRange<ShardingAttr>()) {
      if (mesh && mesh != sharding.getMesh())
        return emitOpError() << "is on mesh " << mesh << " and on mesh "
                             << sharding.getMesh();
      mesh = sharding.getMesh();
    }
  if (MeshOp meshOp = getMeshOp(); meshOp && hasFreeAxes())
    for (auto name : getFreeAxes()->getAsRange<StringAttr>())
      if (!llvm::is_contained(meshOp.getShape().getNames(), name))
        return emitOpError() << "has free axis " << name << ", but mesh "
                             << mesh << " has no such axis";
  if (failed(verifyNesting(*this)))
    return failure();
  mlir::Block &block = getBody().front();
  if (failed(verifyManualSide(*this, getInShardings(), getInputs().getTypes(),
                              block.getArgumentTypes(), "input")))
    return failure();
  return verifyManualSide(*this, getOutShardings(), getResultTypes(),
                          block.getTerminator()->getOperandTypes(), "result");
}

LogicalResult ManualComputationOp::verifyRegions() {
  if (!isa<ReturnOp>(getBody().front().getTerminator()))
    return emitOpError("body must end with spmd.return");
  return success();
}

//===----------------------------------------------------------------------===//
// Collectives
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
  int64_t root = getRoot();
  for (const RankGroup &group : rankGroups(*this, mesh))
    if (root < 0 || root >= int64_t(group.size()))
      return emitOpError() << "position " << root << " is not in a group of "
                           << group.size();
  return success();
}

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

/// Checks that `dim` of `type`, a shard of `size` elements cut over `axes`, has
/// the extent of a block.
static LogicalResult verifyBlock(Operation *op, RankedTensorType type,
                                 int64_t dim, int64_t size, const Mesh &mesh,
                                 ArrayRef<AxisAttr> axes) {
  if (dim < 0 || dim >= type.getRank())
    return op->emitOpError()
           << "dimension " << dim << " is out of range for " << type;
  if (size < 0)
    return op->emitOpError() << "has a negative size, " << size;
  int64_t expected = blockSize(size, toAxisList(axes, mesh));
  if (type.getDimSize(dim) != expected)
    return op->emitOpError()
           << "dimension " << dim << " has extent " << type.getDimSize(dim)
           << ", but a block of " << size << " has " << expected;
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

//===----------------------------------------------------------------------===//
// Position of the rank
//===----------------------------------------------------------------------===//

LogicalResult AxisIndexOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyMeshAndAxes(*this, getMeshAttr(), getAxes().getAxes(), tables);
}

LogicalResult MaskPaddingOp::verifySymbolUses(SymbolTableCollection &tables) {
  if (failed(verifyReduction(*this, getReduction())))
    return failure();
  if (failed(
          verifyMeshAndAxes(*this, getMeshAttr(), getAxes().getAxes(), tables)))
    return failure();
  MeshOp mesh = lookUpMesh(*this, getMeshAttr(), tables);
  return verifyBlock(*this, cast<RankedTensorType>(getType()), getDim(),
                     getSize(), toMesh(mesh), getAxes().getAxes());
}

#define GET_OP_CLASSES
#include "dialects/Spmd/SpmdOps.cpp.inc"
