//===- ShardingConversion.cpp - Between attributes and plain shardings ----===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/Graph/SmallFloats.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace cleave::spmd {

Mesh toMesh(MeshOp op) {
  Mesh mesh;
  mesh.name = op.getSymName().str();
  MeshAttr shape = op.getShape();
  for (auto [name, size] : llvm::zip(shape.getNames(), shape.getSizes()))
    mesh.axes.push_back({name.getValue().str(), size});
  return mesh;
}

AxisRef toAxisRef(AxisAttr attr, const Mesh &mesh) {
  std::optional<AxisId> id = mesh.find(attr.getName().getValue());
  assert(id && "axes are verified before they are converted");
  if (attr.isWhole())
    return mesh.whole(*id);
  return {*id, attr.getPre(), attr.getSize()};
}

AxisList toAxisList(ArrayRef<AxisAttr> attrs, const Mesh &mesh) {
  AxisList axes;
  for (AxisAttr attr : attrs)
    axes.push_back(toAxisRef(attr, mesh));
  return axes;
}

Sharding toSharding(ShardingAttr attr, const Mesh &mesh,
                    ArrayRef<int64_t> shape) {
  Sharding sharding;
  for (auto [dim, size] : llvm::zip_equal(attr.getDims(), shape)) {
    AxisList axes = toAxisList(dim.getAxes(), mesh);
    llvm::erase_if(axes, [](const AxisRef &axis) { return axis.size == 1; });
    if (!ShapedType::isDynamic(size))
      mergeSubAxes(axes, size);
    sharding.dims.push_back({axes, dim.getOpen(), dim.getPriority()});
  }
  for (PartialAttr partial : attr.getPartial()) {
    AxisRef axis = toAxisRef(partial.getAxis(), mesh);
    if (axis.size > 1)
      sharding.partial.push_back({axis, toKind(partial.getReduction())});
  }
  sharding.keptReplicated = toAxisList(attr.getReplicated(), mesh);
  return sharding;
}

AxisAttr toAttr(MLIRContext *context, const AxisRef &axis, const Mesh &mesh) {
  bool whole = axis == mesh.whole(axis.axis);
  return AxisAttr::get(context,
                       StringAttr::get(context, mesh.axes[axis.axis].name),
                       whole ? 1 : axis.pre, whole ? 0 : axis.size);
}

static SmallVector<AxisAttr> toAttrs(MLIRContext *context,
                                     ArrayRef<AxisRef> axes, const Mesh &mesh) {
  return llvm::map_to_vector(
      axes, [&](const AxisRef &axis) { return toAttr(context, axis, mesh); });
}

AxesAttr toAttr(MLIRContext *context, ArrayRef<AxisRef> axes,
                const Mesh &mesh) {
  return AxesAttr::get(context, toAttrs(context, axes, mesh));
}

ShardingAttr toAttr(MLIRContext *context, const Sharding &sharding,
                    const Mesh &mesh) {
  SmallVector<DimShardingAttr> dims;
  for (const DimSharding &dim : sharding.dims)
    dims.push_back(DimShardingAttr::get(
        context, toAttrs(context, dim.axes, mesh), dim.open, dim.priority));
  SmallVector<PartialAttr> partial;
  for (const PartialAxis &one : sharding.partial)
    partial.push_back(PartialAttr::get(context, toAttr(one.kind),
                                       toAttr(context, one.axis, mesh)));
  return ShardingAttr::get(context, FlatSymbolRefAttr::get(context, mesh.name),
                           dims, partial,
                           toAttrs(context, sharding.keptReplicated, mesh));
}

ReductionKind toKind(Reduction reduction) {
  return static_cast<ReductionKind>(reduction);
}
Reduction toAttr(ReductionKind kind) { return static_cast<Reduction>(kind); }

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

/// Checks one axis against the mesh and returns it as plain data.
static FailureOr<AxisRef>
verifyAxis(function_ref<InFlightDiagnostic()> emitError, AxisAttr axis,
           const Mesh &mesh) {
  StringRef name = axis.getName().getValue();
  std::optional<AxisId> id = mesh.find(name);
  if (!id) {
    InFlightDiagnostic diag = emitError()
                              << "mesh @" << mesh.name << " has no axis \""
                              << name << "\"; its axes are ";
    llvm::interleaveComma(mesh.axes, diag, [&](const Mesh::Axis &known) {
      diag << '"' << known.name << '"';
    });
    return diag;
  }
  if (axis.isWhole())
    return mesh.whole(*id);
  int64_t size = mesh.axes[*id].size;
  if (size % axis.getPre() != 0 || size / axis.getPre() % axis.getSize() != 0)
    return emitError() << "axis \"" << name << "\" has " << size
                       << " positions, which (" << axis.getPre() << ")"
                       << axis.getSize() << " does not divide";
  return AxisRef{*id, axis.getPre(), axis.getSize()};
}

