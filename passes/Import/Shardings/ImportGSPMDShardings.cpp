//===- ImportGSPMDShardings.cpp - From mhlo.sharding to spmd --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// GSPMD names devices, not axes: the mesh is the coarsest grid whose axes make
// up every tile assignment of the module.
//
//===----------------------------------------------------------------------===//

#include "cleave/Partition/GspmdSharding.h"
#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Import/Passes.h"
#include "passes/Import/Shardings/ManualRegions.h"

namespace cleave {
#define GEN_PASS_DEF_IMPORTGSPMDSHARDINGS
#include "passes/Import/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;

namespace {

constexpr llvm::StringLiteral kSharding = "mhlo.sharding";

struct ImportGSPMDShardings
    : cleave::impl::ImportGSPMDShardingsBase<ImportGSPMDShardings> {
  void runOnOperation() override;

private:
  FailureOr<GspmdSharding> parse(Location loc, StringAttr text);
  LogicalResult collect(Location loc, Attribute attribute);
  LogicalResult collectAll();
  LogicalResult collectOnce();
  LogicalResult
  forEachSharding(function_ref<LogicalResult(Location, Attribute)> body);
  int64_t devicesOfManualRegions();
  void declareMesh();

  SmallVector<spmd::AxisAttr> axesOf(ArrayRef<DeviceDigit> digits);
  spmd::ShardingAttr convert(const GspmdSharding &sharding, int64_t rank,
                             ArrayRef<int64_t> openDims = {});
  spmd::ShardingAttr convert(Attribute text, Type type,
                             ArrayRef<int64_t> openDims = {});
  void importSignature(func::FuncOp function);
  void constrainResults(Operation *op);
  LogicalResult importShardingCall(stablehlo::CustomCallOp call);
  void warnOfFreeAxes(func::FuncOp function);

  int64_t numDevices = 1;
  std::optional<CommonGrid> grid;
  /// The devices of the mesh, and the place of each; empty if they are 0, 1,
  /// and so on.
  SmallVector<int64_t> order, numbers;
  /// While the order is not chosen: the list that does not fit it.
  SmallVector<int64_t> oddOrder;
  bool hasChosenOrder = false;
  llvm::DenseMap<StringAttr, GspmdSharding> parsed;
  spmd::MeshOp mesh;
};

} // namespace

//===----------------------------------------------------------------------===//
// The mesh
//===----------------------------------------------------------------------===//

FailureOr<GspmdSharding> ImportGSPMDShardings::parse(Location loc,
                                                     StringAttr text) {
  auto known = parsed.find(text);
  if (known != parsed.end())
    return known->second;
  std::string error;
  SmallVector<int64_t> oddList;
  std::optional<GspmdSharding> sharding =
      GspmdSharding::parse(text.getValue(), error, numbers, &oddList);
  bool isOdd = static_cast<int64_t>(oddList.size()) == numDevices;
  if (isOdd && !hasChosenOrder) {
    oddOrder = oddList;
    return failure();
  }
  if (isOdd) {
    emitWarning(loc) << kSharding << " " << text
                     << " is not followed: the mesh has its devices in another "
                        "order";
    sharding.emplace().kind = GspmdSharding::Kind::Unknown;
  }
  if (!sharding)
    return emitError(loc) << kSharding << ": " << error;
  if (sharding->group)
    emitWarning(loc) << kSharding << " " << text
                     << ": values of a group are not made to be cut alike";
  parsed[text] = *sharding;
  return *sharding;
}

LogicalResult ImportGSPMDShardings::collect(Location loc, Attribute attribute) {
  auto text = dyn_cast_or_null<StringAttr>(attribute);
  if (!attribute)
    return success();
  if (!text)
    return emitError(loc) << kSharding << " is a string";
  FailureOr<GspmdSharding> sharding = parse(loc, text);
  if (failed(sharding))
    return failure();
  SmallVector<const GspmdSharding *> all;
  for (const GspmdSharding &element : sharding->elements)
    all.push_back(&element);
  if (all.empty())
    all.push_back(&*sharding);
  for (const GspmdSharding *one : all) {
    if (one->kind != GspmdSharding::Kind::Tiled)
      continue;
    if (one->numDevices != numDevices)
      return emitError(loc) << kSharding << " is for " << one->numDevices
                            << " devices, the module for " << numDevices
                            << " (mhlo.num_partitions)";
    SmallVector<DeviceDigit> digits;
    for (const DeviceDigits &dim : one->dims)
      llvm::append_range(digits, dim);
    for (const auto &subgroup : one->subgroups)
      llvm::append_range(digits, subgroup.second);
    for (const DeviceDigit &digit : digits)
      if (!grid->add(digit))
        return emitError(loc) << "no mesh has the tiles of " << text
                              << " and those of the other shardings";
  }
  return success();
}

/// Collects all shardings. If all lists of devices are in one order that no
/// grid has, it is that of the mesh's devices; odd ones among others say
/// nothing.
LogicalResult ImportGSPMDShardings::collectAll() {
  auto collectWith = [&](ArrayRef<int64_t> devices) {
    order.assign(devices.begin(), devices.end());
    numbers.assign(devices.size(), 0);
    for (auto [number, device] : llvm::enumerate(devices))
      numbers[device] = number;
    oddOrder.clear();
    parsed.clear();
    grid.emplace(numDevices);
    return collectOnce();
  };
  if (succeeded(collectWith({})))
    return success();
  if (SmallVector<int64_t> odd(oddOrder); !odd.empty()) {
    if (succeeded(collectWith(odd)))
      return success();
    if (!oddOrder.empty()) {
      hasChosenOrder = true;
      return collectWith({});
    }
  }
  return failure();
}

LogicalResult ImportGSPMDShardings::collectOnce() {
  return forEachSharding(
      [&](Location loc, Attribute sharding) { return collect(loc, sharding); });
}

/// Calls `body` with the sharding, or null, of each op, argument and result.
LogicalResult ImportGSPMDShardings::forEachSharding(
    function_ref<LogicalResult(Location, Attribute)> body) {
  auto status = getOperation().walk([&](Operation *op) -> WalkResult {
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
    SmallVector<int64_t> oddList;
    auto sharding = GspmdSharding::parse(text.getValue(), error, {}, &oddList);
    if (!oddList.empty())
      devices = oddList.size();
    else if (sharding && sharding->kind == GspmdSharding::Kind::Tiled)
      devices = sharding->numDevices;
    return success(devices == 1);
  });
  return devices;
}

void ImportGSPMDShardings::declareMesh() {
  ModuleOp module = getOperation();
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  for (auto [i, axis] : llvm::enumerate(grid->axes())) {
    names.push_back(StringAttr::get(&getContext(), ("d" + Twine(i)).str()));
    sizes.push_back(axis.size);
  }
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  mesh = spmd::MeshOp::create(
      builder, module.getLoc(), "mesh",
      spmd::MeshAttr::get(&getContext(), names, sizes, order));
  // A function may be called mesh already.
  mesh->remove();
  SymbolTable(module).insert(mesh, module.getBody()->begin());
}

//===----------------------------------------------------------------------===//
// Shardings
//===----------------------------------------------------------------------===//

SmallVector<spmd::AxisAttr>
ImportGSPMDShardings::axesOf(ArrayRef<DeviceDigit> digits) {
  SmallVector<spmd::AxisAttr> axes;
  for (const DeviceDigit &digit : digits)
    for (unsigned axis : grid->axesOf(digit))
      axes.push_back(spmd::AxisAttr::get(
          &getContext(), mesh.getShape().getNames()[axis], 1, 0));
  return axes;
}

/// Null for a sharding of local values, which is manual along some or all axes,
/// and for one of another rank.
spmd::ShardingAttr ImportGSPMDShardings::convert(const GspmdSharding &sharding,
                                                 int64_t rank,
                                                 ArrayRef<int64_t> openDims) {
  using Kind = GspmdSharding::Kind;
  bool isLocal = llvm::any_of(sharding.subgroups, [](const auto &subgroup) {
    return subgroup.first == GspmdSharding::Subgroup::Manual;
  });
  if (isLocal || sharding.kind == Kind::Manual ||
      sharding.kind == Kind::Tuple || sharding.kind == Kind::Unknown ||
      (sharding.kind == Kind::Tiled &&
       sharding.dims.size() != static_cast<size_t>(rank)))
    return {};
  SmallVector<spmd::DimShardingAttr> dims;
  for (int64_t d = 0; d < rank; ++d) {
    SmallVector<spmd::AxisAttr> axes;
    if (sharding.kind == Kind::Tiled)
      axes = axesOf(sharding.dims[d]);
    dims.push_back(spmd::DimShardingAttr::get(
        &getContext(), axes, llvm::is_contained(openDims, d), std::nullopt));
  }
  SmallVector<spmd::PartialAttr> partial;
  for (const auto &[subgroup, digits] : sharding.subgroups)
    if (subgroup == GspmdSharding::Subgroup::Unreduced)
      for (spmd::AxisAttr axis : axesOf(digits))
        partial.push_back(
            spmd::PartialAttr::get(&getContext(), spmd::Reduction::Sum, axis));
  return spmd::ShardingAttr::get(&getContext(),
                                 FlatSymbolRefAttr::get(mesh.getSymNameAttr()),
                                 dims, partial);
}

/// The sharding of a value of `type`; null where it has none.
spmd::ShardingAttr ImportGSPMDShardings::convert(Attribute text, Type type,
                                                 ArrayRef<int64_t> openDims) {
  auto string = dyn_cast_or_null<StringAttr>(text);
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!string || !tensor)
    return {};
  return convert(parsed.find(string)->second, tensor.getRank(), openDims);
}

