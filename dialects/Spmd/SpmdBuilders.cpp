//===- SpmdBuilders.cpp - Short ways to build spmd operations -------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Spmd/SpmdBuilders.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;

namespace cleave::spmd {

MeshOp declareMesh(ModuleOp module, Location loc, StringRef name,
                   MeshAttr shape) {
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto mesh = MeshOp::create(builder, loc, name, shape);
  // What is not in the module yet can be given a name that is free.
  mesh->remove();
  SymbolTable(module).insert(mesh, module.getBody()->begin());
  return mesh;
}

Value constrain(OpBuilder &builder, Location loc, Value value,
                ShardingAttr sharding) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!sharding || !type ||
      sharding.getDims().size() != static_cast<size_t>(type.getRank()) ||
      (type.getRank() == 0 && sharding.getPartial().empty()))
    return value;
  Operation *parent = builder.getInsertionBlock()->getParentOp();
  auto manual = dyn_cast<ManualComputationOp>(parent);
  if (!manual)
    manual = parent->getParentOfType<ManualComputationOp>();
  if (manual && !manual.hasFreeAxes())
    return value;
  if (manual)
    sharding = manual.getFreePart(sharding);
  return ShardingConstraintOp::create(builder, loc, type, value, sharding);
}

void constrainResults(Operation *op, ArrayRef<ShardingAttr> shardings) {
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  for (auto [result, sharding] : llvm::zip_equal(op->getResults(), shardings)) {
    Value constrained = constrain(builder, op->getLoc(), result, sharding);
    if (constrained != result)
      result.replaceAllUsesExcept(constrained, constrained.getDefiningOp());
  }
}

Value constrainOpen(OpBuilder &builder, Location loc, Value value, MeshOp mesh,
                    StringRef attribute, Attribute setting) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return value;
  MLIRContext *context = loc.getContext();
  SmallVector<DimShardingAttr> open(
      type.getRank(),
      DimShardingAttr::get(context, {}, /*open=*/true, std::nullopt));
  auto name = FlatSymbolRefAttr::get(mesh.getSymNameAttr());
  Value constrained = constrain(builder, loc, value,
                                ShardingAttr::get(context, name, open, {}));
  if (constrained != value)
    constrained.getDefiningOp()->setDiscardableAttr(attribute, setting);
  return constrained;
}

} // namespace cleave::spmd
