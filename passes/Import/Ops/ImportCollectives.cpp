//===- ImportCollectives.cpp - Collectives among processes ----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inside a manual computation, whose mesh numbers the processes. Outside of
// one, a program is one process, and a collective would be silently wrong.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "passes/Import/Ops/CollectiveImports.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// The computation on local shapes around the place of the import, or null.
static spmd::ManualComputationOp manualAround(ImportedOp &op) {
  Operation *parent = op.builder.getInsertionBlock()->getParentOp();
  auto manual = dyn_cast_or_null<spmd::ManualComputationOp>(parent);
  if (parent && !manual)
    manual = parent->getParentOfType<spmd::ManualComputationOp>();
  return manual;
}

bool reader::isAmongProcesses(ImportedOp &op) {
  return manualAround(op) != nullptr;
}

/// The processes around the place where the op is imported.
static FailureOr<ProcessGrid> gridOf(ImportedOp &op) {
  spmd::ManualComputationOp manual = manualAround(op);
  if (!manual)
    return op.unsupported()
           << "'" << op.name()
           << "' outside of a manual computation is not supported";
  return ProcessGrid::of(manual, op.op->getParentOfType<ModuleOp>());
}

FailureOr<CollectiveGroup> reader::groupOf(ImportedOp &op, GroupKind kind) {
  FailureOr<ProcessGrid> grid = gridOf(op);
  if (failed(grid))
    return failure();
  FailureOr<std::vector<RankList>> groups = readGroups(op.op, kind, *grid);
  if (failed(groups))
    return failure();
  MLIRContext *context = op.builder.getContext();
  Attribute ranks;
  if (auto axes = axesOfGroups(*groups, grid->mesh)) {
    ranks = spmd::AxesAttr::get(context, *axes);
  } else {
    SmallVector<DenseI64ArrayAttr> listed;
    for (const RankList &group : *groups)
      listed.push_back(op.builder.getDenseI64ArrayAttr(group));
    ranks = spmd::GroupsAttr::get(context, listed);
  }
  SmallVector<int64_t> roots;
  for (const RankList &group : *groups)
    roots.push_back(group.front());
  return CollectiveGroup{
      FlatSymbolRefAttr::get(grid->mesh.getSymNameAttr()), ranks,
      op.builder.getStringAttr((op.name() + " in the program").str()),
      static_cast<int64_t>(groups->front().size()), roots};
}

LogicalResult reader::forEachPart(
    ImportedOp &op,
    function_ref<Value(Value part, Type, size_t operand)> build) {
  if (op.operands.size() != op.results.size())
    return op.error() << "'" << op.name() << "' has " << op.results.size()
                      << " results; expected one for each operand";
  for (auto [index, operand, types, result] :
       llvm::enumerate(op.operands, op.resultTypes, op.results)) {
    if (operand.size() != types.size())
      return op.error() << "'" << op.name()
                        << "' changes the element type of an operand";
    for (auto [part, type] : llvm::zip_equal(operand, types))
      result.push_back(build(part, type, index));
  }
  return success();
}

static LogicalResult importAllGather(ImportedOp &op) {
  int64_t dim;
  if (failed(op.read("all_gather_dim", dim)))
    return failure();
  FailureOr<CollectiveGroup> group = groupOf(op, groupKindOfReduction(op.op));
  if (failed(group))
    return failure();
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return spmd::AllGatherOp::create(op.builder, op.loc, type, operand,
                                     op.builder.getI64IntegerAttr(dim),
                                     group->mesh, group->ranks, group->cause);
  });
}

static LogicalResult importAllToAll(ImportedOp &op) {
  int64_t split, concat, count;
  if (failed(op.read("split_dimension", split)) ||
      failed(op.read("concat_dimension", concat)) ||
      failed(op.read("split_count", count)))
    return failure();
  FailureOr<CollectiveGroup> group = groupOf(op, groupKindOfPermutation(op.op));
  if (failed(group))
    return failure();
  if (count != group->size)
    return op.error() << "'" << op.name() << "' splits into " << count
                      << " pieces among groups of " << group->size;
  for (const Parts &parts : op.operands)
    for (Value part : parts) {
      auto type = cast<RankedTensorType>(part.getType());
      if (split < 0 || split >= type.getRank() ||
          type.getDimSize(split) % count != 0)
        return op.error() << "'" << op.name() << "' cannot split dimension "
                          << split << " of " << type << " into " << count;
    }
  auto exchange = [&](Value operand, Type type, int64_t from,
                      int64_t to) -> Value {
    return spmd::AllToAllOp::create(op.builder, op.loc, type, operand,
                                    op.builder.getI64IntegerAttr(from),
                                    op.builder.getI64IntegerAttr(to),
                                    group->mesh, group->ranks, group->cause);
  };
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    if (split != concat)
      return exchange(operand, type, split, concat);
    // The pieces of one dimension as entries of one before it.
    auto tensor = cast<RankedTensorType>(operand.getType());
    SmallVector<int64_t> shape(tensor.getShape());
    shape[split] /= count;
    shape.insert(shape.begin() + split, {1, count});
    Value pieces = graph::reshapeTo(op.builder, op.loc, operand, shape);
    std::swap(shape[split], shape[split + 1]);
    Value exchanged = exchange(pieces, tensor.clone(shape), split + 1, split);
    return graph::reshapeTo(op.builder, op.loc, exchanged, tensor.getShape());
  });
}

