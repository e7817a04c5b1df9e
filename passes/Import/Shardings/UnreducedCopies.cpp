//===- UnreducedCopies.cpp - Whole values stored as terms -----------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Shardings/UnreducedCopies.h"
#include "dialects/StableHLO/SdyDialect.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace cleave::reader {

namespace {

/// Names of axes. Where two meshes have one of the same name, an axis too many
/// may be found: a value is then reduced earlier than it need be.
using AxisNames = llvm::SmallSetVector<StringAttr, 2>;

/// Follows whole values that their program calls unreduced.
class UnreducedCopies {
public:
  void visit(Operation *op);
  void visitReturn(func::FuncOp function);

private:
  sdy::ShardingAttr withoutCopied(sdy::ShardingAttr sharding, AxisNames &axes);
  void visitIdentity(Operation *op, StringRef name);
  void visitAnnotation(Operation *op);

  DenseMap<Value, AxisNames> copied;
};

} // namespace

static bool isCopy(Operation *op) {
  return isa<sdy::ReplicatedToUnreducedOp, sdy::ShardedToUnreducedOp>(op);
}

/// A sharding that is unreduced over none of `axes`; of these those remain over
/// which it was.
sdy::ShardingAttr UnreducedCopies::withoutCopied(sdy::ShardingAttr sharding,
                                                 AxisNames &axes) {
  AxisNames before = std::move(axes);
  axes.clear();
  SmallVector<sdy::AxisAttr> unreduced;
  for (sdy::AxisAttr axis : sharding.getUnreduced())
    if (before.contains(axis.getName()))
      axes.insert(axis.getName());
    else
      unreduced.push_back(axis);
  return sdy::ShardingAttr::get(sharding.getContext(), sharding.getMesh(),
                                sharding.getDims(), sharding.getReplicated(),
                                unreduced);
}

/// An identity whose sharding is the attribute `name`.
void UnreducedCopies::visitIdentity(Operation *op, StringRef name) {
  AxisNames axes = copied.lookup(op->getOperand(0));
  if (auto sharding = op->getAttrOfType<sdy::ShardingAttr>(name);
      sharding && !axes.empty())
    op->setAttr(name, withoutCopied(sharding, axes));
  copied[op->getResult(0)] = axes;
}

/// Any other op: what its operands are, as far as its annotation, if it has
/// one, does not say that its results are reduced.
void UnreducedCopies::visitAnnotation(Operation *op) {
  AxisNames axes;
  for (Value operand : op->getOperands()) {
    AxisNames own = copied.lookup(operand);
    axes.insert(own.begin(), own.end());
  }
  if (axes.empty())
    return;
  auto annotation =
      op->getAttrOfType<sdy::ShardingPerValueAttr>(sdy::SdyDialect::kSharding);
  bool isOfResults =
      annotation && annotation.getShardings().size() == op->getNumResults();
  SmallVector<sdy::ShardingAttr> shardings;
  for (auto [i, result] : llvm::enumerate(op->getResults())) {
    AxisNames own = axes;
    if (isOfResults)
      shardings.push_back(withoutCopied(annotation.getShardings()[i], own));
    copied[result] = own;
  }
  if (isOfResults)
    op->setAttr(sdy::SdyDialect::kSharding,
                sdy::ShardingPerValueAttr::get(op->getContext(), shardings));
}

void UnreducedCopies::visit(Operation *op) {
  if (isCopy(op)) {
    AxisNames axes = copied.lookup(op->getOperand(0));
    auto out = op->getAttrOfType<sdy::ShardingAttr>("out_sharding");
    for (sdy::AxisAttr axis : out.getUnreduced())
      axes.insert(axis.getName());
    copied[op->getResult(0)] = axes;
  } else if (isa_and_nonnull<sdy::SdyDialect>(op->getDialect()) &&
             op->getNumOperands() == 1 && op->getNumResults() == 1 &&
             op->getNumRegions() == 0) {
    visitIdentity(op,
                  op->hasAttr("out_sharding") ? "out_sharding" : "sharding");
  } else if (op->getNumRegions() == 0) {
    visitAnnotation(op);
  }
}

void UnreducedCopies::visitReturn(func::FuncOp function) {
  if (function.isDeclaration())
    return;
  Operation *terminator = function.front().getTerminator();
  for (auto [i, value] : llvm::enumerate(terminator->getOperands())) {
    auto sharding = function.getResultAttrOfType<sdy::ShardingAttr>(
        i, sdy::SdyDialect::kSharding);
    AxisNames axes = copied.lookup(value);
    if (sharding && !axes.empty())
      function.setResultAttr(i, sdy::SdyDialect::kSharding,
                             withoutCopied(sharding, axes));
  }
}

void replaceUnreducedCopies(ModuleOp module) {
  SmallVector<Operation *> copies;
  UnreducedCopies values;
  for (auto function : module.getOps<func::FuncOp>()) {
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (isCopy(op))
        copies.push_back(op);
      values.visit(op);
    });
    values.visitReturn(function);
  }
  for (Operation *copy : copies) {
    copy->getResult(0).replaceAllUsesWith(copy->getOperand(0));
    copy->erase();
  }
}

} // namespace cleave::reader
