//===- FrontendShardings.cpp - Shardings kept as text ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/FrontendShardings.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/Import/Shardings/FrontendComputations.h"
#include "passes/Import/Shardings/FrontendText.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

static constexpr StringLiteral kMeshes = "xla.sdy.meshes";
static constexpr StringLiteral kSharding = "xla.sdy.sharding";

static LogicalResult readMeshes(ModuleOp module) {
  Attribute value = frontendEntry(module, kMeshes);
  if (!value)
    return success();
  auto meshes = readTextAs<DictionaryAttr>(module.getLoc(), kMeshes, value);
  if (failed(meshes))
    return failure();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  for (NamedAttribute entry : *meshes) {
    auto mesh =
        readTextAs<sdy::MeshAttr>(module.getLoc(), kMeshes, entry.getValue());
    if (failed(mesh))
      return failure();
    Operation *known = SymbolTable::lookupSymbolIn(module, entry.getName());
    if (!known) {
      sdy::MeshOp::create(builder, module.getLoc(), entry.getName(), *mesh);
      continue;
    }
    auto knownMesh = dyn_cast<sdy::MeshOp>(known);
    if (!knownMesh || knownMesh.getMesh() != *mesh)
      return known->emitOpError("has the name of another mesh in ") << kMeshes;
  }
  return success();
}

static LogicalResult readSignature(func::FuncOp function) {
  StringRef to = sdy::SdyDialect::kSharding;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute text =
        frontendEntry(function.getArgAttr(i, kFrontendAttributes), kSharding);
    if (!text || function.getArgAttr(i, to))
      continue;
    auto sharding = readTextAs<sdy::ShardingAttr>(
        function.getArgument(i).getLoc(), kSharding, text);
    if (failed(sharding))
      return failure();
    function.setArgAttr(i, to, *sharding);
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    Attribute text = frontendEntry(
        function.getResultAttr(i, kFrontendAttributes), kSharding);
    if (!text || function.getResultAttr(i, to))
      continue;
    auto sharding =
        readTextAs<sdy::ShardingAttr>(function.getLoc(), kSharding, text);
    if (failed(sharding))
      return failure();
    function.setResultAttr(i, to, *sharding);
  }
  return success();
}

LogicalResult reader::readFrontendShardings(ModuleOp module) {
  if (failed(readMeshes(module)) || failed(readFrontendComputations(module)))
    return failure();
  WalkResult walk = module.walk([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      return WalkResult(readSignature(function));
    StringRef to = sdy::SdyDialect::kSharding;
    Attribute text = frontendEntry(op, kSharding);
    if (!text || op->hasAttr(to))
      return WalkResult::advance();
    auto shardings =
        readTextAs<sdy::ShardingPerValueAttr>(op->getLoc(), kSharding, text);
    if (succeeded(shardings))
      op->setDiscardableAttr(to, *shardings);
    return WalkResult(LogicalResult(shardings));
  });
  return failure(walk.wasInterrupted());
}