LogicalResult reader::permute(ImportedOp &op, FlatSymbolRefAttr mesh,
                              ArrayRef<int64_t> pairs) {
  auto cause = op.builder.getStringAttr((op.name() + " in the program").str());
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return spmd::CollectivePermuteOp::create(
        op.builder, op.loc, type, operand, mesh,
        op.builder.getDenseI64ArrayAttr(pairs), cause);
  });
}

static LogicalResult importPermute(ImportedOp &op) {
  FailureOr<ProcessGrid> grid = gridOf(op);
  if (failed(grid))
    return failure();
  FailureOr<SmallVector<int64_t>> pairs =
      readPairs(op.op, groupKindOfPermutation(op.op), *grid);
  if (failed(pairs))
    return failure();
  return permute(op, FlatSymbolRefAttr::get(grid->mesh.getSymNameAttr()),
                 *pairs);
}

/// Operand i comes from the member of the group that root[i], the last operand,
/// says at run time: everything is gathered, and the root's taken.
static LogicalResult importBroadcastFromRoot(ImportedOp &op) {
  FailureOr<CollectiveGroup> group = groupOf(op, groupKindOfPermutation(op.op));
  if (failed(group))
    return failure();
  Value roots = op.operands.pop_back_val().front();
  auto rootsType = cast<RankedTensorType>(roots.getType());
  int64_t count = op.operands.size();
  if (rootsType.getShape() != ArrayRef<int64_t>{count})
    return op.error() << "'" << op.name() << "' needs one root for each of "
                      << count << " operands, not " << rootsType;
  OpBuilder &b = op.builder;
  Value zero = graph::splatInt(
      b, op.loc, RankedTensorType::get({}, rootsType.getElementType()), 0);
  return forEachPart(op, [&](Value operand, Type type, size_t number) -> Value {
    auto tensor = cast<RankedTensorType>(type);
    int64_t index = number;
    Value root =
        graph::reshapeTo(b, op.loc,
                         graph::SliceOp::create(b, op.loc, rootsType.clone({1}),
                                                roots, ArrayRef<int64_t>{index},
                                                ArrayRef<int64_t>{index + 1},
                                                ArrayRef<int64_t>{1}),
                         {});
    SmallVector<int64_t> one{1}, all{group->size};
    llvm::append_range(one, tensor.getShape());
    llvm::append_range(all, tensor.getShape());
    Value gathered = spmd::AllGatherOp::create(
        b, op.loc, tensor.clone(all), graph::reshapeTo(b, op.loc, operand, one),
        b.getI64IntegerAttr(0), group->mesh, group->ranks, group->cause);
    SmallVector<Value> starts(one.size(), zero);
    starts[0] = root;
    Value taken = graph::DynamicSliceOp::create(b, op.loc, tensor.clone(one),
                                                gathered, starts, one);
    return graph::reshapeTo(b, op.loc, taken, tensor.getShape());
  });
}

/// The first of each group sends to all of it.
static LogicalResult importBroadcast(ImportedOp &op) {
  bool hasDynamicRoot;
  if (failed(op.read("has_dynamic_root", hasDynamicRoot, false)))
    return failure();
  if (hasDynamicRoot)
    return importBroadcastFromRoot(op);
  FailureOr<CollectiveGroup> group = groupOf(op, groupKindOfPermutation(op.op));
  if (failed(group))
    return failure();
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return spmd::BroadcastOp::create(op.builder, op.loc, type, operand,
                                     op.builder.getI64IntegerAttr(0),
                                     group->mesh, group->ranks, group->cause);
  });
}

/// The process of the rank, or the part of its number that is asked for.
static Value numberOfProcess(ImportedOp &op, const ProcessGrid &grid,
                             bool isReplica) {
  OpBuilder &b = op.builder;
  auto i32 = RankedTensorType::get({}, b.getI32Type());
  spmd::MeshOp mesh = grid.mesh;
  auto indexAlong = [&](ArrayRef<spmd::AxisAttr> axes) -> Value {
    return spmd::AxisIndexOp::create(
        b, op.loc, i32, FlatSymbolRefAttr::get(mesh.getSymNameAttr()),
        spmd::AxesAttr::get(b.getContext(), axes));
  };
  if (grid.processes.empty()) {
    std::vector<RankList> groups;
    for (int64_t rank = 0; rank < grid.numProcesses(); ++rank) {
      int64_t replica = rank / grid.partitions;
      int64_t partition = rank % grid.partitions;
      size_t group = isReplica ? partition : replica;
      groups.resize(std::max(groups.size(), group + 1));
      groups[group].push_back(rank);
    }
    std::optional<SmallVector<spmd::AxisAttr>> axes =
        axesOfGroups(groups, mesh);
    assert(axes && "a grid lies along its axes");
    return indexAlong(*axes);
  }
  // Ranks are in another order than processes: a table says which is which.
  SmallVector<spmd::AxisAttr> all;
  for (StringAttr name : mesh.getShape().getNames())
    all.push_back(spmd::AxisAttr::get(b.getContext(), name, 1, 0));
  SmallVector<int32_t> numbers;
  for (int64_t process : grid.processes)
    numbers.push_back(isReplica ? process / grid.partitions
                                : process % grid.partitions);
  auto type = RankedTensorType::get({grid.numProcesses()}, b.getI32Type());
  Value table = graph::ConstantOp::create(
      b, op.loc, DenseElementsAttr::get(type, ArrayRef<int32_t>(numbers)));
  Value entry = graph::DynamicSliceOp::create(b, op.loc, type.clone({1}), table,
                                              ValueRange{indexAlong(all)},
                                              ArrayRef<int64_t>{1});
  return graph::reshapeTo(b, op.loc, entry, {});
}

