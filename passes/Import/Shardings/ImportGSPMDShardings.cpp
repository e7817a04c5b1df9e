//===- ImportGSPMDShardings.cpp - From mhlo.sharding to spmd --------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shardings on arguments and results stay where they are; one on an op becomes
// a constraint on its results. What they are over the one mesh is in
// PlacedShardings.h, code on local shapes in ManualRegions.h.
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/SpmdBuilders.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Import/Passes.h"
#include "passes/Import/Shardings/ManualRegions.h"
#include "passes/Import/Shardings/PlacedShardings.h"

namespace cleave {
#define GEN_PASS_DEF_IMPORTGSPMDSHARDINGS
#include "passes/Import/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using reader::kMhloSharding;
using reader::PlacedSharding;
using reader::PlacedShardings;

namespace {

struct ImportGSPMDShardings
    : cleave::impl::ImportGSPMDShardingsBase<ImportGSPMDShardings>,
      reader::CallShardings {
  void runOnOperation() override;

  FailureOr<reader::CallSharding> read(stablehlo::CustomCallOp call, Type type,
                                       std::optional<unsigned> order) override;
  SmallVector<int64_t> devicesOf(unsigned order) override {
    return shardings->devicesOf(order);
  }
  spmd::MeshOp getMesh() override { return shardings->getMesh(); }

private:
  LogicalResult collectShardings();
  void importSignature(func::FuncOp function);
  void constrainResults(Operation *op);
  LogicalResult importShardingCall(stablehlo::CustomCallOp call);
  LogicalResult importAnnotations();

  std::optional<PlacedShardings> shardings;
};

} // namespace

//===----------------------------------------------------------------------===//
// What is there
//===----------------------------------------------------------------------===//

/// Calls `body` with the sharding, or null, of each op, argument and result;
/// those of a function before what is in it.
static LogicalResult
forEachSharding(ModuleOp module,
                function_ref<LogicalResult(Location, Attribute)> body) {
  auto status =
      module.walk<WalkOrder::PreOrder>([&](Operation *op) -> WalkResult {
        if (failed(body(op->getLoc(), op->getAttr(kMhloSharding))))
          return WalkResult::interrupt();
        auto function = dyn_cast<func::FuncOp>(op);
        if (!function)
          return WalkResult::advance();
        for (unsigned i = 0; i < function.getNumArguments(); ++i)
          if (failed(body(op->getLoc(), function.getArgAttr(i, kMhloSharding))))
            return WalkResult::interrupt();
        for (unsigned i = 0; i < function.getNumResults(); ++i)
          if (failed(
                  body(op->getLoc(), function.getResultAttr(i, kMhloSharding))))
            return WalkResult::interrupt();
        return WalkResult::advance();
      });
  return failure(status.wasInterrupted());
}

/// How many devices a module with code on local shapes is for, which older
/// programs do not say: as many as its shardings name.
static int64_t devicesOfManualRegions(ModuleOp module) {
  WalkResult walk = module.walk([](stablehlo::CustomCallOp call) {
    return reader::isCallOf(call, "SPMDFullToShardShape")
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  int64_t devices = 1;
  if (!walk.wasInterrupted())
    return devices;
  (void)forEachSharding(module, [&](Location, Attribute attribute) {
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

/// How many devices the module is for; fails with a diagnostic.
static FailureOr<int64_t> countDevices(ModuleOp module) {
  auto partitions = module->getAttrOfType<IntegerAttr>("mhlo.num_partitions");
  int64_t numDevices =
      partitions ? partitions.getInt() : devicesOfManualRegions(module);
  constexpr int64_t kMaxDevices = 1 << 20;
  if (numDevices < 1 || numDevices > kMaxDevices)
    return module.emitError("mhlo.num_partitions is ")
           << numDevices << "; expected 1 to " << kMaxDevices;
  return numDevices;
}

LogicalResult ImportGSPMDShardings::collectShardings() {
  ModuleOp module = getOperation();
  FailureOr<int64_t> numDevices = countDevices(module);
  if (failed(numDevices))
    return failure();
  shardings.emplace(*numDevices);
  // One device, or shardings from elsewhere: annotations say nothing.
  if (*numDevices == 1 || !module.getOps<spmd::MeshOp>().empty())
    return success();
  if (failed(forEachSharding(module, [&](Location loc, Attribute text) {
        return shardings->add(loc, text);
      })))
    return failure();
  shardings->declareMesh(module);
  return success();
}

//===----------------------------------------------------------------------===//
// Signatures and results
//===----------------------------------------------------------------------===//

/// Of functions that are called on local values nothing is kept: the code
/// around a call says how they are cut.
void ImportGSPMDShardings::importSignature(func::FuncOp function) {
  auto convertGlobal = [&](Attribute text, Type type) {
    const PlacedSharding *sharding = shardings->find(text);
    return sharding && shardings->manualAxesOf(*sharding).empty()
               ? shardings->convert(*sharding, type)
               : spmd::ShardingAttr();
  };
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (Attribute text = function.removeArgAttr(i, kMhloSharding))
      if (auto sharding = convertGlobal(text, function.getArgumentTypes()[i]))
        function.setArgAttr(i, spmd::SpmdDialect::kSharding, sharding);
  for (unsigned i = 0; i < function.getNumResults(); ++i)
    if (Attribute text = function.removeResultAttr(
            i, StringAttr::get(&getContext(), kMhloSharding)))
      if (auto sharding = convertGlobal(text, function.getResultTypes()[i]))
        function.setResultAttr(i, spmd::SpmdDialect::kSharding, sharding);
}

/// The annotation of an op, one sharding per result.
void ImportGSPMDShardings::constrainResults(Operation *op) {
  Attribute text = op->removeAttr(kMhloSharding);
  const PlacedSharding *sharding = shardings->find(text);
  if (!sharding)
    return;
  bool isTuple = sharding->text.kind == GspmdSharding::Kind::Tuple;
  if (isTuple && sharding->elements.size() != op->getNumResults())
    return;
  SmallVector<spmd::ShardingAttr> ofResults;
  for (auto [i, type] : llvm::enumerate(op->getResultTypes()))
    ofResults.push_back(
        shardings->convert(isTuple ? sharding->elements[i] : *sharding, type));
  spmd::constrainResults(op, ofResults);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

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
  const PlacedSharding *found =
      call ? shardings->find(call->getAttr(kMhloSharding)) : nullptr;
  if (!found)
    return result;
  PlacedSharding sharding = order ? shardings->inOrder(*found, *order) : *found;
  FailureOr<SmallVector<int64_t>> open = unspecifiedDims(call);
  if (failed(open))
    return failure();
  result.sharding = shardings->convert(sharding, type, *open);
  result.manual = shardings->manualAxesOf(sharding);
  if (sharding.isTiled())
    result.order = sharding.grid.order;
  return result;
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
  if (const PlacedSharding *sharding =
          shardings->find(call->getAttr(kMhloSharding))) {
    OpBuilder builder(call);
    value =
        spmd::constrain(builder, call.getLoc(), value,
                        shardings->convert(*sharding, value.getType(), *open));
  }
  call->getResult(0).replaceAllUsesWith(value);
  call.erase();
  return success();
}

/// Annotated ops and @Sharding calls, in regions on local shapes, too.
LogicalResult ImportGSPMDShardings::importAnnotations() {
  SmallVector<Operation *> annotated;
  getOperation().walk([&](Operation *op) {
    auto call = dyn_cast<stablehlo::CustomCallOp>(op);
    if (op->hasAttr(kMhloSharding) ||
        (call && reader::isCallOf(call, "Sharding")))
      annotated.push_back(op);
  });
  for (Operation *op : annotated) {
    auto call = dyn_cast<stablehlo::CustomCallOp>(op);
    if (!call || !reader::isCallOf(call, "Sharding"))
      constrainResults(op);
    else if (failed(importShardingCall(call)))
      return failure();
  }
  return success();
}

void ImportGSPMDShardings::runOnOperation() {
  if (failed(collectShardings()))
    return signalPassFailure();
  for (auto function : getOperation().getOps<func::FuncOp>()) {
    importSignature(function);
    if (failed(reader::formManualRegions(function, *this)))
      return signalPassFailure();
  }
  if (failed(importAnnotations()))
    return signalPassFailure();
}
