//===- ImportGSPMDShardings.cpp - From mhlo.sharding to spmd --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GSPMD names devices, not axes: the mesh is the coarsest grid whose axes make
// up every tile assignment of the module (DeviceGrids.h).
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/DeviceGrids.h"
#include "cleave/Partition/GspmdSharding.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Import/Passes.h"
#include "passes/Import/Shardings/ManualRegions.h"
#include "llvm/ADT/MapVector.h"

namespace cleave {
#define GEN_PASS_DEF_IMPORTGSPMDSHARDINGS
#include "passes/Import/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

constexpr llvm::StringLiteral kSharding = "mhlo.sharding";

/// A sharding in the grid of all devices.
struct PlacedSharding {
  GspmdSharding text;
  /// Tiled: its tiles as digits of the device.
  DeviceGrids::Grid grid;
  std::vector<PlacedSharding> elements;
};

struct ImportGSPMDShardings
    : cleave::impl::ImportGSPMDShardingsBase<ImportGSPMDShardings>,
      reader::CallShardings {
  void runOnOperation() override;

  FailureOr<reader::CallSharding> read(stablehlo::CustomCallOp call, Type type,
                                       std::optional<unsigned> order) override;
  SmallVector<int64_t> devicesOf(unsigned order) override;
  spmd::MeshOp getMesh() override { return mesh; }

private:
  LogicalResult place(Location loc, StringAttr text, PlacedSharding &sharding);
  LogicalResult collect(Location loc, Attribute attribute);
  LogicalResult
  forEachSharding(function_ref<LogicalResult(Location, Attribute)> body);
  int64_t devicesOfManualRegions();
  void declareMesh();
  void warnOfOtherOrders();

  const PlacedSharding *find(Attribute text);
  SmallVector<spmd::AxisAttr> axesOf(unsigned order,
                                     ArrayRef<DeviceDigit> digits);
  SmallVector<StringAttr> manualAxesOf(const PlacedSharding &sharding);
  spmd::ShardingAttr convert(const PlacedSharding &sharding, Type type,
                             ArrayRef<int64_t> openDims = {});
  void importSignature(func::FuncOp function);
  void constrainResults(Operation *op);
  LogicalResult importShardingCall(stablehlo::CustomCallOp call);

  int64_t numDevices = 1;
  std::optional<DeviceGrids> devices;
  /// By text, with the place where it was first.
  llvm::MapVector<StringAttr, std::pair<PlacedSharding, Location>> placed;
  spmd::MeshOp mesh;
};

} // namespace

//===----------------------------------------------------------------------===//
// The mesh
//===----------------------------------------------------------------------===//

LogicalResult ImportGSPMDShardings::place(Location loc, StringAttr text,
                                          PlacedSharding &sharding) {
  for (const GspmdSharding &element : sharding.text.elements)
    if (failed(place(
            loc, text,
            sharding.elements.emplace_back(PlacedSharding{element, {}, {}}))))
      return failure();
  if (sharding.text.kind != GspmdSharding::Kind::Tiled)
    return success();
  if (sharding.text.numDevices != numDevices)
    return emitError(loc) << kSharding << " is for " << sharding.text.numDevices
                          << " devices, the module for " << numDevices
                          << " (mhlo.num_partitions)";
  sharding.grid = devices->add(sharding.text.devices, sharding.text.tiles);
  return success();
}

LogicalResult ImportGSPMDShardings::collect(Location loc, Attribute attribute) {
  auto text = dyn_cast_or_null<StringAttr>(attribute);
  if (!attribute || placed.contains(text))
    return success();
  if (!text)
    return emitError(loc) << kSharding << " is a string";
  std::string error;
  auto sharding = GspmdSharding::parse(text.getValue(), error);
  if (!sharding)
    return emitError(loc) << kSharding << ": " << error;
  if (sharding->group)
    emitWarning(loc) << kSharding << " " << text
                     << ": values of a group are not made to be cut alike";
  PlacedSharding result{*sharding, {}, {}};
  if (failed(place(loc, text, result)))
    return failure();
  placed.insert({text, {std::move(result), loc}});
  return success();
}