/// Checks that an axis is valid and not used before; remembers it in `used`.
static LogicalResult
verifyUnusedAxis(function_ref<InFlightDiagnostic()> emitError, AxisAttr axis,
                 const Mesh &mesh, AxisList &used) {
  FailureOr<AxisRef> ref = verifyAxis(emitError, axis, mesh);
  if (failed(ref))
    return failure();
  if (overlapsAny(*ref, used))
    return emitError() << "axis \"" << axis.getName().getValue()
                       << "\" is used twice; an axis cuts a tensor once";
  used.push_back(*ref);
  return success();
}

LogicalResult verifyAxes(function_ref<InFlightDiagnostic()> emitError,
                         ArrayRef<AxisAttr> axes, MeshOp meshOp) {
  Mesh mesh = toMesh(meshOp);
  AxisList used;
  for (AxisAttr axis : axes)
    if (failed(verifyUnusedAxis(emitError, axis, mesh, used)))
      return failure();
  return success();
}

LogicalResult verifySharding(function_ref<InFlightDiagnostic()> emitError,
                             ShardingAttr sharding, Type type,
                             Operation *from) {
  auto meshOp =
      SymbolTable::lookupNearestSymbolFrom<MeshOp>(from, sharding.getMesh());
  if (!meshOp)
    return emitError() << "there is no mesh " << sharding.getMesh();
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return emitError() << "only ranked tensors have shardings, not " << type;
  if (tensor.getRank() != static_cast<int64_t>(sharding.getDims().size()))
    return emitError() << "sharding has " << sharding.getDims().size()
                       << " dimensions, the tensor " << tensor << " has "
                       << tensor.getRank();
  Mesh mesh = toMesh(meshOp);
  AxisList used;
  for (DimShardingAttr dim : sharding.getDims())
    for (AxisAttr axis : dim.getAxes())
      if (failed(verifyUnusedAxis(emitError, axis, mesh, used)))
        return failure();
  for (PartialAttr partial : sharding.getPartial()) {
    if (failed(verifyUnusedAxis(emitError, partial.getAxis(), mesh, used)))
      return failure();
    Reduction reduction = partial.getReduction();
    if ((reduction == Reduction::And || reduction == Reduction::Or) &&
        !isa<IntegerType>(tensor.getElementType()))
      return emitError() << "partial " << stringifyReduction(reduction)
                         << " is not defined for " << tensor;
    if (graph::isSmallFloat(tensor.getElementType()))
      return emitError() << "a tensor of floats of 8 bits cannot be partial: "
                         << tensor;
  }
  for (AxisAttr axis : sharding.getReplicated())
    if (failed(verifyUnusedAxis(emitError, axis, mesh, used)))
      return failure();
  return success();
}

//===----------------------------------------------------------------------===//
// Access
//===----------------------------------------------------------------------===//

MeshOp getOnlyMesh(ModuleOp module) {
  auto meshes = llvm::to_vector(module.getOps<MeshOp>());
  if (meshes.size() == 1)
    return meshes.front();
  if (meshes.empty()) {
    module.emitError("the module has no mesh; declare one with spmd.mesh or "
                     "give --mesh");
    return {};
  }
  InFlightDiagnostic diag = meshes[1].emitError(
      "the module has several meshes; only one is supported");
  diag.attachNote(meshes[0].getLoc()) << "the first one is here";
  return {};
}

/// The result of a region op that is tied to one of its block arguments.
static Value tiedResult(BlockArgument argument) {
  auto op =
      dyn_cast<ShardingTieOpInterface>(argument.getOwner()->getParentOp());
  if (!op)
    return {};
  for (const ShardingTie &tie : op.getShardingTies())
    if (llvm::is_contained(tie.values, Value(argument)))
      for (Value value : tie.values)
        if (isa<OpResult>(value))
          return value;
  return {};
}