static LogicalResult importIndex(ImportedOp &op, bool isReplica) {
  if (!isAmongProcesses(op) && statedProcesses(op.op, isReplica) == 1) {
    op.results[0] = {graph::splatInt(op.builder, op.loc, op.resultType(), 0)};
    return success();
  }
  FailureOr<ProcessGrid> grid = gridOf(op);
  if (failed(grid))
    return failure();
  // A replica is everywhere the same.
  if ((isReplica ? grid->replicas : grid->partitions) == 1) {
    op.results[0] = {graph::splatInt(op.builder, op.loc, op.resultType(), 0)};
    return success();
  }
  op.results[0] = {
      graph::ConvertOp::create(op.builder, op.loc, op.resultType(),
                               numberOfProcess(op, *grid, isReplica))};
  return success();
}

static LogicalResult importPartitionId(ImportedOp &op) {
  return importIndex(op, /*isReplica=*/false);
}
static LogicalResult importReplicaId(ImportedOp &op) {
  return importIndex(op, /*isReplica=*/true);
}

/// A constraint on each part. In a function that a manual computation calls it
/// is over the free axes of that, like one in its body.
static LogicalResult importConstraint(ImportedOp &op) {
  spmd::ShardingAttr sharding =
      cast<spmd::ShardingConstraintOp>(op.op).getSharding();
  spmd::ManualComputationOp manual = manualAround(op);
  if (manual && !manual.hasFreeAxes()) {
    op.results = op.operands;
    return success();
  }
  if (manual)
    sharding = manual.getFreePart(sharding);
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return spmd::ShardingConstraintOp::create(op.builder, op.loc, type, operand,
                                              sharding);
  });
}

/// The same of each part.
static LogicalResult importLocal(ImportedOp &op) {
  return forEachPart(op, [&](Value operand, Type type, size_t) -> Value {
    return op.create(op.name(), operand, type, op.op->getAttrs())->getResult(0);
  });
}

/// The parts of an input or result have its sharding.
static LogicalResult importManual(ImportedOp &op) {
  auto source = cast<spmd::ManualComputationOp>(op.op);
  SmallVector<Attribute> in, out;
  for (auto [sharding, parts] :
       llvm::zip_equal(source.getInShardings(), op.operands))
    in.append(parts.size(), sharding);
  for (auto [sharding, types] :
       llvm::zip_equal(source.getOutShardings(), op.resultTypes))
    out.append(types.size(), sharding);
  auto manual = spmd::ManualComputationOp::create(
      op.builder, op.loc, op.flatTypes(), op.flatOperands(),
      op.builder.getArrayAttr(in), op.builder.getArrayAttr(out),
      source.getFreeAxesAttr());
  Attribute devices = source->getAttr(kDevices);
  if (spmd::ManualComputationOp outer = manualAround(op);
      outer && outer->getAttr(kDevices) != devices) {
    InFlightDiagnostic diag = op.error()
                              << "a manual computation over devices in another "
                                 "order than the one around it has them";
    diag.attachNote(outer.getLoc()) << "that is here";
    return diag;
  }
  if (devices)
    manual->setAttr(kDevices, devices);
  if (failed(op.importer.importClosedRegion(source.getBody(), manual.getBody(),
                                            /*isIsolated=*/true, op.loc)))
    return failure();
  op.takeResults(manual);
  return success();
}

void reader::addCollectiveImports(ImportTable &table) {
  table["stablehlo.all_gather"] =
      importCollective<importAllGather, groupKindOfReduction>;
  table["stablehlo.all_to_all"] =
      importCollective<importAllToAll, groupKindOfPermutation>;
  table["stablehlo.collective_broadcast"] =
      importCollective<importBroadcast, groupKindOfPermutation>;
  table["stablehlo.collective_permute"] =
      importCollective<importPermute, groupKindOfPermutation>;
  table["stablehlo.partition_id"] = importPartitionId;
  table["stablehlo.replica_id"] = importReplicaId;
  table["spmd.all_gather"] = importLocal;
  table["spmd.all_slice"] = importLocal;
  table["spmd.manual_computation"] = importManual;
  table["spmd.sharding_constraint"] = importConstraint;
}
