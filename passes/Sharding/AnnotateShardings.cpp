//===- AnnotateShardings.cpp - Declare a mesh and shardings from options --===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "dialects/Spmd/SpmdBuilders.h"
#include "mlir/Pass/Pass.h"
#include "passes/Sharding/Passes.h"
#include "passes/Sharding/RandomShardings.h"
#include "passes/Sharding/ShardingGraph.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/GlobPattern.h"

namespace cleave {
#define GEN_PASS_DEF_ANNOTATESHARDINGS
#include "passes/Sharding/Passes.h.inc"
} // namespace cleave

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

/// `data=2,model=4` as a mesh attribute.
static FailureOr<MeshAttr> parseMesh(ModuleOp module, StringRef text) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  SmallVector<StringRef> entries;
  text.split(entries, ',');
  for (StringRef entry : entries) {
    auto [name, size] = entry.split('=');
    if (name.empty() || size.getAsInteger(10, sizes.emplace_back()))
      return module.emitError()
             << "mesh '" << text << "': expected NAME=SIZE "
             << "entries such as data=2,model=4, but got '" << entry << "'";
    names.push_back(StringAttr::get(module.getContext(), name));
  }
  auto emitError = [&] { return module.emitError(); };
  if (failed(MeshAttr::verify(emitError, names, sizes, {})))
    return failure();
  return MeshAttr::get(module.getContext(), names, sizes, {});
}

/// Per dimension `-`, an axis, or axes joined by `+`.
static FailureOr<ShardingAttr> parseDims(Operation *op, StringRef pattern,
                                         StringRef text, const Twine &what,
                                         Type type, MeshOp mesh) {
  MLIRContext *context = mesh.getContext();
  SmallVector<DimShardingAttr> dims;
  SmallVector<StringRef> entries;
  if (!text.empty())
    text.split(entries, ',');
  for (StringRef entry : entries) {
    SmallVector<AxisAttr> axes;
    SmallVector<StringRef> names;
    if (entry != "-")
      entry.split(names, '+');
    for (StringRef name : names)
      axes.push_back(
          AxisAttr::get(context, StringAttr::get(context, name), 1, 0));
    dims.push_back(DimShardingAttr::get(context, axes, false, std::nullopt));
  }
  auto sharding = ShardingAttr::get(
      context, FlatSymbolRefAttr::get(mesh.getSymNameAttr()), dims, {});
  if (failed(verifySharding(
          [&] {
            return op->emitError()
                   << "shard '" << pattern << "': for " << what << ", ";
          },
          sharding, type, op)))
    return failure();
  return sharding;
}

