//===- ComputeInF32.cpp - Arithmetic on floats of 8 bits ------------------===//
//
// Part of the Cleave Project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that computes with floats of 8 bits is imported as one on f32 between
// conversions, so that each result is rounded once. Sums and extrema are made
// in f32 from first to last. Other ops have such floats as they are: those that
// move them, products, which Cleave has of them, and ops whose functions round
// in between. Which ops are which is said where their import is registered.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "passes/Import/Importer.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

ImportRule reader::arithmetic(ImportFunction function) {
  return {function, InF32::Always};
}

ImportRule reader::reduction(ImportFunction function) {
  return {function, InF32::IfReducerIsSimple};
}

/// Whether all functions of a reduction need not round.
static bool reducesSimply(Operation *op) {
  return llvm::all_of(op->getRegions(), [](Region &region) {
    return region.hasOneBlock() &&
           llvm::all_of(region.front().without_terminator(),
                        [](Operation &inner) {
                          return isa<stablehlo::AddOp, stablehlo::CompareOp,
                                     stablehlo::MaximumOp, stablehlo::MinimumOp,
                                     stablehlo::MultiplyOp>(&inner) &&
                                 llvm::all_of(inner.getOperands(),
                                              llvm::IsaPred<BlockArgument>);
                        });
  });
}

static bool hasSmallFloats(TypeRange types) {
  return llvm::any_of(types, [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && (graph::isSmallFloat(tensor.getElementType()) ||
                      isNarrowFloat(tensor.getElementType()));
  });
}

/// The type with f32 in place of floats of 8 bits.
static RankedTensorType withF32(RankedTensorType type) {
  return graph::isSmallFloat(type.getElementType())
             ? graph::withElement(type, Float32Type::get(type.getContext()))
             : type;
}

static bool isOnF32(InF32 inF32, Operation *op) {
  if (!hasSmallFloats(op->getOperandTypes()) &&
      !hasSmallFloats(op->getResultTypes()))
    return false;
  return inF32 == InF32::Always ||
         (inF32 == InF32::IfReducerIsSimple && reducesSimply(op));
}

LogicalResult Importer::importBy(const ImportRule &rule, ImportedOp &op) {
  if (computesInF32 || !isOnF32(rule.inF32, op.op))
    return rule.function(op);

  auto operands = op.operands;
  auto resultTypes = op.resultTypes;
  // A constant becomes one: initial values are asked whether they are neutral.
  for (Parts &parts : op.operands)
    for (Value &part : parts)
      if (RankedTensorType type = graph::typeOf(part); withF32(type) != type)
        part =
            builder.createOrFold<graph::ConvertOp>(op.loc, withF32(type), part);
  for (auto &types : op.resultTypes)
    for (Type &type : types)
      type = withF32(cast<RankedTensorType>(type));
  computesInF32 = true;
  LogicalResult imported = rule.function(op);
  computesInF32 = false;
  op.operands = std::move(operands);
  op.resultTypes = std::move(resultTypes);
  if (failed(imported))
    return failure();
  for (auto [source, parts, types] :
       llvm::zip_equal(op.op->getResultTypes(), op.results, op.resultTypes)) {
    auto tensor = dyn_cast<TensorType>(source);
    bool isNarrow = tensor && isNarrowFloat(tensor.getElementType());
    for (auto [part, type] : llvm::zip(parts, types))
      part = isNarrow
                 ? roundToNarrowFloat(builder, op.loc, part,
                                      cast<FloatType>(tensor.getElementType()))
                 : graph::convertElement(
                       builder, op.loc, part,
                       cast<RankedTensorType>(type).getElementType());
  }
  return success();
}
