//===- CloseRegions.cpp - Regions that use values from outside ------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor of one value everywhere stays so whatever a sort permutes, and a
// reduction or scatter keeps it where its computation returns it unchanged.
//
//===----------------------------------------------------------------------===//

#include "passes/Import/Rewrites/CloseRegions.h"
#include "dialects/StableHLO/StableHLODialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace cleave;

/// Scalars from outside, other than constants, that ops in the region use.
static llvm::SetVector<Value> scalarsFromOutside(Region &region) {
  llvm::SetVector<Value> values;
  region.walk([&](Operation *inner) {
    for (Value operand : inner->getOperands()) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (type && type.getRank() == 0 &&
          !region.isAncestor(operand.getParentRegion()) &&
          !isa_and_present<stablehlo::ConstantOp, chlo::ConstantOp>(
              operand.getDefiningOp()))
        values.insert(operand);
    }
  });
  return values;
}

static Value broadcast(OpBuilder &builder, Location loc, Value scalar,
                       Value like) {
  auto shape = cast<RankedTensorType>(like.getType()).getShape();
  auto type = RankedTensorType::get(
      shape, cast<RankedTensorType>(scalar.getType()).getElementType());
  OperationState state(loc, stablehlo::BroadcastInDimOp::getOperationName());
  state.addOperands(scalar);
  state.addAttribute("broadcast_dimensions", builder.getDenseI64ArrayAttr({}));
  state.addTypes(type);
  return builder.create(state)->getResult(0);
}

namespace {
/// What an op takes so that its computation has one more value as an argument.
struct Addition {
  /// Where new operands go, ascending, as places among the present ones.
  SmallVector<std::pair<unsigned, Value>> operands;
  /// Places of the new arguments of the computation, ascending; the first
  /// stands for the value.
  SmallVector<unsigned> arguments;
  /// Whether the computation returns the value, and the op a tensor of it.
  bool isReturned = false, isResult = false;
};
} // namespace

/// What `op` needs to take `scalar`; nothing for other ops and for malformed
/// ones, which the import refuses.
static std::optional<Addition> additionFor(Operation *op, Value scalar) {
  OpBuilder builder(op);
  unsigned operands = op->getNumOperands();
  if (operands == 0 || op->getNumRegions() != 1 ||
      !op->getRegion(0).hasOneBlock() ||
      !llvm::all_of(op->getOperandTypes(), llvm::IsaPred<RankedTensorType>) ||
      !llvm::all_of(op->getResultTypes(), llvm::IsaPred<RankedTensorType>))
    return std::nullopt;
  unsigned arguments = op->getRegion(0).getNumArguments();
  auto like = [&](Value value) {
    return broadcast(builder, op->getLoc(), scalar, value);
  };
  if (isa<stablehlo::MapOp>(op) && arguments == operands)
    return Addition{{{operands, like(op->getOperand(0))}}, {operands}};
  if (isa<stablehlo::SortOp>(op) && arguments == 2 * operands)
    return Addition{{{operands, like(op->getOperand(0))}},
                    {arguments, arguments + 1},
                    /*isReturned=*/false,
                    /*isResult=*/true};
  bool isReduction = isa<stablehlo::ReduceOp, stablehlo::ReduceWindowOp>(op);
  if (!isReduction && !isa<stablehlo::ScatterOp>(op))
    return std::nullopt;
  unsigned count = op->getNumResults();
  if (count == 0 || arguments != 2 * count ||
      operands != 2 * count + (isReduction ? 0 : 1))
    return std::nullopt;
  Value second = isReduction ? scalar : like(op->getOperand(count + 1));
  return Addition{{{count, like(op->getOperand(0))}, {operands, second}},
                  {count, arguments + 1},
                  /*isReturned=*/true,
                  /*isResult=*/true};
}

/// Makes `op` anew with what it takes for `scalar`, which its computation no
/// longer uses from outside.
static Operation *addOperands(Operation *op, Value scalar,
                              const Addition &addition) {
  mlir::Block &block = op->getRegion(0).front();
  BlockArgument inside;
  for (unsigned place : addition.arguments) {
    BlockArgument added =
        block.insertArgument(place, scalar.getType(), op->getLoc());
    if (!inside)
      inside = added;
  }
  scalar.replaceUsesWithIf(inside, [&](OpOperand &use) {
    return op->getRegion(0).isAncestor(use.getOwner()->getParentRegion());
  });
  if (addition.isReturned) {
    Operation *terminator = block.getTerminator();
    terminator->insertOperands(terminator->getNumOperands(), inside);
  }
  SmallVector<Value> operands(op->getOperands());
  for (auto [place, value] : llvm::reverse(addition.operands))
    operands.insert(operands.begin() + place, value);
  SmallVector<Type> types(op->getResultTypes());
  if (addition.isResult)
    types.push_back(
        cast<RankedTensorType>(types.front())
            .clone(cast<RankedTensorType>(scalar.getType()).getElementType()));
  OpBuilder builder(op);
  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(op->getAttrs());
  state.addRegion()->takeBody(op->getRegion(0));
  Operation *closed = builder.create(state);
  for (auto [from, to] : llvm::zip(op->getResults(), closed->getResults()))
    from.replaceAllUsesWith(to);
  op->erase();
  return closed;
}

void reader::closeRegions(ModuleOp module) {
  SmallVector<Operation *> open;
  module.walk([&](Operation *op) {
    if (isa<stablehlo::MapOp, stablehlo::SortOp, stablehlo::ReduceOp,
            stablehlo::ReduceWindowOp, stablehlo::ScatterOp>(op) &&
        !scalarsFromOutside(op->getRegion(0)).empty())
      open.push_back(op);
  });
  // One value at a time: an op with more of them comes up again.
  while (!open.empty()) {
    Operation *op = open.pop_back_val();
    llvm::SetVector<Value> scalars = scalarsFromOutside(op->getRegion(0));
    if (scalars.empty())
      continue;
    if (std::optional<Addition> addition = additionFor(op, scalars.front()))
      open.push_back(addOperands(op, scalars.front(), *addition));
  }
}