namespace {

struct AnnotateShardings
    : cleave::impl::AnnotateShardingsBase<AnnotateShardings> {
  using AnnotateShardingsBase::AnnotateShardingsBase;

  void runOnOperation() override {
    func::FuncOp entry = graph::getEntryFunction(getOperation());
    if (!entry)
      return signalPassFailure();
    FailureOr<MeshOp> meshOp = findOrDeclareMesh();
    if (failed(meshOp))
      return signalPassFailure();
    SmallVector<StringRef> patterns;
    StringRef(shard).split(patterns, ';', -1, /*KeepEmpty=*/false);
    for (StringRef pattern : patterns)
      if (failed(apply(entry, *meshOp, pattern)))
        return signalPassFailure();
  }

  FailureOr<MeshOp> findOrDeclareMesh() {
    ModuleOp module = getOperation();
    auto existing = module.getOps<MeshOp>();
    std::string text = mesh.empty() ? "replica=1" : mesh.getValue();
    if (!existing.empty() && mesh.empty()) {
      MeshOp only = getOnlyMesh(module);
      if (!only)
        return failure();
      return only;
    }
    FailureOr<MeshAttr> shape = parseMesh(module, text);
    if (failed(shape))
      return failure();
    if (existing.empty())
      return spmd::declareMesh(module, module.getLoc(), "mesh", *shape);
    MeshOp only = getOnlyMesh(module);
    if (!only)
      return failure();
    if (only.getShape().getNames() != shape->getNames() ||
        only.getShape().getSizes() != shape->getSizes())
      return only.emitError()
             << "the module's mesh differs from the option "
             << "mesh=" << mesh << "; leave the option out or change the file";
    return only;
  }

  LogicalResult apply(func::FuncOp entry, MeshOp meshOp, StringRef text) {
    StringRef seed = text;
    if (seed.consume_front("random:")) {
      uint64_t value = 0;
      if (seed.getAsInteger(10, value))
        return entry.emitError()
               << "shard '" << text << "': expected random:SEED with a number";
      annotateRandomly(entry, meshOp, value);
      return success();
    }
    // The glob may hold '=' in no sensible name, so the last one separates.
    auto [pattern, dims] = text.rsplit('=');
    if (pattern.empty() || !text.contains('='))
      return entry.emitError() << "shard '" << text
                               << "': expected GLOB=DIMS such as "
                                  "'*.weight=-,model'";
    auto glob = llvm::GlobPattern::create(pattern);
    if (!glob)
      return entry.emitError()
             << "shard '" << text << "': " << llvm::toString(glob.takeError());
    bool matched = false;
    if (failed(annotateArguments(entry, meshOp, *glob, text, dims, matched)) ||
        failed(annotateResults(entry, meshOp, *glob, text, dims, matched)) ||
        failed(annotateInner(entry, meshOp, *glob, text, dims, matched)))
      return failure();
    if (!matched)
      return reportNoMatch(entry, text, pattern);
    return success();
  }

  LogicalResult annotateArguments(func::FuncOp entry, MeshOp meshOp,
                                  llvm::GlobPattern &glob, StringRef text,
                                  StringRef dims, bool &matched) {
    for (BlockArgument argument : entry.getArguments()) {
      unsigned index = argument.getArgNumber();
      if (!glob.match(graph::getArgumentName(entry, index)))
        continue;
      auto sharding =
          parseDims(entry, text, dims,
                    "argument '" + graph::getArgumentName(entry, index) + "'",
                    argument.getType(), meshOp);
      if (failed(sharding))
        return failure();
      entry.setArgAttr(index, SpmdDialect::kSharding, *sharding);
      matched = true;
    }
    return success();
  }

  LogicalResult annotateResults(func::FuncOp entry, MeshOp meshOp,
                                llvm::GlobPattern &glob, StringRef text,
                                StringRef dims, bool &matched) {
    for (auto [index, type] : llvm::enumerate(entry.getResultTypes())) {
      // Parts of a complex number or tuple go by the number of the whole.
      auto number =
          entry.getResultAttrOfType<IntegerAttr>(index, "cleave.number");
      if (!glob.match("out:" +
                      std::to_string(number ? number.getInt() : index)))
        continue;
      auto sharding =
          parseDims(entry, text, dims, "out:" + Twine(index), type, meshOp);
      if (failed(sharding))
        return failure();
      entry.setResultAttr(index, SpmdDialect::kSharding, *sharding);
      matched = true;
    }
    return success();
  }

  LogicalResult annotateInner(func::FuncOp entry, MeshOp meshOp,
                              llvm::GlobPattern &glob, StringRef text,
                              StringRef dims, bool &matched) {
    SmallVector<Operation *> named;
    entry.walk([&](Operation *op) {
      auto name = op->getAttrOfType<StringAttr>("cleave.name");
      if (name && op->getNumResults() == 1 && isOnGlobal(op) &&
          glob.match(name.getValue()))
        named.push_back(op);
    });
    for (Operation *op : named) {
      Value value = op->getResult(0);
      auto sharding = parseDims(
          op, text, dims,
          "value '" + op->getAttrOfType<StringAttr>("cleave.name").str() + "'",
          value.getType(), meshOp);
      if (failed(sharding))
        return failure();
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      auto constraint = ShardingConstraintOp::create(
          builder, op->getLoc(), value.getType(), value, *sharding);
      value.replaceAllUsesExcept(constraint, constraint);
      matched = true;
    }
    return success();
  }

  LogicalResult reportNoMatch(func::FuncOp entry, StringRef text,
                              StringRef pattern) {
    InFlightDiagnostic diag = entry.emitError()
                              << "shard '" << text << "': '" << pattern
                              << "' matches no argument, result (out:N) or "
                                 "named value";
    SmallVector<std::string> names;
    for (unsigned i = 0; i < std::min(entry.getNumArguments(), 8u); ++i)
      names.push_back(graph::getArgumentName(entry, i));
    diag.attachNote() << "arguments are " << llvm::join(names, ", ")
                      << (entry.getNumArguments() > 8 ? ", ..." : "");
    return diag;
  }
};

} // namespace
