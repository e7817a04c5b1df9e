//===- FrontendShardings.cpp - Shardings kept as text ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/FrontendShardings.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace cleave;

namespace {
constexpr llvm::StringLiteral kFrontend = "mhlo.frontend_attributes";
constexpr llvm::StringLiteral kMeshes = "xla.sdy.meshes";
constexpr llvm::StringLiteral kSharding = "xla.sdy.sharding";
} // namespace

/// What the text of an attribute says, which may itself be text; fails with a
/// diagnostic where that is no `T`.
template <typename T>
static FailureOr<T> readAs(Location loc, StringRef name, Attribute value) {
  Attribute read = value;
  while (auto text = dyn_cast_if_present<StringAttr>(read)) {
    // The parser would speak of a file that nobody has.
    ScopedDiagnosticHandler silent(loc.getContext(),
                                   [](Diagnostic &) { return success(); });
    read = parseAttribute(text.getValue(), loc.getContext());
  }
  if (auto result = dyn_cast_if_present<T>(read))
    return result;
  return emitError(loc) << "cannot read " << name << ": " << value;
}

/// The entry `name` of the frontend attributes; null if there is none.
static Attribute frontendAttr(Attribute frontend, StringRef name) {
  auto entries = dyn_cast_if_present<DictionaryAttr>(frontend);
  return entries ? entries.get(name) : Attribute();
}

static LogicalResult readMeshes(ModuleOp module) {
  Attribute value = frontendAttr(module->getAttr(kFrontend), kMeshes);
  if (!value)
    return success();
  auto meshes = readAs<DictionaryAttr>(module.getLoc(), kMeshes, value);
  if (failed(meshes))
    return failure();
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  for (NamedAttribute entry : *meshes) {
    auto mesh =
        readAs<sdy::MeshAttr>(module.getLoc(), kMeshes, entry.getValue());
    if (failed(mesh))
      return failure();
    if (!SymbolTable::lookupSymbolIn(module, entry.getName()))
      sdy::MeshOp::create(builder, module.getLoc(), entry.getName(), *mesh);
  }
  return success();
}

static LogicalResult readSignature(func::FuncOp function) {
  StringRef to = sdy::SdyDialect::kSharding;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute text = frontendAttr(function.getArgAttr(i, kFrontend), kSharding);
    if (!text || function.getArgAttr(i, to))
      continue;
    auto sharding = readAs<sdy::ShardingAttr>(function.getArgument(i).getLoc(),
                                              kSharding, text);
    if (failed(sharding))
      return failure();
    function.setArgAttr(i, to, *sharding);
  }
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    Attribute text =
        frontendAttr(function.getResultAttr(i, kFrontend), kSharding);
    if (!text || function.getResultAttr(i, to))
      continue;
    auto sharding =
        readAs<sdy::ShardingAttr>(function.getLoc(), kSharding, text);
    if (failed(sharding))
      return failure();
    function.setResultAttr(i, to, *sharding);
  }
  return success();
}

LogicalResult reader::readFrontendShardings(ModuleOp module) {
  if (failed(readMeshes(module)))
    return failure();
  WalkResult walk = module.walk([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op))
      return WalkResult(readSignature(function));
    StringRef to = sdy::SdyDialect::kSharding;
    Attribute text = frontendAttr(op->getAttr(kFrontend), kSharding);
    if (!text || op->hasAttr(to))
      return WalkResult::advance();
    auto shardings =
        readAs<sdy::ShardingPerValueAttr>(op->getLoc(), kSharding, text);
    if (succeeded(shardings))
      op->setDiscardableAttr(to, *shardings);
    return WalkResult(LogicalResult(shardings));
  });
  return failure(walk.wasInterrupted());
}
