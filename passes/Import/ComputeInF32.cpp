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
// in between.
//
//===----------------------------------------------------------------------===//

#include "dialects/Graph/GraphBuilders.h"
#include "dialects/Graph/SmallFloats.h"
#include "passes/Import/Importer.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace cleave;
using namespace cleave::reader;

/// Ops that are the same function on wider floats, rounded.
static bool isArithmetic(StringRef name) {
  static const llvm::StringSet<> names = {"stablehlo.abs",
                                          "stablehlo.add",
                                          "stablehlo.atan2",
                                          "stablehlo.batch_norm_grad",
                                          "stablehlo.batch_norm_inference",
                                          "stablehlo.batch_norm_training",
                                          "stablehlo.cbrt",
                                          "stablehlo.ceil",
                                          "stablehlo.cholesky",
                                          "stablehlo.clamp",
                                          "stablehlo.compare",
                                          "stablehlo.cosine",
                                          "stablehlo.cross-replica-sum",
                                          "stablehlo.divide",
                                          "stablehlo.einsum",
                                          "stablehlo.exp2",
                                          "stablehlo.exponential",
                                          "stablehlo.exponential_minus_one",
                                          "stablehlo.floor",
                                          "stablehlo.is_finite",
                                          "stablehlo.log",
                                          "stablehlo.log2",
                                          "stablehlo.log_plus_one",
                                          "stablehlo.logistic",
                                          "stablehlo.maximum",
                                          "stablehlo.minimum",
                                          "stablehlo.multiply",
                                          "stablehlo.negate",
                                          "stablehlo.power",
                                          "stablehlo.remainder",
                                          "stablehlo.round_nearest_afz",
                                          "stablehlo.round_nearest_even",
                                          "stablehlo.rsqrt",
                                          "stablehlo.sign",
                                          "stablehlo.sine",
                                          "stablehlo.sqrt",
                                          "stablehlo.subtract",
                                          "stablehlo.tan",
                                          "stablehlo.tanh",
                                          "stablehlo.triangular_solve",
                                          "stablehlo.unary_einsum",
                                          "chlo.acos",
                                          "chlo.acosh",
                                          "chlo.asin",
                                          "chlo.asinh",
                                          "chlo.atan",
                                          "chlo.atanh",
                                          "chlo.bessel_i1e",
                                          "chlo.broadcast_add",
                                          "chlo.broadcast_atan2",
                                          "chlo.broadcast_compare",
                                          "chlo.broadcast_divide",
                                          "chlo.broadcast_maximum",
                                          "chlo.broadcast_minimum",
                                          "chlo.broadcast_multiply",
                                          "chlo.broadcast_polygamma",
                                          "chlo.broadcast_power",
                                          "chlo.broadcast_remainder",
                                          "chlo.broadcast_subtract",
                                          "chlo.broadcast_zeta",
                                          "chlo.cosh",
                                          "chlo.digamma",
                                          "chlo.erf",
                                          "chlo.erf_inv",
                                          "chlo.erfc",
                                          "chlo.is_inf",
                                          "chlo.is_neg_inf",
                                          "chlo.is_pos_inf",
                                          "chlo.lgamma",
                                          "chlo.polygamma",
                                          "chlo.sinh",
                                          "chlo.square",
                                          "chlo.tan",
                                          "chlo.zeta"};
  return names.contains(name);
}

/// Whether all functions of a reduction only add, multiply, compare or take an
/// extremum of what they are given, so that they need not round.
static bool reducesSimply(Operation *op) {
  if (!isa<stablehlo::AllReduceOp, stablehlo::CollectiveReduceOp,
           stablehlo::ReduceOp, stablehlo::ReduceScatterOp,
           stablehlo::ReduceWindowOp, stablehlo::SelectAndScatterOp>(op))
    return false;
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
    return tensor && graph::isSmallFloat(tensor.getElementType());
  });
}

/// The type with f32 in place of floats of 8 bits.
static RankedTensorType withF32(RankedTensorType type) {
  return graph::isSmallFloat(type.getElementType())
             ? graph::withElement(type, Float32Type::get(type.getContext()))
             : type;
}

LogicalResult Importer::importBy(ImportFunction function, ImportedOp &op) {
  bool hasSmall = hasSmallFloats(op.op->getOperandTypes()) ||
                  hasSmallFloats(op.op->getResultTypes());
  if (computesInF32 || !hasSmall ||
      (!isArithmetic(op.name()) && !reducesSimply(op.op)))
    return function(op);

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
  LogicalResult imported = function(op);
  computesInF32 = false;
  op.operands = std::move(operands);
  op.resultTypes = std::move(resultTypes);
  if (failed(imported))
    return failure();
  for (auto [parts, types] : llvm::zip_equal(op.results, op.resultTypes))
    for (auto [part, type] : llvm::zip(parts, types))
      part = graph::convertElement(
          builder, op.loc, part, cast<RankedTensorType>(type).getElementType());
  return success();
}
