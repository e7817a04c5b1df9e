//===- ScalarBody.cpp - Functions of scalars in regions -------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/ScalarBody.h"
#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/Verify/Verification.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace cleave::graph {

SmallVector<Type> scalarTypes(ValueRange values) {
  return llvm::map_to_vector(
      values, [](Value value) -> Type { return withShape(typeOf(value), {}); });
}

static bool isScalarOp(Operation &op) {
  auto isScalar = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0;
  };
  return op.getNumRegions() == 0 &&
         isa<EvaluableOpInterface, func::CallOp>(op) &&
         llvm::all_of(op.getResultTypes(), isScalar);
}

LogicalResult checkScalarBody(Operation *op, StringRef name, Region &body,
                              ArrayRef<Type> arguments, const Twine &roles,
                              ArrayRef<Type> results) {
  mlir::Block &block = body.front();
  if (block.getArgumentTypes() != TypeRange(arguments)) {
    InFlightDiagnostic diag = op->emitOpError() << name << " has ";
    if (block.getNumArguments())
      diag << "arguments of types " << block.getArgumentTypes();
    else
      diag << "no arguments";
    return diag << ": should be " << arguments << ", " << roles;
  }
  for (Operation &inner : block.without_terminator())
    if (!isScalarOp(inner))
      return op->emitOpError()
                 .append(name, " has '", inner.getName(),
                         "': should have operations on scalars "
                         "(rank 0) without regions")
                 .attachNote(inner.getLoc())
             << "the operation is here";
  for (Operation &inner : block)
    for (Value operand : inner.getOperands())
      // Equal constants are merged across regions.
      if (operand.getParentBlock() != &block &&
          !operand.getDefiningOp<ConstantOp>())
        return op->emitOpError()
                   .append(name, " uses a value from outside: should use its "
                                 "arguments and constants")
                   .attachNote(inner.getLoc())
               << "the use is here";
  return checkYield(op, name, body, results);
}

static std::optional<ReductionKind> kindOf(Operation *op) {
  // On i1 the arithmetic ops are the logical ones.
  bool logical = typeOf(op->getResult(0)).getElementType().isInteger(1);
  if (isa<AddOp>(op))
    return logical ? ReductionKind::Or : ReductionKind::Sum;
  if (isa<MulOp>(op))
    return logical ? ReductionKind::And : ReductionKind::Prod;
  if (isa<MaxOp>(op))
    return logical ? ReductionKind::Or : ReductionKind::Max;
  if (isa<MinOp>(op))
    return logical ? ReductionKind::And : ReductionKind::Min;
  if (isa<AndOp>(op))
    return ReductionKind::And;
  if (isa<OrOp>(op))
    return ReductionKind::Or;
  return std::nullopt;
}

std::optional<ReductionKind> combiningKind(Region &body) {
  mlir::Block &block = body.front();
  unsigned count = block.getTerminator()->getNumOperands();
  if (block.getNumArguments() != 2 * count ||
      !llvm::hasNItems(block.getOperations(), count + 1))
    return std::nullopt;
  std::optional<ReductionKind> common;
  for (auto [i, result] :
       llvm::enumerate(block.getTerminator()->getOperands())) {
    Operation *op = result.getDefiningOp();
    Value accumulator = block.getArgument(i),
          element = block.getArgument(count + i);
    if (!op || op->getNumOperands() != 2 || op->getNumResults() != 1)
      return std::nullopt;
    Value lhs = op->getOperand(0), rhs = op->getOperand(1);
    if (!(lhs == accumulator && rhs == element) &&
        !(lhs == element && rhs == accumulator))
      return std::nullopt;
    std::optional<ReductionKind> kind = kindOf(op);
    if (!kind || (common && common != kind))
      return std::nullopt;
    common = kind;
  }
  return common;
}

bool yieldsElements(Region &body) {
  mlir::Block &block = body.front();
  ValueRange results = block.getTerminator()->getOperands();
  return block.getNumArguments() == 2 * results.size() &&
         results == ValueRange(block.getArguments().drop_front(results.size()));
}

} // namespace cleave::graph