ShardingAttr getSharding(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto func =
        dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
    Operation *parent = argument.getOwner()->getParentOp();
    if (auto manual = dyn_cast<ManualComputationOp>(parent)) {
      unsigned index = argument.getArgNumber();
      return manual.hasFreeAxes() ? manual.getFreePart(cast<ShardingAttr>(
                                        manual.getInShardings()[index]))
                                  : ShardingAttr();
    }
    if (!func) {
      Value result = tiedResult(argument);
      return result ? getSharding(result) : ShardingAttr();
    }
    return func.getArgAttrOfType<ShardingAttr>(argument.getArgNumber(),
                                               SpmdDialect::kSharding);
  }
  auto result = cast<OpResult>(value);
  auto all =
      result.getOwner()->getAttrOfType<ArrayAttr>(SpmdDialect::kShardings);
  if (!all || result.getResultNumber() >= all.size())
    return {};
  return dyn_cast<ShardingAttr>(all[result.getResultNumber()]);
}

void setSharding(Value value, ShardingAttr sharding) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto func =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      func.setArgAttr(argument.getArgNumber(), SpmdDialect::kSharding,
                      sharding);
    return;
  }
  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  MLIRContext *context = op->getContext();
  SmallVector<Attribute> all(op->getNumResults(), UnitAttr::get(context));
  if (auto old = op->getAttrOfType<ArrayAttr>(SpmdDialect::kShardings))
    all.assign(old.begin(), old.end());
  all[result.getResultNumber()] = sharding;
  op->setDiscardableAttr(SpmdDialect::kShardings, ArrayAttr::get(context, all));
}

bool hasShardedRegions(Operation *op) {
  auto manual = dyn_cast<ManualComputationOp>(op);
  return isa<ShardingTieOpInterface>(op) || (manual && manual.hasFreeAxes());
}

static LogicalResult verifyAllSharded(Region &region) {
  for (Operation &op : region.getOps()) {
    for (Value result : op.getResults())
      if (isa<RankedTensorType>(result.getType()) && !getSharding(result))
        return op.emitError("has a result without a sharding; run "
                            "cleave-propagate-shardings first");
    if (hasShardedRegions(&op))
      for (Region &inner : op.getRegions())
        if (failed(verifyAllSharded(inner)))
          return failure();
  }
  return success();
}

LogicalResult verifyAllSharded(FunctionOpInterface func) {
  for (BlockArgument argument : func.getArguments())
    if (!getSharding(argument))
      return func.emitError() << "argument " << argument.getArgNumber()
                              << " has no sharding; run "
                                 "cleave-propagate-shardings first";
  for (unsigned i = 0; i < func.getNumResults(); ++i)
    if (!func.getResultAttrOfType<ShardingAttr>(i, SpmdDialect::kSharding))
      return func.emitError() << "result " << i << " has no sharding; run "
                              << "cleave-propagate-shardings first";
  return verifyAllSharded(func.getFunctionBody());
}

/// What of the origins of an input is seen in the body of a manual computation:
/// where its free axes come from.
static StringAttr originsInside(ManualComputationOp op, unsigned input) {
  StringAttr outside = getOrigins(op.getInputs()[input]);
  if (!outside)
    return {};
  SmallVector<StringRef> entries;
  outside.getValue().split(entries, "; ", -1, /*KeepEmpty=*/false);
  llvm::erase_if(entries, [&](StringRef entry) {
    // `"axis" on dim 0 from ...`
    StringRef name = entry.drop_front().split('"').first;
    return !op.isFree(AxisAttr::get(
        op.getContext(), StringAttr::get(op.getContext(), name), 1, 0));
  });
  return StringAttr::get(op.getContext(), llvm::join(entries, "; "));
}

StringAttr getOrigins(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (auto func =
            dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp()))
      return func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                               SpmdDialect::kOrigins);
    if (auto manual =
            dyn_cast<ManualComputationOp>(argument.getOwner()->getParentOp()))
      return originsInside(manual, argument.getArgNumber());
    Value result = tiedResult(argument);
    return result ? getOrigins(result) : StringAttr();
  }
  auto result = cast<OpResult>(value);
  auto all = result.getOwner()->getAttrOfType<ArrayAttr>(SpmdDialect::kOrigins);
  if (!all || result.getResultNumber() >= all.size())
    return {};
  return dyn_cast<StringAttr>(all[result.getResultNumber()]);
}

ShardingRuleOpInterface getRuled(Operation *op) {
  auto isTensor = [](Type type) { return isa<RankedTensorType>(type); };
  if (op->getNumResults() == 0 || !llvm::all_of(op->getResultTypes(), isTensor))
    return {};
  return dyn_cast<ShardingRuleOpInterface>(op);
}

int64_t elementBytes(Type type) {
  Type element = getElementTypeOrSelf(type);
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBytes(complex.getElementType());
  if (!element.isIntOrFloat())
    return 8;
  return std::max<int64_t>(1, element.getIntOrFloatBitWidth() / 8);
}

} // namespace cleave::spmd