void ImportGSPMDShardings::importSignature(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (Attribute text = function.removeArgAttr(i, kSharding); text && mesh)
      if (auto sharding = convert(text, function.getArgument(i).getType()))
        function.setArgAttr(i, spmd::SpmdDialect::kSharding, sharding);
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    Attribute text =
        function.removeResultAttr(i, StringAttr::get(&getContext(), kSharding));
    if (!text || !mesh)
      continue;
    if (auto sharding = convert(text, function.getResultTypes()[i]))
      function.setResultAttr(i, spmd::SpmdDialect::kSharding, sharding);
  }
}

/// The annotation of an op, one sharding per result.
void ImportGSPMDShardings::constrainResults(Operation *op) {
  auto text = dyn_cast_or_null<StringAttr>(op->getAttr(kSharding));
  op->removeAttr(kSharding);
  if (!text || !mesh || op->getParentOfType<spmd::ManualComputationOp>())
    return;
  const GspmdSharding &sharding = parsed.find(text)->second;
  bool isTuple = sharding.kind == GspmdSharding::Kind::Tuple;
  if (isTuple && sharding.elements.size() != op->getNumResults())
    return;
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (OpResult result : op->getResults()) {
    auto tensor = dyn_cast<RankedTensorType>(result.getType());
    if (!tensor)
      continue;
    spmd::ShardingAttr converted = convert(
        isTuple ? sharding.elements[result.getResultNumber()] : sharding,
        tensor.getRank());
    if (!converted)
      continue;
    auto constraint = spmd::ShardingConstraintOp::create(
        builder, op->getLoc(), tensor, result, converted);
    result.replaceAllUsesExcept(constraint.getResult(), constraint);
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
  spmd::ShardingAttr sharding;
  // Of a scalar there is nothing to say: as in the computation of an
  // all_reduce.
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool isScalar = type && type.getRank() == 0;
  if (mesh && !isScalar && !call->getParentOfType<spmd::ManualComputationOp>())
    sharding = convert(call->getAttr(kSharding), value.getType(), *open);
  if (sharding) {
    OpBuilder builder(call);
    value = spmd::ShardingConstraintOp::create(
        builder, call.getLoc(), value.getType(), value, sharding);
  }
  call->getResult(0).replaceAllUsesWith(value);
  call.erase();
  return success();
}

/// Along devices that are not manual a region could have been partitioned.
void ImportGSPMDShardings::warnOfFreeAxes(func::FuncOp function) {
  function.walk([&](stablehlo::CustomCallOp call) {
    auto text = call->getAttrOfType<StringAttr>(kSharding);
    if (!text || !reader::isCallOf(call, "SPMDFullToShardShape"))
      return WalkResult::advance();
    const GspmdSharding &sharding = parsed.find(text)->second;
    bool isWhole = llvm::all_of(sharding.subgroups, [](const auto &subgroup) {
      return subgroup.first == GspmdSharding::Subgroup::Manual;
    });
    if (sharding.kind == GspmdSharding::Kind::Manual || isWhole)
      return WalkResult::advance();
    call.emitWarning("enters code that is not partitioned along devices which "
                     "are not manual: each of them computes the same");
    return WalkResult::interrupt();
  });
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
  grid.emplace(numDevices);
  bool hasMesh = !module.getOps<spmd::MeshOp>().empty();
  // One device, or shardings from elsewhere: annotations say nothing.
  if (numDevices > 1 && !hasMesh) {
    if (failed(collectAll()))
      return signalPassFailure();
    if (!parsed.empty())
      declareMesh();
  }
  auto shardingOf = [&](Attribute text, Type type) {
    return mesh ? convert(text, type) : spmd::ShardingAttr();
  };
  for (auto function : module.getOps<func::FuncOp>()) {
    importSignature(function);
    if (mesh)
      warnOfFreeAxes(function);
    if (failed(reader::formManualRegions(function, shardingOf)))
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
