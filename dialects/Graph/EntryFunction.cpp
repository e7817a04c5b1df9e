//===- EntryFunction.cpp - The function a module runs ---------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/EntryFunction.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace cleave::graph {

func::FuncOp getEntryFunction(ModuleOp module) {
  SmallVector<func::FuncOp> candidates;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || func.isPrivate())
      continue;
    if (func.getSymName() == "main")
      return func;
    candidates.push_back(func);
  }
  if (candidates.size() == 1)
    return candidates.front();
  if (candidates.empty()) {
    module.emitError("the module has no public function to run");
    return {};
  }
  InFlightDiagnostic diag = candidates[1].emitError(
      "the module has several public functions and none is named main");
  diag.attachNote(candidates[0].getLoc()) << "another one is here";
  return {};
}

/// The name in a location: `loc("x")`, or the first one of a fused location.
static StringRef nameIn(Location loc) {
  if (auto named = dyn_cast<NameLoc>(loc))
    return named.getName().getValue();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location inner : fused.getLocations())
      if (StringRef name = nameIn(inner); !name.empty())
        return name;
  return {};
}

std::string getArgumentName(func::FuncOp func, unsigned index) {
  if (auto name = func.getArgAttrOfType<StringAttr>(index, "cleave.name"))
    return name.str();
  if (!func.isExternal())
    if (StringRef name = nameIn(func.getArgument(index).getLoc());
        !name.empty())
      return name.str();
  return "arg" + std::to_string(index);
}

std::string getResultName(func::FuncOp func, unsigned index) {
  if (auto name = func.getResultAttrOfType<StringAttr>(index, "cleave.name"))
    return name.str();
  return "out" + std::to_string(index);
}

std::string describe(Location loc) {
  return TypeSwitch<LocationAttr, std::string>(loc)
      .Case([](FileLineColLoc file) {
        return file.getFilename().str() + ":" + std::to_string(file.getLine()) +
               ":" + std::to_string(file.getColumn());
      })
      .Case([](NameLoc named) {
        std::string where = describe(named.getChildLoc());
        return where == "unknown location" ? named.getName().str() : where;
      })
      .Case([](CallSiteLoc call) { return describe(call.getCallee()); })
      .Case([](FusedLoc fused) {
        return fused.getLocations().empty()
                   ? std::string("unknown location")
                   : describe(fused.getLocations().front());
      })
      .Default([](LocationAttr) { return std::string("unknown location"); });
}

} // namespace cleave::graph
