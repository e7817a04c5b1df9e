//===- SpmdDialect.cpp - The spmd dialect ---------------------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/SpmdDialect.h"
#include "dialects/Spmd/ShardingConversion.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace cleave::spmd;

#include "dialects/Spmd/SpmdDialect.cpp.inc"
#include "dialects/Spmd/SpmdEnums.cpp.inc"
#include "dialects/Spmd/SpmdInterfaces.cpp.inc"

void SpmdDialect::initialize() {
  registerAttributes();
  addOperations<
#define GET_OP_LIST
#include "dialects/Spmd/SpmdOps.cpp.inc"
      >();
}

/// A sharding of a function argument or result; after partitioning it describes
/// the global type, which `spmd.global_type` then holds.
static LogicalResult verifySignatureAttribute(Operation *op, Type type,
                                              DictionaryAttr all,
                                              NamedAttribute attribute,
                                              const Twine &where) {
  auto emitError = [&] { return op->emitError() << where << ": "; };
  if (attribute.getName() == SpmdDialect::kGlobalType) {
    if (!isa<TypeAttr>(attribute.getValue()))
      return emitError() << "spmd.global_type must be a type";
    return success();
  }
  if (attribute.getName() == SpmdDialect::kOrigins)
    return success();
  if (attribute.getName() != SpmdDialect::kSharding)
    return emitError() << "unknown attribute " << attribute.getName();
  auto sharding = dyn_cast<ShardingAttr>(attribute.getValue());
  if (!sharding)
    return emitError() << "spmd.sharding must be a #spmd.sharding";
  if (all)
    if (auto global = all.getAs<TypeAttr>(SpmdDialect::kGlobalType))
      type = global.getValue();
  return verifySharding(emitError, sharding, type, op);
}

LogicalResult SpmdDialect::verifyRegionArgAttribute(Operation *op,
                                                    unsigned region,
                                                    unsigned index,
                                                    NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitError() << attribute.getName()
                           << " belongs on arguments of functions";
  return verifySignatureAttribute(op, func.getArgumentTypes()[index],
                                  func.getArgAttrDict(index), attribute,
                                  "argument " + Twine(index));
}

LogicalResult SpmdDialect::verifyRegionResultAttribute(
    Operation *op, unsigned region, unsigned index, NamedAttribute attribute) {
  auto func = dyn_cast<FunctionOpInterface>(op);
  if (!func)
    return op->emitError() << attribute.getName()
                           << " belongs on results of functions";
  return verifySignatureAttribute(op, func.getResultTypes()[index],
                                  func.getResultAttrDict(index), attribute,
                                  "result " + Twine(index));
}

LogicalResult SpmdDialect::verifyOperationAttribute(Operation *op,
                                                    NamedAttribute attribute) {
  if (attribute.getName() == kOrigins)
    return success();
  if (attribute.getName() != kShardings)
    return op->emitError() << "unknown attribute " << attribute.getName();
  auto all = dyn_cast<ArrayAttr>(attribute.getValue());
  if (!all || all.size() != op->getNumResults())
    return op->emitError() << "spmd.shardings needs one entry per result";
  for (auto [entry, type] : llvm::zip(all, op->getResultTypes())) {
    if (isa<UnitAttr>(entry))
      continue;
    auto sharding = dyn_cast<ShardingAttr>(entry);
    if (!sharding)
      return op->emitError() << "an entry of spmd.shardings is a "
                                "#spmd.sharding, or unit where there is none";
    if (failed(verifySharding([&] { return op->emitError(); }, sharding, type,
                              op)))
      return failure();
  }
  return success();
}
