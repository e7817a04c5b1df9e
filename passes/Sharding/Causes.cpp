//===- Causes.cpp - Why a value moves -------------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Sharding/Causes.h"
#include "dialects/Spmd/ShardingConversion.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::spmd;

std::string cleave::describePlacement(const Sharding &sharding,
                                      const Mesh &mesh) {
  std::string text = "[";
  for (const auto &[index, dim] : llvm::enumerate(sharding.dims))
    text += (index ? ", {" : "{") + mesh.str(dim.axes) + "}";
  text += "]";
  for (const PartialAxis &partial : sharding.partial)
    text += " partial " + stringifyReduction(partial.kind).str() + " over " +
            mesh.str(partial.axis);
  return text;
}

std::string cleave::describePartialOrigins(OpResult result,
                                           const Sharding &placement,
                                           const Mesh &mesh) {
  std::string text;
  for (const PartialAxis &partial : placement.partial) {
    std::string axis = mesh.str(partial.axis) + " ";
    for (Value operand : result.getOwner()->getOperands()) {
      StringAttr origins = getOrigins(operand);
      if (!origins)
        continue;
      SmallVector<StringRef> entries;
      origins.getValue().split(entries, "; ");
      auto *entry = llvm::find_if(
          entries, [&](StringRef entry) { return entry.starts_with(axis); });
      if (entry == entries.end())
        continue;
      text += (text.empty() ? " (" : "; ") + entry->str();
      break;
    }
  }
  return text.empty() ? text : text + ")";
}