/// Calls `body` with the sharding, or null, of each op, argument and result;
/// those of a function before what is in it.
LogicalResult ImportGSPMDShardings::forEachSharding(
    function_ref<LogicalResult(Location, Attribute)> body) {
  auto status = getOperation().walk<WalkOrder::PreOrder>(
      [&](Operation *op) -> WalkResult {
        if (failed(body(op->getLoc(), op->getAttr(kSharding))))
          return WalkResult::interrupt();
        auto function = dyn_cast<func::FuncOp>(op);
        if (!function)
          return WalkResult::advance();
        for (unsigned i = 0; i < function.getNumArguments(); ++i)
          if (failed(body(op->getLoc(), function.getArgAttr(i, kSharding))))
            return WalkResult::interrupt();
        for (unsigned i = 0; i < function.getNumResults(); ++i)
          if (failed(body(op->getLoc(), function.getResultAttr(i, kSharding))))
            return WalkResult::interrupt();
        return WalkResult::advance();
      });
  return failure(status.wasInterrupted());
}

/// How many devices a module with code on local shapes is for, which older
/// programs do not say: as many as its shardings name.
int64_t ImportGSPMDShardings::devicesOfManualRegions() {
  WalkResult walk = getOperation().walk([](stablehlo::CustomCallOp call) {
    return reader::isCallOf(call, "SPMDFullToShardShape")
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  int64_t devices = 1;
  if (!walk.wasInterrupted())
    return devices;
  (void)forEachSharding([&](Location, Attribute attribute) {
    auto text = dyn_cast_or_null<StringAttr>(attribute);
    if (!text)
      return success();
    std::string error;
    auto sharding = GspmdSharding::parse(text.getValue(), error);
    if (sharding && sharding->kind == GspmdSharding::Kind::Tiled)
      devices = sharding->numDevices;
    return success(devices == 1);
  });
  return devices;
}

void ImportGSPMDShardings::declareMesh() {
  ModuleOp module = getOperation();
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  for (auto [i, axis] : llvm::enumerate(devices->axes())) {
    names.push_back(StringAttr::get(&getContext(), ("d" + Twine(i)).str()));
    sizes.push_back(axis.size);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  mesh = spmd::MeshOp::create(
      builder, module.getLoc(), "mesh",
      spmd::MeshAttr::get(&getContext(), names, sizes, devices->devices()));
  // A function may be called mesh already.
  mesh->remove();
  SymbolTable(module).insert(mesh, module.getBody()->begin());
}

void ImportGSPMDShardings::warnOfOtherOrders() {
  auto isElsewhere = [&](const PlacedSharding &sharding) {
    return sharding.text.kind == GspmdSharding::Kind::Tiled &&
           !devices->isInPlace(sharding.grid.order);
  };
  for (const auto &[text, entry] : placed) {
    const auto &[sharding, loc] = entry;
    if (isElsewhere(sharding) || llvm::any_of(sharding.elements, isElsewhere))
      emitWarning(loc) << kSharding << " " << text
                       << ": no mesh has these tiles and those of the other "
                          "shardings on the same devices: values are cut as it "
                          "says, but other devices have the blocks";
  }
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

/// Null for what is no sharding.
const PlacedSharding *ImportGSPMDShardings::find(Attribute text) {
  auto string = dyn_cast_or_null<StringAttr>(text);
  auto found = string ? placed.find(string) : placed.end();
  return found == placed.end() ? nullptr : &found->second.first;
}

SmallVector<spmd::AxisAttr>
ImportGSPMDShardings::axesOf(unsigned order, ArrayRef<DeviceDigit> digits) {
  SmallVector<spmd::AxisAttr> axes;
  for (unsigned axis : devices->axesOf(order, digits))
    axes.push_back(spmd::AxisAttr::get(&getContext(),
                                       mesh.getShape().getNames()[axis], 1, 0));
  return axes;
}

/// The axes along which values of a sharding are local.
SmallVector<StringAttr>
ImportGSPMDShardings::manualAxesOf(const PlacedSharding &sharding) {
  if (sharding.text.kind == GspmdSharding::Kind::Manual)
    return SmallVector<StringAttr>(mesh.getShape().getNames());
  SmallVector<StringAttr> manual;
  for (auto [i, subgroup] : llvm::enumerate(sharding.text.subgroups))
    if (subgroup == GspmdSharding::Subgroup::Manual)
      for (spmd::AxisAttr axis :
           axesOf(sharding.grid.order,
                  sharding.grid.dims[sharding.text.rank() + i]))
        manual.push_back(axis.getName());
  // As the mesh has them.
  SmallVector<StringAttr> sorted;
  for (StringAttr axis : mesh.getShape().getNames())
    if (llvm::is_contained(manual, axis))
      sorted.push_back(axis);
  return sorted;
}

/// The sharding of a value of `type`, along what is not manual. Null where all
/// is, and for a sharding of another rank or one that is left to the
/// partitioner.
spmd::ShardingAttr ImportGSPMDShardings::convert(const PlacedSharding &sharding,
                                                 Type type,
                                                 ArrayRef<int64_t> openDims) {
  using Kind = GspmdSharding::Kind;
  auto tensor = dyn_cast<RankedTensorType>(type);
  Kind kind = sharding.text.kind;
  if (!tensor || kind == Kind::Manual || kind == Kind::Tuple ||
      kind == Kind::Unknown ||
      (kind == Kind::Tiled &&
       sharding.text.rank() != static_cast<size_t>(tensor.getRank())))
    return {};
  SmallVector<spmd::DimShardingAttr> dims;
  for (int64_t d = 0; d < tensor.getRank(); ++d) {
    SmallVector<spmd::AxisAttr> axes;
    if (kind == Kind::Tiled)
      axes = axesOf(sharding.grid.order, sharding.grid.dims[d]);
    dims.push_back(spmd::DimShardingAttr::get(
        &getContext(), axes, llvm::is_contained(openDims, d), std::nullopt));
  }
  SmallVector<spmd::PartialAttr> partial;
  for (auto [i, subgroup] : llvm::enumerate(sharding.text.subgroups))
    if (subgroup == GspmdSharding::Subgroup::Unreduced)
      for (spmd::AxisAttr axis :
           axesOf(sharding.grid.order,
                  sharding.grid.dims[sharding.text.rank() + i]))
        partial.push_back(
            spmd::PartialAttr::get(&getContext(), spmd::Reduction::Sum, axis));
  return spmd::ShardingAttr::get(&getContext(),
                                 FlatSymbolRefAttr::get(mesh.getSymNameAttr()),
                                 dims, partial);
}

/// Of functions that are called on local values nothing is kept: the code
/// around a call says how they are cut.
void ImportGSPMDShardings::importSignature(func::FuncOp function) {
  auto convertGlobal = [&](Attribute text, Type type) {
    const PlacedSharding *sharding = mesh ? find(text) : nullptr;
    return sharding && manualAxesOf(*sharding).empty()
               ? convert(*sharding, type)
               : spmd::ShardingAttr();
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (Attribute text = function.removeArgAttr(i, kSharding))
      if (auto sharding = convertGlobal(text, function.getArgumentTypes()[i]))
        function.setArgAttr(i, spmd::SpmdDialect::kSharding, sharding);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (Attribute text = function.removeResultAttr(
            i, StringAttr::get(&getContext(), kSharding)))
      if (auto sharding = convertGlobal(text, function.getResultTypes()[i]))
        function.setResultAttr(i, spmd::SpmdDialect::kSharding, sharding);
}

/// `value` under a constraint, or itself if it cannot have one. In a manual
/// region values are cut over its free axes only.
static Value constrain(OpBuilder &builder, Location loc, Value value,
                       spmd::ShardingAttr sharding) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  // A scalar has no dimension that could be cut.
  if (!sharding || !type ||
      (type.getRank() == 0 && sharding.getPartial().empty()))
    return value;
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto manual = dyn_cast<spmd::ManualComputationOp>(parent);
  if (!manual)
    manual = parent->getParentOfType<spmd::ManualComputationOp>();
  if (manual && !manual.hasFreeAxes())
    return value;
  if (manual)
    sharding = manual.getFreePart(sharding);
  return spmd::ShardingConstraintOp::create(builder, loc, type, value,
                                            sharding);
}

/// The annotation of an op, one sharding per result.
void ImportGSPMDShardings::constrainResults(Operation *op) {
  Attribute text = op->removeAttr(kSharding);
  const PlacedSharding *sharding = mesh ? find(text) : nullptr;
  if (!sharding)
    return;
  bool isTuple = sharding->text.kind == GspmdSharding::Kind::Tuple;
  if (isTuple && sharding->elements.size() != op->getNumResults())
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    spmd::ShardingAttr converted = convert(
        isTuple ? sharding->elements[result.getResultNumber()] : *sharding,
        result.getType());
    Value constrained = constrain(builder, op->getLoc(), result, converted);
    if (constrained != result)
      result.replaceAllUsesExcept(constrained, constrained.getDefiningOp());
  }
}

/// Dimensions that the call leaves to the partitioner:
/// `unspecified_dims=[1,2]`.
static FailureOr<SmallVector<int64_t>>
unspecifiedDims(stablehlo::CustomCallOp call) {
  SmallVector<int64_t> dims;
  auto config = call->getAttrOfType<StringAttr>("backend_config");
  StringRef text = config ? config.getValue() : StringRef();
  if (text.empty())
    return dims;
  StringRef list = text;
  if (!list.consume_front("unspecified_dims=[") || !list.consume_back("]"))
    return call.emitError("unknown backend_config ")
           << config << "; expected unspecified_dims=[...]";
  SmallVector<StringRef> entries;
  list.split(entries, ',', -1, /*KeepEmpty=*/false);
  for (StringRef entry : entries)
    if (entry.trim().getAsInteger(10, dims.emplace_back()))
      return call.emitError("'")
             << entry << "' in backend_config is not a dimension";
  return dims;
}

FailureOr<reader::CallSharding>
ImportGSPMDShardings::read(stablehlo::CustomCallOp call, Type type,
                           std::optional<unsigned> order) {
  reader::CallSharding result;
  const PlacedSharding *found = call ? find(call->getAttr(kSharding)) : nullptr;
  if (!found)
    return result;
  PlacedSharding sharding = *found;
  bool isTiled = sharding.text.kind == GspmdSharding::Kind::Tiled;
  if (isTiled && order)
    if (auto grid =
            devices->findIn(*order, sharding.text.devices, sharding.text.tiles))
      sharding.grid = *grid;
  FailureOr<SmallVector<int64_t>> open = unspecifiedDims(call);
  if (failed(open))
    return failure();
  result.sharding = convert(sharding, type, *open);
  result.manual = manualAxesOf(sharding);
  if (isTiled)
    result.order = sharding.grid.order;
  return result;
}

SmallVector<int64_t> ImportGSPMDShardings::devicesOf(unsigned order) {
  return devices->isInPlace(order) ? SmallVector<int64_t>()
                                   : devices->devicesOf(order);
}

/// `custom_call @Sharding(x)` constrains x.
LogicalResult
ImportGSPMDShardings::importShardingCall(stablehlo::CustomCallOp call) {
  if (call->getNumOperands() != 1 || call->getNumResults() != 1 ||
      call->getOperand(0).getType() != call->getResult(0).getType())
    return call.emitError("@Sharding takes one value and returns the same");
  FailureOr<SmallVector<int64_t>> open = unspecifiedDims(call);
  if (failed(open))
    return failure();
  Value value = call->getOperand(0);
  const PlacedSharding *sharding =
      mesh ? find(call->getAttr(kSharding)) : nullptr;
  if (sharding) {
    OpBuilder builder(call);
    value = constrain(builder, call.getLoc(), value,
                      convert(*sharding, value.getType(), *open));
  }
  call->getResult(0).replaceAllUsesWith(value);
  call.erase();
  return success();
}

void ImportGSPMDShardings::runOnOperation() {
  ModuleOp module = getOperation();
  if (auto partitions =
          module->getAttrOfType<IntegerAttr>("mhlo.num_partitions"))
    numDevices = partitions.getInt();
  else
    numDevices = devicesOfManualRegions();
  constexpr int64_t kMaxDevices = 1 << 20;
  if (numDevices < 1 || numDevices > kMaxDevices) {
    module.emitError("mhlo.num_partitions is ")
        << numDevices << "; expected 1 to " << kMaxDevices;
    return signalPassFailure();
  }
  devices.emplace(numDevices);
  bool hasMesh = !module.getOps<spmd::MeshOp>().empty();
  // One device, or shardings from elsewhere: annotations say nothing.
  if (numDevices > 1 && !hasMesh) {
    auto collectOne = [&](Location loc, Attribute text) {
      return collect(loc, text);
    };
    if (failed(forEachSharding(collectOne)))
      return signalPassFailure();
    if (!placed.empty()) {
      devices->combine();
      declareMesh();
      warnOfOtherOrders();
    }
  }
  for (auto function : module.getOps<func::FuncOp>()) {
    importSignature(function);
    if (failed(reader::formManualRegions(function, *this)))
      return signalPassFailure();
  }
  SmallVector<Operation *> annotated;
  module.walk([&](Operation *op) {
    auto call = dyn_cast<stablehlo::CustomCallOp>(op);
    if (op->hasAttr(kSharding) || (call && reader::isCallOf(call, "Sharding")))
      annotated.push_back(op);
  });
  for (Operation *op : annotated) {
    auto call = dyn_cast<stablehlo::CustomCallOp>(op);
    if (call && reader::isCallOf(call, "Sharding")) {
      if (failed(importShardingCall(call)))
        return signalPassFailure();
      continue;
    }
    constrainResults(op);
  }
}
