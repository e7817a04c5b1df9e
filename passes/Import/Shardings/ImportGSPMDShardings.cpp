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
#include "passes/Import/Shardings/GspmdAnnotations.h"
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

LogicalResult ImportGSPMDShardings::collectShardings() {
  ModuleOp module = getOperation();
  if (failed(reader::spreadModuleShardings(module)))
    return failure();
  auto annotations = reader::GspmdAnnotations::read(module);
  if (failed(annotations))
    return failure();
  // Shardings from elsewhere: these say the same once more.
  if (!module.getOps<spmd::MeshOp>().empty()) {
    shardings.emplace(1);
    return success();
  }
  FailureOr<int64_t> numDevices = annotations->countDevices(module);
  if (failed(numDevices))
    return failure();
  shardings.emplace(*numDevices);
  if (*numDevices == 1)
    return success();
  for (const auto &[text, annotation] : annotations->getTexts())
    shardings->add(annotation.loc, text, annotation.sharding);
  shardings->declareMesh(module);
  return success();
}

//===----------------------------------------------------------------------===//
// Signatures and results
//===----------------------------------------------------------------------===//

/// Whether some of a value's elements are cut, or terms of sums.
static bool isCut(const PlacedSharding &sharding) {
  return sharding.isTiled() ||
         sharding.text.kind == GspmdSharding::Kind::Unreduced ||
         llvm::any_of(sharding.elements, isCut);
}

static void warnOfTuple(Operation *op, Attribute text) {
  op->emitWarning(kMhloSharding)
      << " " << text
      << " of a tuple is not heeded: its elements are cut as propagation "
         "decides";
}

/// Only what passes through a @Sharding call can be one of a group.
static void warnOfGroup(Operation *op, Attribute text) {
  op->emitWarning(kMhloSharding)
      << " " << text
      << ": values of a group are made to be cut alike in @Sharding calls only";
}

/// Of functions that are called on local values nothing is kept: the code
/// around a call says how they are cut.
void ImportGSPMDShardings::importSignature(func::FuncOp function) {
  auto convertGlobal = [&](Attribute text, Type type) {
    const PlacedSharding *sharding = shardings->find(text);
    if (sharding && isa<TupleType>(type) && isCut(*sharding))
      warnOfTuple(function, text);
    if (sharding && sharding->text.group)
      warnOfGroup(function, text);
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
  if (sharding->text.group)
    warnOfGroup(op, text);
  bool isTuple = sharding->text.kind == GspmdSharding::Kind::Tuple;
  if (llvm::any_of(op->getResultTypes(), llvm::IsaPred<TupleType>) ||
      (isTuple && sharding->elements.size() != op->getNumResults())) {
    if (isCut(*sharding))
      warnOfTuple(op, text);
    return;
  }
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
  auto type = dyn_cast<RankedTensorType>(call->getResult(0).getType());
  for (StringRef entry : entries)
    if (entry.trim().getAsInteger(10, dims.emplace_back()) || dims.back() < 0 ||
        (type && dims.back() >= type.getRank()))
      return call.emitError("'")
             << entry << "' in backend_config is not a dimension of "
             << call->getResult(0).getType();
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
    if (std::optional<int64_t> group = sharding->text.group)
      value = spmd::constrainOpen(builder, call.getLoc(), value,
                                  shardings->getMesh(), spmd::kShardingGroup,
                                  builder.getI64IntegerAttr(*group));
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
